//! What an occurrence of a name does, told by where it stands in the tree.

use super::{Binding, Role};
use crate::syntax::{Kind, NodeId, Tree};

/// What an identifier does as a name; `None` when it is none.
pub(super) fn role(tree: &Tree, id: NodeId) -> Option<Role> {
    let parent = tree.parent(id)?;
    let field = tree.node(id).field;
    match (tree.kind(parent), field) {
        (Kind::Attribute, Some("attribute"))
        | (Kind::KeywordArgument, Some("name"))
        | (Kind::KeywordPattern, _) => None,
        (Kind::Other, _) if tree.node(parent).name == "member_type" => None,
        (Kind::FunctionDefinition, Some("name")) => Some(Role::Bind(Binding::Function)),
        (Kind::ClassDefinition, Some("name")) => Some(Role::Bind(Binding::Class)),
        (Kind::NamedExpression, Some("name")) => Some(Role::Bind(Binding::Walrus)),
        (Kind::ExceptClause, Some("alias")) => Some(Role::Bind(Binding::Except)),
        (Kind::GlobalStatement, _) => Some(Role::Global),
        (Kind::NonlocalStatement, _) => Some(Role::Nonlocal),
        (Kind::AliasedImport, Some("alias")) => Some(Role::Bind(Binding::Import)),
        (Kind::DottedName, _) => dotted(tree, id, parent),
        (Kind::CasePattern | Kind::SplatPattern, _) => capture(tree, id),
        (Kind::AsPattern, _) if in_case(tree, parent) => capture(tree, id),
        _ => Some(
            target(tree, id)
                .map_or(Role::Load, Role::Bind)
                .deleted(tree, id),
        ),
    }
}

impl Role {
    fn deleted(self, tree: &Tree, id: NodeId) -> Self {
        let mut at = id;
        while let Some(parent) = tree.parent(at) {
            match tree.kind(parent) {
                Kind::DeleteStatement => return Self::Delete,
                Kind::ExpressionList | Kind::ParenthesizedExpression => at = parent,
                Kind::Other if matches!(tree.node(parent).name, "tuple" | "list") => at = parent,
                _ => break,
            }
        }
        self
    }
}

fn in_case(tree: &Tree, pattern: NodeId) -> bool {
    tree.ancestors(pattern)
        .map(|id| tree.kind(id))
        .find(|kind| {
            matches!(
                kind,
                Kind::CasePattern | Kind::WithItem | Kind::ExceptClause | Kind::Block
            )
        })
        == Some(Kind::CasePattern)
}

fn capture(tree: &Tree, id: NodeId) -> Option<Role> {
    (tree.text(id) != "_").then_some(Role::Bind(Binding::Capture))
}

/// An identifier of a dotted name: in imports and in patterns.
fn dotted(tree: &Tree, id: NodeId, name: NodeId) -> Option<Role> {
    let mut parts = tree.named_children(name);
    let is_first = parts.next() == Some(id);
    let is_single = is_first && parts.next().is_none();
    let holder = tree.parent(name)?;
    match tree.kind(holder) {
        Kind::ImportStatement => is_first.then_some(Role::Bind(Binding::Import)),
        Kind::ImportFromStatement | Kind::FutureImportStatement => (is_single
            && tree.node(name).field == Some("name"))
        .then_some(Role::Bind(Binding::Import)),
        Kind::AliasedImport | Kind::RelativeImport => None,
        Kind::CasePattern
        | Kind::UnionPattern
        | Kind::KeywordPattern
        | Kind::ListPattern
        | Kind::TuplePattern
            if is_single =>
        {
            capture(tree, id)
        }
        _ => is_first.then_some(Role::Load),
    }
}

/// How a plain identifier is bound where it stands; `None` where it is read.
fn target(tree: &Tree, id: NodeId) -> Option<Binding> {
    let mut at = id;
    loop {
        let parent = tree.parent(at)?;
        let field = tree.node(at).field;
        match (tree.kind(parent), field) {
            (
                Kind::PatternList
                | Kind::TuplePattern
                | Kind::ListPattern
                | Kind::ListSplatPattern
                | Kind::DictionarySplatPattern
                | Kind::AsPatternTarget,
                _,
            )
            | (Kind::TypedParameter, None) => at = parent,
            // `with f() as (a, b)`: the grammar takes the target for an expression.
            (Kind::ParenthesizedExpression | Kind::ListSplat, _)
                if below_as_target(tree, parent) =>
            {
                at = parent;
            }
            (Kind::Other, _)
                if matches!(tree.node(parent).name, "tuple" | "list")
                    && below_as_target(tree, parent) =>
            {
                at = parent;
            }
            (Kind::AsPattern, Some("alias")) => {
                let holder = tree.ancestors(parent).map(|id| tree.kind(id)).find(|kind| {
                    matches!(
                        kind,
                        Kind::CasePattern | Kind::WithItem | Kind::ExceptClause | Kind::Block
                    )
                });
                return Some(match holder {
                    Some(Kind::CasePattern) => Binding::Capture,
                    Some(Kind::ExceptClause) => Binding::Except,
                    _ => Binding::With,
                });
            }
            (Kind::Parameters | Kind::LambdaParameters, _)
            | (Kind::DefaultParameter | Kind::TypedDefaultParameter, Some("name")) => {
                return Some(Binding::Parameter);
            }
            (Kind::Assignment, Some("left")) => return Some(Binding::Assignment),
            (Kind::AugmentedAssignment, Some("left")) => return Some(Binding::Augmented),
            (Kind::ForStatement, Some("left")) => return Some(Binding::For),
            (Kind::ForInClause, Some("left")) => return Some(Binding::Comprehension),
            (Kind::Type, _) => {
                let alias = tree
                    .parent(parent)
                    .filter(|&id| tree.kind(id) == Kind::TypeAliasStatement);
                return alias
                    .filter(|_| tree.node(parent).field == Some("left"))
                    .map(|_| Binding::TypeAlias);
            }
            _ => return None,
        }
    }
}

fn below_as_target(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id)
        .map(|id| (tree.kind(id), tree.node(id).name))
        .find(|(kind, name)| {
            !matches!(kind, Kind::ParenthesizedExpression | Kind::ListSplat)
                && !matches!(*name, "tuple" | "list")
        })
        .is_some_and(|(kind, _)| kind == Kind::AsPatternTarget)
}
