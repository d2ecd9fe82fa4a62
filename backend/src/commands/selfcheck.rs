//! `ctxlab selfcheck`: every class of a benchmark against its own tests, under probes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use shared::integrity::{Finding, Integrity};
use shared::subject::ClassItem;

use super::{Outcome, block_on};
use crate::benchmarks::Benchmarks;
use crate::cli::{RunArgs, SelfcheckArgs, SelfcheckFormat};
use crate::config::Config;
use crate::integrity::Check;
use crate::sandbox::Engines;

pub(super) fn run(
    args: &SelfcheckArgs,
    config: &Config,
    benchmarks: &Benchmarks,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let dataset = benchmarks.open(&args.dataset)?;
    let (engines, classes) = (Engines::new(config), dataset.classes.iter().collect());
    let found = block_on(check(&engines, &args.run, args.jobs, classes))?;
    match args.format {
        SelfcheckFormat::Jsonl => {
            for it in &found {
                write!(out, "{}", it.json_line())?;
            }
        }
        SelfcheckFormat::Text => print(&found, out)?,
    }
    Ok(if found.iter().all(Integrity::is_clean) {
        Outcome::Done
    } else {
        Outcome::Different
    })
}

/// Checks classes, with a progress bar.
pub(super) async fn check(
    engines: &Engines,
    args: &RunArgs,
    jobs: Option<NonZeroUsize>,
    classes: Vec<&ClassItem>,
) -> Result<Vec<Integrity>> {
    let sandbox = engines.get(args.engine.as_deref()).await?;
    let n_jobs = jobs.or_else(|| available_parallelism().ok());
    let how = (args.protocol(), args.limits(), args.allowance());
    let check = Check::new(sandbox, how, n_jobs.map_or(1, NonZeroUsize::get));
    let bar = ProgressBar::new(classes.len() as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} references, {eta} left")?;
    bar.set_style(style);
    let found = check.all(classes, |_| bar.inc(1)).await;
    bar.finish_and_clear();
    Ok(found?)
}

fn print(found: &[Integrity], out: &mut dyn Write) -> Result<()> {
    for it in found.iter().filter(|it| !it.findings.is_empty()) {
        writeln!(out, "{:24} {}", it.standing.label(), it.class)?;
        for finding in &it.findings {
            writeln!(out, "    {finding}")?;
        }
    }
    let clean: Vec<&Integrity> = found.iter().filter(|it| it.is_clean()).collect();
    let n_corrected = clean.iter().filter(|it| !it.findings.is_empty()).count();
    let corrected = match n_corrected {
        0 => String::new(),
        n => format!(" ({n} of them with a mistake of the benchmark that is corrected)"),
    };
    let (n, n_clean) = (found.len(), clean.len());
    writeln!(
        out,
        "\n{n_clean} of {n} references are clean{corrected}; {} left out{}",
        n - n_clean,
        names(found)
    )?;
    let n_probes: usize = found.iter().map(|it| it.probes.len()).sum();
    let engine = found.iter().find_map(|it| it.report.engine.as_ref());
    if let Some(engine) = engine {
        writeln!(
            out,
            "{} runs on {}, {}: real clock, other host name, seeds 1 to 3, reversed order, busy machine; \
             no engine has a network or runs as root",
            n_probes, engine.engine, engine.python
        )?;
    }
    Ok(())
}

/// The classes that are left out, by why.
pub(super) fn names(found: &[Integrity]) -> String {
    let mut standings: Vec<_> = found.iter().filter(|it| !it.is_clean()).collect();
    standings.sort_by_key(|it| it.standing);
    let groups = standings.chunk_by(|a, b| a.standing == b.standing);
    let groups: Vec<String> = groups
        .map(|group| {
            let classes: Vec<String> = group.iter().map(|it| with_module(it)).collect();
            format!("\n  {}: {}", group[0].standing.label(), classes.join(", "))
        })
        .collect();
    groups.concat()
}

/// A class with the module that it needs, or a star where a remedy is known.
fn with_module(it: &Integrity) -> String {
    let modules = it.findings.iter().filter_map(|finding| match finding {
        Finding::NeedsModule { module } => Some(module.as_str()),
        _ => None,
    });
    let modules: Vec<&str> = modules.collect();
    match (modules.as_slice(), it.remedy()) {
        ([], None) => it.class.clone(),
        ([], Some(_)) => format!("{} (passes with a remedy)", it.class),
        (modules, _) => format!("{} ({})", it.class, modules.join(", ")),
    }
}
