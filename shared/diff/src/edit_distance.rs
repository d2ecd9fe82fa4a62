//! Recovery by the cheapest way to edit one subtree into the other (Zhang and Shasha 1989).
//!
//! Deleting and inserting a node costs 1, renaming one of another type is ruled out, renaming one of
//! the same type costs 1 less the similarity of the labels. We count what is *saved* against deleting
//! and inserting everything, which turns the minimum into a maximum, the border of every table into
//! zeros and the additions along it away. Every cost is a multiple of 2^-24, as the reference's single
//! precision gives it, so integers are exact and equal costs are equal here too.

use crate::budget::OutOfBudget;
use crate::labels::Labels;
use crate::mapping::MatchedBy;
use crate::pair::{Pair, Side};
use crate::tree::{DiffTree, NONE, index};

/// The most cells of a table: 8 bytes each, two tables.
const MAX_CELLS: usize = 1 << 22;

/// The recovery and its tables, used for one pair of nodes after the other.
#[derive(Default)]
pub(crate) struct EditDistance {
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

/// In which order the children of a node come.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Order {
    #[default]
    LeftToRight,
    RightToLeft,
}

/// The part of a tree that the tables are about, in postorder.
#[derive(Default)]
struct Post {
    order: Order,
    /// Preorder of each node.
    nodes: Vec<u32>,
    kinds: Vec<u32>,
    labels: Vec<u32>,
    /// The first leaf below each node.
    first: Vec<u32>,
    /// Nodes with children that are the root of the part or come after a sibling.
    key_roots: Vec<u32>,
}

impl Post {
    /// The subtree of `root`.
    fn fill(&mut self, side: &Side<'_>, root: u32, order: Order) {
        let tree = side.tree;
        let n = tree.sizes[root as usize] as usize;
        self.order = order;
        for column in [
            &mut self.nodes,
            &mut self.kinds,
            &mut self.labels,
            &mut self.first,
        ] {
            column.clear();
            column.resize(n, 0);
        }
        self.key_roots.clear();
        self.nodes[n - 1] = root;
        for node in (root..tree.end(root)).rev() {
            let at = self.place(side, node);
            self.nodes[at as usize] = node;
            self.kinds[at as usize] = side.kinds[node as usize];
            self.labels[at as usize] = side.labels[node as usize];
            self.first[at as usize] = at + 1 - tree.sizes[node as usize];
            let is_path_end = node == root || comes_late(tree, node, order);
            if is_path_end && !tree.is_leaf(node) {
                self.key_roots.push(at);
            }
        }
        self.key_roots.sort_unstable();
    }

