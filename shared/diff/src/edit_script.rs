//! The script of edits that turns the source into the destination (Chawathe et al. 1996, as GumTree 4
//! writes it), plain and simplified.

use crate::budget::{OutOfBudget, Steps};
use crate::lcs::LcsTable;
use crate::mapping::MappingStore;
use crate::tree::{DiffNodeId, DiffTree, NONE, index, key, low};

/// Where a node is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parent {
    /// Under a node of the source.
    Src(DiffNodeId),
    /// Under a node of the destination that was inserted before.
    Dst(DiffNodeId),
    /// Nowhere: it is a root.
    Root,
}

/// One edit. Edits apply one after the other, each to what the earlier ones made of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditAction {
    /// A node of the destination comes in, without its children.
    Insert {
        /// Of the destination.
        node: DiffNodeId,
        /// Where it goes.
        parent: Parent,
        /// As the how-manieth child, from 0.
        index: u32,
    },
    /// A node of the destination comes in with all below it. In simplified scripts only.
    InsertTree {
        /// Of the destination.
        node: DiffNodeId,
        /// Where it goes.
        parent: Parent,
        /// As the how-manieth child, from 0.
        index: u32,
    },
    /// A node gets another label.
    Update {
        /// Of the source.
        node: DiffNodeId,
        /// Its partner in the destination, whose label it gets.
        to: DiffNodeId,
    },
    /// A node goes elsewhere with all that is below it by then.
    Move {
        /// Of the source.
        node: DiffNodeId,
        /// Where it goes.
        parent: Parent,
        /// As the how-manieth child, from 0, counted before it is taken out unless only the order
        /// of its parent's children changes.
        index: u32,
    },
    /// A node of the source, without children by then, goes.
    Delete {
        /// Of the source.
        node: DiffNodeId,
    },
    /// A node of the source goes with all below it. In simplified scripts only.
    DeleteTree {
        /// Of the source.
        node: DiffNodeId,
    },
}

impl EditAction {
    /// GumTree's name of the edit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Insert { .. } => "insert-node",
            Self::InsertTree { .. } => "insert-tree",
            Self::Update { .. } => "update-node",
            Self::Move { .. } => "move-tree",
            Self::Delete { .. } => "delete-node",
            Self::DeleteTree { .. } => "delete-tree",
        }
    }
}

/// Edits in order: insertions, updates and moves as the destination has them, level by level; then
/// deletions, children first.
pub type EditScript = Vec<EditAction>;

/// The plain script between two trees under a mapping.
pub(crate) fn chawathe(
    src: &DiffTree,
    dst: &DiffTree,
    mappings: &MappingStore,
    steps: &mut Steps,
) -> Result<EditScript, OutOfBudget> {
    let mut work = Work::new(src, dst, mappings);
    steps.spend(src.n_nodes() + dst.n_nodes())?;
    let mut level: Vec<u32> = vec![0];
    let mut at = 0;
    while let Some(&x) = level.get(at) {
        // Siblings are visited one after the other, so all to the left of `x` are settled.
        let elder = at.checked_sub(1).map(|at| level[at]);
        let elder = elder.filter(|&elder| dst.parents[elder as usize] == dst.parents[x as usize]);
        at += 1;
        level.extend(dst.child_indexes(x));
        work.visit(x, elder);
        if !dst.is_leaf(x) {
            work.align(x, steps)?;
        }
    }
    work.delete();
    Ok(work.script)
}

/// Inserted and deleted subtrees as one action each.
pub(crate) fn simplified(src: &DiffTree, dst: &DiffTree, script: &EditScript) -> EditScript {
    let (mut inserted, mut deleted) =
        (vec![0u32; dst.n_nodes() + 1], vec![0u32; src.n_nodes() + 1]);
    for action in script {
        match action {
            EditAction::Insert { node, .. } => inserted[node.0 as usize + 1] = 1,
            EditAction::Delete { node } => deleted[node.0 as usize + 1] = 1,
            _ => {}
        }
    }
    for counts in [&mut inserted, &mut deleted] {
        let mut sum = 0;
        for count in counts {
            sum += *count;
            *count = sum;
        }
    }
    // Whether a node and all below it are inserted, or deleted.
    let is_all = |tree: &DiffTree, counts: &[u32], node: u32| {
        let end = tree.end(node);
        counts[end as usize] - counts[node as usize] == end - node
    };
    // Whether the action stays as it is, stands for the subtree, or is part of an action above.
    let reading = |tree: &DiffTree, counts: &[u32], node: u32| {
        let parent = tree.parents[node as usize];
        if parent != NONE && is_all(tree, counts, parent) {
            None
        } else {
            Some(!tree.is_leaf(node) && is_all(tree, counts, node))
        }
    };
    let simplify = |&action: &EditAction| match action {
        EditAction::Insert {
            node,
            parent,
            index,
        } => Some(if reading(dst, &inserted, node.0)? {
            EditAction::InsertTree {
                node,
                parent,
                index,
            }
        } else {
            action
        }),
        EditAction::Delete { node } => Some(if reading(src, &deleted, node.0)? {
            EditAction::DeleteTree { node }
        } else {
            action
        }),
        _ => Some(action),
    };
    script.iter().filter_map(simplify).collect()
}

