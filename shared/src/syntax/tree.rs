//! The arena: nodes in source order, parents before children.

use std::fmt::Write as _;

use crate::syntax::Kind;
use crate::text::Span;

/// A node's place in its [`Tree`]: its index in source order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// One node. Its relatives are asked of the [`Tree`].
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The grammar's exact name: `binary_operator`, or the token itself (`+`).
    pub name: &'static str,
    /// The name of the parent's field that holds it.
    pub field: Option<&'static str>,
    /// Whether the grammar names it (tokens are not named).
    pub named: bool,
    /// Whether the parser put it there to go on after an error.
    pub missing: bool,
    /// Where it stands.
    pub span: Span,
    parent: Option<NodeId>,
    subtree_end: u32,
}

/// An immutable syntax tree over its source. A value: no parser, no lifetime.
#[derive(Clone, Debug)]
pub struct Tree {
    source: String,
    nodes: Vec<Node>,
}

impl Tree {
    /// The text that was parsed.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The root, which covers the text.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes, at least 1.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in source order, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..index(self.nodes.len())).map(NodeId)
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What the node is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Where the node stands.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The node's own text.
    pub fn text(&self, id: NodeId) -> &str {
        self.node(id).span.of(&self.source)
    }

    /// The node's parent; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// Parents, nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// Children in source order, tokens and comments included.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).subtree_end;
        let first = (id.0 + 1 < end).then_some(NodeId(id.0 + 1));
        std::iter::successors(first, move |&child| {
            let next = self.node(child).subtree_end;
            (next < end).then_some(NodeId(next))
        })
    }

    /// Named children without comments.
    pub fn named_children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id)
            .filter(|&child| self.node(child).named && self.kind(child) != Kind::Comment)
    }

    /// The first child in `field`.
    pub fn field(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id)
            .find(|&child| self.node(child).field == Some(field))
    }

    /// The node and all below it, in source order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).subtree_end).map(NodeId)
    }

    /// The first node after the subtree of `id`, in source order.
    pub fn after(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).subtree_end)
    }

    /// Whether `inner` is `outer` or below it.
    pub fn is_within(&self, inner: NodeId, outer: NodeId) -> bool {
        outer <= inner && inner.0 < self.node(outer).subtree_end
    }

    /// The tree as an s-expression of named nodes, for tests and for people.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<u32> = Vec::new();
        for id in self.ids().filter(|&id| self.node(id).named) {
            while open.last().is_some_and(|&end| end <= id.0) {
                open.pop();
                out.push(')');
            }
            if !out.is_empty() {
                out.push(' ');
            }
            let node = self.node(id);
            if let Some(field) = node.field {
                write!(out, "{field}: ").ok();
            }
            write!(out, "({}", node.name).ok();
            open.push(node.subtree_end);
        }
        out.extend(open.iter().map(|_| ')'));
        out
    }
}

/// Collects nodes in source order.
pub(super) struct TreeBuilder {
    tree: Tree,
    open: Vec<NodeId>,
}

impl TreeBuilder {
    pub(super) fn new(source: &str) -> Self {
        Self {
            tree: Tree {
                source: source.to_owned(),
                nodes: Vec::new(),
            },
            open: Vec::new(),
        }
    }

    pub(super) fn open(
        &mut self,
        (kind, name, named): (Kind, &'static str, bool),
        field: Option<&'static str>,
        span: Span,
        missing: bool,
    ) {
        let id = NodeId(index(self.tree.nodes.len()));
        let parent = self.open.last().copied();
        self.tree.nodes.push(Node {
            kind,
            name,
            field,
            named,
            missing,
            span,
            parent,
            subtree_end: id.0 + 1,
        });
        self.open.push(id);
    }

    pub(super) fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            self.tree.nodes[id.0 as usize].subtree_end = index(self.tree.nodes.len());
        }
    }

    /// A tree always has a root, even over nothing.
    pub(super) fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        if self.tree.nodes.is_empty() {
            let whole = Span::new(0, index(self.tree.source.len()));
            self.open((Kind::Module, "module", true), None, whole, false);
        }
        self.tree
    }
}

fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
