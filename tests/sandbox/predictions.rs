//! Classes that models wrote, under ClassEval's own protocol, against what is known of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Mutex;

use backend::sandbox::Sandbox;
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::Value;
use shared::dataset::{self, Dataset};
use shared::harness::TestJob;
use shared::predictions::{
    self, Prediction, Scores, TestClassVerdict, module_of, test_class_verdicts,
};
use shared::report::{Limits, Protocol, Raised, TestOutcome, TestRun, Verdict};
use shared::variant::VariantId;

use crate::engines::{Tested, open};
use crate::support::run;

#[derive(Deserialize)]
struct Known {
    class: String,
    test_class: Option<String>,
    #[serde(flatten)]
    columns: BTreeMap<String, Value>,
}

/// What came of a model's classes.
struct Found {
    verdicts: BTreeMap<(String, String), TestClassVerdict>,
    scores: Scores,
    /// The classes that import what is not there.
    lacking: BTreeSet<String>,
    /// The test classes in which a program took all the time or memory that it may.
    at_limits: BTreeSet<(String, String)>,
}

/// Whether a test took all the time or memory that it may.
fn is_at_a_limit(run: &TestRun) -> bool {
    let ran_out = |raised: &Raised| raised.kind == "MemoryError";
    matches!(
        run.outcome,
        TestOutcome::TimedOut | TestOutcome::Killed { .. }
    ) || run.raised.as_ref().is_some_and(ran_out)
}

/// The first sample of each class of a file, on an engine.
async fn verdicts(engine: &dyn Sandbox, dataset: &Dataset, model: &str) -> Option<Found> {
    let file = format!("data/classeval/{model}_class_H_greedy.json");
    let file = tests::specification(&file, "classes that models wrote")?;
    let predictions = predictions::read(&fs::read(file).expect("a file")).expect("predictions");
    let limits = Limits::of(Protocol::Published);
    let one = async |prediction: &Prediction| {
        let mut classes = dataset.classes.iter();
        let class = classes.find(|it| it.name == prediction.class_name);
        let class = class.expect("a class of the benchmark");
        let module = module_of(class, &prediction.predict[0]);
        let id = VariantId(class.name.clone());
        let job = TestJob::of(class, id, module, Protocol::Published, limits);
        let report = run(engine, &job).await;
        let lacks = matches!(report.verdict(), Verdict::ImportError { .. });
        let at_limits = report.tests.iter().filter(|run| is_at_a_limit(run));
        let at_limits = at_limits.filter_map(|run| Some(run.name.split_once('.')?.0.to_owned()));
        let at_limits: Vec<String> = at_limits.collect();
        (class, lacks, at_limits, test_class_verdicts(class, &report))
    };
    let running = futures_util::stream::iter(predictions.iter().map(one)).buffered(2);
    let ended: Vec<_> = running.collect().await;
    let mut found = Found {
        verdicts: BTreeMap::new(),
        scores: Scores::default(),
        lacking: BTreeSet::new(),
        at_limits: BTreeSet::new(),
    };
    for (class, lacks, at_limits, of_class) in ended {
        let named = at_limits.into_iter().map(|it| (class.name.clone(), it));
        found.at_limits.extend(named);
        found.scores.add(&of_class);
        if lacks {
            found.lacking.insert(class.name.clone());
        }
        for (test_class, verdict) in of_class {
            let key = (class.name.clone(), test_class);
            found.verdicts.insert(key, verdict);
        }
    }
    Some(found)
}

fn figures(model: &str, engine: &str, scores: Scores) -> String {
    let Scores {
        classes,
        test_classes,
    } = scores;
    format!(
        "sandbox: {model} on {engine}: {} of {} classes, {} of {} test classes; in part {} and {}",
        classes.n_success,
        classes.n,
        test_classes.n_success,
        test_classes.n,
        classes.n_partial,
        test_classes.n_partial
    )
}

