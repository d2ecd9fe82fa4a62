//! GumTree: what corresponds between two trees, and the edits that turn one into the other.
//!
//! ```text
//! DiffTreeBuilder ──> DiffTree ─┐
//! DiffTreeBuilder ──> DiffTree ─┴─> diff(…, matcher) ──> Diff { mappings, script }
//! ```
//!
//! Reference: GumTree, commit 7fe5133 (4.0.0-beta7 plus six), with its default properties; J.-R.
//! Falleri et al., *Fine-grained and accurate source code differencing*, ASE 2014; S. Chawathe et
//! al., *Change detection in hierarchically structured information*, SIGMOD 1996. Mappings and
//! scripts equal the reference's wherever that is decided itself: a full tie, which the reference
//! leaves to the order of a hash table, goes to the earlier node. Two roots of different types, which
//! the reference maps, stay unmapped here, so that every mapping is of one type.
//!
//! Nothing recurses on a tree's depth, nothing depends on hash order or on the clock. A crate of its
//! own, so that the page's build compiles it for speed where all else is compiled for size.
#![warn(missing_docs)]

mod span;

mod budget;
mod tree;

mod matchers;

mod mapping;
mod pair;

mod ranking;
mod top_down;

mod bottom_up;
mod similarity;

mod edit_distance;
mod labels;
mod lcs;
mod recovery;

mod apply;
mod edit_script;
pub mod notation;

mod tokens;

pub use self::apply::apply;
pub use self::budget::Budget;
pub use self::edit_script::{EditAction, EditScript, Parent};
pub use self::mapping::{Mapping, MappingStore, MatchedBy};
pub use self::matchers::{
    ALL as MATCHERS, BottomUp, Matcher, MatcherId, Pass, Recovery, UnknownMatcher,
};
pub use self::similarity::{Similarity, Threshold};
pub use self::span::Span;
pub use self::tokens::TokenChange;
pub use self::tree::{DiffNodeId, DiffTree, DiffTreeBuilder};

use self::budget::{OutOfBudget, Steps};
use self::pair::Pair;

/// What a diff is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiffOptions {
    /// Who matches.
    pub matcher: MatcherId,
    /// What it may cost.
    pub budget: Budget,
}

/// What corresponds, and what to edit.
#[derive(Clone, Debug)]
pub struct Diff {
    /// Who matched.
    pub matcher: MatcherId,
    /// Nodes that correspond: one-to-one, of equal types. After a fallback, leaves only.
    pub mappings: MappingStore,
    /// The plain script: one action a node. Empty after a fallback.
    pub script: EditScript,
    /// Set where trees would have cost more than the budget.
    pub fallback: Option<Fallback>,
}

/// Trees were not compared: what is said instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fallback {
    /// What was too much.
    pub reason: FallbackReason,
    /// What differs, token by token, in order.
    pub changes: Vec<TokenChange>,
}

/// Why trees were not compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FallbackReason {
    /// Both trees together have more nodes than the budget allows.
    TooManyNodes {
        /// What they have.
        n_nodes: usize,
        /// What is allowed.
        max: usize,
    },
    /// Comparing them takes more steps, or more memory, than the budget allows.
    TooManySteps {
        /// What is allowed.
        max: u64,
    },
}

impl std::fmt::Display for FallbackReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooManyNodes { n_nodes, max } => {
                write!(f, "the trees have {n_nodes} nodes, more than {max}")
            }
            Self::TooManySteps { max } => {
                write!(
                    f,
                    "comparing the trees takes too much memory or more than {max} steps"
                )
            }
        }
    }
}

impl Diff {
    /// Whether both trees are the same but for where their nodes stand.
    pub fn is_same(&self) -> bool {
        self.script.is_empty() && self.fallback.as_ref().is_none_or(|f| f.changes.is_empty())
    }

    /// The script with inserted and deleted subtrees as one action each, as GumTree shows it.
    pub fn simplified(&self, src: &DiffTree, dst: &DiffTree) -> EditScript {
        edit_script::simplified(src, dst, &self.script)
    }
}

/// What corresponds between two trees, and the edits that turn the first into the second. Never
/// fails: past the budget it compares tokens and says so.
pub fn diff(src: &DiffTree, dst: &DiffTree, options: &DiffOptions) -> Diff {
    let compared = Matching::new(src, dst, options).and_then(Matching::script);
    compared.unwrap_or_else(|reason| {
        let (mappings, changes) = tokens::compare(src, dst);
        Diff {
            matcher: options.matcher,
            mappings,
            script: Vec::new(),
            fallback: Some(Fallback { reason, changes }),
        }
    })
}

/// The first half of a diff: two trees that are matched, without a script yet.
pub struct Matching<'a> {
    pair: Pair<'a>,
    options: DiffOptions,
}

impl<'a> Matching<'a> {
    /// Matches two trees, or tells why that would cost too much.
    pub fn new(
        src: &'a DiffTree,
        dst: &'a DiffTree,
        options: &DiffOptions,
    ) -> Result<Self, FallbackReason> {
        let (n_nodes, max) = (src.n_nodes() + dst.n_nodes(), options.budget.max_nodes);
        if n_nodes > max {
            return Err(FallbackReason::TooManyNodes { n_nodes, max });
        }
        let mut pair = Pair::new(src, dst, Steps::new(&options.budget));
        for pass in options.matcher.matcher().passes {
            let done = match pass {
                Pass::TopDown => top_down::top_down(&mut pair),
                Pass::BottomUp(how) => bottom_up::bottom_up(&mut pair, how),
            };
            done.map_err(|OutOfBudget| options.budget.too_many_steps())?;
        }
        Ok(Self {
            pair,
            options: *options,
        })
    }

    /// The second half: the plain script, or why that would cost too much.
    pub fn script(self) -> Result<Diff, FallbackReason> {
        let Self { pair, options } = self;
        let (src, dst, mut steps) = (pair.src.tree, pair.dst.tree, pair.steps);
        let script = edit_script::chawathe(src, dst, &pair.mappings, &mut steps);
        Ok(Diff {
            matcher: options.matcher,
            mappings: pair.mappings,
            script: script.map_err(|OutOfBudget| options.budget.too_many_steps())?,
            fallback: None,
        })
    }
}

impl Budget {
    fn too_many_steps(&self) -> FallbackReason {
        let max = self.max_steps;
        FallbackReason::TooManySteps { max }
    }
}

#[cfg(test)]
mod tests;
