//! Which node of the source corresponds to which node of the destination, and who said so.

use serde::{Deserialize, Serialize};

use crate::tree::{DiffNodeId, NONE, index};

/// Two nodes that correspond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// Of the source.
    pub src: DiffNodeId,
    /// Of the destination.
    pub dst: DiffNodeId,
    /// The step that matched them.
    pub by: MatchedBy,
}

/// The step of a matcher that matched two nodes, and why.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchedBy {
    /// Top-down: in an identical subtree that occurs once in either tree.
    IdenticalUnique,
    /// Top-down: in an identical subtree that occurs several times; this pair ranked best.
    IdenticalRanked,
    /// Bottom-up: the two roots.
    Roots,
    /// Bottom-up: what is below them is mapped into each other often enough.
    CommonDescendants,
    /// Recovery: identical children of two matched nodes, in order.
    RecoveredIdentical,
    /// Recovery: children of equal structure of two matched nodes, in order.
    RecoveredStructure,
    /// Recovery: the only children of their type.
    RecoveredOnlyOfType,
    /// Recovery: on the cheapest way to edit one subtree into the other.
    RecoveredEditDistance,
    /// Fallback: equal tokens in order; trees were not compared.
    Token,
}

impl MatchedBy {
    /// The name used in files and links.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::IdenticalUnique => "identical_unique",
            Self::IdenticalRanked => "identical_ranked",
            Self::Roots => "roots",
            Self::CommonDescendants => "common_descendants",
            Self::RecoveredIdentical => "recovered_identical",
            Self::RecoveredStructure => "recovered_structure",
            Self::RecoveredOnlyOfType => "recovered_only_of_type",
            Self::RecoveredEditDistance => "recovered_edit_distance",
            Self::Token => "token",
        }
    }

    /// The pass of the matcher and its reason, for people.
    pub const fn why(self) -> &'static str {
        match self {
            Self::IdenticalUnique => "top-down: the same subtree, which either side has once",
            Self::IdenticalRanked => "top-down: the same subtree, the best ranked of several",
            Self::Roots => "bottom-up: the roots",
            Self::CommonDescendants => "bottom-up: most of what is below corresponds",
            Self::RecoveredIdentical => {
                "recovery: the same subtree among matched parents' children"
            }
            Self::RecoveredStructure => {
                "recovery: the same structure among matched parents' children"
            }
            Self::RecoveredOnlyOfType => {
                "recovery: the only child of its type under matched parents"
            }
            Self::RecoveredEditDistance => {
                "recovery: on the cheapest way to edit one into the other"
            }
            Self::Token => "fallback: the same token in order",
        }
    }
}

/// Mappings of two trees: one-to-one, only ever added to.
#[derive(Clone, Debug)]
pub struct MappingStore {
    src: Half,
    dst: Half,
    by: Vec<MatchedBy>,
}

/// One side: each node's partner, and the unmapped nodes.
#[derive(Clone, Debug)]
struct Half {
    partners: Vec<u32>,
    /// Points from a mapped node towards the next unmapped one, from an unmapped node to itself.
    unmapped: Vec<u32>,
}

impl MappingStore {
    /// No mapping yet, between trees with these subtree sizes.
    pub(crate) fn new(src_sizes: &[u32], dst_sizes: &[u32]) -> Self {
        Self {
            src: Half::new(src_sizes.len()),
            dst: Half::new(dst_sizes.len()),
            by: vec![MatchedBy::Token; src_sizes.len()],
        }
    }

    /// The node of the destination that corresponds to a node of the source.
    pub fn dst_of(&self, src: DiffNodeId) -> Option<DiffNodeId> {
        let dst = self.src.partners[src.0 as usize];
        (dst != NONE).then_some(DiffNodeId(dst))
    }

    /// The node of the source that corresponds to a node of the destination.
    pub fn src_of(&self, dst: DiffNodeId) -> Option<DiffNodeId> {
        let src = self.dst.partners[dst.0 as usize];
        (src != NONE).then_some(DiffNodeId(src))
    }

    /// The step that matched a node of the source.
    pub fn matched_by(&self, src: DiffNodeId) -> Option<MatchedBy> {
        self.dst_of(src).map(|_| self.by[src.0 as usize])
    }

    /// All mappings by the source's preorder.
    pub fn iter(&self) -> impl Iterator<Item = Mapping> + '_ {
        let partners = self.src.partners.iter().zip(&self.by).zip(0..);
        partners
            .filter(|((dst, _), _)| **dst != NONE)
            .map(|((&dst, &by), src)| Mapping {
                src: DiffNodeId(src),
                dst: DiffNodeId(dst),
                by,
            })
    }

    /// The number of mappings.
    pub fn n_mappings(&self) -> usize {
        self.iter().count()
    }

    pub(crate) fn dst(&self, src: u32) -> u32 {
        self.src.partners[src as usize]
    }

    pub(crate) fn src(&self, dst: u32) -> u32 {
        self.dst.partners[dst as usize]
    }

    /// The partners of all source nodes, in preorder.
    pub(crate) fn dsts(&self) -> &[u32] {
        &self.src.partners
    }

    /// The partners of all destination nodes, in preorder.
    pub(crate) fn srcs(&self) -> &[u32] {
        &self.dst.partners
    }

    pub(crate) fn are_unmapped(&self, src: u32, dst: u32) -> bool {
        self.dst(src) == NONE && self.src(dst) == NONE
    }

    /// Whether no node of either range is mapped.
    pub(crate) fn are_all_unmapped(
        &self,
        src: std::ops::Range<u32>,
        dst: std::ops::Range<u32>,
    ) -> bool {
        self.src.is_unmapped(src) && self.dst.is_unmapped(dst)
    }

    /// Whether both ranges have an unmapped node.
    pub(crate) fn have_unmapped(
        &mut self,
        src: std::ops::Range<u32>,
        dst: std::ops::Range<u32>,
    ) -> bool {
        self.src.next_unmapped(src.start) < src.end && self.dst.next_unmapped(dst.start) < dst.end
    }

    /// Adds a mapping of two unmapped nodes; leaves mapped nodes as they are.
    pub(crate) fn add(&mut self, src: u32, dst: u32, by: MatchedBy) {
        if self.are_unmapped(src, dst) {
            self.src.set(src, dst);
            self.dst.set(dst, src);
            self.by[src as usize] = by;
        }
    }
}

impl Half {
    fn new(n: usize) -> Self {
        Self {
            partners: vec![NONE; n],
            unmapped: (0..=index(n)).collect(),
        }
    }

    fn set(&mut self, node: u32, partner: u32) {
        self.partners[node as usize] = partner;
        self.unmapped[node as usize] = node + 1;
    }

    fn is_unmapped(&self, range: std::ops::Range<u32>) -> bool {
        self.partners[range.start as usize..range.end as usize]
            .iter()
            .all(|&partner| partner == NONE)
    }

    /// The first unmapped node from `node` on, or one past the last node.
    fn next_unmapped(&mut self, mut node: u32) -> u32 {
        loop {
            let next = self.unmapped[node as usize];
            if next == node {
                return node;
            }
            // Halves the way for whoever asks next.
            let after = self.unmapped[next as usize];
            self.unmapped[node as usize] = after;
            node = after;
        }
    }
}
