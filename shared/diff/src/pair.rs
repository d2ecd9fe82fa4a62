//! Two trees in one numbering of types and labels, so that both compare as integers.

use crate::budget::{OutOfBudget, Steps};
use crate::mapping::{MappingStore, MatchedBy};
use crate::tree::{DiffTree, index};

/// A tree and its types and labels in the pair's numbering; the empty label is 0.
pub(crate) struct Side<'a> {
    pub(crate) tree: &'a DiffTree,
    pub(crate) kinds: Vec<u32>,
    pub(crate) labels: Vec<u32>,
}

/// What the passes work on: two trees, what is mapped so far, what may still be spent.
pub(crate) struct Pair<'a> {
    pub(crate) src: Side<'a>,
    pub(crate) dst: Side<'a>,
    pub(crate) n_kinds: usize,
    pub(crate) mappings: MappingStore,
    pub(crate) steps: Steps,
}

impl<'a> Pair<'a> {
    pub(crate) fn new(src: &'a DiffTree, dst: &'a DiffTree, steps: Steps) -> Self {
        let (kinds, n_kinds) = common_kinds(src, dst);
        let labels = common_labels(src, dst);
        let dst_side = Side {
            tree: dst,
            kinds: dst.kinds.iter().map(|&kind| kinds[kind as usize]).collect(),
            labels: dst
                .labels
                .iter()
                .map(|&label| labels[label as usize])
                .collect(),
        };
        Self {
            src: Side {
                tree: src,
                kinds: src.kinds.clone(),
                labels: src.labels.clone(),
            },
            dst: dst_side,
            n_kinds,
            mappings: MappingStore::new(&src.sizes, &dst.sizes),
            steps,
        }
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), OutOfBudget> {
        self.steps.spend(steps)
    }

    pub(crate) fn same_kind(&self, src: u32, dst: u32) -> bool {
        self.src.kinds[src as usize] == self.dst.kinds[dst as usize]
    }

    /// Maps two subtrees of equal structure node by node.
    pub(crate) fn map_subtrees(&mut self, src: u32, dst: u32, by: MatchedBy) {
        for below in 0..self.src.tree.sizes[src as usize] {
            self.mappings.add(src + below, dst + below, by);
        }
    }

    /// Whether two subtrees have the same types in the same shape.
    pub(crate) fn same_structure(&self, src: u32, dst: u32) -> bool {
        same_structure(&self.src, src, &self.dst, dst)
    }
}

/// Whether two subtrees, of either side, have the same types in the same shape.
pub(crate) fn same_structure(a: &Side<'_>, x: u32, b: &Side<'_>, y: u32) -> bool {
    let (x_range, y_range) = (range(a, x), range(b, y));
    a.tree.sizes[x_range.clone()] == b.tree.sizes[y_range.clone()]
        && a.kinds[x_range] == b.kinds[y_range]
}

/// Whether two subtrees, of either side, have the same labels in the same order.
pub(crate) fn same_labels(a: &Side<'_>, x: u32, b: &Side<'_>, y: u32) -> bool {
    a.labels[range(a, x)] == b.labels[range(b, y)]
}

fn range(side: &Side<'_>, node: u32) -> std::ops::Range<usize> {
    node as usize..side.tree.end(node) as usize
}

/// The number of each destination type among the source's, new types counted on.
fn common_kinds(src: &DiffTree, dst: &DiffTree) -> (Vec<u32>, usize) {
    let mut n_kinds = src.kind_names.len();
    let numbers = dst
        .kind_names
        .iter()
        .zip(&dst.kind_hashes)
        .map(|(name, hash)| {
            let known = src.kind_hashes.iter().zip(&src.kind_names);
            let found = known
                .enumerate()
                .find_map(|(at, known)| (known == (hash, name)).then_some(at));
            index(found.unwrap_or_else(|| {
                n_kinds += 1;
                n_kinds - 1
            }))
        });
    (numbers.collect(), n_kinds)
}

/// The number of each destination label among the source's; both are sorted the same way.
fn common_labels(src: &DiffTree, dst: &DiffTree) -> Vec<u32> {
    let (n_src, n_dst) = (index(src.label_hashes.len()), index(dst.label_hashes.len()));
    let (mut at, mut n_labels) = (0, n_src);
    let number = |label| {
        let wanted = key(dst, label);
        while at < n_src && key(src, at) < wanted {
            at += 1;
        }
        if at < n_src && key(src, at) == wanted {
            return at;
        }
        n_labels += 1;
        n_labels - 1
    };
    (0..n_dst).map(number).collect()
}

/// What labels are sorted by; the empty one comes first.
fn key(tree: &DiffTree, label: u32) -> (u32, &str) {
    (tree.label_hashes[label as usize], tree.label_text(label))
}
