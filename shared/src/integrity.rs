//! Whether a reference can be trusted to judge variants of it.
//!
//! A reference has to pass its own tests, and to go on passing them when what a verdict must not hang on is
//! changed: the clock, host names, seeds, the order of tests, the load of the machine. It is run under
//! [`Probe`]s, each chosen by what the ones before showed ([`next_probe`]), and what they show is read as
//! [`Finding`]s ([`Integrity::of`]). Nothing here runs anything, and nothing knows a class by its name.

mod findings;
mod hosts;
mod probe;
mod text;

use serde::{Deserialize, Serialize};

use crate::report::{Host, Protocol, Surroundings, TestReport};
use crate::subject::ClassItem;
use crate::variant::{LineError, SCHEMA, check_schema};

pub use self::probe::{Probe, ProbeRun, next_probe};

/// What is known of a class's reference: a line of `ctxlab selfcheck --format jsonl`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Integrity {
    /// The format's version.
    pub schema: u8,
    /// The class.
    pub class: String,
    /// The first finding that takes it out of scoring, or `clean`.
    pub standing: Standing,
    /// Everything that was found.
    pub findings: Vec<Finding>,
    /// Under what it was run, and what came of it.
    pub probes: Vec<Probed>,
    /// What its tests said in the usual surroundings.
    pub report: TestReport,
}

/// Whether a reference is used for scoring, or why not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It passes under every probe.
    Clean,
    /// The benchmark's own mistake.
    Broken,
    /// A module is not there.
    NeedsModule,
    /// Its verdict follows something around it.
    EnvironmentBound,
    /// Its verdict is a matter of luck.
    Flaky,
    /// It needs more time than a test class can have.
    Slow,
    /// It fails its own tests under every probe.
    Failing,
}

/// Something that a reference's verdict hangs on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "finding")]
pub enum Finding {
    /// A test class of the benchmark's list holds no test.
    NoTests {
        /// Which.
        test_class: String,
        /// Whether the protocol leaves it out.
        corrected: bool,
    },
    /// A test class is listed under a name that it does not have.
    Misnamed {
        /// As it is listed.
        test_class: String,
        /// As it is called.
        name: String,
        /// Whether the protocol looks it up under its own name.
        corrected: bool,
    },
    /// It imports what is not there.
    NeedsModule {
        /// The module.
        module: String,
    },
    /// It cannot be loaded.
    DoesNotLoad {
        /// What Python said.
        message: String,
    },
    /// It took more than half of the most time that a test class can have.
    Slow {
        /// Which.
        test_class: String,
        /// How long it took, or ran until it was ended.
        ms: u32,
        /// The most time.
        limit_ms: u32,
    },
    /// Tests fail or pass with something around it.
    Environment {
        /// What.
        by: Cause,
        /// The tests.
        tests: Vec<String>,
        /// What the first of them said.
        message: String,
        /// Under what they pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remedy: Option<Remedy>,
    },
    /// Tests fail with some seeds.
    Flaky {
        /// Which.
        seeds: Vec<u32>,
        /// The tests.
        tests: Vec<String>,
        /// What the first of them said.
        message: String,
    },
    /// Tests fail, whatever is changed.
    Fails {
        /// The tests.
        tests: Vec<String>,
        /// What the first of them said.
        message: String,
    },
}

/// What a verdict follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// What the clock says.
    Clock,
    /// Host names.
    Hosts,
    /// The order of test classes.
    ClassOrder,
    /// The order of tests in a test class.
    TestOrder,
    /// What else runs on the machine.
    Load,
    /// Several of these at once, and none alone.
    Several,
}

/// Surroundings in which a reference passes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// The usual, frozen clock.
    FixedClock,
    /// The machine's clock.
    RealClock,
    /// These host names, and no others.
    Hosts(Vec<Host>),
    /// The benchmark's order.
    UsualOrder,
}

/// A probe and what came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Probed {
    /// What was changed.
    pub probe: Probe,
    /// Whether all tests passed.
    pub passes: bool,
    /// Those that did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
}

impl Integrity {
    /// What the runs of a class's reference show; the first is that in the usual surroundings. `None`
    /// where there is none.
    pub fn of(class: &ClassItem, protocol: Protocol, runs: &[ProbeRun]) -> Option<Self> {
        let usual = runs.first()?;
        let findings = findings::of(class, protocol, runs);
        let blocking = findings.iter().find(|finding| finding.is_blocking());
        let probed = |run: &ProbeRun| Probed {
            probe: run.probe.clone(),
            passes: run.passes(),
            broken: run.broken().map(|run| run.name.clone()).collect(),
        };
        Some(Self {
            schema: SCHEMA,
            class: class.name.clone(),
            standing: blocking.map_or(Standing::Clean, Finding::standing),
            probes: runs.iter().map(probed).collect(),
            report: usual.report.clone(),
            findings,
        })
    }

    /// Reads a line.
    pub fn from_json_line(line: &str) -> Result<Self, LineError> {
        let read: Self = serde_json::from_str(line).map_err(|e| {
            let fields = "schema, class, standing, findings, probes and report";
            LineError::Format("line of selfcheck", e.to_string(), fields)
        })?;
        check_schema(read.schema)?;
        Ok(read)
    }

    /// The line, with its line end.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Whether variants are scored with it.
    pub fn is_clean(&self) -> bool {
        self.standing == Standing::Clean
    }

    /// The findings that take it out of scoring.
    pub fn blocking(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_blocking())
    }

    /// Surroundings in which it passes; `None` where a finding has no remedy. The usual ones where it is
    /// clean.
    pub fn remedy(&self) -> Option<Surroundings> {
        let mut around = Surroundings::default();
        for finding in self.blocking() {
            let Finding::Environment { remedy, .. } = finding else {
                return None;
            };
            remedy.as_ref()?.apply(&mut around);
        }
        Some(around)
    }
}

impl Remedy {
    fn apply(&self, around: &mut Surroundings) {
        match self {
            Self::RealClock => around.clock = crate::report::Clock::Real,
            Self::Hosts(hosts) => around.hosts.clone_from(hosts),
            // So it is in the usual surroundings.
            Self::FixedClock | Self::UsualOrder => {}
        }
    }
}

impl Standing {
    /// For people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Broken => "broken in the benchmark",
            Self::NeedsModule => "needs a module",
            Self::EnvironmentBound => "environment-bound",
            Self::Flaky => "flaky",
            Self::Slow => "slow",
            Self::Failing => "fails",
        }
    }
}

#[cfg(test)]
mod tests;
