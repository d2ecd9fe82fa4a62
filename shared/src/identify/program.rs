//! A method's text in all readings that are compared: as a diff sees it, as it is written, and
//! normalized.

use sha2::{Digest as _, Sha256};

use crate::diff::DiffTree;
use crate::identify::lines::index;
use crate::syntax::abstraction;
use crate::syntax::outline;
use crate::syntax::{self, Kind, NodeId, SyntaxError, Tree};

type NodeDigest = [u8; 32];

const NONE: u32 = u32::MAX;

/// A text and its trees.
pub(super) struct Program {
    pub(super) tree: Tree,
    pub(super) errors: Vec<SyntaxError>,
    /// As GumTree reads it.
    pub(super) diff: DiffTree,
}

impl Program {
    pub(super) fn of(text: &str) -> Self {
        let parsed = syntax::parse_python(text);
        Self {
            diff: abstraction::PYTHON.diff_tree(&parsed.tree),
            errors: parsed.errors,
            tree: parsed.tree,
        }
    }
}

/// How much of a tree is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// Everything but comments and docstrings.
    Written,
    /// Neither parentheses nor punctuation either.
    Normalized,
}

/// A tree without what does not count: children and places of its nodes.
pub(super) struct View {
    children: Vec<Vec<NodeId>>,
    parents: Vec<u32>,
    positions: Vec<u32>,
    /// What stands for each node: of parentheses what they hold.
    inner: Vec<NodeId>,
}

impl View {
    pub(super) fn of(tree: &Tree, sight: Sight) -> Self {
        let n = tree.n_nodes();
        let mut view = Self {
            children: vec![Vec::new(); n],
            parents: vec![NONE; n],
            positions: vec![NONE; n],
            inner: tree.ids().collect(),
        };
        if sight == Sight::Normalized {
            // Children come after their parents, so backwards each is known when it is asked for.
            for id in tree.ids().rev() {
                if tree.kind(id) == Kind::ParenthesizedExpression
                    && let Some(held) = tree.named_children(id).next()
                {
                    view.inner[id.0 as usize] = view.inner[held.0 as usize];
                }
            }
        }
        for id in tree.ids() {
            let seen = tree.children(id).filter(|&child| {
                !does_not_count(tree, child)
                    && (sight == Sight::Written || !is_punctuation(tree, id, child))
            });
            let seen: Vec<NodeId> = seen.map(|child| view.inner[child.0 as usize]).collect();
            if view.inner[id.0 as usize] != id {
                continue;
            }
            for (position, child) in (0..).zip(&seen) {
                view.parents[child.0 as usize] = id.0;
                view.positions[child.0 as usize] = position;
            }
            view.children[id.0 as usize] = seen;
        }
        view
    }

    /// The way from the root to a node, or to the nearest node around it that counts.
    pub(super) fn path(&self, tree: &Tree, node: NodeId) -> Vec<u32> {
        let root = tree.root();
        let mut path = Vec::new();
        let mut at = self.inner[node.0 as usize];
        while at != root {
            let parent = self.parents[at.0 as usize];
            if parent == NONE {
                // It does not count, and so neither does the way so far.
                path.clear();
                at = tree.parent(at).unwrap_or(root);
                at = self.inner[at.0 as usize];
            } else {
                path.push(self.positions[at.0 as usize]);
                at = NodeId(parent);
            }
        }
        path.reverse();
        path
    }

    /// The children that count.
    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node.0 as usize]
    }

    /// The node's child at a place.
    pub(super) fn child(&self, node: NodeId, position: u32) -> Option<NodeId> {
        self.children[node.0 as usize]
            .get(position as usize)
            .copied()
    }
}

/// A program as what it means rather than as it is written: quotes, redundant parentheses and the
/// order of commutative operands make no difference, nor do comments, docstrings and layout.
pub(super) struct Normalized {
    pub(super) view: View,
    digests: Vec<NodeDigest>,
}

impl Normalized {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut normalized = Self {
            view: View::of(tree, Sight::Normalized),
            digests: vec![NodeDigest::default(); tree.n_nodes()],
        };
        // Brackets, operators and keywords come again and again.
        let mut tokens: Vec<(&'static str, NodeDigest)> = Vec::new();
        for id in tree.ids().rev() {
            let name = tree.node(id).name;
            let is_token = tree.text(id) == name && tree.children(id).next().is_none();
            let known = tokens.iter().find(|(token, _)| is_token && *token == name);
            let digest = match known {
                Some((_, digest)) => *digest,
                None => normalized.digest_of(tree, id),
            };
            if is_token && known.is_none() {
                tokens.push((name, digest));
            }
            normalized.digests[id.0 as usize] = digest;
        }
        normalized
    }

