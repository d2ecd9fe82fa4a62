//! `ctxlab test`: one class with a method of the user's in it, against its tests; or many.

mod classes;
mod clean;
mod junit;
mod many;
mod reports;

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use shared::harness::TestJob;
use shared::identify::Reference;
use shared::relation::Related;
use shared::report::{Frame, FrameFile, TestOutcome, TestReport, TestRun};
use shared::subject::SubjectId;
use shared::variant::VariantId;

use super::{Outcome, block_on};
use crate::benchmarks::Benchmarks;
use crate::cli::{TestArgs, TestFormat};
use crate::config::Config;
use crate::sandbox::{self, Engines, OwnTimes};

pub(super) fn run(
    args: &TestArgs,
    config: &Config,
    benchmarks: &Benchmarks,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let dataset = benchmarks.open(&args.dataset)?;
    if let Some(reports) = &args.out {
        if let Some(variants) = &args.variants {
            return many::run(args, variants, reports, config, &dataset, out);
        }
        if let Some(classes) = &args.classes {
            return classes::run(args, (classes, reports), config, &dataset, out);
        }
    }
    if args.format == TestFormat::Matrix {
        bail!("a matrix is of many variants; give them with --variants");
    }
    let id = SubjectId(args.subject.clone().unwrap_or_default());
    let subject = dataset.subject(&id).ok_or_else(|| {
        anyhow!(
            "no method {id} in {}; `ctxlab perturb --dataset` prints all that are",
            dataset.name
        )
    })?;
    let class = dataset.class_of(subject);
    let module = match &args.code {
        None => class.source.clone(),
        Some(path) => {
            let reply = read(path)?;
            let reference = Reference::of(class, subject, dataset.context_of(subject));
            reference.splice(&reply).with_context(|| {
                let name = path.display();
                format!("{name} has no method {}; give its code", subject.method)
            })?
        }
    };
    let (protocol, limits) = (args.run.protocol(), args.run.limits());
    let variant = VariantId(id.0.clone());
    let job = TestJob::of(class, variant, module, protocol, limits);
    let mut job = job.related(&Related::of(&dataset, subject));
    let report = block_on(async {
        let sandbox = Engines::new(config).get(args.run.engine.as_deref()).await?;
        if let Some(allowance) = args.run.allowance() {
            let (of, times) = ((&dataset, class), OwnTimes::default());
            times
                .allow(sandbox.as_ref(), of, &mut job, allowance)
                .await?;
        }
        Ok(sandbox::run(sandbox.as_ref(), &job, |_| ()).await?)
    })?;
    match args.format {
        TestFormat::Json => write!(out, "{}", report.json_line())?,
        TestFormat::Text | TestFormat::Matrix => print(&report, out)?,
        TestFormat::Junit => junit::print(&report, out)?,
    }
    Ok(if report.broken().next().is_none() {
        Outcome::Done
    } else {
        Outcome::Different
    })
}

fn read(path: &Path) -> Result<String> {
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    read.map_err(|e| anyhow!("cannot read {}: {e}; check the path", path.display()))
}

fn print(report: &TestReport, out: &mut dyn Write) -> Result<()> {
    if let Some(why) = &report.load_error {
        writeln!(out, "does not load  {why}")?;
    }
    let mut tests: Vec<&TestRun> = report.tests.iter().collect();
    tests.sort_by_key(|run| run.relation);
    for group in tests.chunk_by(|a, b| a.relation == b.relation) {
        if let Some(relation) = group[0].relation {
            let n_passed = group
                .iter()
                .filter(|run| run.outcome == TestOutcome::Passed);
            let (n, n_passed) = (group.len(), n_passed.count());
            writeln!(out, "{}: {n_passed} of {n} pass", relation.label())?;
        }
        for run in group {
            print_test(run, out)?;
        }
        writeln!(out)?;
    }
    let (n, n_broken) = (report.tests.len(), report.broken().count());
    let engine = report.engine.as_ref();
    let engine = engine.map_or_else(String::new, |it| format!(" ({}, {})", it.engine, it.python));
    let retried = report.timings.iter().filter(|it| it.retried);
    for it in retried {
        writeln!(
            out,
            "{} ran out of time and was run again, alone",
            it.test_class
        )?;
    }
    writeln!(out, "{} of {n} tests pass{engine}", n - n_broken)?;
    Ok(())
}

fn print_test(run: &TestRun, out: &mut dyn Write) -> Result<()> {
    let (word, message) = match &run.outcome {
        TestOutcome::Passed => ("passed", ""),
        TestOutcome::Failed { message } => ("failed", message.as_str()),
        TestOutcome::Errored { message } => ("error", message.as_str()),
        TestOutcome::TimedOut => ("timed out", ""),
        TestOutcome::Killed { message } => ("killed", message.as_str()),
        TestOutcome::NotRun => ("not run", ""),
    };
    let ms = run.ms.map_or_else(String::new, |ms| format!("{ms} ms"));
    writeln!(out, "{word:10} {:9} {}", ms, run.name)?;
    let raised = run.raised.as_ref();
    match raised.and_then(|it| it.expected.as_ref().zip(it.actual.as_ref())) {
        Some((expected, actual)) => {
            writeln!(out, "    expected  {expected}\n    actual    {actual}")?;
        }
        None if message.is_empty() => {}
        None => writeln!(out, "    {}", message.replace('\n', "\n    "))?,
    }
    let frames = raised.map_or(&[][..], |raised| &raised.frames);
    for Frame {
        file,
        line,
        function,
    } in frames
    {
        let file = match file {
            FrameFile::Module => "class",
            FrameFile::Tests => "tests",
        };
        writeln!(out, "    {file}, line {line}, in {function}")?;
    }
    Ok(())
}
