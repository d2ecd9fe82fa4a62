//! What the pages of the part `compare` ask the worker; the answers are plain data, too.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use shared::case::OutsideEdit;
use shared::diff::{MatchedBy, MatcherId};
use shared::harness::TestJob;
use shared::identify::{Extraction, IdentifyOptions, MaskedNode};
use shared::perturb::{RuleId, RuleOptions};
use shared::subject::{DatasetId, SubjectId};
use shared::syntax::highlight::Token;
use shared::text::Span;

use super::batch::protocol::Lines;

/// A question of those pages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Question {
    /// What corresponds between two texts, and the edits that turn the first into the second: a [`DiffView`].
    Diff {
        a: String,
        b: String,
        matcher: MatcherId,
    },
    /// The same of every pair of a file: the answer is the number of lines, and a file of JSON lines. Long.
    DiffPairs {
        matcher: MatcherId,
        with_trees: bool,
    },
    /// Which variants of a file are a CtxBug; a second file may hold test reports. An
    /// [`IdentifiedFile`](super::batch::protocol::IdentifiedFile). Long.
    Identify {
        dataset: DatasetId,
        options: IdentifyOptions,
        /// The files'.
        names: Vec<String>,
    },
    /// One variant of the file that was identified last: an
    /// [`IdentifiedVariant`](super::batch::protocol::IdentifiedVariant).
    Identified { run: u32, n: usize },
    /// What was decided last, as a file.
    Written { run: u32, lines: Lines },
    /// Variants and reports made of a benchmark's notes: an [`Example`](super::batch::protocol::Example).
    Example(DatasetId),
    /// What a variant is without its tests: an [`ExaminedView`].
    Examine(VariantText),
    /// A program and the tests that it has to pass: a [`Prepared`].
    Prepare(ProgramText),
}

/// A program of a benchmark's class.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ProgramText {
    pub(crate) dataset: DatasetId,
    pub(crate) subject: SubjectId,
    /// In the place of the method: code, or prose with code in it; `None` is the reference.
    pub(crate) code: Option<String>,
}

/// A program that can be run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Prepared {
    pub(crate) job: TestJob,
    /// The lines of the method in the job's module, from 1.
    pub(crate) method: Range<u32>,
}

/// A variant of a benchmark's method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct VariantText {
    pub(crate) dataset: DatasetId,
    pub(crate) subject: SubjectId,
    pub(crate) rule: RuleId,
    pub(crate) instance: u32,
    pub(crate) options: RuleOptions,
    /// Code, or prose with code in it.
    pub(crate) text: String,
    pub(crate) matcher: MatcherId,
}

/// A variant, looked at without its tests.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ExaminedView {
    pub(crate) standing: Standing,
    /// How the method stood in the text; `None` where there is none.
    pub(crate) extraction: Option<Extraction>,
    /// The method, laid out as the subject's own.
    pub(crate) method: String,
    /// One a site, in order; empty where there is no method.
    pub(crate) sites: Vec<MaskedNode>,
    /// What differs elsewhere, in order.
    pub(crate) outside: Vec<OutsideEdit>,
    /// The reference and the method; `None` where there is none.
    pub(crate) diff: Option<DiffView>,
}

/// What a variant is before its tests have run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Standing {
    /// It may be a CtxBug.
    Candidate,
    /// Every place is as in the reference.
    Identical,
    /// A placeholder still stands there; in words.
    Unfilled(String),
    /// It is none for another reason, in words.
    NotCase(String),
}

/// How many lines a file of pairs has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PairCounts {
    pub(crate) n_compared: usize,
    /// Lines that are no pairs; the answer says why.
    pub(crate) n_bad: usize,
}

/// Two texts, compared: the first is the reference, the second the variant.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DiffView {
    pub(crate) a: DiffSide,
    pub(crate) b: DiffSide,
    /// The simplified script; token by token after a fallback.
    pub(crate) edits: Vec<DiffEdit>,
    /// Why trees were not compared.
    pub(crate) fallback: Option<String>,
}

/// One of two compared texts.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DiffSide {
    pub(crate) tokens: Vec<Token>,
    /// How many places are no Python.
    pub(crate) n_errors: usize,
    /// The types that nodes have.
    pub(crate) kinds: Vec<String>,
    /// In preorder.
    pub(crate) nodes: Vec<DiffNode>,
}

/// A node of a compared text. Names are short: there are thousands of them in a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DiffNode {
    /// Its type, as a place in [`DiffSide::kinds`].
    #[serde(rename = "k")]
    pub(crate) kind: usize,
    #[serde(rename = "s")]
    pub(crate) span: Span,
    /// The root's is 0.
    #[serde(rename = "d")]
    pub(crate) depth: usize,
    /// The node of the other side that corresponds, and the step that matched them.
    #[serde(rename = "m")]
    pub(crate) partner: Option<(usize, MatchedBy)>,
}

/// An edit and where it shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DiffEdit {
    pub(crate) kind: EditKind,
    /// The type of its node; after a fallback `token`.
    pub(crate) what: String,
    /// Whether the nodes below stay, which takes a word where it matters.
    pub(crate) alone: bool,
    /// The type of the node that it is put under.
    pub(crate) into: Option<String>,
    /// The step that matched it; what is inserted or deleted has none.
    pub(crate) by: Option<MatchedBy>,
    /// In the reference; not of an insertion.
    pub(crate) a: Option<EditPlace>,
    /// In the variant; not of a deletion.
    pub(crate) b: Option<EditPlace>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum EditKind {
    Insert,
    Update,
    Move,
    Delete,
}

/// Where an edit shows on one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EditPlace {
    /// None after a fallback.
    pub(crate) node: Option<usize>,
    pub(crate) span: Span,
    /// What of it is edited: all of it, or without the nodes below that stay.
    pub(crate) parts: Vec<Span>,
}
