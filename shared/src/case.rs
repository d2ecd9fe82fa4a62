//! What a model is asked: a variant that proved wrong in its context, and where it differs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diff::MatcherId;
use crate::perturb::{RuleId, Stamp};
use crate::subject::{SubjectId, id_type};
use crate::text::Span;
use crate::variant::{LineError, VariantId, VariantOrigin, check_schema};

id_type! {
    /// A case: its subject, `-`, and the first 12 hex digits of its normalised program's digest.
    CaseId
}

/// How a case is put to a model: what stands in its places (CtxBugGen, sections 4.1 and 5.2).
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// What is wrong in the context only.
    #[default]
    Ctxbug,
    /// Placeholders.
    Infill,
    /// What is wrong in any context.
    Isobug,
    /// What is right.
    Reference,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ctxbug, Self::Infill, Self::Isobug, Self::Reference];

    /// The name used in files and options.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Ctxbug => "ctxbug",
            Self::Infill => "infill",
            Self::Isobug => "isobug",
            Self::Reference => "reference",
        }
    }
}

/// What became of a masked node, under one matcher (CtxBugGen, sections 3.4 and 4.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteStatus {
    /// It has a partner with the same text.
    Resolved,
    /// It has a partner with another text.
    Changed,
    /// It has no partner.
    Deleted,
}

impl SiteStatus {
    /// The name used in files and tables.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}

/// A place of a case that differs from the reference: what resolution rate counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugSite {
    /// Which of the perturbation's sites, from 0.
    pub site: u32,
    /// [`SiteStatus::Changed`] or [`SiteStatus::Deleted`].
    pub status: SiteStatus,
    /// Where the masked node stands in the method's own text.
    pub reference: Span,
    /// Where its partner stands in the case's [`Case::method`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Span>,
    /// The right text.
    pub correct: String,
    /// The text in its place; absent where it is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// A difference of a variant that is under no site. Comments, docstrings and layout are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutsideEdit {
    /// What goes, in the method's own text; empty where something only comes.
    pub reference: Span,
    /// What comes, in the variant's method; empty where something only goes.
    pub variant: Span,
}

/// A CtxBug case: right without its context, wrong in it.
///
/// As a JSON line (schema 1): these fields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The format's version.
    pub schema: u8,
    /// Its name.
    pub id: CaseId,
    /// Of which method.
    pub subject: SubjectId,
    /// Which rule hid the places.
    pub rule: RuleId,
    /// Which of the rule's instances in the method, from 0.
    pub instance: u32,
    /// The rule's options by their short names; what is absent is the default.
    pub options: BTreeMap<String, String>,
    /// The variant that it was.
    pub variant: VariantId,
    /// Who made it.
    pub origin: VariantOrigin,
    /// Who matched the nodes.
    pub matcher: MatcherId,
    /// The wrong method, laid out as the subject's own text.
    pub method: String,
    /// Where it differs, in order; at least one.
    pub sites: Vec<BugSite>,
    /// What differs elsewhere, in order.
    pub outside: Vec<OutsideEdit>,
    /// Imports that its module's head has besides its own, since it was to be tested with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imported: Vec<String>,
    /// The tests that break.
    pub broken_tests: Vec<String>,
    /// Where it comes from.
    pub stamp: Stamp,
}

impl Case {
    /// Reads a line.
    pub fn from_json_line(line: &str) -> Result<Self, LineError> {
        let case: Self = serde_json::from_str(line).map_err(|e| {
            let fields = "the fields that `ctxlab identify --cases` writes";
            LineError::Format("case", e.to_string(), fields)
        })?;
        check_schema(case.schema)?;
        Ok(case)
    }

    /// The case as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
