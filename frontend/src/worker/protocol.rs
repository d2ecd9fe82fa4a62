//! What page and worker say to each other, as JSON; files and exports travel beside it as `Blob`s.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared::api::{DatasetCard, SubjectBody, SubjectSummary};
use shared::perturb::{CountsTable, RuleOptions, RuleOutcome};
use shared::subject::{DatasetId, MethodContext, SubjectId};
use shared::syntax::SyntaxError;
use shared::syntax::highlight::Token;

/// A question of the page. Every one is answered by one [`Reply`] or an error text; the long ones send
/// [`Progress`] before, and can be cancelled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// All benchmarks: starter, kept in this browser, on the server (absent when unreachable).
    Datasets,
    /// Reads the file that comes with the message and keeps it in this browser. Long.
    Import { name: String, license: Option<String> },
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
    Subject { dataset: DatasetId, subject: SubjectId },
    /// All ten rules over one text.
    Perturb { source: String, context: MethodContext, options: RuleOptions },
    /// The tokens of a text, for colouring.
    Highlight(String),
    /// All rules over a whole benchmark. Long.
    PerturbAll { dataset: DatasetId, options: RuleOptions },
    /// The same as a file; the answer is a `Blob`. Long.
    Export { dataset: DatasetId, options: RuleOptions, format: ExportFormat },
}

/// An answer of the worker, of the same name as its question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Datasets(Vec<DatasetEntry>),
    Opened(DatasetCard),
    Removed,
    Index(Vec<SubjectSummary>),
    /// One row a subject, in the index's order.
    RuleCounts(Vec<[u16; 10]>),
    Rows(QueryResult),
    Subject(Box<SubjectBody>),
    Perturbed(PerturbView),
    Highlighted(Vec<Token>),
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

/// A benchmark in the list, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DatasetEntry {
    pub(crate) card: DatasetCard,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Starter,
    Browser,
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
    /// Top-level modules; `none` for methods that use no library.
    pub(crate) libraries: Vec<String>,
    /// Slugs of rules that must give at least one instance.
    pub(crate) rules: Vec<String>,
    pub(crate) sizes: Vec<SizeClass>,
    pub(crate) showcases_only: bool,
    pub(crate) sort: SortKey,
}

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
    pub(crate) classes: BTreeMap<String, usize>,
    pub(crate) libraries: BTreeMap<String, usize>,
    pub(crate) rules: BTreeMap<String, usize>,
    pub(crate) sizes: BTreeMap<SizeClass, usize>,
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
