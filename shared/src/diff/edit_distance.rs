//! Recovery by the cheapest way to edit one subtree into the other (Zhang and Shasha 1989).
//!
//! Deleting and inserting a node costs 1, renaming one of another type is ruled out, renaming one of
//! the same type costs 1 less the similarity of the labels. We count what is *saved* against deleting
//! and inserting everything, which turns the minimum into a maximum, the border of every table into
//! zeros and the additions along it away. Every cost is a multiple of 2^-24, as the reference's single
//! precision gives it, so integers are exact and equal costs are equal here too.

use crate::diff::budget::OutOfBudget;
use crate::diff::mapping::MatchedBy;
use crate::diff::pair::{Pair, Side};
use crate::diff::tree::index;

/// A cost of 1.
const UNIT: u64 = 1 << 24;

/// The most cells of a table: 8 bytes each, two tables.
const MAX_CELLS: usize = 1 << 22;

/// The most pairs of labels whose similarity is remembered: 4 bytes each.
const MAX_REMEMBERED: usize = 1 << 20;

/// The recovery and its tables, used for one pair of nodes after the other.
#[derive(Default)]
pub(super) struct EditDistance {
    src: Post,
    dst: Post,
    /// What matching two subtrees saves at best, for all nodes of the window, in postorder.
    trees: Vec<u64>,
    /// The same for forests, of the pair of subtrees that is looked at.
    forests: Vec<u64>,
    labels: Labels,
    /// Pairs of subtrees, by postorder, that are still to be read back.
    stack: Vec<(u32, u32)>,
    is_whole: bool,
}

/// The part of a tree that the tables are about, in postorder.
#[derive(Default)]
struct Post {
    /// Preorder of each node.
    nodes: Vec<u32>,
    kinds: Vec<u32>,
    labels: Vec<u32>,
    /// The leftmost leaf below each node.
    first: Vec<u32>,
    /// Nodes with children that are the root of the part or have an elder sibling.
    key_roots: Vec<u32>,
}

impl Post {
    /// The subtree of `root`.
    fn fill(&mut self, side: &Side<'_>, root: u32) {
        let tree = side.tree;
        let n = tree.sizes[root as usize] as usize;
        for column in [
            &mut self.nodes,
            &mut self.kinds,
            &mut self.labels,
            &mut self.first,
        ] {
            column.clear();
            column.resize(n, 0);
        }
        let start = tree.postorder(root) + 1 - index(n);
        for node in root..tree.end(root) {
            let at = tree.postorder(node) - start;
            self.nodes[at as usize] = node;
            self.kinds[at as usize] = side.kinds[node as usize];
            self.labels[at as usize] = side.labels[node as usize];
            self.first[at as usize] = at + 1 - tree.sizes[node as usize];
        }
        // Every inner node begins where its first child does.
        self.key_roots.clear();
        for (at, &node) in (0..).zip(&self.nodes) {
            let is_root = node == root || tree.positions[node as usize] > 0;
            if is_root && self.first[at as usize] != at {
                self.key_roots.push(at);
            }
        }
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }
}

