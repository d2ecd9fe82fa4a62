//! The wire: paths and bodies that server and page share.

mod datasets;
mod error;
mod jobs;
mod llm;
pub mod paths;

pub use self::datasets::{DatasetCard, LibraryCount, SubjectBody, SubjectPage, SubjectSummary};
pub use self::error::{ErrorBody, ErrorCode};
pub use self::jobs::{
    BROWSER, Capabilities, CheckRequest, EngineState, JobEvent, JobId, JobRequest, JobTaken,
};
pub use self::llm::{LlmBudget, LlmCircuit, LlmMode, LlmModel, LlmProvider, LlmSource, LlmStatus};

use serde::{Deserialize, Serialize};

/// A page of a list: its items and where the next page starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Listing<T> {
    /// The items, in the list's order.
    pub items: Vec<T>,
    /// The `offset` of the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

/// What is running.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The product's version.
    pub version: String,
    /// The content id of the site it serves; empty without a site.
    pub site: String,
}
