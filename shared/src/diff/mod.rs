//! GumTree over Python: the crate `diff`, and many pairs of texts at once.

mod pairs;

pub use ::diff::{
    BottomUp, Budget, Diff, DiffNodeId, DiffOptions, DiffTree, DiffTreeBuilder, EditAction,
    EditScript, Fallback, FallbackReason, MATCHERS, Mapping, MappingStore, MatchedBy, Matcher,
    MatcherId, Matching, Parent, Pass, Recovery, Similarity, Threshold, TokenChange,
    UnknownMatcher, apply, diff, notation,
};

pub use self::pairs::{PairOptions, pair_line};

#[cfg(test)]
mod tests;
