//! Running tests on the server: jobs, what is heard of them, and what the server can run.

use serde::{Deserialize, Serialize};

use crate::integrity::Standing;
use crate::report::{Limits, Protocol, TestReport, TestRun};
use crate::subject::{DatasetId, SubjectId, id_type};

id_type! {
    /// A job of the server.
    JobId
}

/// The engine that runs in the page and not on the server.
pub const BROWSER: &str = "browser";

/// Asks for the tests of a class to be run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JobRequest {
    /// The benchmark.
    pub dataset: DatasetId,
    /// Whose class.
    pub subject: SubjectId,
    /// Code, or a reply with code in it, in the place of the method; absent: the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What runs it; absent: the server's choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Which tests have to pass.
    #[serde(default)]
    pub protocol: Protocol,
    /// How many graphics processors it needs.
    #[serde(default)]
    pub gpus: u32,
}

/// Asks for a benchmark's references to be checked, or for what was found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CheckRequest {
    /// What runs them; absent: the server's choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Which tests have to pass.
    #[serde(default)]
    pub protocol: Protocol,
}

/// A job that was taken: it is kept, and runs even if the server is started again before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JobTaken {
    /// For asking after it.
    pub id: JobId,
    /// How many jobs run before it.
    pub n_ahead: usize,
}

/// What is heard of a job, in order: any number of `queued`, `started`, the tests or
/// references, one last word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum JobEvent {
    /// It waits.
    Queued {
        /// How many jobs run before it.
        n_ahead: usize,
    },
    /// It runs.
    Started,
    /// A test ended.
    Test(Box<TestRun>),
    /// A reference was checked.
    Reference {
        /// Whose.
        class: String,
        /// What it is.
        standing: Standing,
        /// How many there are in all.
        of: usize,
    },
    /// The last word: what came of it.
    Done(Box<TestReport>),
    /// The last word: all references are checked, and what was found is kept.
    Checked,
    /// The last word: it could not be run. That says nothing about the code.
    Failed {
        /// What failed and why.
        message: String,
    },
    /// The last word: it was given up.
    Cancelled,
}

impl JobEvent {
    /// Its name, as `event:` of the stream.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Queued { .. } => "queued",
            Self::Started => "started",
            Self::Test(_) => "test",
            Self::Reference { .. } => "reference",
            Self::Done(_) => "done",
            Self::Checked => "checked",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing follows.
    pub const fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Done(_) | Self::Checked | Self::Failed { .. } | Self::Cancelled
        )
    }
}

/// What the server can run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Capabilities {
    /// Its engines, the preferred one first.
    pub engines: Vec<EngineState>,
    /// The limits in force.
    pub limits: Limits,
    /// How many jobs run at a time.
    pub slots: usize,
}

/// An engine, and whether it works here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineState {
    /// Its name: `wasm-lite`.
    pub engine: String,
    /// What it is.
    pub title: String,
    /// Its interpreter: `CPython 3.12.0`.
    pub python: String,
    /// What beside Python's own library is there, with versions: `numpy 1.26.4`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
    /// The most graphics processors that a job can have.
    #[serde(default)]
    pub gpus: u32,
    /// Why it cannot be used, and what to do; absent when it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What it does not bound or keep here, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
}
