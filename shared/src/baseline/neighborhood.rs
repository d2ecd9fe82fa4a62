//! What stands around a place: what a filling of it has in common with the places that it was found in.

use serde::{Deserialize, Serialize};

use super::names::{Name, Names};
use crate::syntax::{Kind, NodeId, Tree};
use crate::text::Span;

/// How much of a place's surroundings a filling shares, from narrow to wide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The kind of node, its parent, its role in it, the operator or callee there, what stands beside
    /// it, and what is around the parent.
    Beside,
    /// The kind, the parent, the role, the operator or callee.
    Detail,
    /// The kind, the parent, the role.
    Role,
    /// The kind.
    Kind,
    /// The parent and the role, whatever the kind.
    Place,
}

impl Level {
    /// From narrow to wide.
    pub const ALL: [Self; 5] = [
        Self::Beside,
        Self::Detail,
        Self::Role,
        Self::Kind,
        Self::Place,
    ];

    /// The name used in files and tables.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Beside => "beside",
            Self::Detail => "detail",
            Self::Role => "role",
            Self::Kind => "kind",
            Self::Place => "place",
        }
    }
}

/// What a place is: what may be taken out and filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// An expression or a `return` statement.
    Node(NodeId),
    /// The token of an operator.
    Operator(NodeId),
    /// Some parameters one after the other, and those of their names that the body uses, in the order
    /// of their first uses.
    Parameters(Vec<NodeId>, Vec<usize>),
}

/// A place and its surroundings. What is hidden together with it is not known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Neighborhood {
    kind: String,
    parent: String,
    role: String,
    detail: Option<String>,
    beside: Option<String>,
    above: String,
}

impl Neighborhood {
    pub(super) fn of(names: &Names<'_>, place: &Place, hidden: &[Span]) -> Self {
        match place {
            Place::Node(node) => of_node(names.tree(), *node, hidden),
            Place::Operator(token) => of_operator(names.tree(), *token, hidden),
            Place::Parameters(_, used) => of_parameters(names, used.len()),
        }
    }

    /// What is the same in all places of a level; `None` where it is hidden.
    pub(super) fn key(&self, level: Level) -> Option<String> {
        let (kind, parent, role) = (&self.kind, &self.parent, &self.role);
        Some(match level {
            Level::Beside => {
                let (detail, beside) = (self.detail.as_ref()?, self.beside.as_ref()?);
                let above = &self.above;
                format!("beside\n{kind}\n{parent}\n{role}\n{detail}\n{beside}\n{above}")
            }
            Level::Detail => {
                let detail = self.detail.as_ref()?;
                format!("detail\n{kind}\n{parent}\n{role}\n{detail}")
            }
            Level::Role => format!("role\n{kind}\n{parent}\n{role}"),
            Level::Kind => format!("kind\n{kind}"),
            Level::Place => format!("place\n{parent}\n{role}"),
        })
    }
}

/// Whether a token is an operator, as rule 4 has it.
pub(super) fn is_operator(tree: &Tree, token: NodeId) -> bool {
    let node = tree.node(token);
    let Some(parent) = tree.parent(token).filter(|_| node.kind == Kind::Token) else {
        return false;
    };
    match tree.kind(parent) {
        Kind::BinaryOperator
        | Kind::AugmentedAssignment
        | Kind::UnaryOperator
        | Kind::BooleanOperator => node.field == Some("operator"),
        Kind::ComparisonOperator => node.field == Some("operators"),
        Kind::NotOperator => node.name == "not",
        _ => false,
    }
}

fn of_node(tree: &Tree, node: NodeId, hidden: &[Span]) -> Neighborhood {
    let mut around = Neighborhood {
        kind: tree.node(node).name.to_owned(),
        ..Neighborhood::default()
    };
    let Some(parent) = tree.parent(node) else {
        return around;
    };
    let siblings = first_children(tree, parent);
    let at = siblings.iter().position(|&id| id == node);
    let at = at.unwrap_or(siblings.len());
    let next_to = at.checked_sub(1).or(Some(at + 1));
    let beside = next_to.and_then(|at| siblings.get(at)).copied();
    around.beside = beside.map_or(Some("nothing".to_owned()), |id| shape(tree, id, hidden));
    tree.node(parent).name.clone_into(&mut around.parent);
    around.role = role(tree, node, at, siblings.len());
    let grandparent = tree.parent(parent);
    around.above = grandparent.map_or_else(String::new, |id| tree.node(id).name.to_owned());
    let field_shape = |of: NodeId, name: &str| {
        tree.field(of, name)
            .map_or(Some(String::new()), |id| shape(tree, id, hidden))
    };
    around.detail = match tree.kind(parent) {
        Kind::BinaryOperator
        | Kind::BooleanOperator
        | Kind::ComparisonOperator
        | Kind::AugmentedAssignment
        | Kind::UnaryOperator => {
            let mut operators = tree.children(parent).filter(|&id| is_operator(tree, id));
            operators.next().and_then(|id| seen(tree, id, hidden))
        }
        Kind::ArgumentList => {
            grandparent.map_or(Some(String::new()), |call| field_shape(call, "function"))
        }
        Kind::KeywordArgument => Some(field_shape(parent, "name").unwrap_or_default()),
        Kind::Attribute => field_shape(parent, "attribute"),
        Kind::Assignment | Kind::ForStatement | Kind::ForInClause => {
            let is_left = tree.node(node).field == Some("left");
            field_shape(parent, if is_left { "right" } else { "left" })
        }
        Kind::Subscript => {
            let is_value = tree.node(node).field == Some("value");
            field_shape(parent, if is_value { "subscript" } else { "value" })
        }
        Kind::Block => {
            // A statement: the parent that says something is what the block belongs to.
            let owner = grandparent.map_or("", |id| tree.node(id).name);
            owner.clone_into(&mut around.parent);
            let last = if at + 1 == siblings.len() {
                "last"
            } else {
                "inner"
            };
            around.role = format!("{} {last}", tree.node(parent).field.unwrap_or_default());
            let above = grandparent.and_then(|id| tree.parent(id));
            around.above = above.map_or_else(String::new, |id| tree.node(id).name.to_owned());
            Some(if at == 0 { "first" } else { "later" }.to_owned())
        }
        _ => Some(String::new()),
    };
    around
}

