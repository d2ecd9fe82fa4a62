//! What page and worker say to each other.
//!
//! The first message to `worker.js` is the compiled Wasm module. Then the page sends objects
//! `{ id, request, files? }`, where `id` is a number of its choice, `request` a [`Request`] as a JSON
//! *string* and `files` a list of `File`s or `Blob`s (for [`Request::Import`] one); `{ cancel: id }` gives a long request up.
//! The worker answers with `{ id, progress }` any number of times, then once with `{ id, reply, blob? }` or
//! `{ id, error }`: JSON strings of [`Progress`], [`Reply`] and [`Failure`], and a `Blob` beside
//! [`Reply::Exported`] and some [`Reply::Compared`]. A request that was given up answers [`FailureKind::Cancelled`].
//! `{ died: text }` is the last word of a worker that panicked.

use serde::{Deserialize, Serialize};
use shared::api::{DatasetCard, SubjectBody, SubjectSummary};
use shared::perturb::{CountsTable, RuleOptions, RuleOutcome};
use shared::subject::{DatasetId, MethodContext, SubjectId};
use shared::syntax::SyntaxError;
use shared::syntax::highlight::Token;

/// A question of the page. Every one is answered by one [`Reply`] or a [`Failure`]; the long ones send
/// [`Progress`] before, and can be cancelled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// All benchmarks: starter, kept in this browser, on the server.
    Datasets,
    /// Reads the file that comes with the message and keeps it in this browser. Long.
    Import {
        name: String,
        license: Option<String>,
    },
    /// Forgets a benchmark that this browser keeps.
    Remove(DatasetId),
    /// Makes a benchmark ready (from memory, the browser's store, the site or the server). Long.
    Open(DatasetId),
    /// All rows of an open benchmark.
    Index(DatasetId),
    /// Instances per subject and rule under the default options; counted once, then remembered. Long.
    RuleCounts(DatasetId),
    /// The rows that a filter keeps.
    Query { dataset: DatasetId, filter: Filter },
    /// One subject.
    Subject {
        dataset: DatasetId,
        subject: SubjectId,
    },
    /// All ten rules over one text.
    Perturb {
        source: String,
        context: MethodContext,
        options: RuleOptions,
    },
    /// The tokens of a text, for colouring.
    Highlight(String),
    /// A [`Question`](super::compare::protocol::Question) as JSON, which only the part that answers it reads.
    Compare(String),
    /// All rules over a whole benchmark. Long.
    PerturbAll {
        dataset: DatasetId,
        options: RuleOptions,
    },
    /// The same as a file; the answer is a `Blob`. Long.
    Export {
        dataset: DatasetId,
        options: RuleOptions,
        format: ExportFormat,
    },
}

/// An answer of the worker, of the same name as its question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Datasets(DatasetList),
    Imported(DatasetEntry),
    Opened(DatasetEntry),
    Removed,
    Index(Vec<SubjectSummary>),
    /// One row a subject, in the index's order.
    RuleCounts(Vec<[u16; 10]>),
    Rows(QueryResult),
    Subject(Box<SubjectBody>),
    Perturbed(PerturbView),
    Highlighted(Vec<Token>),
    /// JSON, which only the page that asked has to read; a file is the message's `Blob`.
    Compared(String),
    PerturbedAll(CountsTable),
    /// The file's name; its bytes are the message's `Blob`.
    Exported(String),
}

/// How far a long request is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) done: usize,
    pub(crate) of: usize,
}

/// Why a request has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// What failed and why; lower case, no final stop.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) next: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            next: None,
        }
    }

    /// Adds what to do next.
    pub(crate) fn next(self, next: impl Into<String>) -> Self {
        Self {
            next: Some(next.into()),
            ..self
        }
    }
}

impl From<wasm_split_helpers::SplitLoaderError> for Failure {
    fn from(why: wasm_split_helpers::SplitLoaderError) -> Self {
        Self::new(
            FailureKind::Offline,
            format!("a part of CtxLab could not be loaded ({why})"),
        )
        .next("check the connection, then try again")
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.next {
            Some(next) => write!(f, "{}; {next}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum FailureKind {
    /// It was given up.
    Cancelled,
    /// There is no such thing.
    NotFound,
    /// The file or the request is no good.
    Invalid,
    /// The server cannot be reached.
    Offline,
    /// The worker or the browser failed.
    Broken,
}

/// All benchmarks that can be opened.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DatasetList {
    pub(crate) entries: Vec<DatasetEntry>,
    /// Whether the server answered; without it its benchmarks are those that this browser has seen.
    pub(crate) server_answered: bool,
}

/// A benchmark in the list, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DatasetEntry {
    pub(crate) card: DatasetCard,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Starter,
    Browser,
    /// In memory, because the browser refused to keep it: gone when the tab is closed.
    Tab,
    Server,
}

/// What the Subjects page asks for. An empty list of a facet means all; values of one facet are
/// joined by *or*, facets by *and*.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    /// Words that must all occur in id, requirement or code; case is ignored.
    pub(crate) text: String,
    pub(crate) classes: Vec<String>,
    /// Top-level modules, or [`NO_LIBRARY`].
    pub(crate) libraries: Vec<String>,
    /// Slugs of rules that must give at least one instance.
    pub(crate) rules: Vec<String>,
    pub(crate) sizes: Vec<SizeClass>,
    pub(crate) showcases_only: bool,
    pub(crate) sort: SortKey,
}

/// The facet value of methods that use no library; no module can have this name.
pub(crate) const NO_LIBRARY: &str = "-";

/// Lines of a method's source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum SizeClass {
    /// 1 to 5.
    Short,
    /// 6 to 15.
    Medium,
    /// 16 to 30.
    Long,
    /// More than 30.
    VeryLong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum SortKey {
    /// As in the benchmark's file.
    #[default]
    File,
    Name,
    LinesDown,
    InstancesDown,
}

/// Which rows a filter keeps, and how many rows each facet value would keep beside the other facets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct QueryResult {
    /// Indexes into the index, in the wanted order.
    pub(crate) rows: Vec<u32>,
    /// By name; a class that would keep nothing is left out.
    pub(crate) classes: Vec<(String, usize)>,
    /// By name; a library that would keep nothing is left out.
    pub(crate) libraries: Vec<(String, usize)>,
    /// Of rules 1 to 10.
    pub(crate) rules: [usize; 10],
    /// Of [`SizeClass::ALL`].
    pub(crate) sizes: [usize; 4],
    pub(crate) n_showcases: usize,
    /// Whether the rules' counts are complete.
    pub(crate) rules_known: bool,
}

/// One text under all ten rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PerturbView {
    pub(crate) tokens: Vec<Token>,
    pub(crate) errors: Vec<SyntaxError>,
    /// In the rules' order.
    pub(crate) outcomes: Vec<RuleOutcome>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum ExportFormat {
    Jsonl,
    Csv,
}
