//! What tests said of a program: outcomes one by one, and the verdict that follows from them.
//!
//! Reports are data: nothing here runs anything. A run that could not be made at all gives no report.

use serde::{Deserialize, Serialize};

use crate::relation::Relation;
use crate::variant::{LineError, VariantId, check_schema};

/// What happened to one Python test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum TestOutcome {
    /// It passed.
    Passed,
    /// An assertion failed.
    Failed {
        /// Its message.
        #[serde(default)]
        message: String,
    },
    /// Something was raised.
    Errored {
        /// Its message.
        #[serde(default)]
        message: String,
    },
    /// It took too long.
    TimedOut,
    /// The program ended, or was ended, while it ran.
    Killed {
        /// How.
        #[serde(default)]
        message: String,
    },
    /// It was to run and said nothing.
    NotRun,
}

/// One Python test and what happened to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestRun {
    /// `TestClass.test_name`.
    pub name: String,
    /// What happened.
    #[serde(flatten)]
    pub outcome: TestOutcome,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u32>,
    /// What was raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<Raised>,
    /// What it has to do with the method that was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
}

/// A Python exception.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Raised {
    /// Its class: `AssertionError`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its message.
    pub message: String,
    /// The module that an import did not find.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The line of a syntax error, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The value that an assertion was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// The value that it wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The calls on the way, the outermost first; those of Python's own library are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
}

/// A line that an exception passed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// In which text.
    pub file: FrameFile,
    /// From 1.
    pub line: u32,
    /// The function around it.
    pub function: String,
}

/// A text of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameFile {
    /// The class's module.
    Module,
    /// The test module.
    Tests,
}

/// What the tests of the target context said of a variant.
///
/// As a JSON line (schema 1): `schema`, `variant` (its id), `load_error` (absent when the class was
/// loaded), `tests` (each with `name`, `outcome`: `passed`, `failed`, `errored`, `timed_out`, `killed`
/// or `not_run`, for three of them a `message`; `ms`, `raised` and `relation` where they are known), and where they
/// are known `load` (what loading raised), `timings` (of test classes), `output` and `engine`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestReport {
    /// The format's version.
    pub schema: u8,
    /// Of which variant.
    pub variant: VariantId,
    /// Why the class could not be loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_error: Option<String>,
    /// What loading it raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Raised>,
    /// One a test, in order.
    #[serde(default)]
    pub tests: Vec<TestRun>,
    /// How long test classes took, in the order in which they ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timings: Vec<Timing>,
    /// What the program printed.
    #[serde(default, skip_serializing_if = "Output::is_empty")]
    pub output: Output,
    /// Why it was stopped; absent when it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// What ran it, and under which limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineStamp>,
}

/// How long a test class took, and how long it might.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Timing {
    /// The test class.
    pub test_class: String,
    /// From its beginning to its end, in milliseconds.
    pub ms: u32,
    /// The most that it might take.
    pub limit_ms: u32,
    /// Whether it ran out of time beside others, and this is its second try, alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retried: bool,
}

/// What a program printed, cut.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Output {
    /// Its beginning; what is no UTF-8 is replaced.
    pub text: String,
    /// How many bytes were dropped after that.
    pub n_dropped: u64,
}

impl Output {
    /// Whether nothing was printed.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.n_dropped == 0
    }
}

/// Why a program was stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "by")]
pub enum Stop {
    /// Its time was over.
    Timeout,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// It printed more than it may.
    OutputLimit,
    /// It ended itself, or something killed it.
    Killed {
        /// How.
        message: String,
    },
}

/// What ran a program, and under which limits: a verdict is not to be read without it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineStamp {
    /// `wasm-lite`, `wasm-full`, `docker`, `process` or `browser`.
    pub engine: String,
    /// The interpreter: `CPython 3.12.0`.
    pub python: String,
    /// The limits in force.
    pub limits: Limits,
    /// Which tests had to pass.
    pub protocol: Protocol,
    /// What the program found around it.
    #[serde(default, skip_serializing_if = "Surroundings::is_usual")]
    pub surroundings: Surroundings,
}

/// What a program finds around it. The usual ones are the same in every run; probes of a reference change
/// one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// What its clock says.
    pub clock: Clock,
    /// The seed of the hashes of strings and of Python's `random`.
    pub hash_seed: u32,
    /// Addresses and the host names that they have.
    pub hosts: Vec<Host>,
    /// In which order tests run.
    pub order: Order,
}

impl Surroundings {
    /// Whether they are the usual ones.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What a program's clock says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// It starts at 2023-10-10 12:00:00 UTC, and goes.
    #[default]
    Fixed,
    /// The machine's own.
    Real,
}

/// In which order tests run. What depends on it fails in the reversed one: every pair is the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Test classes as the benchmark lists them, their tests by name, as `unittest` does.
    #[default]
    Usual,
    /// The last test class first.
    ClassesReversed,
    /// In each test class the last test first.
    TestsReversed,
    /// Both.
    Reversed,
}