/// How many children are looked at: what stands far inside a long list has nothing of note beside it.
const MAX_CHILDREN: usize = 100;

fn first_children(tree: &Tree, parent: NodeId) -> Vec<NodeId> {
    let children = tree.children(parent).take(MAX_CHILDREN);
    let named = children.filter(|&id| tree.node(id).named && tree.kind(id) != Kind::Comment);
    named.collect()
}

fn role(tree: &Tree, node: NodeId, at: usize, n_siblings: usize) -> String {
    match tree.node(node).field {
        Some(field) => field.to_owned(),
        None => format!("{} of {}", at.min(3), n_siblings.min(4)),
    }
}

/// What a node looks like from beside: its kind, and the word or value that makes it what it is;
/// `None` where it is hidden.
fn shape(tree: &Tree, node: NodeId, hidden: &[Span]) -> Option<String> {
    let name = tree.node(node).name;
    let word = match tree.kind(node) {
        Kind::Integer | Kind::Float | Kind::String => Some(node),
        Kind::Attribute => tree.field(node, "attribute"),
        Kind::Call => tree
            .field(node, "function")
            .map(|function| tree.field(function, "attribute").unwrap_or(function)),
        Kind::Identifier => {
            let is_word = tree.node(node).field == Some("attribute")
                || matches!(tree.node(node).field, Some("function" | "name"));
            is_word.then_some(node)
        }
        _ => None,
    };
    let is_hidden = |id: NodeId| overlaps(hidden, tree.span(id));
    if hidden.iter().any(|span| span.contains(tree.span(node))) {
        return None;
    }
    let text = word
        .filter(|&id| !is_hidden(id))
        .map_or("", |id| tree.text(id));
    Some(format!(
        "{name} {}",
        text.get(..text.len().min(40)).unwrap_or_default()
    ))
}

fn seen(tree: &Tree, id: NodeId, hidden: &[Span]) -> Option<String> {
    (!overlaps(hidden, tree.span(id))).then(|| tree.text(id).to_owned())
}

/// Whether a place is, in part, among sorted and disjoint ones.
pub(super) fn overlaps(sorted: &[Span], place: Span) -> bool {
    let first = sorted.partition_point(|span| span.end <= place.start);
    sorted.get(first).is_some_and(|span| span.start < place.end)
}

fn of_operator(tree: &Tree, token: NodeId, hidden: &[Span]) -> Neighborhood {
    let mut around = Neighborhood::default();
    let Some(holder) = tree.parent(token) else {
        return around;
    };
    around.kind = format!("operator of {}", tree.node(holder).name);
    let position = tree.span(token).start;
    let operands = first_children(tree, holder);
    let n_before = operands.partition_point(|&id| tree.span(id).start < position);
    let left = n_before.checked_sub(1).and_then(|at| operands.get(at));
    let right = operands.get(n_before);
    let kind = |id: Option<&NodeId>| id.map_or("nothing", |&id| tree.node(id).name);
    let shape_of =
        |id: Option<&NodeId>| id.map_or(Some("nothing".to_owned()), |&id| shape(tree, id, hidden));
    around.detail = Some(format!("{} {}", kind(left), kind(right)));
    around.beside = shape_of(left)
        .zip(shape_of(right))
        .map(|(left, right)| format!("{left}\n{right}"));
    if let Some(parent) = tree.parent(holder) {
        tree.node(parent).name.clone_into(&mut around.parent);
        let role = tree.node(holder).field;
        role.unwrap_or_default().clone_into(&mut around.role);
        let above = tree.parent(parent);
        around.above = above.map_or_else(String::new, |id| tree.node(id).name.to_owned());
    }
    around
}

/// Of parameters the surroundings are what the method is called and how many names its body needs.
fn of_parameters(names: &Names<'_>, n_used: usize) -> Neighborhood {
    let tree = names.tree();
    let name = names
        .method
        .definition()
        .and_then(|id| tree.field(id, "name"));
    let name = name.map_or("", |id| tree.text(id));
    let first_word = name.trim_start_matches('_').split('_').next();
    Neighborhood {
        kind: "parameters".to_owned(),
        parent: if names.receiver().is_some() {
            "method"
        } else {
            "function"
        }
        .to_owned(),
        role: format!("{n_used} used"),
        detail: Some(first_word.unwrap_or_default().to_owned()),
        beside: Some(name.to_owned()),
        above: String::new(),
    }
}

/// Those of a run of parameters that the rest of the method uses, in the order of their first uses.
pub(super) fn used_parameters(names: &Names<'_>, run: Span) -> Vec<usize> {
    let (mut bound, mut used) = (Vec::new(), Vec::new());
    for mention in &names.mentions {
        let Name::Variable(number) = mention.name else {
            continue;
        };
        if run.contains(Span::new(mention.start, mention.start)) {
            bound.push(number);
        } else if bound.contains(&number) && !used.contains(&number) {
            used.push(number);
        }
    }
    used
}

/// The most parameters that are looked at.
pub(super) const MAX_PARAMETERS: usize = 50;
