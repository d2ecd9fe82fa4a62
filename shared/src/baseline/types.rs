//! What literals and builtins tell about types, and where they do not go together.

use crate::syntax::{Kind, NodeId, Tree};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Number,
    Text,
    List,
    Tuple,
    Set,
    Dict,
    None,
    /// Callable, and nothing else.
    Function,
}

/// The nodes that cannot be evaluated: the types of their parts are known and do not go together. Most types are not
/// known, so most programs have none.
pub(super) fn clashes(tree: &Tree) -> Vec<NodeId> {
    let mut types: Vec<Option<Type>> = vec![None; tree.n_nodes()];
    // Children come after their parents, so backwards each is known when it is asked for.
    for id in tree.ids().rev() {
        types[id.0 as usize] = type_of(tree, id, &types);
    }
    let known = |id: Option<NodeId>| id.and_then(|id| types[id.0 as usize]);
    tree.ids().filter(|&id| clash(tree, id, &known)).collect()
}

fn type_of(tree: &Tree, id: NodeId, types: &[Option<Type>]) -> Option<Type> {
    Some(match tree.kind(id) {
        Kind::Integer
        | Kind::Float
        | Kind::True
        | Kind::False
        | Kind::ComparisonOperator
        | Kind::NotOperator => Type::Number,
        Kind::String | Kind::ConcatenatedString => Type::Text,
        Kind::None => Type::None,
        Kind::ListComprehension => Type::List,
        Kind::DictionaryComprehension => Type::Dict,
        Kind::SetComprehension => Type::Set,
        Kind::Lambda => Type::Function,
        Kind::ExpressionList => Type::Tuple,
        Kind::ParenthesizedExpression => {
            let inner = tree.named_children(id).next()?;
            return types[inner.0 as usize];
        }
        Kind::UnaryOperator => {
            let of = tree.field(id, "argument")?;
            return types[of.0 as usize].filter(|&of| of == Type::Number);
        }
        Kind::BinaryOperator => {
            let side = |name| types[tree.field(id, name)?.0 as usize];
            let (left, right) = (side("left")?, side("right")?);
            return (left == right).then_some(left);
        }
        Kind::Call => {
            let function = tree.field(id, "function")?;
            if tree.kind(function) != Kind::Identifier {
                return None;
            }
            match tree.text(function) {
                "len" | "int" | "float" | "ord" | "round" | "bool" => Type::Number,
                "str" | "repr" | "chr" | "input" => Type::Text,
                "list" | "sorted" => Type::List,
                "tuple" => Type::Tuple,
                "set" => Type::Set,
                "dict" => Type::Dict,
                _ => return None,
            }
        }
        _ => match tree.node(id).name {
            "list" => Type::List,
            "tuple" => Type::Tuple,
            "set" => Type::Set,
            "dictionary" => Type::Dict,
            _ => return None,
        },
    })
}

fn clash(tree: &Tree, id: NodeId, known: &dyn Fn(Option<NodeId>) -> Option<Type>) -> bool {
    let field = |name| tree.field(id, name);
    let operator = |name| field(name).map_or("", |id| tree.text(id));
    match tree.kind(id) {
        Kind::BinaryOperator | Kind::AugmentedAssignment => {
            let sides = (known(field("left")), known(field("right")));
            not_together(operator("operator").trim_end_matches('='), sides)
        }
        Kind::UnaryOperator => known(field("argument")).is_some_and(|of| of != Type::Number),
        Kind::ComparisonOperator => {
            let operands: Vec<NodeId> = tree.named_children(id).collect();
            let mut operators = tree.children(id).filter(|&at| tree.kind(at) == Kind::Token);
            operands.windows(2).any(|pair| {
                let operator = operators.next().map_or("", |at| tree.text(at));
                let sides = (known(Some(pair[0])), known(Some(pair[1])));
                not_comparable(operator, sides)
            })
        }
        Kind::Call => known(field("function")).is_some_and(|of| of != Type::Function),
        Kind::Attribute => matches!(known(field("object")), Some(Type::None | Type::Function)),
        Kind::Subscript => {
            let index = known(field("subscript"));
            match known(field("value")) {
                Some(Type::Number | Type::None | Type::Set | Type::Function) => true,
                Some(Type::Text | Type::List | Type::Tuple) => {
                    index.is_some_and(|index| index != Type::Number)
                }
                _ => false,
            }
        }
        Kind::ForStatement | Kind::ForInClause => matches!(
            known(field("right")),
            Some(Type::Number | Type::None | Type::Function)
        ),
        _ => false,
    }
}

fn not_together(operator: &str, sides: (Option<Type>, Option<Type>)) -> bool {
    use Type as T;
    let any = |wrong: &[T]| {
        [sides.0, sides.1]
            .into_iter()
            .flatten()
            .any(|of| wrong.contains(&of))
    };
    if any(&[T::None, T::Function]) {
        return true;
    }
    let both = sides.0.zip(sides.1);
    match operator {
        "+" => any(&[T::Set, T::Dict]) || both.is_some_and(|(a, b)| a != b),
        "*" => {
            any(&[T::Set, T::Dict]) || both.is_some_and(|(a, b)| a != T::Number && b != T::Number)
        }
        "%" => {
            sides
                .0
                .is_some_and(|left| !matches!(left, T::Number | T::Text))
                || both.is_some_and(|(a, b)| a == T::Number && b != T::Number)
        }
        "-" | "&" | "|" | "^" => {
            any(&[T::Text, T::List, T::Tuple]) || both.is_some_and(|(a, b)| a != b)
        }
        _ => any(&[T::Text, T::List, T::Tuple, T::Set, T::Dict]),
    }
}

fn not_comparable(operator: &str, sides: (Option<Type>, Option<Type>)) -> bool {
    use Type as T;
    match operator {
        "<" | ">" | "<=" | ">=" => {
            let orderless = |of: Option<T>| matches!(of, Some(T::None | T::Dict | T::Function));
            orderless(sides.0)
                || orderless(sides.1)
                || sides.0.zip(sides.1).is_some_and(|(a, b)| a != b)
        }
        "in" | "not in" => {
            matches!(sides.1, Some(T::Number | T::None | T::Function))
                || sides.1 == Some(T::Text) && sides.0.is_some_and(|of| of != T::Text)
        }
        _ => false,
    }
}
