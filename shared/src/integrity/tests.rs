//! Probes and findings over runs as engines report them.

use super::{Cause, Finding, Integrity, Probe, ProbeRun, Remedy, Standing, next_probe};
use crate::report::{
    Clock, EngineStamp, Host, Limits, Protocol, Raised, Stop, Surroundings, TestOutcome,
    TestReport, TestRun, Timing,
};
use crate::subject::ClassItem;
use crate::variant::VariantId;

const TESTS: &str = "\
class A(unittest.TestCase):
    def test_name(self):
        self.assertEqual(name_of('0.0.0.0'), 'some-host')
class B(unittest.TestCase):
    def test_b(self): pass
class Empty(unittest.TestCase):
    pass
";
const NAMES: [&str; 2] = ["A.test_name", "B.test_b"];

fn class(test_classes: &[&str]) -> ClassItem {
    ClassItem {
        name: "Subject".to_owned(),
        test: TESTS.to_owned(),
        test_classes: test_classes.iter().map(|&name| name.to_owned()).collect(),
        ..ClassItem::default()
    }
}

/// A report in which these tests fail.
fn report(broken: &[&str]) -> TestReport {
    let mut report = TestReport::new(VariantId("Subject".to_owned()));
    report.engine = Some(EngineStamp {
        engine: "none".to_owned(),
        python: String::new(),
        limits: Limits::default(),
        protocol: Protocol::Corrected,
        surroundings: Surroundings::default(),
    });
    for name in NAMES {
        let failed = TestOutcome::Failed {
            message: "no".to_owned(),
        };
        let is_broken = broken.contains(&name);
        let outcome = if is_broken {
            failed
        } else {
            TestOutcome::Passed
        };
        let raised = Raised {
            actual: Some("None".to_owned()),
            expected: Some("'some-host'".to_owned()),
            ..Raised::default()
        };
        report.tests.push(TestRun {
            raised: is_broken.then_some(raised),
            ..TestRun::new(name, outcome)
        });
    }
    report
}

/// Runs a reference under all probes that it gets, where `broken` says which tests fail under a probe.
fn check(class: &ClassItem, broken: impl Fn(&Probe) -> Vec<&'static str>) -> Integrity {
    let mut runs = Vec::new();
    while let Some(probe) = next_probe(class, &runs) {
        let report = report(&broken(&probe));
        runs.push(ProbeRun { probe, report });
        assert!(runs.len() < 20, "no end");
    }
    Integrity::of(class, Protocol::Corrected, &runs).unwrap()
}

fn standing(broken: impl Fn(&Probe) -> bool) -> Integrity {
    check(&class(&["A", "B"]), |probe| {
        if broken(probe) {
            vec![NAMES[0]]
        } else {
            vec![]
        }
    })
}

#[test]
fn what_passes_whatever_is_changed_is_clean_after_four_runs() {
    let found = standing(|_| false);
    assert!(found.is_clean() && found.findings.is_empty());
    assert_eq!(found.probes.len(), 4);
    assert_eq!(found.remedy(), Some(Surroundings::default()));
    let line = found.json_line();
    assert_eq!(Integrity::from_json_line(line.trim()).unwrap(), found);
}

#[test]
fn what_one_change_breaks_is_bound_to_it() {
    let has_real_clock = |probe: &Probe| probe.surroundings().clock == Clock::Real;
    let found = standing(has_real_clock);
    assert_eq!(found.standing, Standing::EnvironmentBound);
    let [Finding::Environment { by, remedy, .. }] = &found.findings[..] else {
        panic!("{:?}", found.findings);
    };
    assert_eq!((*by, remedy), (Cause::Clock, &Some(Remedy::FixedClock)));
    assert_eq!(found.remedy(), Some(Surroundings::default()));

    let causes = |broken: fn(&Probe) -> bool| -> Vec<Cause> {
        let cause = |finding: &Finding| match finding {
            Finding::Environment { by, .. } => *by,
            other => panic!("{other:?}"),
        };
        standing(broken).findings.iter().map(cause).collect()
    };
    let order = |probe: &Probe| probe.surroundings().order.reverses_classes();
    assert_eq!(causes(order), [Cause::ClassOrder]);
    let order = |probe: &Probe| probe.surroundings().order.reverses_tests();
    assert_eq!(causes(order), [Cause::TestOrder]);
    let hosts = |probe: &Probe| !probe.surroundings().hosts.is_empty();
    assert_eq!(causes(hosts), [Cause::Hosts]);
    assert_eq!(causes(Probe::is_busy), [Cause::Load]);
    let both = |probe: &Probe| matches!(probe, Probe::Everything(_));
    assert_eq!(causes(both), [Cause::Several]);
}

