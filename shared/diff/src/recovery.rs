//! Recovery: what else may correspond below two nodes that do.

use crate::budget::OutOfBudget;
use crate::edit_distance::EditDistance;
use crate::lcs::LcsTable;
use crate::mapping::MatchedBy;
use crate::matchers::Recovery;
use crate::pair::{Pair, same_labels, same_structure};
use crate::tree::{DST, NONE, index, key, low};

/// A recovery and the room that it needs, used for one pair of nodes after the other.
pub(crate) struct Recoverer {
    how: Recovery,
    edit_distance: EditDistance,
    /// Pairs of nodes that are still to be looked at.
    stack: Vec<(u32, u32)>,
    src_children: Vec<u32>,
    dst_children: Vec<u32>,
    sequences: Sequences,
    matched: Vec<(u32, u32)>,
    by_kind: Vec<u64>,
}

/// Which children the steps of the LCS recovery look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    Unmapped,
    All,
}

impl Recoverer {
    pub(crate) fn new(how: Recovery) -> Self {
        Self {
            how,
            edit_distance: EditDistance::default(),
            stack: Vec::new(),
            src_children: Vec::new(),
            dst_children: Vec::new(),
            sequences: Sequences::default(),
            matched: Vec::new(),
            by_kind: Vec::new(),
        }
    }

    /// Adds mappings below two nodes, where either has an unmapped one.
    pub(crate) fn recover(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
    ) -> Result<(), OutOfBudget> {
        self.stack.push((src, dst));
        while let Some((src, dst)) = self.stack.pop() {
            let (a, b) = (pair.src.tree, pair.dst.tree);
            // No mapping can come out of two subtrees one of which is mapped throughout.
            if !pair
                .mappings
                .have_unmapped(src..a.end(src), dst..b.end(dst))
            {
                continue;
            }
            let (n_src, n_dst) = (a.sizes[src as usize], b.sizes[dst as usize]);
            match self.how {
                Recovery::Lcs => self.by_lcs(pair, src, dst, Children::Unmapped)?,
                Recovery::EditDistance { below } | Recovery::EditDistanceOrLcs { below }
                    if n_src.min(n_dst) < below =>
                {
                    let whole = a.sizes[0].min(b.sizes[0]) < below;
                    self.edit_distance.recover(pair, src, dst, whole)?;
                }
                Recovery::EditDistance { .. } => {}
                Recovery::EditDistanceOrLcs { .. } => self.by_lcs(pair, src, dst, Children::All)?,
            }
        }
        Ok(())
    }

    fn by_lcs(
        &mut self,
        pair: &mut Pair<'_>,
        src: u32,
        dst: u32,
        which: Children,
    ) -> Result<(), OutOfBudget> {
        for (equality, by) in [
            (Equality::Exact, MatchedBy::RecoveredIdentical),
            (Equality::Structure, MatchedBy::RecoveredStructure),
        ] {
            self.list_children(pair, src, dst, which);
            let (a, b) = (&self.src_children, &self.dst_children);
            self.sequences
                .common(pair, a, b, equality, &mut self.matched)?;
            for &(src, dst) in &self.matched {
                let (a, b) = (pair.src.tree, pair.dst.tree);
                let ranges = (src..a.end(src), dst..b.end(dst));
                if pair.mappings.are_all_unmapped(ranges.0, ranges.1) {
                    pair.map_subtrees(src, dst, by);
                }
            }
        }
        let comparable = match (which, src, dst) {
            (Children::Unmapped, ..) | (Children::All, 0, 0) => true,
            (Children::All, 0, _) | (Children::All, _, 0) => false,
            (Children::All, ..) => {
                let parents = (
                    pair.src.tree.parents[src as usize],
                    pair.dst.tree.parents[dst as usize],
                );
                pair.same_kind(parents.0, parents.1)
            }
        };
        if comparable {
            self.list_children(pair, src, dst, which);
            self.map_only_of_type(pair);
        }
        Ok(())
    }

    fn list_children(&mut self, pair: &Pair<'_>, src: u32, dst: u32, which: Children) {
        let wanted = |partner| which == Children::All || partner == NONE;
        let of_src = pair.src.tree.child_indexes(src);
        let of_dst = pair.dst.tree.child_indexes(dst);
        self.src_children.clear();
        self.dst_children.clear();
        self.src_children
            .extend(of_src.filter(|&child| wanted(pair.mappings.dst(child))));
        self.dst_children
            .extend(of_dst.filter(|&child| wanted(pair.mappings.src(child))));
    }

