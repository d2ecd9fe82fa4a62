//! The listener over lines as a guest writes them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Allowance, Ended, Heard, Listener, TestJob};
use crate::report::{EngineStamp, Limits, Protocol, Stop, TestOutcome, Timing};
use crate::subject::ClassItem;
use crate::variant::VariantId;

const TESTS: &str = "\
import unittest

class Quick(unittest.TestCase):
    def test_a(self): pass

class Hangs(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): pass

class Last(unittest.TestCase):
    def test_a(self): pass
";

fn job(limits: Limits) -> TestJob {
    let class = ClassItem {
        name: "Subject".to_owned(),
        test: TESTS.to_owned(),
        test_classes: ["Quick", "Hangs", "Last"].map(str::to_owned).to_vec(),
        ..ClassItem::default()
    };
    let id = VariantId("v".to_owned());
    TestJob::of(&class, id, String::new(), Protocol::Corrected, limits)
}

fn stamp(job: &TestJob) -> EngineStamp {
    EngineStamp {
        engine: "none".to_owned(),
        python: String::new(),
        limits: job.limits,
        protocol: job.protocol,
        surroundings: job.surroundings.clone(),
    }
}

fn hear(listener: &mut Listener<'_>, events: &[(u64, Value)]) -> Heard {
    let mut heard = Heard::Nothing;
    for (ms, event) in events {
        let line = format!("nonce{event}");
        heard = listener.hear(line.as_bytes(), Duration::from_millis(*ms));
    }
    heard
}

fn test_classes(input: &str) -> Vec<String> {
    let input: Value = serde_json::from_str(input).unwrap();
    serde_json::from_value(input["test_classes"].clone()).unwrap()
}

fn passed(name: &str) -> Value {
    json!({"at": "result", "name": name, "outcome": "passed"})
}

/// Runs `Quick` and the first test of `Hangs`, whose second then hangs.
fn until_it_hangs(listener: &mut Listener<'_>) {
    let input = listener.guest("nonce".to_owned(), "/work");
    assert_eq!(test_classes(&input), ["Quick", "Hangs", "Last"]);
    hear(
        listener,
        &[
            (50, json!({"at": "loaded"})),
            (50, json!({"at": "class", "name": "Quick"})),
            (70, passed("Quick.test_a")),
            (80, json!({"at": "class", "name": "Hangs"})),
            (90, passed("Hangs.test_a")),
            (95, json!({"at": "test", "name": "Hangs.test_b"})),
        ],
    );
}

#[test]
fn what_hung_is_run_again_alone_and_may_pass() {
    let job = job(Limits::default());
    let mut listener = Listener::new(&job, stamp(&job));
    until_it_hangs(&mut listener);
    assert!(listener.try_again() && listener.wants_to_be_alone());
    let input = listener.guest("nonce".to_owned(), "/work");
    assert_eq!(test_classes(&input), ["Hangs"]);
    assert!(!listener.wants_to_be_alone());
    let last = hear(
        &mut listener,
        &[
            (9000, json!({"at": "class", "name": "Hangs"})),
            (
                9010,
                json!({"at": "result", "name": "Hangs.test_a", "outcome": "failed"}),
            ),
            (9020, passed("Hangs.test_b")),
            (9030, json!({"at": "done"})),
        ],
    );
    assert_eq!(last, Heard::Done);
    listener.ended(Ended::Done, Duration::from_millis(9030));
    assert!(listener.wants_guest());
    let input = listener.guest("nonce".to_owned(), "/work");
    assert_eq!(test_classes(&input), ["Last"]);
    hear(
        &mut listener,
        &[
            (9100, json!({"at": "class", "name": "Last"})),
            (9110, passed("Last.test_a")),
            (9120, json!({"at": "done"})),
        ],
    );
    listener.ended(Ended::Done, Duration::from_millis(9120));
    assert!(!listener.wants_guest());
    listener.close();
    let report = listener.report();
    assert_eq!(report.broken().count(), 0, "{report:?}");
    let timings = report.timings.iter();
    let timings: Vec<_> = timings
        .map(|it| (it.test_class.as_str(), it.ms, it.retried))
        .collect();
    assert_eq!(
        timings,
        [
            ("Quick", 30, false),
            ("Hangs", 30, true),
            ("Last", 20, false)
        ]
    );
}

/// Hangs, and hangs again when it is run alone, there in this test.
fn until_it_hangs_again(listener: &mut Listener<'_>, in_test: &str) {
    until_it_hangs(listener);
    assert!(listener.try_again());
    listener.guest("nonce".to_owned(), "/work");
    hear(
        listener,
        &[
            (9000, json!({"at": "class", "name": "Hangs"})),
            (9001, json!({"at": "test", "name": in_test})),
        ],
    );
    assert!(!listener.try_again());
    listener.ended(Ended::TooLate, Duration::from_secs(12));
}

#[test]
fn what_hangs_twice_has_run_out_of_time() {
    let job = job(Limits::default());
    let mut listener = Listener::new(&job, stamp(&job));
    until_it_hangs_again(&mut listener, "Hangs.test_b");
    let input = listener.guest("nonce".to_owned(), "/work");
    assert_eq!(test_classes(&input), ["Last"]);
    listener.ended(Ended::Code(3), Duration::from_millis(12_100));
    listener.close();
    let report = listener.report();
    assert_eq!(report.stopped, Some(Stop::Timeout));
    assert_eq!(report.tests[1].outcome, TestOutcome::Passed);
    assert_eq!(report.tests[2].outcome, TestOutcome::TimedOut);
    assert_eq!(report.tests[3].outcome, TestOutcome::NotRun);
    assert!(report.timings[1].retried);
    assert_eq!(report.timings[1].ms, 3000);
}

#[test]
fn time_that_is_over_before_a_test_begins_is_that_tests() {
    let job = job(Limits::default());
    let mut listener = Listener::new(&job, stamp(&job));
    // This one had passed before.
    until_it_hangs_again(&mut listener, "Hangs.test_a");
    listener.close();
    let report = listener.report();
    assert_eq!(report.tests[1].outcome, TestOutcome::Passed);
    assert_eq!(report.tests[2].outcome, TestOutcome::TimedOut);
}

#[test]
fn the_reference_measures_what_a_test_class_may_take() {
    let limits = Limits::default();
    let mut job = job(limits);
    let mut reference = Listener::new(&job, stamp(&job)).report();
    let timing = |test_class: &str, ms| Timing {
        test_class: test_class.to_owned(),
        ms,
        limit_ms: 0,
        retried: false,
    };
    reference.timings = vec![timing("Quick", 5), timing("Hangs", 900)];
    job.allow(&reference, Allowance::default());
    let given: Vec<u32> = job.classes.iter().map(|class| class.limit_ms).collect();
    assert_eq!(given, [3000, 9000, limits.class_ms]);
    reference.timings = vec![timing("Quick", u32::MAX)];
    let tight = Allowance {
        factor: 2,
        floor_ms: 90_000,
    };
    job.allow(&reference, tight);
    assert!(job.classes.iter().all(|it| it.limit_ms == limits.class_ms));
}
