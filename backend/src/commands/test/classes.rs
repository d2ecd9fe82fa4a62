//! Whole classes out of a file of ClassEval's predictions, each against its tests, and ClassEval's scores.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use shared::dataset::Dataset;
use shared::harness::TestJob;
use shared::predictions::{self, Prediction, Scores, Successes, module_of, test_class_verdicts};
use shared::report::TestReport;
use shared::subject::ClassItem;
use shared::variant::VariantId;

use super::reports;
use crate::cli::TestArgs;
use crate::commands::growing::{self, Work};
use crate::commands::{Outcome, block_on};
use crate::config::Config;
use crate::sandbox::{self, Engines, OwnTimes};

pub(super) fn run(
    args: &TestArgs,
    (file, reports_path): (&Path, &Path),
    config: &Config,
    dataset: &Dataset,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let known = reports::known(reports_path)?;
    let mut samples: BTreeMap<String, &ClassItem> = BTreeMap::new();
    let mut jobs = Vec::new();
    for Prediction {
        class_name,
        predict,
    } in read(file)?
    {
        let Some(class) = dataset.classes.iter().find(|it| it.name == class_name) else {
            eprintln!(
                "{}: the benchmark has no class {class_name}",
                file.display()
            );
            continue;
        };
        for (reply, number) in predict.iter().zip(1..) {
            let id = sample_id(&class.name, number);
            if !known.contains(&id) {
                let module = module_of(class, reply);
                let (protocol, limits) = (args.run.protocol(), args.run.limits());
                let job = TestJob::of(class, VariantId(id.clone()), module, protocol, limits);
                jobs.push((class, job));
            }
            samples.insert(id, class);
        }
    }
    let n_failed = block_on(async {
        let sandbox = Engines::new(config).get(args.run.engine.as_deref()).await?;
        let times = OwnTimes::default();
        let one = async |(class, mut job): (&ClassItem, TestJob)| {
            if let Some(allowance) = args.run.allowance() {
                let of = (dataset, class);
                times
                    .allow(sandbox.as_ref(), of, &mut job, allowance)
                    .await?;
            }
            anyhow::Ok(sandbox::run(sandbox.as_ref(), &job, |_| ()).await?)
        };
        let work = Work {
            items: jobs,
            at_once: args.jobs,
        };
        let name = |(_, job): &(&ClassItem, TestJob)| job.variant.clone();
        let line = |report: TestReport| report.json_line();
        growing::add(reports_path, work, name, one, line).await
    })?;
    let mut scores = Scores::default();
    reports::for_each(reports_path, |report: TestReport| {
        if let Some(class) = samples.remove(report.variant.as_str()) {
            scores.add(&test_class_verdicts(class, &report));
        }
    })?;
    let line = |what: &str, of: Successes| {
        format!(
            "{what:13} success {} of {}, {}; at least in part {} of {}, {}\n",
            of.n_success,
            of.n,
            share(of.n_success, of.n),
            of.n_partial,
            of.n,
            share(of.n_partial, of.n)
        )
    };
    write!(out, "{}", line("classes", scores.classes))?;
    write!(out, "{}", line("test classes", scores.test_classes))?;
    ensure!(n_failed == 0, growing::some_failed(n_failed));
    Ok(Outcome::Done)
}

fn read(file: &Path) -> Result<Vec<Prediction>> {
    let shown = file.display();
    let bytes = fs::read(file).map_err(|e| anyhow!("cannot read {shown}: {e}; check the path"))?;
    predictions::read(&bytes).with_context(|| {
        format!("{shown} is no file of predictions: give a JSON array of records with class_name and predict")
    })
}

/// The class's name; from the second sample on with its number.
fn sample_id(class: &str, number: usize) -> String {
    match number {
        1 => class.to_owned(),
        n => format!("{class}#{n}"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples are small")]
fn share(part: usize, n: usize) -> String {
    format!("{:.4}", part as f64 / n.max(1) as f64)
}
