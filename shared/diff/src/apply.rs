//! What an edit script makes of the source: the check of every script.

use crate::edit_script::{EditAction, Parent};
use crate::span::Span;
use crate::tree::{DiffNodeId, DiffTree, DiffTreeBuilder, NONE, index};

/// The tree as edited so far: the source's nodes, then the node above the root, then a copy of each
/// of the destination's.
struct Edited<'a> {
    src: &'a DiffTree,
    dst: &'a DiffTree,
    parents: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// The node of the destination that gives each source node its label.
    updates: Vec<Option<DiffNodeId>>,
}

/// Applies a script, plain or simplified, to the source that it was made for. `None` if an action does
/// not fit what the earlier ones left: a child that is not there, a position past the end, a deleted
/// node that has children still.
pub fn apply(src: &DiffTree, dst: &DiffTree, script: &[EditAction]) -> Option<DiffTree> {
    let mut edited = Edited::new(src, dst);
    for &action in script {
        match action {
            EditAction::Insert {
                node,
                parent,
                index,
            } => {
                edited.put(edited.copy(node), edited.place(parent), index)?;
            }
            EditAction::InsertTree {
                node,
                parent,
                index,
            } => {
                edited.put(edited.copy(node), edited.place(parent), index)?;
                for below in dst.subtree(node) {
                    let children = dst
                        .children(below)
                        .map(|child| edited.copy(child))
                        .collect();
                    let parent = edited.copy(below);
                    edited.children[parent as usize] = children;
                    for child in dst.children(below) {
                        let child = edited.copy(child);
                        edited.parents[child as usize] = parent;
                    }
                }
            }
            EditAction::Update { node, to } => edited.updates[node.0 as usize] = Some(to),
            EditAction::Move {
                node,
                parent,
                index,
            } => {
                edited.take(node.0)?;
                edited.put(node.0, edited.place(parent), index)?;
            }
            EditAction::Delete { node } => {
                edited.take(node.0)?;
                if !edited.children[node.0 as usize].is_empty() {
                    return None;
                }
            }
            EditAction::DeleteTree { node } => edited.take(node.0)?,
        }
    }
    edited.tree()
}

impl<'a> Edited<'a> {
    fn new(src: &'a DiffTree, dst: &'a DiffTree) -> Self {
        let n = src.n_nodes();
        let above = index(n);
        let mut children: Vec<Vec<u32>> = src
            .ids()
            .map(|id| src.child_indexes(id.0).collect())
            .collect();
        children.push(vec![0]);
        children.resize(n + 1 + dst.n_nodes(), Vec::new());
        let mut parents = src.parents.clone();
        parents[0] = above;
        parents.resize(n + 1 + dst.n_nodes(), NONE);
        Self {
            src,
            dst,
            parents,
            children,
            updates: vec![None; n],
        }
    }

    fn above(&self) -> u32 {
        index(self.src.n_nodes())
    }

    fn copy(&self, node: DiffNodeId) -> u32 {
        self.above() + 1 + node.0
    }

    fn place(&self, parent: Parent) -> u32 {
        match parent {
            Parent::Src(node) => node.0,
            Parent::Dst(node) => self.copy(node),
            Parent::Root => self.above(),
        }
    }

    fn put(&mut self, node: u32, parent: u32, index: u32) -> Option<()> {
        let children = &mut self.children[parent as usize];
        if index as usize > children.len() {
            return None;
        }
        children.insert(index as usize, node);
        self.parents[node as usize] = parent;
        Some(())
    }

    fn take(&mut self, node: u32) -> Option<()> {
        let parent = self.parents.get_mut(node as usize)?;
        let children = self.children.get_mut(*parent as usize)?;
        let place = children.iter().position(|&child| child == node)?;
        children.remove(place);
        *parent = NONE;
        Some(())
    }

    /// The tree under the one root that is left.
    fn tree(&self) -> Option<DiffTree> {
        let &[root] = self.children[self.above() as usize].as_slice() else {
            return None;
        };
        let mut builder = DiffTreeBuilder::default();
        // A node that is still to come, or the end of one.
        let mut open = vec![Some(root)];
        while let Some(next) = open.pop() {
            let Some(node) = next else {
                builder.close();
                continue;
            };
            let (tree, own) = match node.checked_sub(self.above() + 1) {
                Some(copy) => (self.dst, DiffNodeId(copy)),
                None => (self.src, DiffNodeId(node)),
            };
            let updated = self.updates.get(node as usize).copied().flatten();
            let label = updated.map_or_else(|| tree.label(own), |to| self.dst.label(to));
            builder.open(tree.kind(own), label, Span::new(0, 0), None);
            open.push(None);
            open.extend(
                self.children[node as usize]
                    .iter()
                    .rev()
                    .map(|&child| Some(child)),
            );
        }
        Some(builder.finish())
    }
}