/// The source as edited so far. Its nodes: those of the source by their index; then the node above
/// the root; then a copy for each node of the destination that may be inserted.
struct Work<'a> {
    src: &'a DiffTree,
    dst: &'a DiffTree,
    parents: Vec<u32>,
    /// Partners in the destination; the node above its root is the last.
    to_dst: Vec<u32>,
    from_dst: Vec<u32>,
    /// For each node whose children were edited, the place of their list.
    edited: Vec<u32>,
    lists: Vec<Vec<u32>>,
    /// Where the last node was put: its next sibling is likely to go right after it.
    last_place: usize,
    script: EditScript,
    table: LcsTable,
    /// Where among its siblings each child of the node that is aligned stands.
    places: Vec<u32>,
}

impl<'a> Work<'a> {
    fn new(src: &'a DiffTree, dst: &'a DiffTree, mappings: &MappingStore) -> Self {
        let (n_src, n_dst) = (src.n_nodes(), dst.n_nodes());
        let n_work = n_src + 1 + n_dst;
        let above = index(n_src);
        let mut parents = Vec::with_capacity(n_work);
        parents.extend_from_slice(&src.parents);
        parents[0] = above;
        parents.resize(n_work, NONE);
        let mut to_dst = Vec::with_capacity(n_work);
        to_dst.extend_from_slice(mappings.dsts());
        to_dst.push(index(n_dst));
        to_dst.resize(n_work, NONE);
        let mut from_dst = mappings.srcs().to_vec();
        from_dst.push(above);
        let mut edited = vec![NONE; n_work];
        edited[n_src] = 0;
        Self {
            src,
            dst,
            parents,
            to_dst,
            from_dst,
            edited,
            lists: vec![vec![0]],
            last_place: 0,
            script: Vec::new(),
            table: LcsTable::default(),
            places: Vec::new(),
        }
    }

    /// The node above the root.
    fn above(&self) -> u32 {
        index(self.src.n_nodes())
    }

    /// A node as a script names it.
    fn named(&self, work: u32) -> Parent {
        match work.checked_sub(self.above()) {
            None => Parent::Src(DiffNodeId(work)),
            Some(0) => Parent::Root,
            Some(copy) => Parent::Dst(DiffNodeId(copy - 1)),
        }
    }

    /// Inserts, updates or moves what corresponds to a node of the destination, given its nearest
    /// elder sibling.
    fn visit(&mut self, x: u32, elder: Option<u32>) {
        let y = self.dst.parents[x as usize];
        let z = if y == NONE {
            self.above()
        } else {
            self.from_dst[y as usize]
        };
        let w = self.from_dst[x as usize];
        if w == NONE {
            let position = self.after(elder);
            self.script.push(EditAction::Insert {
                node: DiffNodeId(x),
                parent: self.named(z),
                index: position,
            });
            let copy = self.above() + 1 + x;
            self.from_dst[x as usize] = copy;
            self.to_dst[copy as usize] = x;
            self.insert(copy, z, position);
            return;
        }
        let (node, to) = (DiffNodeId(w), DiffNodeId(x));
        // As in the reference, nothing becomes of a root that stays one.
        let stays_root = w == 0 && x == 0;
        if !stays_root && self.src.label(node) != self.dst.label(to) {
            self.script.push(EditAction::Update { node, to });
        }
        if self.parents[w as usize] != z {
            let position = self.after(elder);
            self.script.push(EditAction::Move {
                node,
                parent: self.named(z),
                index: position,
            });
            self.remove(w);
            self.insert(w, z, position);
        }
    }