pub(crate) async fn verdicts_of_real_models_are_as_they_are_known(tested: &'static Tested) {
    let what = "classes that models wrote";
    let known = tests::specification("data/gpt4turbo_verdicts.jsonl", what);
    let benchmark = tests::specification("data/classeval/ClassEval_data.json", what);
    let (Some(known), Some(benchmark)) = (known, benchmark) else {
        return;
    };
    let dataset = dataset::read("ClassEval", &fs::read(benchmark).unwrap()).unwrap();
    let Some(opened) = open(tested).await else {
        return;
    };
    let (engine, name) = (opened.engine.as_ref(), tested.name);
    let found = verdicts(engine, &dataset, "GPT-4-Turbo").await.unwrap();
    tests::say(&figures("GPT-4-Turbo", name, found.scores));
    let mut differing = Vec::new();
    let (mut n_agreeing, mut n_lacking, mut n) = (0, 0, 0);
    for line in fs::read_to_string(known).unwrap().lines() {
        let known: Known = serde_json::from_str(line).unwrap();
        let Some(test_class) = known.test_class else {
            continue;
        };
        n += 1;
        let wanted = known.columns[tested.predictions_known_as].as_str().unwrap();
        let verdict = found.verdicts[&(known.class.clone(), test_class.clone())];
        let is_explained = tested
            .explained_predictions
            .iter()
            .any(|(it, _)| *it == test_class);
        if verdict.slug() == wanted {
            n_agreeing += 1;
        } else if found.lacking.contains(&known.class) {
            n_lacking += 1;
        } else if !is_explained {
            differing.push(format!("{test_class}: {}, known {wanted}", verdict.slug()));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    tests::say(&format!(
        "sandbox: {n_agreeing} of {n} test classes of GPT-4-Turbo as known on {name}; {n_lacking} import what \
            is not there; {} otherwise, all of {:?}",
        n - n_agreeing - n_lacking,
        tested.explained_predictions
    ));

    agrees_with_other_engines("GPT-4-Turbo", tested, found);

    let found = verdicts(engine, &dataset, "GPT-3.5-Turbo").await.unwrap();
    assert_eq!(found.verdicts.len(), n);
    tests::say(&figures("GPT-3.5-Turbo", name, found.scores));
    agrees_with_other_engines("GPT-3.5-Turbo", tested, found);
}

/// What the engines that were here before found of a model's classes.
static BEFORE: Mutex<Vec<(&str, &Tested, Found)>> = Mutex::new(Vec::new());

/// Compares with each engine that had the same classes, where both have their libraries.
fn agrees_with_other_engines(model: &'static str, tested: &'static Tested, found: Found) {
    let mut before = BEFORE.lock().unwrap();
    let mut differing = Vec::new();
    for (_, other, theirs) in before.iter().filter(|(of, ..)| *of == model) {
        let (mut n_compared, mut n_lacking) = (0, 0);
        let mut explained = Vec::new();
        for (key @ (class, test_class), verdict) in &found.verdicts {
            if found.lacking.contains(class) || theirs.lacking.contains(class) {
                n_lacking += 1;
                continue;
            }
            n_compared += 1;
            let their_verdict = theirs.verdicts[key];
            if *verdict == their_verdict {
                continue;
            }
            let explained_by_one = [tested, other].into_iter();
            let explained_by_one =
                explained_by_one.filter_map(|it| it.why_otherwise(class, test_class));
            let ran_out = [&found, theirs].iter().all(|it| it.at_limits.contains(key));
            let ran_out = ran_out
                .then_some("it never ends: memory is used up first on one, time on the other");
            let why = explained_by_one.chain(ran_out).next();
            let line = format!(
                "{test_class}: {} on {}, {} on {}",
                verdict.slug(),
                tested.name,
                their_verdict.slug(),
                other.name
            );
            match why {
                Some(why) => explained.push(format!("{line} ({why})")),
                None => differing.push(line),
            }
        }
        tests::say(&format!(
            "sandbox: {model} on {} and {}: {} of {n_compared} test classes alike; {n_lacking} more import what \
                one of them lacks; otherwise: {}",
            tested.name,
            other.name,
            n_compared - explained.len(),
            if explained.is_empty() {
                "none".to_owned()
            } else {
                explained.join("; ")
            }
        ));
    }
    before.push((model, tested, found));
    drop(before);
    assert!(differing.is_empty(), "{model}: {}", differing.join("\n"));
}