impl EditDistance {
    /// Maps what is unmapped and of equal type on the cheapest way from `src` to `dst`. With
    /// `is_whole` the tables are made once for both trees, since their roots will be asked for too.
    pub(super) fn recover(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
        is_whole: bool,
    ) -> Result<(), OutOfBudget> {
        if !(is_whole && self.is_whole) {
            let roots = if is_whole { (0, 0) } else { (src, dst) };
            self.is_whole = is_whole;
            self.compare_trees(pair, roots.0, roots.1)?;
        }
        let start = |post: &Post, side: &Side<'_>, node| {
            side.tree.postorder(node) - side.tree.postorder(post.nodes[0])
        };
        let roots = (
            start(&self.src, &pair.src, src),
            start(&self.dst, &pair.dst, dst),
        );
        self.stack.push(roots);
        while let Some((src, dst)) = self.stack.pop() {
            let range = |post: &Post, side: &Side<'_>, at: u32| {
                let node = post.nodes[at as usize];
                node..side.tree.end(node)
            };
            let ranges = (
                range(&self.src, &pair.src, src),
                range(&self.dst, &pair.dst, dst),
            );
            if pair.mappings.have_unmapped(ranges.0, ranges.1) {
                self.compare_forests(pair, src, dst)?;
                self.read_back(pair, src, dst);
            }
        }
        Ok(())
    }

    /// Fills the table of trees below two nodes.
    fn compare_trees(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
    ) -> Result<(), OutOfBudget> {
        self.src.fill(&pair.src, src);
        self.dst.fill(&pair.dst, dst);
        let (n, m) = (self.src.len(), self.dst.len());
        if n.saturating_mul(m) > MAX_CELLS {
            return Err(OutOfBudget);
        }
        pair.spend(n * m * 2)?;
        self.labels.prepare(pair);
        self.trees.clear();
        self.trees.resize(n * m, 0);
        // A leaf saves as much as the best single node does.
        for i in 0..n {
            let is_leaf = self.src.first[i] as usize == i;
            for j in 0..m {
                if is_leaf {
                    let mut best = self.gain(pair, i, j);
                    for child in children(&self.dst.first, j) {
                        best = best.max(self.trees[i * m + child]);
                    }
                    self.trees[i * m + j] = best;
                } else if self.dst.first[j] as usize == j {
                    let mut best = self.gain(pair, i, j);
                    for child in children(&self.src.first, i) {
                        best = best.max(self.trees[child * m + j]);
                    }
                    self.trees[i * m + j] = best;
                }
            }
        }
        for i in 0..self.src.key_roots.len() {
            for j in 0..self.dst.key_roots.len() {
                self.compare_forests(pair, self.src.key_roots[i], self.dst.key_roots[j])?;
            }
        }
        Ok(())
    }

    /// Fills the table of forests below two nodes, and the table of trees along their leftmost paths.
    fn compare_forests(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
    ) -> Result<(), OutOfBudget> {
        let m = self.dst.len();
        let (top, left) = (self.src.first[src as usize], self.dst.first[dst as usize]);
        let (n_rows, n_columns) = ((src - top + 1) as usize, (dst - left + 1) as usize);
        pair.spend(n_rows * n_columns)?;
        let width = n_columns + 1;
        if self.forests.len() < width * (n_rows + 1) {
            self.forests.resize(width * (n_rows + 1), 0);
        }
        self.forests[..width].fill(0);
        for row in 0..n_rows {
            let i = top as usize + row;
            let base = (self.src.first[i] - top) as usize;
            let (done, rest) = self.forests.split_at_mut((row + 1) * width);
            let above = &done[row * width..][..width];
            let base_row = &done[base * width..][..width];
            let into = &mut rest[..width];
            into[0] = 0;
            let firsts = &self.dst.first[left as usize..][..n_columns];
            let start = i * m + left as usize;
            let trees = &mut self.trees[start..][..n_columns];
            let mut best = 0;
            for column in 0..n_columns {
                let begin = (firsts[column] - left) as usize;
                let saved = if base == 0 && begin == 0 {
                    // Both are trees.
                    let (kind, label) = (self.src.kinds[i], self.src.labels[i]);
                    let j = left as usize + column;
                    let gain = if kind == self.dst.kinds[j] {
                        self.labels.gain(
                            pair,
                            label,
                            self.dst.labels[j],
                            self.src.nodes[i],
                            self.dst.nodes[j],
                        )
                    } else {
                        0
                    };
                    let saved = (above[column] + gain).max(above[column + 1]).max(best);
                    trees[column] = saved;
                    saved
                } else {
                    base_row[begin] + trees[column]
                };
                best = best.max(saved).max(above[column + 1]);
                into[column + 1] = best;
            }
        }
        Ok(())
    }

    /// Reads from the table of forests which nodes are kept: deleting goes before inserting, and
    /// either before matching. Subtrees that are matched within others wait on the stack.
    fn read_back(&mut self, pair: &mut Pair<'_>, src: u32, dst: u32) {
        let (top, left) = (self.src.first[src as usize], self.dst.first[dst as usize]);
        let width = (dst - left + 2) as usize;
        let cell = |i: u32, j: u32| self.forests[i as usize * width + j as usize];
        let (mut i, mut j) = (src - top + 1, dst - left + 1);
        while i > 0 && j > 0 {
            let here = cell(i, j);
            if cell(i - 1, j) == here {
                i -= 1;
            } else if cell(i, j - 1) == here {
                j -= 1;
            } else {
                let (a, b) = (top + i - 1, left + j - 1);
                let (first_a, first_b) = (self.src.first[a as usize], self.dst.first[b as usize]);
                if first_a == top && first_b == left {
                    let (a, b) = (self.src.nodes[a as usize], self.dst.nodes[b as usize]);
                    pair.mappings.add(a, b, MatchedBy::RecoveredEditDistance);
                    (i, j) = (i - 1, j - 1);
                } else {
                    self.stack.push((a, b));
                    (i, j) = (first_a - top, first_b - left);
                }
            }
        }
    }

    /// What matching two nodes saves: 0 if it is ruled out, else 1 to 2 units.
    fn gain(&mut self, pair: &Pair<'_>, i: usize, j: usize) -> u64 {
        if self.src.kinds[i] != self.dst.kinds[j] {
            return 0;
        }
        let (a, b) = (self.src.labels[i], self.dst.labels[j]);
        self.labels
            .gain(pair, a, b, self.src.nodes[i], self.dst.nodes[j])
    }
}

