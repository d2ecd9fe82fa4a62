//! Under what a reference is run, and what is tried next.

use serde::{Deserialize, Serialize};

use super::hosts;
use crate::report::{Clock, Host, Order, Stop, Surroundings, TestOutcome, TestReport, TestRun};
use crate::subject::ClassItem;

/// Seeds that are tried; 0 is the usual one.
const SEEDS: [u32; 3] = [1, 2, 3];

/// What is changed around a reference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// Nothing, and the machine is quiet.
    Usual,
    /// All that follows at once, with this seed. A reference that passes needs no other probe.
    Everything(u32),
    /// The clock is the machine's.
    RealClock,
    /// This machine has another name.
    OtherHosts,
    /// Host names that failed tests expect.
    Hosts(Vec<Host>),
    /// The seed of hashes and of `random`.
    Seed(u32),
    /// The last test class runs first.
    ClassesReversed,
    /// The last test of each test class runs first.
    TestsReversed,
    /// More runs at once than there are cores.
    Busy,
}

/// A probe and what the tests said under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeRun {
    /// What was changed.
    pub probe: Probe,
    /// What the tests said.
    pub report: TestReport,
}

impl Probe {
    /// What the program finds around it.
    pub fn surroundings(&self) -> Surroundings {
        let usual = Surroundings::default();
        match self {
            Self::Usual | Self::Busy => usual,
            Self::Everything(seed) => Surroundings {
                clock: Clock::Real,
                hash_seed: *seed,
                hosts: other_hosts(),
                order: Order::Reversed,
            },
            Self::RealClock => Surroundings {
                clock: Clock::Real,
                ..usual
            },
            Self::OtherHosts => Surroundings {
                hosts: other_hosts(),
                ..usual
            },
            Self::Hosts(hosts) => Surroundings {
                hosts: hosts.clone(),
                ..usual
            },
            Self::Seed(seed) => Surroundings {
                hash_seed: *seed,
                ..usual
            },
            Self::ClassesReversed => Surroundings {
                order: Order::ClassesReversed,
                ..usual
            },
            Self::TestsReversed => Surroundings {
                order: Order::TestsReversed,
                ..usual
            },
        }
    }

    /// Whether more is to run at once than there are cores.
    pub const fn is_busy(&self) -> bool {
        matches!(self, Self::Everything(_) | Self::Busy)
    }

    /// For people.
    pub fn label(&self) -> String {
        match self {
            Self::Usual => "the usual surroundings".to_owned(),
            Self::Everything(seed) => format!("everything changed, seed {seed}"),
            Self::RealClock => "the machine's clock".to_owned(),
            Self::OtherHosts => "another host name".to_owned(),
            Self::Hosts(hosts) => {
                let hosts = hosts.iter();
                let hosts = hosts.map(|host| format!("{} {}", host.address, host.name));
                format!("hosts {}", hosts.collect::<Vec<_>>().join(", "))
            }
            Self::Seed(seed) => format!("seed {seed}"),
            Self::ClassesReversed => "test classes reversed".to_owned(),
            Self::TestsReversed => "tests reversed".to_owned(),
            Self::Busy => "a busy machine".to_owned(),
        }
    }
}

fn other_hosts() -> Vec<Host> {
    let host = |address: &str| Host {
        address: address.to_owned(),
        name: "another-host".to_owned(),
    };
    ["127.0.0.1", "0.0.0.0"].map(host).to_vec()
}

impl ProbeRun {
    /// Whether the reference was loaded and all of its tests passed.
    pub fn passes(&self) -> bool {
        self.report.load_error.is_none()
            && !self.report.tests.is_empty()
            && self.broken().next().is_none()
    }

    /// The tests that did not pass. A test class that has none is the benchmark's mistake and no test.
    pub fn broken(&self) -> impl Iterator<Item = &TestRun> {
        let is_test = |run: &&TestRun| !run.name.ends_with(".*");
        self.report.broken().filter(is_test)
    }

    /// Whether all these tests passed.
    pub(super) fn mends(&self, tests: &[String]) -> bool {
        let passed = |name: &String| {
            let mut runs = self.report.tests.iter();
            runs.any(|run| run.name == *name && run.outcome == TestOutcome::Passed)
        };
        self.report.load_error.is_none() && tests.iter().all(passed)
    }
}

/// The probe that says something new after these runs; `None` where nothing does.
///
/// A reference that passes is run with everything changed at once, a few times; only where that breaks a
/// test is each change tried by itself. One that fails is run under single changes until one mends it.
pub fn next_probe(class: &ClassItem, runs: &[ProbeRun]) -> Option<Probe> {
    let Some(usual) = runs.first() else {
        return Some(Probe::Usual);
    };
    let report = &usual.report;
    if report.load_error.is_some() || report.stopped == Some(Stop::Timeout) {
        return None;
    }
    let broken: Vec<String> = usual.broken().map(|run| run.name.clone()).collect();
    let everything = SEEDS.map(Probe::Everything);
    let mut wanted = Vec::new();
    if broken.is_empty() {
        let has_broken =
            |run: &ProbeRun| matches!(run.probe, Probe::Everything(_)) && !run.passes();
        let some_broke = runs.iter().any(has_broken);
        wanted.extend(everything);
        if some_broke {
            wanted.extend([Probe::RealClock, Probe::OtherHosts]);
            wanted.extend(SEEDS.map(Probe::Seed));
            wanted.extend(orders(class));
            wanted.push(Probe::Busy);
        }
    } else if runs[1..].iter().any(|run| run.mends(&broken)) {
        return None;
    } else {
        wanted.push(Probe::RealClock);
        let hosts = hosts::expected(class, usual.broken());
        wanted.extend((!hosts.is_empty()).then_some(Probe::Hosts(hosts)));
        wanted.push(Probe::Seed(SEEDS[0]));
        wanted.extend(orders(class));
    }
    let is_new = |probe: &Probe| runs.iter().all(|run| run.probe != *probe);
    wanted.into_iter().find(is_new)
}

/// Other orders of a class's tests.
fn orders(class: &ClassItem) -> impl Iterator<Item = Probe> {
    let has_several = class.test_classes.len() > 1;
    let classes = has_several.then_some(Probe::ClassesReversed);
    classes.into_iter().chain([Probe::TestsReversed])
}
