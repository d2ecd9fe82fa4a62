//! The matchers: named pipelines of passes. To add one: its [`MatcherId`], its line in [`ALL`], and,
//! if it does something new, its pass.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::similarity::{Similarity, Threshold};

/// A named pipeline of passes. Its id goes with everything that is computed from its mappings.
#[derive(Debug)]
pub struct Matcher {
    /// Its name in options, files and links.
    pub id: MatcherId,
    /// Its name for people.
    pub title: &'static str,
    /// The reference's name for it.
    pub reference: &'static str,
    /// What it does, one after the other.
    pub passes: &'static [Pass],
}

/// A step of a matcher.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pass {
    /// Identical subtrees, the highest first.
    TopDown,
    /// Containers by what is mapped below them, each with a recovery.
    BottomUp(BottomUp),
}

/// How containers are matched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BottomUp {
    /// How alike two nodes are.
    pub similarity: Similarity,
    /// How alike they have to be.
    pub threshold: Threshold,
    /// Whether the search from the partner must lead back to the node.
    pub marries: bool,
    /// Whether nodes that were mapped before get a recovery too.
    pub revisits_mapped: bool,
    /// What is looked for below two matched nodes.
    pub recovery: Recovery,
}

/// How the rest below two matched nodes is matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovery {
    /// Unmapped children by longest common subsequences, then by type, and so on below.
    Lcs,
    /// The optimal edit distance, where either subtree has fewer nodes than this; else nothing.
    EditDistance {
        /// The number of nodes.
        below: u32,
    },
    /// The optimal edit distance, where either subtree has fewer nodes than this; else all children
    /// by longest common subsequences, then by type, and so on below.
    EditDistanceOrLcs {
        /// The number of nodes.
        below: u32,
    },
}

const SIMPLE: BottomUp = BottomUp {
    similarity: Similarity::CommonOfLarger,
    threshold: Threshold::Falling,
    marries: false,
    revisits_mapped: true,
    recovery: Recovery::Lcs,
};

/// All matchers, the default first. Reference: GumTree, commit 7fe5133 (4.0.0-beta7), default
/// properties.
pub static ALL: [Matcher; 4] = [
    Matcher {
        id: MatcherId::Simple,
        title: "GumTree simple",
        reference: "gumtree-simple",
        passes: &[Pass::TopDown, Pass::BottomUp(SIMPLE)],
    },
    Matcher {
        id: MatcherId::Classic,
        title: "GumTree classic",
        reference: "gumtree-classic",
        passes: &[
            Pass::TopDown,
            Pass::BottomUp(BottomUp {
                similarity: Similarity::Dice,
                threshold: Threshold::Fixed(0.5),
                revisits_mapped: false,
                recovery: Recovery::EditDistance { below: 1000 },
                ..SIMPLE
            }),
        ],
    },
    Matcher {
        id: MatcherId::Hybrid,
        title: "GumTree hybrid",
        reference: "gumtree-hybrid",
        passes: &[
            Pass::TopDown,
            Pass::BottomUp(BottomUp {
                recovery: Recovery::EditDistanceOrLcs { below: 20 },
                ..SIMPLE
            }),
        ],
    },
    Matcher {
        id: MatcherId::Stable,
        title: "GumTree stable",
        reference: "gumtree-simple-stable",
        passes: &[
            Pass::TopDown,
            Pass::BottomUp(BottomUp {
                marries: true,
                ..SIMPLE
            }),
        ],
    },
];

/// A matcher's name; the discriminant is its place in [`ALL`].
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum MatcherId {
    /// Recovery by longest common subsequences: GumTree 4's default.
    #[default]
    Simple,
    /// Recovery by edit distance: the heir of the algorithm of 2014.
    Classic,
    /// Edit distance for small subtrees, longest common subsequences for others.
    Hybrid,
    /// As simple, where two containers must choose each other.
    Stable,
}

impl MatcherId {
    /// The matcher itself.
    pub fn matcher(self) -> &'static Matcher {
        &ALL[self as usize]
    }

    /// The name used in files, links and options.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Classic => "classic",
            Self::Hybrid => "hybrid",
            Self::Stable => "stable",
        }
    }
}

impl fmt::Display for MatcherId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

/// There is no such matcher.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no matcher {0:?}; choose simple, classic, hybrid or stable")]
pub struct UnknownMatcher(pub String);

impl FromStr for MatcherId {
    type Err = UnknownMatcher;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ids = ALL.iter().map(|matcher| matcher.id);
        let mut found = ids.filter(|id| id.slug() == text);
        found.next().ok_or_else(|| UnknownMatcher(text.to_owned()))
    }
}
