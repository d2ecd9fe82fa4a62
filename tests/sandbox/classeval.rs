//! ClassEval's references against what is known of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::{Map, Value};
use shared::dataset;
use shared::harness::TestJob;
use shared::report::{Limits, Protocol, TestOutcome, TestReport, Verdict};
use shared::subject::ClassItem;
use shared::variant::VariantId;

use crate::engines::{Tested, open};
use crate::support::run;

#[derive(Deserialize)]
struct Known {
    class: String,
    test_class: String,
    /// The libraries that it imports.
    third_party: Vec<String>,
    /// What came of it, a column each way to run it.
    #[serde(flatten)]
    columns: Map<String, Value>,
}

pub(crate) async fn references_pass_as_they_are_known_to(tested: &Tested) {
    let what = "ClassEval's references in the sandbox";
    let Some(path) = tests::specification("data/classeval_verdicts.jsonl", what) else {
        return;
    };
    let Some(opened) = open(tested).await else {
        return;
    };
    let engine = opened.engine.as_ref();
    let known = fs::read_to_string(path).unwrap();
    let known: Vec<Known> = known
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let file = tests::specification("data/classeval/ClassEval_data.json", what).unwrap();
    let dataset = dataset::read("ClassEval", &fs::read(file).unwrap()).unwrap();
    let one = async |class: &ClassItem| {
        let id = VariantId(class.name.clone());
        let (protocol, limits) = (Protocol::Corrected, Limits::default());
        let job = TestJob::of(class, id, class.source.clone(), protocol, limits);
        let report = run(engine, &job).await;
        (job, report)
    };
    // No more at a time than there are cores: a test class has 20 seconds.
    let reports = futures_util::stream::iter(dataset.classes.iter().map(one)).buffered(2);
    let reports: Vec<(TestJob, TestReport)> = reports.collect().await;
    let mut found: BTreeMap<(String, String), bool> = BTreeMap::new();
    let mut lacking = BTreeSet::new();
    for (job, report) in &reports {
        if matches!(report.verdict(), Verdict::ImportError { .. }) {
            lacking.insert(job.variant.0.clone());
        }
        for test_class in &job.classes {
            let of_class = |name: &str| name.split('.').next() == Some(&test_class.name);
            let mut own = report.tests.iter().filter(|run| of_class(&run.name));
            let passes = own.all(|run| run.outcome == TestOutcome::Passed);
            found.insert((job.variant.0.clone(), test_class.name.clone()), passes);
        }
    }
    let mut differing = Vec::new();
    let (mut n_agreeing, mut n_lacking, mut n) = (0, 0, 0);
    for Known {
        class,
        test_class,
        third_party,
        columns,
    } in &known
    {
        let key = (class.clone(), test_class.trim().to_owned());
        let Some(&passes) = found.get(&key) else {
            // It has no tests.
            assert_eq!(test_class, "TestPDFHandler");
            continue;
        };
        n += 1;
        let outcome = columns[tested.known_as].as_str().expect("an outcome");
        let is_explained = tested.explained.iter().any(|(known, _)| known == class);
        if passes == (outcome == "pass") {
            n_agreeing += 1;
        } else if lacking.contains(class) && !third_party.is_empty() {
            n_lacking += 1;
        } else if !is_explained {
            differing.push(format!(
                "{class} {test_class}: passes {passes}, known {outcome}"
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    tests::say(&format!(
        "{}: {n_agreeing} of {n} test classes of ClassEval as known; {n_lacking} import what is not \
            there; {} otherwise, all of {:?}",
        tested.name,
        n - n_agreeing - n_lacking,
        tested.explained
    ));
}