    /// Maps two children that are the only ones of their type, and goes on below them.
    fn map_only_of_type(&mut self, pair: &mut Pair<'_>) {
        // Type, side, node in one number.
        self.by_kind.clear();
        for &node in &self.src_children {
            self.by_kind.push(key(pair.src.kinds[node as usize], node));
        }
        for &node in &self.dst_children {
            self.by_kind
                .push(key(pair.dst.kinds[node as usize], node) | DST);
        }
        self.by_kind.sort_unstable();
        for same in self.by_kind.chunk_by(|a, b| a >> 32 == b >> 32) {
            if let &[src, dst] = same
                && src & DST == 0
                && dst & DST != 0
            {
                let (src, dst) = (low(src), low(dst & !DST));
                if pair.mappings.are_unmapped(src, dst) {
                    pair.mappings.add(src, dst, MatchedBy::RecoveredOnlyOfType);
                    self.stack.push((src, dst));
                }
            }
        }
    }
}

/// When two subtrees count as equal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Equality {
    /// Types, labels and shape.
    Exact,
    /// Types and shape.
    Structure,
}

/// Longest common subsequences of lists of subtrees.
#[derive(Default)]
struct Sequences {
    table: LcsTable,
    keys: Vec<u64>,
    a: Vec<u32>,
    b: Vec<u32>,
    a_nodes: Vec<u32>,
    b_nodes: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// The class of each child, the source's first.
    classes: Vec<u32>,
    /// For each class, whether it occurs in the source's and in the destination's list.
    sides: Vec<[bool; 2]>,
}

impl Sequences {
    /// The pairs of the longest common subsequence of two lists of children, last first.
    fn common(
        &mut self,
        pair: &mut Pair<'_>,
        src: &[u32],
        dst: &[u32],
        equality: Equality,
        matched: &mut Vec<(u32, u32)>,
    ) -> Result<(), OutOfBudget> {
        matched.clear();
        if src.is_empty() || dst.is_empty() {
            return Ok(());
        }
        pair.spend((src.len() + dst.len()) * 8)?;
        self.number(pair, src, dst, equality);
        // What has no equal on the other side is in no common subsequence.
        let sides = &self.sides;
        let keep = |nodes: &[u32], classes: &[u32], kept: &mut Vec<u32>, into: &mut Vec<u32>| {
            kept.clear();
            into.clear();
            for (&node, &class) in nodes.iter().zip(classes) {
                if class != NONE && sides[class as usize] == [true, true] {
                    kept.push(node);
                    into.push(class);
                }
            }
        };
        let (of_src, of_dst) = self.classes.split_at(src.len());
        keep(src, of_src, &mut self.a_nodes, &mut self.a);
        keep(dst, of_dst, &mut self.b_nodes, &mut self.b);
        let n_same = self
            .a
            .iter()
            .zip(&self.b)
            .take_while(|(x, y)| x == y)
            .count();
        let (a, b) = (&self.a[n_same..], &self.b[n_same..]);
        self.pairs.clear();
        if !a.is_empty() && !b.is_empty() {
            self.table.fill(a, b, self.sides.len(), &mut pair.steps)?;
            self.table.pairs(a.len(), b.len(), &mut self.pairs);
        }
        let rest = self
            .pairs
            .iter()
            .map(|&(i, j)| (i as usize + n_same, j as usize + n_same));
        let same = (0..n_same).rev().map(|at| (at, at));
        matched.extend(
            rest.chain(same)
                .map(|(i, j)| (self.a_nodes[i], self.b_nodes[j])),
        );
        Ok(())
    }

    /// Numbers the classes of equal subtrees; what is alone gets none.
    fn number(&mut self, pair: &Pair<'_>, src: &[u32], dst: &[u32], equality: Equality) {
        let node = |at: u32| match src.get(at as usize) {
            Some(&node) => (&pair.src, node),
            None => (&pair.dst, dst[at as usize - src.len()]),
        };
        let hash = |at: u32| {
            let (side, node) = node(at);
            match equality {
                Equality::Exact => side.tree.hashes[node as usize],
                Equality::Structure => side.tree.shapes[node as usize],
            }
        };
        let equal = |x: u32, y: u32| {
            let ((a, x), (b, y)) = (node(x), node(y));
            same_structure(a, x, b, y)
                && (equality == Equality::Structure || same_labels(a, x, b, y))
        };
        let n = index(src.len() + dst.len());
        self.keys.clear();
        self.keys.extend((0..n).map(|at| key(hash(at), at)));
        self.keys.sort_unstable();
        self.classes.clear();
        self.classes.resize(n as usize, NONE);
        self.sides.clear();
        for same in self.keys.chunk_by_mut(|a, b| *a >> 32 == *b >> 32) {
            // Nearly always one class; each pass takes that of the first one left.
            let mut left = same.len();
            while left > 1 {
                let first = low(same[0]);
                let class = index(self.sides.len());
                self.sides.push([false, false]);
                let mut kept = 0;
                for at in 0..left {
                    let other = low(same[at]);
                    if equal(first, other) {
                        self.classes[other as usize] = class;
                        let side = usize::from(other as usize >= src.len());
                        self.sides[class as usize][side] = true;
                    } else {
                        same[kept] = same[at];
                        kept += 1;
                    }
                }
                left = kept;
            }
        }
    }
}