    /// What a node means: equal for equal programs.
    pub(super) fn digest(&self, node: NodeId) -> &NodeDigest {
        let inner = self.view.inner[node.0 as usize];
        &self.digests[inner.0 as usize]
    }

    /// What the whole text means, hexadecimal.
    pub(super) fn fingerprint(&self, tree: &Tree) -> String {
        crate::dataset::sha256_hex(self.digest(tree.root()))
    }

    fn digest_of(&self, tree: &Tree, id: NodeId) -> NodeDigest {
        let mut hasher = Sha256::new();
        let children = &self.view.children[id.0 as usize];
        hasher.update(canonical_name(tree.node(id).name));
        if tree.kind(id) == Kind::String {
            hasher.update(b"\0text\0");
            hasher.update(canonical_string(tree, id));
        } else if tree.children(id).next().is_none() {
            hasher.update(b"\0leaf\0");
            hasher.update(tree.text(id));
        }
        hasher.update(index(children.len()).to_le_bytes());
        let mut digests: Vec<&NodeDigest> =
            children.iter().map(|&child| self.digest(child)).collect();
        if let [left, operator, right] = children.as_slice()
            && commutes(tree, id, [*left, *operator, *right])
            && digests[0] > digests[2]
        {
            digests.swap(0, 2);
        }
        for digest in digests {
            hasher.update(digest);
        }
        hasher.finalize().into()
    }
}

/// Comments, docstrings and continued lines.
fn does_not_count(tree: &Tree, id: NodeId) -> bool {
    match tree.kind(id) {
        Kind::Comment => true,
        Kind::ExpressionStatement => tree
            .named_children(id)
            .next()
            .is_some_and(|string| outline::is_docstring(tree, string)),
        _ => tree.node(id).name == "line_continuation",
    }
}

fn is_punctuation(tree: &Tree, parent: NodeId, id: NodeId) -> bool {
    // A string's own text is looked at as a whole.
    tree.kind(parent) == Kind::String && tree.kind(id) != Kind::Interpolation
        || matches!(
            tree.node(id).name,
            "(" | ")" | "[" | "]" | "{" | "}" | "," | ";" | "."
        )
}

/// Tuples are tuples without parentheses too.
fn canonical_name(name: &'static str) -> &'static str {
    match name {
        "expression_list" => "tuple",
        "pattern_list" => "tuple_pattern",
        other => other,
    }
}

/// A string's prefix and text whatever its quotes; an interpolation leaves a mark.
fn canonical_string(tree: &Tree, string: NodeId) -> String {
    let text = tree.text(string);
    let n_prefix = text.find(['"', '\'']).unwrap_or_default();
    let mut prefix = text[..n_prefix].to_ascii_lowercase().replace('u', "");
    let mut content = String::new();
    for part in tree.children(string) {
        match tree.kind(part) {
            Kind::Interpolation => content.push('\0'),
            Kind::StringContent => content.push_str(tree.text(part)),
            _ => {}
        }
    }
    let content = content.replace("\r\n", "\n");
    if !content.contains('\\') {
        prefix = prefix.replace('r', "");
    }
    if prefix.contains('r') {
        return format!("{prefix}:{content}");
    }
    let mut out = prefix + ":";
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\n' => out.push_str("\\n"),
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(quote @ ('"' | '\'')) => out.push(quote),
                Some(other) => out.extend(['\\', other]),
            },
            other => out.push(other),
        }
    }
    out
}

/// Whether an operation of two names or constants means the same the other way round. A sum does so
/// only with a number in it: strings and lists are joined in order.
fn commutes(tree: &Tree, id: NodeId, [left, operator, right]: [NodeId; 3]) -> bool {
    let of_two = matches!(
        tree.kind(id),
        Kind::BinaryOperator | Kind::ComparisonOperator
    );
    let is_number = |id| matches!(tree.kind(id), Kind::Integer | Kind::Float);
    let is_pure = |id| {
        is_number(id)
            || matches!(
                tree.kind(id),
                Kind::Identifier | Kind::True | Kind::False | Kind::None
            )
            || tree.kind(id) == Kind::String
                && !tree
                    .named_children(id)
                    .any(|part| tree.kind(part) == Kind::Interpolation)
    };
    let with_number = is_number(left) || is_number(right);
    of_two
        && is_pure(left)
        && is_pure(right)
        && match tree.node(operator).name {
            "*" | "==" | "!=" | "is" | "is not" | "&" | "^" => true,
            "+" | "|" => with_number,
            _ => false,
        }
}
