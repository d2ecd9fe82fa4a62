//! How a model handled a case, computed from what its answer has at the bug sites.
//!
//! The paper (CtxBugGen, section 5.3) has people name one action an answer. What it says of each, and
//! what is computed here, in this order:
//!
//! | action | in the paper | here |
//! |---|---|---|
//! | others | "unrelated to the CtxBug resolution, e.g., empty responses …" | there is no method, or one that does nothing |
//! | resolved | (only failures were looked at) | all tests pass, however the sites are written |
//! | unexpected | "resolved the CtxBug but also introduced new bugs elsewhere" | all sites are resolved, a test fails |
//! | others | "… reimplementations or code with major deletions" | of the reused code's body, outside its bug sites, less than half is left |
//! | overlooked | "failed to identify the CtxBug and replicated it"; "completely overlooked" | at every site stands what the reused code has there |
//! | invalid | "identified the CtxBug but applied an incorrect adaptation"; "insufficient to fully resolve" | all else |
//!
//! The paper is silent about answers with several sites. "Completely" and "fully" are taken at their word: an
//! answer that changed or resolved one of them and repeated another has seen the bug and did not
//! fully resolve it, so it is invalid. It is silent too about how much is a major deletion: half is
//! our choice, and the figures that it is decided by are in each judgement. A site that is gone both in the reused
//! code and in the answer is repeated. An answer that passes although a site stands as it was is resolved:
//! the tests decide what is right.

use serde::{Deserialize, Serialize};

use super::JudgedSite;
use crate::report::Verdict;

/// How a model handled a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is right now.
    Resolved,
    /// The bug was repeated.
    Overlooked,
    /// The bug was seen and not mended.
    Invalid,
    /// The bug was mended and something else broken.
    Unexpected,
    /// The answer has nothing to do with it.
    Others,
}

impl Action {
    /// All of them: first what is wanted, then as the paper has them.
    pub const ALL: [Self; 5] = [
        Self::Resolved,
        Self::Overlooked,
        Self::Invalid,
        Self::Unexpected,
        Self::Others,
    ];

    /// The name used in files and tables.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Overlooked => "overlooked",
            Self::Invalid => "invalid",
            Self::Unexpected => "unexpected",
            Self::Others => "others",
        }
    }
}

/// How a model handled one bug site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteHandling {
    /// It is as in the reference, by the matcher that found it.
    Resolved,
    /// What stands there is, token by token, what the reused code has there.
    Overlooked,
    /// Something else stands there, or nothing.
    Invalid,
}

/// What the action of an answer depends on.
pub(super) struct Answer<'a> {
    pub(super) does_something: bool,
    pub(super) verdict: &'a Verdict,
    pub(super) sites: &'a [JudgedSite],
    pub(super) n_kept: u32,
    pub(super) n_outside: u32,
}

pub(super) fn handling(is_resolved: bool, is_repeated: bool) -> SiteHandling {
    if is_resolved {
        SiteHandling::Resolved
    } else if is_repeated {
        SiteHandling::Overlooked
    } else {
        SiteHandling::Invalid
    }
}

pub(super) fn action(answer: &Answer<'_>) -> Action {
    let are_all = |handling| answer.sites.iter().all(|site| site.handling == handling);
    if !answer.does_something || *answer.verdict == Verdict::Empty {
        Action::Others
    } else if *answer.verdict == Verdict::Pass {
        Action::Resolved
    } else if are_all(SiteHandling::Resolved) {
        Action::Unexpected
    } else if u64::from(answer.n_kept) * 2 < u64::from(answer.n_outside) {
        Action::Others
    } else if are_all(SiteHandling::Overlooked) {
        Action::Overlooked
    } else {
        Action::Invalid
    }
}
