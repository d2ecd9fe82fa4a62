//! Colours for source text, from the same tree that the rules use.

use serde::{Deserialize, Serialize};

use crate::syntax::{Kind, Tree};
use crate::text::Span;

/// A coloured run of text; what lies between tokens is plain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Token {
    /// Where.
    #[serde(flatten)]
    pub span: Span,
    /// As what.
    pub class: TokenClass,
}

/// What a run of text is, for its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenClass {
    /// `def`, `if`, `and`, …
    Keyword,
    /// A string without its interpolations.
    String,
    /// A number.
    Number,
    /// `True`, `False`, `None`.
    Constant,
    /// A comment.
    Comment,
    /// The name of a function or class where it is defined, or a callee.
    Function,
    /// An attribute or a keyword argument's name.
    Attribute,
    /// `self` and `cls`.
    Receiver,
    /// `+`, `==`, …
    Operator,
    /// A decorator's `@`, a type annotation's name.
    Annotation,
    /// No Python.
    Error,
}

/// The tokens of a tree, sorted and disjoint.
pub fn tokens(tree: &Tree) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    for id in tree.ids() {
        let node = tree.node(id);
        let is_leaf = node.kind == Kind::StringContent || tree.children(id).next().is_none();
        if node.span.is_empty() || node.span.start < at || !is_leaf {
            continue;
        }
        let Some(class) = class(tree, id) else {
            continue;
        };
        at = node.span.end;
        tokens.push(Token {
            span: node.span,
            class,
        });
    }
    tokens
}

fn class(tree: &Tree, id: crate::syntax::NodeId) -> Option<TokenClass> {
    let node = tree.node(id);
    let parent = tree.parent(id).map(|parent| tree.node(parent));
    let parent_kind = parent.map(|parent| parent.kind);
    Some(match node.kind {
        Kind::Comment => TokenClass::Comment,
        Kind::Integer | Kind::Float => TokenClass::Number,
        Kind::True | Kind::False | Kind::None => TokenClass::Constant,
        Kind::StringContent => TokenClass::String,
        Kind::Error => TokenClass::Error,
        Kind::Identifier => match (parent_kind, node.field) {
            (Some(Kind::FunctionDefinition | Kind::ClassDefinition), Some("name")) => {
                TokenClass::Function
            }
            (Some(Kind::Call), Some("function")) => TokenClass::Function,
            (Some(Kind::Attribute), Some("attribute")) => {
                let is_callee = parent.is_some_and(|parent| parent.field == Some("function"));
                if is_callee {
                    TokenClass::Function
                } else {
                    TokenClass::Attribute
                }
            }
            (Some(Kind::KeywordArgument), Some("name")) => TokenClass::Attribute,
            (Some(Kind::Type), _) => TokenClass::Annotation,
            _ if matches!(tree.text(id), "self" | "cls") => TokenClass::Receiver,
            _ => return None,
        },
        _ if matches!(
            node.name,
            "string_start" | "string_end" | "escape_sequence" | "escape_interpolation"
        ) =>
        {
            TokenClass::String
        }
        Kind::Token if node.name == "@" && parent_kind == Some(Kind::Decorator) => {
            TokenClass::Annotation
        }
        Kind::Token if node.name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            TokenClass::Keyword
        }
        Kind::Token if node.name == ":" => return None,
        Kind::Token if node.name.len() > 1 || "+-*/%@&|^~<>=!".contains(node.name) => {
            TokenClass::Operator
        }
        _ => return None,
    })
}
