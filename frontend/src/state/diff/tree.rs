//! The nodes of one text as a tree to open and close.

use super::sheet::{Marks, Which};
use super::{Comparison, one_line};

/// The most rows that are shown at once.
const MOST: usize = 1000;

/// A row of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TreeRow {
    pub(crate) node: usize,
    pub(crate) depth: usize,
    pub(crate) kind: String,
    /// A leaf's text.
    pub(crate) text: Option<String>,
    /// The kinds of edits of this node.
    pub(crate) marks: Marks,
    /// How many nodes are below.
    pub(crate) n_below: usize,
    pub(crate) is_open: bool,
}

/// The rows of one text. A node is open where something below it is edited; `toggled` are those that the
/// reader opened or closed.
pub(crate) fn rows(comparison: &Comparison, which: Which, toggled: &[usize]) -> Vec<TreeRow> {
    let Some(sheet) = comparison.sheet(which) else {
        return Vec::new();
    };
    let nodes = &sheet.side.nodes;
    let mut marks = vec![Marks::default(); nodes.len()];
    for edit in &comparison.edits {
        let node = edit.place(which).and_then(|place| place.node);
        if let Some(marks) = node.and_then(|node| marks.get_mut(node)) {
            marks.add(edit.to, edit.change.kind);
        }
    }
    // From the last node to the first: where each subtree ends, and whether it holds an edit below.
    let mut ends = vec![nodes.len(); nodes.len()];
    let mut is_edited_below = vec![false; nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        while open
            .last()
            .is_some_and(|&last| nodes[last].depth >= node.depth)
        {
            if let Some(done) = open.pop() {
                ends[done] = at;
            }
        }
        if !marks[at].is_empty() {
            for &above in &open {
                is_edited_below[above] = true;
            }
        }
        open.push(at);
    }
    let mut rows = Vec::new();
    let mut at = 0;
    while at < nodes.len() && rows.len() < MOST {
        let n_below = ends[at] - at - 1;
        let is_open = n_below > 0 && (is_edited_below[at] != toggled.contains(&at));
        let text = (n_below == 0).then(|| one_line(sheet.text(nodes[at].span)));
        rows.push(TreeRow {
            node: at,
            depth: nodes[at].depth,
            kind: sheet.kind(at).to_owned(),
            text,
            marks: marks[at],
            n_below,
            is_open,
        });
        at = if is_open { at + 1 } else { ends[at] };
    }
    rows
}