impl Order {
    /// Whether the last test class is the first.
    pub const fn reverses_classes(self) -> bool {
        matches!(self, Self::ClassesReversed | Self::Reversed)
    }

    /// Whether the last test of a test class is the first.
    pub const fn reverses_tests(self) -> bool {
        matches!(self, Self::TestsReversed | Self::Reversed)
    }
}

/// A line of a table of hosts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Host {
    /// Its address: `0.0.0.0`.
    pub address: String,
    /// Its name.
    pub name: String,
}

/// What a program may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// The most time of a test class, in milliseconds; it may have less ([`Timing::limit_ms`]).
    pub class_ms: u32,
    /// Memory, in MiB.
    pub memory_mib: u32,
    /// What is kept of its output, in KiB.
    pub output_kib: u32,
    /// What it may write to its folder, in MiB.
    pub disk_mib: u32,
    /// How many files and folders it may make.
    pub files: u32,
    /// How many graphics processors it has.
    #[serde(default, skip_serializing_if = "is_none")]
    pub gpus: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(n: &u32) -> bool {
    *n == 0
}

impl Limits {
    /// The usual ones under a protocol: the published one gives a test class 5 s, as ClassEval's scorer does.
    pub fn of(protocol: Protocol) -> Self {
        let usual = Self::default();
        Self {
            class_ms: match protocol {
                Protocol::Published => 5000,
                Protocol::Corrected => usual.class_ms,
            },
            ..usual
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            class_ms: 20_000,
            memory_mib: 512,
            output_kib: 256,
            disk_mib: 64,
            files: 1000,
            gpus: 0,
        }
    }
}

/// Which tests a class has to pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// As ClassEval's own scorer does it: test classes by the exact names that the benchmark has, and one
    /// without tests is an error.
    Published,
    /// Names without white space around them; test classes without tests are left out.
    #[default]
    Corrected,
}

/// What the tests say as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// Every test passed.
    Pass,
    /// At least one did not.
    Fail,
    /// The program is no Python.
    SyntaxError,
    /// It imports what is not there.
    ImportError {
        /// The module.
        module: String,
    },
    /// A test took too long.
    Timeout,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// It printed more than it may.
    OutputLimit,
    /// It ended itself, or something killed it.
    Killed,
    /// There is no program.
    Empty,
}

impl TestRun {
    /// An outcome of which nothing more is known.
    pub fn new(name: &str, outcome: TestOutcome) -> Self {
        Self {
            name: name.to_owned(),
            outcome,
            ms: None,
            raised: None,
            relation: None,
        }
    }
}

impl TestReport {
    /// A report that says nothing yet.
    pub fn new(variant: VariantId) -> Self {
        Self {
            schema: crate::variant::SCHEMA,
            variant,
            load_error: None,
            load: None,
            tests: Vec::new(),
            timings: Vec::new(),
            output: Output::default(),
            stopped: None,
            engine: None,
        }
    }

    /// Reads a line.
    pub fn from_json_line(line: &str) -> Result<Self, LineError> {
        let report: Self = serde_json::from_str(line)
            .map_err(|e| LineError::Format("report", e.to_string(), "schema, variant and tests"))?;
        check_schema(report.schema)?;
        Ok(report)
    }

    /// The report as a JSON line, with its line end.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// The tests that did not pass: a test that was not run broke too, since whoever ends the runner
    /// early must not pass.
    pub fn broken(&self) -> impl Iterator<Item = &TestRun> {
        self.tests
            .iter()
            .filter(|run| run.outcome != TestOutcome::Passed)
    }

    /// What it says as a whole. A report without tests is never a pass.
    pub fn verdict(&self) -> Verdict {
        if let Some(raised) = &self.load {
            return match (raised.kind.as_str(), &raised.missing) {
                ("SyntaxError" | "IndentationError" | "TabError", _) => Verdict::SyntaxError,
                (_, Some(module)) => Verdict::ImportError {
                    module: module.clone(),
                },
                ("MemoryError", None) => Verdict::OutOfMemory,
                _ => Verdict::Fail,
            };
        }
        match &self.stopped {
            Some(Stop::Timeout) => return Verdict::Timeout,
            Some(Stop::OutOfMemory) => return Verdict::OutOfMemory,
            Some(Stop::OutputLimit) => return Verdict::OutputLimit,
            Some(Stop::Killed { .. }) => return Verdict::Killed,
            None => {}
        }
        let is_memory = |run: &TestRun| {
            let raised = run.raised.as_ref();
            raised.is_some_and(|raised| raised.kind == "MemoryError")
        };
        if self.tests.iter().any(is_memory) {
            return Verdict::OutOfMemory;
        }
        if self.load_error.is_some() || self.tests.is_empty() || self.broken().next().is_some() {
            Verdict::Fail
        } else {
            Verdict::Pass
        }
    }
}
