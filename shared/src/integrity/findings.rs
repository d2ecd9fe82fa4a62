//! What the runs of a reference show.

use super::{Cause, Finding, Probe, ProbeRun, Remedy, Standing};
use crate::harness::TestModule;
use crate::report::{Protocol, TestOutcome, TestReport, TestRun};
use crate::subject::ClassItem;

/// How much is told of what a test said, in characters.
const LONGEST: usize = 160;

/// Everything that runs show, the first of them in the usual surroundings.
pub(super) fn of(class: &ClassItem, protocol: Protocol, runs: &[ProbeRun]) -> Vec<Finding> {
    let mut findings = mistakes(class, protocol);
    let Some((usual, others)) = runs.split_first() else {
        return findings;
    };
    if let Some(finding) = unloaded(&usual.report) {
        findings.push(finding);
        return findings;
    }
    let slow = slow(&usual.report);
    let is_slow = |run: &TestRun| {
        let of = |finding: &Finding| matches!(finding, Finding::Slow { test_class, .. } if test_class == class_of(run));
        slow.iter().any(of)
    };
    let broken: Vec<&TestRun> = usual.broken().filter(|run| !is_slow(run)).collect();
    if broken.is_empty() {
        findings.extend(slow);
        findings.extend(shaken(others));
    } else {
        findings.extend(missing(&broken));
        if findings
            .iter()
            .all(|it| !matches!(it, Finding::NeedsModule { .. }))
        {
            findings.push(failing(&broken, others));
        }
        findings.extend(slow);
    }
    findings
}

/// What is wrong with the benchmark's list of test classes.
fn mistakes(class: &ClassItem, protocol: Protocol) -> Vec<Finding> {
    let tests = TestModule::of(&class.test);
    let corrected = protocol == Protocol::Corrected;
    let mut found = Vec::new();
    for listed in &class.test_classes {
        let test_class = listed.clone();
        let name = listed.trim();
        if !tests.tests(listed).is_empty() {
            continue;
        }
        found.push(if tests.tests(name).is_empty() {
            Finding::NoTests {
                test_class,
                corrected,
            }
        } else {
            Finding::Misnamed {
                test_class,
                name: name.to_owned(),
                corrected,
            }
        });
    }
    found
}

fn unloaded(report: &TestReport) -> Option<Finding> {
    let message = report.load_error.clone()?;
    let missing = report.load.as_ref().and_then(|it| it.missing.clone());
    Some(match missing {
        Some(module) => Finding::NeedsModule { module },
        None => Finding::DoesNotLoad { message },
    })
}