/// The children of a node in postorder, last first.
fn children(first: &[u32], node: usize) -> impl Iterator<Item = usize> + '_ {
    let end = first[node] as usize;
    let last = (node > end).then(|| node - 1);
    std::iter::successors(last, move |&child| {
        let next = first[child] as usize;
        (next > end).then(|| next - 1)
    })
}

/// Similarities of labels.
#[derive(Default)]
struct Labels {
    /// Each label's 3-grams, sorted, once they were asked for.
    src: Vec<Option<Box<[u64]>>>,
    dst: Vec<Option<Box<[u64]>>>,
    /// One more than the similarity in units, or 0 where it is not known yet; a row for each label
    /// of the source. Empty if there are too many.
    known: Vec<u32>,
}

impl Labels {
    fn prepare(&mut self, pair: &Pair<'_>) {
        if self.src.is_empty() {
            let (n_src, n_dst) = (
                pair.src.tree.label_hashes.len(),
                pair.dst.tree.label_hashes.len(),
            );
            self.src.resize(n_src, None);
            self.dst.resize(n_dst, None);
            if n_src.saturating_mul(n_dst) <= MAX_REMEMBERED {
                self.known.resize(n_src * n_dst, 0);
            }
        }
    }

    /// What matching two nodes of one type saves, by their labels in the pair's numbering.
    fn gain(&mut self, pair: &Pair<'_>, a: u32, b: u32, src: u32, dst: u32) -> u64 {
        if a == 0 || b == 0 {
            return UNIT;
        }
        if a == b {
            return 2 * UNIT;
        }
        let (a, b) = (
            pair.src.tree.labels[src as usize],
            pair.dst.tree.labels[dst as usize],
        );
        let place = a as usize * self.dst.len() + b as usize;
        match self.known.get(place) {
            Some(0) | None => {
                let units = self.compare(pair, a, b);
                if let Some(known) = self.known.get_mut(place) {
                    *known = units + 1;
                }
                UNIT + u64::from(units)
            }
            Some(known) => UNIT + u64::from(known - 1),
        }
    }

    fn compare(&mut self, pair: &Pair<'_>, a: u32, b: u32) -> u32 {
        let x = self.src[a as usize].get_or_insert_with(|| grams(pair.src.tree.label_text(a)));
        let y = self.dst[b as usize].get_or_insert_with(|| grams(pair.dst.tree.label_text(b)));
        similarity(x, y)
    }
}

/// The sorted 3-grams of a label between two `#` on either side; a code point has 21 bits.
fn grams(label: &str) -> Box<[u64]> {
    let mut gram = u64::from('#') << 21 | u64::from('#');
    let units = label.chars().chain("##".chars());
    let mut grams: Vec<u64> = units
        .map(|unit| {
            gram = (gram << 21 | u64::from(unit)) & ((1 << 63) - 1);
            gram
        })
        .collect();
    grams.sort_unstable();
    grams.into_boxed_slice()
}

/// The similarity of two multisets in units: 1 less the differing ones by all, in single precision.
fn similarity(a: &[u64], b: &[u64]) -> u32 {
    let (mut i, mut j, mut n_common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n_common) = (i + 1, j + 1, n_common + 1),
        }
    }
    let total = a.len() + b.len();
    let similarity = 1.0 - (total - 2 * n_common) as f32 / total as f32;
    (similarity * UNIT as f32) as u32
}
