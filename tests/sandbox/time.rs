//! How much time a test class gets, and what becomes of one that needs more.

use backend::sandbox::OwnTimes;
use serde_json::json;
use shared::dataset::{self, Dataset};
use shared::harness::{Allowance, TestJob};
use shared::report::{Limits, Protocol, TestOutcome, Verdict};
use shared::variant::VariantId;
use tests::hostile::{TIGHT, attack};

use crate::engines::{Tested, open};
use crate::support::run;

/// What hangs once and not again, as on a machine that is busy at first.
const HANGS_ONCE: &str = "\
import os
def attack():
    if not os.path.exists('seen'):
        open('seen', 'w').close()
        while True: pass
    return 'fine'
";

const HANGS: &str = "def attack():\n    while True: pass\n";

pub(crate) async fn time_that_runs_out_beside_others_is_given_again_alone(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let engine = opened.engine.as_ref();
    // Both run out of time beside each other; each is tried again by itself.
    let once = attack("once", HANGS_ONCE, TIGHT);
    let always = attack("always", HANGS, TIGHT);
    let (once, always) = tokio::join!(run(engine, &once), run(engine, &always));
    assert_eq!(once.verdict(), Verdict::Pass, "{once:?}");
    assert!(once.timings[0].retried && once.timings[0].ms < TIGHT.class_ms);
    assert_eq!(always.tests[0].outcome, TestOutcome::TimedOut);
    assert_eq!(always.verdict(), Verdict::Timeout);
    assert!(always.timings[0].retried, "{always:?}");
}

/// A reference that takes its time, and a test class that is over at once.
fn benchmark() -> Dataset {
    let source =
        "import time\ndef slow():\n    time.sleep(0.8)\n    return 1\nclass Subject: pass\n";
    let test = "import unittest\n\
        class Slow(unittest.TestCase):\n    def test_slow(self): self.assertEqual(slow(), 1)\n\
        class Quick(unittest.TestCase):\n    def test_quick(self): pass\n";
    let record = json!([{
        "class_name": "Subject", "solution_code": source, "test": test,
        "test_classes": ["Slow", "Quick"],
        "methods_info": [{"method_name": "slow", "solution_code": "def slow():\n    return 1\n"}],
    }]);
    dataset::read("times", record.to_string().as_bytes()).expect("a benchmark")
}

pub(crate) async fn a_test_class_gets_a_multiple_of_what_the_reference_takes(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let engine = opened.engine.as_ref();
    let dataset = benchmark();
    let class = &dataset.classes[0];
    let allowance = Allowance {
        factor: 4,
        floor_ms: 2000,
    };
    let job = |module: &str| {
        let (id, limits) = (VariantId("v".to_owned()), Limits::default());
        TestJob::of(class, id, module.to_owned(), Protocol::Corrected, limits)
    };
    let times = OwnTimes::default();
    let given = async |mut job: TestJob| {
        let of = (&dataset, class);
        let allowed = times.allow(engine, of, &mut job, allowance);
        allowed.await.unwrap();
        job
    };
    let changed = given(job(&format!("{}# changed\n", class.source))).await;
    let [slow, quick] = &changed.classes[..] else {
        panic!("{changed:?}");
    };
    // Four times 0.8 s, less what a busy machine hears late of a class's beginning.
    assert!((2800..20_000).contains(&slow.limit_ms), "{slow:?}");
    assert!((2000..slow.limit_ms).contains(&quick.limit_ms), "{quick:?}");
    let again = given(job("another")).await;
    assert_eq!(again.classes, changed.classes, "measured once");
    let reference = given(job(&class.source)).await;
    assert_eq!(reference.classes[0].limit_ms, Limits::default().class_ms);
}
