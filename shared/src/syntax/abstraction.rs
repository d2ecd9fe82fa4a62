//! What of a syntax tree a diff looks at: which nodes are kept, under which type, with which label.

use diff::{DiffTree, DiffTreeBuilder};

use crate::syntax::{Node, NodeId, Tree};

/// What becomes of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It stays, under this type.
    Kept(&'static str),
    /// It stays as a leaf, its text as label: what is below disappears.
    Flattened(&'static str),
    /// It disappears, with all below it.
    Ignored,
}

/// A way to read the trees of one grammar, as GumTree's tree-sitter front end reads them: every node
/// is kept under its own name unless a row says otherwise. A node without children in the syntax
/// tree, or flattened, has its text as label; every other label is empty.
#[derive(Debug)]
pub struct Abstraction {
    /// A node's name and what becomes of it; sorted by name.
    rows: &'static [(&'static str, Reading)],
    /// Nodes that disappear under one parent only: parent, node.
    ignored_under: &'static [(&'static str, &'static str)],
}

impl Abstraction {
    /// What becomes of a node under its parent.
    pub fn read(&self, parent: Option<&Node>, node: &Node) -> Reading {
        let name = node.name;
        let under = |(above, ignored): &(&str, &str)| {
            name == *ignored && parent.is_some_and(|parent| parent.name == *above)
        };
        if self.ignored_under.iter().any(under) {
            return Reading::Ignored;
        }
        self.rows
            .binary_search_by(|(row, _)| (*row).cmp(name))
            .map_or(Reading::Kept(name), |found| self.rows[found].1)
    }

    /// The tree that a diff looks at; each node's origin is its number in the syntax tree.
    pub fn diff_tree(&self, tree: &Tree) -> DiffTree {
        let mut builder = DiffTreeBuilder::with_capacity(tree.n_nodes(), tree.source().len());
        // The open nodes and where each one's subtree ends in the syntax tree.
        let mut open: Vec<NodeId> = Vec::new();
        let mut at = tree.root();
        let end = tree.after(tree.root());
        while at < end {
            while open.last().is_some_and(|&after| after <= at) {
                open.pop();
                builder.close();
            }
            let node = tree.node(at);
            let parent = tree.parent(at).map(|parent| tree.node(parent));
            let after = tree.after(at);
            let next = NodeId(at.0 + 1);
            let is_leaf = next == after;
            let (kind, descend) = match self.read(parent, node) {
                Reading::Kept(kind) => (kind, true),
                Reading::Flattened(kind) => (kind, false),
                // A tree has a root, whatever the rows say.
                Reading::Ignored if open.is_empty() && at == tree.root() => (node.name, true),
                Reading::Ignored => {
                    at = after;
                    continue;
                }
            };
            let label = if is_leaf || !descend {
                tree.text(at)
            } else {
                ""
            };
            builder.open(kind, label, node.span, Some(at.0));
            open.push(after);
            at = if descend { next } else { after };
        }
        builder.finish()
    }
}

const IGNORED: Reading = Reading::Ignored;
const ASSIGNMENT: Reading = Reading::Kept("assignment");
const ASSIGNMENT_OPERATOR: Reading = Reading::Kept("assignment_operator_literal");
const COMPARISON: Reading = Reading::Kept("comparison_operator_literal");
const LOGICAL: Reading = Reading::Kept("logical_operator_literal");

/// Python, as GumTree's `python-treesitter-ng` reads it (commit 7fe5133, grammar 0.25.0), with a
/// label always the exact text.
pub static PYTHON: Abstraction = Abstraction {
    rows: &[
        ("!=", COMPARISON),
        ("%=", ASSIGNMENT_OPERATOR),
        ("(", IGNORED),
        (")", IGNORED),
        ("**=", ASSIGNMENT_OPERATOR),
        ("*=", ASSIGNMENT_OPERATOR),
        ("+=", ASSIGNMENT_OPERATOR),
        (",", IGNORED),
        ("-=", ASSIGNMENT_OPERATOR),
        (".", IGNORED),
        ("//=", ASSIGNMENT_OPERATOR),
        ("/=", ASSIGNMENT_OPERATOR),
        (":", IGNORED),
        ("<", COMPARISON),
        ("<=", COMPARISON),
        ("<>", COMPARISON),
        ("=", ASSIGNMENT_OPERATOR),
        ("==", COMPARISON),
        (">", COMPARISON),
        (">=", COMPARISON),
        ("[", IGNORED),
        ("]", IGNORED),
        ("and", LOGICAL),
        ("augmented_assignment", ASSIGNMENT),
        ("def", IGNORED),
        ("for", IGNORED),
        ("if", IGNORED),
        ("in", IGNORED),
        ("or", LOGICAL),
        ("return", IGNORED),
        ("string", Reading::Flattened("string")),
        ("with", IGNORED),
        ("{", IGNORED),
        ("}", IGNORED),
    ],
    ignored_under: &[("default_parameter", "="), ("wildcard_import", "*")],
};

#[cfg(test)]
mod tests {
    use super::PYTHON;

    #[test]
    fn rows_are_sorted_by_name() {
        assert!(PYTHON.rows.is_sorted_by(|a, b| a.0 < b.0));
    }
}
