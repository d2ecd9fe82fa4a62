//! Python source text as an immutable [`Tree`], and its names ([`scope`]).
//!
//! Grammar: tree-sitter-python 0.25.0, the one CtxBugGen uses (section 3.2).

pub mod abstraction;
pub mod highlight;
mod kind;
pub mod outline;
mod python;
pub mod scope;
mod tree;
#[cfg(target_arch = "wasm32")]
mod wasm_libc;

pub use self::kind::Kind;
pub use self::tree::{Node, NodeId, Tree};

use serde::{Deserialize, Serialize};

use crate::text::Span;

/// A tree and where the text was no Python.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The whole text, error nodes included.
    pub tree: Tree,
    /// In source order; empty for valid text.
    pub errors: Vec<SyntaxError>,
}

/// A place where the text is no Python.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxError {
    /// Where; empty when something is missing there.
    pub span: Span,
    /// What, for a reader: `unexpected text` or `missing …`.
    pub message: String,
}

/// Parses any text; never fails.
pub fn parse_python(source: &str) -> Parsed {
    let tree = python::parse(source);
    let errors = tree
        .ids()
        .filter_map(|id| {
            let node = tree.node(id);
            let message = if node.missing {
                format!("missing {}", node.name)
            } else if node.kind == Kind::Error
                && tree
                    .parent(id)
                    .is_none_or(|p| tree.node(p).kind != Kind::Error)
            {
                "unexpected text".to_owned()
            } else {
                return None;
            };
            Some(SyntaxError {
                span: node.span,
                message,
            })
        })
        .collect();
    Parsed { tree, errors }
}

#[cfg(test)]
mod tests;