    /// Moves children of `x`'s partner that are in another order than their partners below `x`.
    fn align(&mut self, x: u32, steps: &mut Steps) -> Result<(), OutOfBudget> {
        let w = self.from_dst[x as usize];
        // The partners of x's children below w, in x's order, by their places among w's children.
        let own = |work: &Self, child: u32| {
            let partner = work.from_dst[child as usize];
            (partner != NONE && work.parents[partner as usize] == w).then_some(partner)
        };
        let list = self.edited[w as usize];
        if list != NONE {
            self.places.resize(self.parents.len(), 0);
            for (place, &child) in (0..).zip(&self.lists[list as usize]) {
                self.places[child as usize] = place;
            }
        }
        let place = |work: &Self, node: u32| {
            if list == NONE {
                work.src.positions[node as usize]
            } else {
                work.places[node as usize]
            }
        };
        let mut furthest = None;
        let is_ordered = self.dst.child_indexes(x).all(|child| {
            let place = own(self, child).map(|partner| place(self, partner));
            let is_next = place.is_none() || furthest < place;
            furthest = place.or(furthest);
            is_next
        });
        if is_ordered {
            return Ok(());
        }
        let children = self.dst.child_indexes(x);
        let wanted: Vec<(u32, u32)> = children
            .filter_map(|child| Some((child, place(self, own(self, child)?))))
            .collect();
        let is_settled = self.settled(&wanted, steps)?;
        let mut elder = None;
        for ((child, _), is_settled) in wanted.into_iter().zip(is_settled) {
            if !is_settled {
                let partner = self.from_dst[child as usize];
                self.remove(partner);
                let position = self.after(elder);
                self.script.push(EditAction::Move {
                    node: DiffNodeId(partner),
                    parent: self.named(w),
                    index: position,
                });
                self.insert(partner, w, position);
            }
            elder = Some(child);
        }
        Ok(())
    }

    /// Which of the children, given with their places, are on the common subsequence of both orders.
    fn settled(
        &mut self,
        wanted: &[(u32, u32)],
        steps: &mut Steps,
    ) -> Result<Vec<bool>, OutOfBudget> {
        let n = index(wanted.len());
        // Both orders, back to front: the table is read from the start of the sequences.
        let mut by_place: Vec<u64> = (0..n).map(|at| key(wanted[at as usize].1, at)).collect();
        by_place.sort_unstable();
        let first: Vec<u32> = by_place.iter().rev().map(|&place| low(place)).collect();
        let second: Vec<u32> = (0..n).rev().collect();
        self.table.fill(&first, &second, wanted.len(), steps)?;
        let mut is_settled = vec![false; wanted.len()];
        let (mut i, mut j) = (wanted.len(), wanted.len());
        while i > 0 && j > 0 {
            if first[i - 1] == second[j - 1] {
                (i, j) = (i - 1, j - 1);
                is_settled[second[j] as usize] = true;
            } else if self.table.len(i - 1, j) >= self.table.len(i, j - 1) {
                i -= 1;
            } else {
                j -= 1;
            }
        }
        Ok(is_settled)
    }

    /// The place after the partner of the nearest settled sibling to the left.
    fn after(&mut self, elder: Option<u32>) -> u32 {
        let Some(elder) = elder else { return 0 };
        index(self.place(self.from_dst[elder as usize]) + 1)
    }

    /// The how-manieth child a node is now.
    fn place(&mut self, node: u32) -> usize {
        let list = self.edited[self.parents[node as usize] as usize];
        if list == NONE {
            return self.src.positions[node as usize] as usize;
        }
        let list = &self.lists[list as usize];
        let near = [self.last_place, self.last_place + 1];
        let found = near
            .into_iter()
            .find(|&place| list.get(place) == Some(&node));
        let found = found.or_else(|| list.iter().position(|&child| child == node));
        self.last_place = found.unwrap_or_default();
        self.last_place
    }

    fn insert(&mut self, node: u32, parent: u32, position: u32) {
        self.parents[node as usize] = parent;
        self.last_place = position as usize;
        let list = self.list(parent);
        list.insert((position as usize).min(list.len()), node);
    }

    fn remove(&mut self, node: u32) {
        let place = self.place(node);
        let list = self.list(self.parents[node as usize]);
        list.remove(place);
    }

    /// The children of a node that is about to be edited.
    fn list(&mut self, node: u32) -> &mut Vec<u32> {
        if self.edited[node as usize] == NONE {
            self.edited[node as usize] = index(self.lists.len());
            let is_original = node < self.above();
            let children = is_original.then(|| self.src.child_indexes(node).collect());
            self.lists.push(children.unwrap_or_default());
        }
        &mut self.lists[self.edited[node as usize] as usize]
    }

    /// Deletes what has no partner, children first.
    fn delete(&mut self) {
        let mut n_unmapped = self.to_dst[..self.src.n_nodes()]
            .iter()
            .filter(|&&dst| dst == NONE)
            .count();
        // The reverse of a preorder that takes children from the right is a postorder.
        let mut deleted = Vec::with_capacity(n_unmapped);
        let mut open = vec![self.above()];
        while n_unmapped > 0
            && let Some(node) = open.pop()
        {
            if self.to_dst[node as usize] == NONE {
                deleted.push(EditAction::Delete {
                    node: DiffNodeId(node),
                });
                n_unmapped -= 1;
            }
            match self.edited[node as usize] {
                NONE if node < self.above() => open.extend(self.src.child_indexes(node)),
                NONE => {}
                list => open.extend(&self.lists[list as usize]),
            }
        }
        self.script.extend(deleted.into_iter().rev());
    }
}