#[test]
fn seeds_that_break_a_reference_are_named() {
    let found = standing(|probe| matches!(probe.surroundings().hash_seed, 1 | 3));
    assert_eq!(found.standing, Standing::Flaky);
    let [Finding::Flaky { seeds, .. }] = &found.findings[..] else {
        panic!("{:?}", found.findings);
    };
    assert_eq!(seeds, &[1, 3]);
    assert_eq!(found.remedy(), None);
    let unlucky = standing(|probe| probe.surroundings().hash_seed == 0);
    assert_eq!(unlucky.standing, Standing::Flaky, "{:?}", unlucky.findings);
}

#[test]
fn a_host_name_that_a_test_expects_is_offered_where_it_mends_the_test() {
    let line = Host {
        address: "0.0.0.0".to_owned(),
        name: "some-host".to_owned(),
    };
    let wanted = vec![line.clone()];
    let found = standing(|probe| probe.surroundings().hosts != wanted);
    let around = found.remedy().unwrap();
    assert_eq!(around.hosts, [line], "{:?}", found.findings);
    let text = found.findings[0].to_string();
    assert!(
        text.ends_with("passes with the hosts line \"0.0.0.0 some-host\""),
        "{text}"
    );

    let never = standing(|_| true);
    assert_eq!(never.standing, Standing::Failing);
    assert_eq!(never.remedy(), None);
    assert!(
        never
            .probes
            .iter()
            .any(|it| matches!(it.probe, Probe::Hosts(_)))
    );
}

#[test]
fn the_benchmarks_own_mistakes_are_told_and_corrected() {
    let class = class(&["A", " B", "Empty"]);
    let found = check(&class, |_| vec![]);
    assert!(found.is_clean());
    assert_eq!(found.findings.len(), 2);
    let run = ProbeRun {
        probe: Probe::Usual,
        report: report(&[]),
    };
    let published = Integrity::of(&class, Protocol::Published, &[run]).unwrap();
    assert_eq!(published.standing, Standing::Broken);
    assert_eq!(published.blocking().count(), 2);
}

#[test]
fn missing_modules_and_slow_test_classes_need_one_run() {
    let class = class(&["A", "B"]);
    let mut unloaded = report(&[]);
    unloaded.tests.clear();
    unloaded.load_error = Some("ModuleNotFoundError: no".to_owned());
    unloaded.load = Some(Raised {
        missing: Some("numpy".to_owned()),
        ..Raised::default()
    });
    let mut late = report(&NAMES[..1]);
    late.stopped = Some(Stop::Timeout);
    late.timings.push(Timing {
        test_class: "A".to_owned(),
        ms: 20_010,
        limit_ms: 20_000,
        retried: true,
    });
    for (report, standing) in [(unloaded, Standing::NeedsModule), (late, Standing::Slow)] {
        let run = ProbeRun {
            probe: Probe::Usual,
            report,
        };
        assert_eq!(next_probe(&class, std::slice::from_ref(&run)), None);
        let found = Integrity::of(&class, Protocol::Corrected, &[run]).unwrap();
        assert_eq!(found.standing, standing, "{:?}", found.findings);
        assert_eq!(found.findings.len(), 1);
    }
}
