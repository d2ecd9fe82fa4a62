//! Names that were obfuscated, put back.

use std::collections::BTreeMap;

use crate::syntax::{self, Kind};
use crate::text::TextEdit;

/// What gives a text its own names back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Restored {
    pub(super) edits: Vec<TextEdit>,
    /// Names that the text already used and that an obfuscated one was put back to: there two things
    /// have one name now. Sorted.
    pub(super) collisions: Vec<String>,
}

/// Puts names back wherever they are names: also attributes, keywords and in f-strings, and in no
/// comment or other string.
pub(super) fn restore(text: &str, names: &BTreeMap<String, String>) -> Restored {
    if names.is_empty() {
        return Restored {
            edits: Vec::new(),
            collisions: Vec::new(),
        };
    }
    let tree = syntax::parse_python(text).tree;
    let mut edits = Vec::new();
    let (mut used, mut restored): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for id in tree.ids().filter(|&id| tree.kind(id) == Kind::Identifier) {
        match names.get(tree.text(id)) {
            Some(name) => {
                restored.push(name);
                edits.push(TextEdit {
                    span: tree.span(id),
                    text: name.clone(),
                });
            }
            None => used.push(tree.text(id)),
        }
    }
    restored.sort_unstable();
    restored.dedup();
    used.sort_unstable();
    restored.retain(|name| used.binary_search(name).is_ok());
    Restored {
        collisions: restored.into_iter().map(str::to_owned).collect(),
        edits,
    }
}