    /// Where a node of the preorder stands.
    fn place(&self, side: &Side<'_>, node: u32) -> u32 {
        let root = self.nodes[self.len() - 1];
        match self.order {
            Order::LeftToRight => {
                side.tree.postorder(node) + index(self.len()) - 1 - side.tree.postorder(root)
            }
            // Postorder from the right is preorder back to front.
            Order::RightToLeft => root + index(self.len()) - 1 - node,
        }
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// Whether a sibling comes before the node.
fn comes_late(tree: &DiffTree, node: u32, order: Order) -> bool {
    match order {
        Order::LeftToRight => tree.positions[node as usize] > 0,
        Order::RightToLeft => {
            let parent = tree.parents[node as usize];
            parent != NONE && tree.end(parent) != tree.end(node)
        }
    }
}

/// How many rows or columns the tables of all key roots have together.
fn n_lines(tree: &DiffTree, root: u32, order: Order) -> u64 {
    let inner = (root + 1..tree.end(root)).filter(|&node| !tree.is_leaf(node));
    let late = inner.filter(|&node| comes_late(tree, node, order));
    late.chain([root])
        .map(|node| u64::from(tree.sizes[node as usize]))
        .sum()
}

impl EditDistance {
    /// Maps what is unmapped and of equal type on the cheapest way from `src` to `dst`. With
    /// `is_whole` the tables are made once for both trees, since their roots will be asked for too.
    pub(crate) fn recover(
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
        // Any decomposition gives the same table; bodies come last, so this is mostly the right one.
        let cost = |order| {
            let n_columns = n_lines(pair.dst.tree, dst, order);
            n_lines(pair.src.tree, src, order).saturating_mul(n_columns)
        };
        let order = if cost(Order::RightToLeft) < cost(Order::LeftToRight) {
            Order::RightToLeft
        } else {
            Order::LeftToRight
        };
        self.src.fill(&pair.src, src, order);
        self.dst.fill(&pair.dst, dst, order);
        let (n, m) = (self.src.len(), self.dst.len());
        if n.saturating_mul(m) > MAX_CELLS {
            return Err(OutOfBudget);
        }
        pair.spend(n * m * 2)?;
        self.labels.prepare(pair);
        self.trees.clear();
        self.trees.resize(n * m, 0);
        self.compare_leaves(pair);
        for i in 0..self.src.key_roots.len() {
            for j in 0..self.dst.key_roots.len() {
                self.compare_forests(pair, self.src.key_roots[i], self.dst.key_roots[j])?;
            }
        }
        if order == Order::RightToLeft {
            self.turn(pair, src, dst);
        }
        Ok(())
    }

    /// The trees of which one is a leaf: it saves as much as the best single node does.
    fn compare_leaves(&mut self, pair: &Pair<'_>) {
        let m = self.dst.len();
        for i in 0..self.src.len() {
            let is_leaf = self.src.first[i] as usize == i;
            for j in 0..m {
                let mut best;
                if is_leaf {
                    best = self.gain(pair, i, j);
                    for child in children(&self.dst.first, j) {
                        best = best.max(self.trees[i * m + child]);
                    }
                } else if self.dst.first[j] as usize == j {
                    best = self.gain(pair, i, j);
                    for child in children(&self.src.first, i) {
                        best = best.max(self.trees[child * m + j]);
                    }
                } else {
                    continue;
                }
                self.trees[i * m + j] = best;
            }
        }
    }

    /// Brings the table of trees from the order from the right into that from the left.
    fn turn(&mut self, pair: &Pair<'_>, src: u32, dst: u32) {
        let places = |post: &Post, side: &Side<'_>, root: u32| -> Vec<u32> {
            let mut turned = Post::default();
            turned.fill(side, root, Order::LeftToRight);
            turned
                .nodes
                .iter()
                .map(|&node| post.place(side, node))
                .collect()
        };
        let rows = places(&self.src, &pair.src, src);
        let columns = places(&self.dst, &pair.dst, dst);
        self.forests.clear();
        for row in rows {
            let row = &self.trees[row as usize * columns.len()..][..columns.len()];
            self.forests
                .extend(columns.iter().map(|&column| row[column as usize]));
        }
        std::mem::swap(&mut self.trees, &mut self.forests);
        self.src.fill(&pair.src, src, Order::LeftToRight);
        self.dst.fill(&pair.dst, dst, Order::LeftToRight);
    }

    /// Fills the table of forests below two nodes, and the table of trees along their first paths.
    fn compare_forests(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
    ) -> Result<(), OutOfBudget> {
        let row_length = self.dst.len();
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
            let (into, firsts) = (
                &mut rest[..width],
                &self.dst.first[left as usize..][..n_columns],
            );
            let start = i * row_length + left as usize;
            let trees = &mut self.trees[start..][..n_columns];
            into[0] = 0;
            let mut best = 0;
            let cells = into[1..].iter_mut().zip(&above[1..]).zip(firsts).zip(trees);
            if base > 0 {
                for (((into, &above), &first), &mut saved) in cells {
                    best = (base_row[(first - left) as usize] + saved)
                        .max(above)
                        .max(best);
                    *into = best;
                }
                continue;
            }
            for (column, (((into, &up), &first), saved)) in cells.enumerate() {
                best = best.max(up);
                if first == left {
                    // Both forests are trees.
                    let j = left as usize + column;
                    if self.src.kinds[i] == self.dst.kinds[j] {
                        let (a, b) = (self.src.labels[i], self.dst.labels[j]);
                        let nodes = (self.src.nodes[i], self.dst.nodes[j]);
                        best = best.max(above[column] + self.labels.gain(pair, (a, b), nodes));
                    }
                    *saved = best;
                } else {
                    best = best.max(*saved);
                }
                *into = best;
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
        let labels = (self.src.labels[i], self.dst.labels[j]);
        self.labels
            .gain(pair, labels, (self.src.nodes[i], self.dst.nodes[j]))
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
