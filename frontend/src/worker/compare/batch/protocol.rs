//! A file of variants that was identified, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared::case::OutsideEdit;
use shared::identify::{BadLine, Extraction, Funnel, IdentifyOptions, MaskedNode};
use shared::perturb::RuleId;
use shared::subject::SubjectId;

use crate::worker::compare::protocol::DiffView;

/// What is left of the variants of a file, and what each is. The worker keeps the rest until the next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct IdentifiedFile {
    /// By which the worker knows it.
    pub(crate) run: u32,
    pub(crate) options: IdentifyOptions,
    pub(crate) funnel: Funnel,
    /// In the file's order.
    pub(crate) decisions: Vec<DecisionRow>,
    /// The first of the lines that cannot be used.
    pub(crate) bad: Vec<BadLine>,
    pub(crate) n_bad: usize,
    /// Variants that have a report and did not come.
    pub(crate) n_unused: usize,
    pub(crate) first_unused: Option<String>,
}

/// A variant in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DecisionRow {
    pub(crate) id: String,
    pub(crate) subject: SubjectId,
    pub(crate) rule: RuleId,
    pub(crate) instance: u32,
    pub(crate) generator: String,
    /// The decision's name: `case`, `candidate`, or the reason's.
    pub(crate) decision: String,
    pub(crate) why: String,
    /// How many stages of the funnel it passes.
    pub(crate) n_stages: usize,
}

/// A variant with everything that is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct IdentifiedVariant {
    /// The subject's own text.
    pub(crate) reference: String,
    /// The reply's method, with its own names; empty where there is none.
    pub(crate) method: String,
    /// The whole reply.
    pub(crate) text: String,
    pub(crate) options: BTreeMap<String, String>,
    pub(crate) extraction: Option<Extraction>,
    pub(crate) collisions: Vec<String>,
    pub(crate) sites: Vec<MaskedNode>,
    pub(crate) outside: Vec<OutsideEdit>,
    /// Absent where the reply has no method.
    pub(crate) diff: Option<DiffView>,
}

/// A file of what was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Lines {
    /// One decision a line, then the funnel: what `ctxlab identify --format jsonl` prints.
    Decisions,
    /// One case a line: what `ctxlab identify --cases` writes.
    Cases,
}

/// Two files that show what variants and reports look like.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Example {
    pub(crate) variants: String,
    pub(crate) reports: String,
}