/// The modules that tests did not find.
fn missing(broken: &[&TestRun]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let modules = broken
        .iter()
        .filter_map(|run| run.raised.as_ref()?.missing.clone());
    for module in modules {
        let finding = Finding::NeedsModule { module };
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
    found
}

/// Test classes that take so much of the most time that a variant has no room left.
fn slow(report: &TestReport) -> Vec<Finding> {
    let Some(limits) = report.engine.as_ref().map(|engine| engine.limits) else {
        return Vec::new();
    };
    let limit_ms = limits.class_ms;
    let timings = report.timings.iter();
    let slow = timings.filter(|it| it.ms.saturating_mul(2) > limit_ms);
    slow.map(|it| Finding::Slow {
        test_class: it.test_class.clone(),
        ms: it.ms,
        limit_ms,
    })
    .collect()
}

/// Why a reference fails in the usual surroundings.
fn failing(broken: &[&TestRun], others: &[ProbeRun]) -> Finding {
    let tests: Vec<String> = broken.iter().map(|run| run.name.clone()).collect();
    let message = broken.first().map(|run| said(run)).unwrap_or_default();
    let mended = others.iter().find(|run| run.mends(&tests));
    let bound = |by, remedy| Finding::Environment {
        by,
        tests: tests.clone(),
        message: message.clone(),
        remedy,
    };
    match mended.map(|run| &run.probe) {
        Some(Probe::RealClock) => bound(Cause::Clock, Some(Remedy::RealClock)),
        Some(Probe::Hosts(hosts)) => bound(Cause::Hosts, Some(Remedy::Hosts(hosts.clone()))),
        Some(Probe::ClassesReversed) => bound(Cause::ClassOrder, None),
        Some(Probe::TestsReversed) => bound(Cause::TestOrder, None),
        Some(Probe::Seed(_)) => Finding::Flaky {
            seeds: vec![0],
            tests,
            message,
        },
        Some(_) => bound(Cause::Several, None),
        None => Finding::Fails { tests, message },
    }
}

/// What makes a reference fail that passes in the usual surroundings.
fn shaken(others: &[ProbeRun]) -> Vec<Finding> {
    let mut found = Vec::new();
    let (mut seeds, mut by_seed) = (Vec::new(), None);
    for run in others.iter().filter(|run| !run.passes()) {
        let (by, remedy) = match &run.probe {
            Probe::RealClock => (Cause::Clock, Some(Remedy::FixedClock)),
            Probe::OtherHosts => (Cause::Hosts, Some(Remedy::Hosts(Vec::new()))),
            Probe::ClassesReversed => (Cause::ClassOrder, Some(Remedy::UsualOrder)),
            Probe::TestsReversed => (Cause::TestOrder, Some(Remedy::UsualOrder)),
            Probe::Busy => (Cause::Load, None),
            Probe::Seed(seed) => {
                seeds.push(*seed);
                by_seed.get_or_insert(run);
                continue;
            }
            Probe::Usual | Probe::Everything(_) | Probe::Hosts(_) => continue,
        };
        let (tests, message) = shown(run);
        found.push(Finding::Environment {
            by,
            tests,
            message,
            remedy,
        });
    }
    if let Some(run) = by_seed {
        let (tests, message) = shown(run);
        let flaky = Finding::Flaky {
            seeds,
            tests,
            message,
        };
        // What draws random numbers follows the order, too: luck comes first.
        found.insert(0, flaky);
    }
    let together = others.iter().find(|run| !run.passes());
    if let (Some(run), true) = (together, found.is_empty()) {
        let (tests, message) = shown(run);
        found.push(Finding::Environment {
            by: Cause::Several,
            tests,
            message,
            remedy: None,
        });
    }
    found
}

fn shown(run: &ProbeRun) -> (Vec<String>, String) {
    let tests = run.broken().map(|run| run.name.clone()).collect();
    let first = run.broken().next().map(said);
    let message = run.report.load_error.clone().or(first);
    (tests, message.unwrap_or_default())
}

fn class_of(run: &TestRun) -> &str {
    run.name.split('.').next().unwrap_or_default()
}

/// What a test said, on a line.
fn said(run: &TestRun) -> String {
    let raised = run.raised.as_ref();
    if let Some((expected, actual)) =
        raised.and_then(|it| it.expected.as_ref().zip(it.actual.as_ref()))
    {
        return shortened(&format!("expected {expected}, got {actual}"));
    }
    let message = match &run.outcome {
        TestOutcome::Failed { message }
        | TestOutcome::Errored { message }
        | TestOutcome::Killed { message } => message.as_str(),
        TestOutcome::TimedOut => "it ran out of time",
        TestOutcome::NotRun => "it did not run",
        TestOutcome::Passed => "",
    };
    shortened(message.lines().next().unwrap_or_default())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl Finding {
    /// Whether it takes a class out of scoring: a mistake that the protocol corrects does not.
    pub const fn is_blocking(&self) -> bool {
        match self {
            Self::NoTests { corrected, .. } | Self::Misnamed { corrected, .. } => !*corrected,
            _ => true,
        }
    }

    /// What a class is with it.
    pub const fn standing(&self) -> Standing {
        match self {
            Self::NoTests { .. } | Self::Misnamed { .. } => Standing::Broken,
            Self::NeedsModule { .. } => Standing::NeedsModule,
            Self::Slow { .. } => Standing::Slow,
            Self::Environment { .. } => Standing::EnvironmentBound,
            Self::Flaky { .. } => Standing::Flaky,
            Self::DoesNotLoad { .. } | Self::Fails { .. } => Standing::Failing,
        }
    }
}
