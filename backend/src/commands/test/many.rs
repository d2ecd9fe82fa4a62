//! The variants of a file, each in its class against its tests.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use shared::dataset::Dataset;
use shared::harness::TestJob;
use shared::identify::{IdentifyOptions, Reference, examine, find};
use shared::kill::KillMatrix;
use shared::relation::Related;
use shared::report::TestReport;
use shared::subject::{ClassItem, Subject, SubjectId};
use shared::variant::Variant;

use super::clean::Clean;
use super::reports;
use crate::cli::{TestArgs, TestFormat};
use crate::commands::growing::{self, Work};
use crate::commands::identify::for_each_line;
use crate::commands::{Outcome, block_on};
use crate::config::Config;
use crate::sandbox::{self, Engines, OwnTimes};

/// How many lines came to what.
#[derive(Default)]
struct Counts {
    /// They had a report before.
    had_report: usize,
    /// They can be no case whatever the tests say.
    settled: usize,
    bad: usize,
}

pub(super) fn run(
    args: &TestArgs,
    variants: &Path,
    reports_path: &Path,
    config: &Config,
    dataset: &Dataset,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let mut counts = Counts::default();
    let before = reports::known(reports_path)?;
    let mut jobs = Vec::new();
    let mut subjects = BTreeMap::new();
    for_each_line(variants, |number, line| {
        match line.and_then(|line| job(line, number, args, dataset)) {
            Ok(Some(Asked {
                subject,
                class,
                job,
            })) => {
                subjects.insert(job.variant.0.clone(), &subject.id);
                if before.contains(job.variant.as_str()) {
                    counts.had_report += 1;
                } else {
                    jobs.push((class, job));
                }
            }
            Ok(None) => counts.settled += 1,
            Err(why) => {
                counts.bad += 1;
                eprintln!("bad line {number} of {}: {why}", variants.display());
            }
        }
        Ok(())
    })?;
    let (mut n_tested, mut n_passing) = (0, 0);
    let n_failed = block_on(async {
        let engines = Engines::new(config);
        let sandbox = engines.get(args.run.engine.as_deref()).await?;
        let classes: Vec<&ClassItem> = jobs.iter().map(|(class, _)| *class).collect();
        let clean = Clean::of(args, &engines, &classes).await?;
        let n_asked = jobs.len();
        let mut clean_jobs = Vec::new();
        for (class, job) in jobs {
            let around = clean.surroundings(&class.name, args.remedies);
            clean_jobs.extend(around.map(|around| (class, job.within(around))));
        }
        clean.tell(n_asked - clean_jobs.len(), args, out)?;
        let times = OwnTimes::default();
        let one = async |(class, mut job): (&ClassItem, TestJob)| {
            match (args.run.allowance(), clean.known(&class.name)) {
                (Some(allowance), Some(known)) => job.allow(&known.report, allowance),
                (Some(allowance), None) => {
                    let of = (dataset, class);
                    times
                        .allow(sandbox.as_ref(), of, &mut job, allowance)
                        .await?;
                }
                (None, _) => {}
            }
            anyhow::Ok(sandbox::run(sandbox.as_ref(), &job, |_| ()).await?)
        };
        let work = Work {
            items: clean_jobs,
            at_once: args.jobs,
        };
        let name = |(_, job): &(&ClassItem, TestJob)| job.variant.clone();
        let line = |report: TestReport| {
            n_tested += 1;
            n_passing += usize::from(report.broken().next().is_none());
            report.json_line()
        };
        growing::add(reports_path, work, name, one, line).await
    })?;
    let Counts {
        had_report,
        settled,
        bad,
    } = counts;
    writeln!(
        out,
        "{n_tested} tested, {n_passing} of them pass; {had_report} had a report; {settled} can be no case without \
         a test; {bad} bad lines"
    )?;
    if args.matrix.is_some() || args.format == TestFormat::Matrix {
        print_matrices(&matrices(reports_path, &subjects)?, args, out)?;
    }
    ensure!(n_failed == 0, growing::some_failed(n_failed));
    Ok(Outcome::Done)
}

/// Which test kills which variant, subject by subject.
fn matrices(
    reports: &Path,
    subjects: &BTreeMap<String, &SubjectId>,
) -> Result<BTreeMap<SubjectId, KillMatrix>> {
    let mut matrices = BTreeMap::new();
    reports::for_each(reports, |report| {
        if let Some(&subject) = subjects.get(report.variant.as_str()) {
            let new = || KillMatrix::new(subject.clone());
            let matrix = matrices.entry(subject.clone()).or_insert_with(new);
            matrix.add(&report);
        }
    })?;
    Ok(matrices)
}

fn print_matrices(
    matrices: &BTreeMap<SubjectId, KillMatrix>,
    args: &TestArgs,
    out: &mut dyn Write,
) -> Result<()> {
    if let Some(path) = &args.matrix {
        let lines: String = matrices.values().map(KillMatrix::csv).collect();
        fs::write(path, KillMatrix::csv_head() + &lines)
            .with_context(|| format!("cannot write {}; check the folder", path.display()))?;
    }
    if args.format == TestFormat::Matrix {
        for matrix in matrices.values() {
            write!(out, "\n{}", matrix.text())?;
        }
    }
    Ok(())
}

/// A variant that is to be tested.
struct Asked<'a> {
    subject: &'a Subject,
    class: &'a ClassItem,
    job: TestJob,
}

/// What is to be run for a variant: nothing where no test can make it a case.
fn job<'a>(
    line: &str,
    number: usize,
    args: &TestArgs,
    dataset: &'a Dataset,
) -> Result<Option<Asked<'a>>, String> {
    let variant = Variant::from_json_line(line, number).map_err(|why| why.to_string())?;
    let ((subject, context), perturbation) = find(dataset, &variant)?;
    let class = dataset.class_of(subject);
    let reference = Reference::of(class, subject, context);
    let examined = examine(
        &reference,
        &perturbation,
        &variant,
        IdentifyOptions::default(),
    );
    let module = examined.module.filter(|_| examined.not_case.is_none());
    let (protocol, limits) = (args.run.protocol(), args.run.limits());
    let asked = |module| {
        let job = TestJob::of(class, variant.id.clone(), module, protocol, limits);
        Asked {
            subject,
            class,
            job: job.related(&Related::of(dataset, subject)),
        }
    };
    Ok(module.map(asked))
}
