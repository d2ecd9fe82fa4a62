//! The way back: aliases in what a model wrote, replaced by the names that they stand for.
//!
//! An alias of our own form (`var_3`) is replaced wherever it stands as a whole word, in strings, messages
//! and comments too. Maps that others wrote may have any word as an alias: such a one is replaced only
//! where it is an identifier. Aliases that the map does not have stay.

use std::collections::BTreeMap;

use super::names::Category;
use crate::syntax::scope::{Role, ScopeKind, Scopes, Symbol};
use crate::syntax::{self, Kind, NodeId, Tree};
use crate::text::{Span, TextEdit, apply_edits};

/// A text with its own names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restored {
    /// The text.
    pub text: String,
    /// What made it of the text with aliases: sorted and disjoint.
    pub edits: Vec<TextEdit>,
    /// Locals that the model had named as something else is named that came back, and their new names.
    pub renamed: Vec<(String, String)>,
    /// Names that it reads without binding them, as something else is named that came back: there two
    /// things have one name now. Sorted.
    pub collisions: Vec<String>,
    /// Hidden names that the model wrote itself, from memory: members of the class, and the class. They are
    /// valid and stay; in order, one an occurrence.
    pub leaks: Vec<String>,
}

/// Puts names back in code; `names` is alias to original.
pub fn restore(code: &str, names: &BTreeMap<String, String>) -> Restored {
    if names.is_empty() {
        return Restored {
            text: code.to_owned(),
            ..Restored::default()
        };
    }
    let tree = syntax::parse_python(code).tree;
    let found = Found::in_code(&tree, names);
    let mut edits = found.edits;
    edits.extend(own_form(code, names));
    edits.sort_by_key(|edit| edit.span.start);
    Restored {
        text: apply_edits(code, &edits),
        edits,
        renamed: found.renamed,
        collisions: found.collisions,
        leaks: found.leaks,
    }
}

/// Puts names back in any text: only aliases of our own form.
pub fn restore_text(text: &str, names: &BTreeMap<String, String>) -> String {
    apply_edits(text, &own_form(text, names).collect::<Vec<_>>())
}

fn own_form<'a>(
    text: &'a str,
    names: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = TextEdit> + 'a {
    aliases(text).filter_map(move |span| {
        let original = names.get(span.of(text))?;
        let text = original.clone();
        Some(TextEdit { span, text })
    })
}

/// The words of a text that have an alias's form.
pub(super) fn aliases(text: &str) -> impl Iterator<Item = Span> + '_ {
    words(text).filter(move |span| Category::of_alias(span.of(text)).is_some())
}

/// The longest runs of letters, digits and `_`.
pub(super) fn words(text: &str) -> impl Iterator<Item = Span> + '_ {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let rest = &text[start..];
        let end = start + rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        at = end;
        let index = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Some(Span::new(index(start), index(end)))
    })
}

/// What only the syntax tells.
#[derive(Default)]
struct Found {
    edits: Vec<TextEdit>,
    renamed: Vec<(String, String)>,
    collisions: Vec<String>,
    leaks: Vec<String>,
}

impl Found {
    fn in_code(tree: &Tree, names: &BTreeMap<String, String>) -> Self {
        let scopes = Scopes::of(tree);
        let mut this = Self::default();
        // Words of the code that are no alias, and originals whose alias stands in it as a variable.
        let (mut used, mut came_back): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let identifiers = || {
            tree.ids()
                .filter(move |&id| tree.kind(id) == Kind::Identifier)
        };
        for id in identifiers() {
            let word = tree.text(id);
            let Some(original) = names.get(word) else {
                used.push(word);
                continue;
            };
            if is_variable(&scopes, id) {
                came_back.push(original);
            }
            if Category::of_alias(word).is_none() {
                this.edit(tree, id, original);
            }
        }
        let mut originals: Vec<&str> = names.values().map(String::as_str).collect();
        for list in [&mut used, &mut came_back, &mut originals] {
            list.sort_unstable();
            list.dedup();
        }
        let is_in = |list: &[&str], word: &str| list.binary_search(&word).is_ok();
        let classes = classes(names);
        for id in identifiers() {
            let word = tree.text(id);
            if !is_in(&originals, word) || names.contains_key(word) {
                continue;
            }
            if is_leak(tree, &scopes, id, &classes) {
                this.leaks.push(word.to_owned());
            } else if scopes.is_name(id) && is_in(&came_back, word) {
                match scopes.lookup(id).map(|found| scopes.kind(found.scope)) {
                    Some(ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Comprehension)
                        if !scopes.resolve(id).is_some_and(Symbol::is_import) =>
                    {
                        let is_free = |name: &str| {
                            let is_used = is_in(&used, name) || is_in(&originals, name);
                            !is_used && !names.contains_key(name)
                        };
                        let name = this.new_name(word, is_free);
                        this.edit(tree, id, &name);
                    }
                    None if scopes.role(id) != Some(Role::Load) => {}
                    _ => this.collisions.push(word.to_owned()),
                }
            }
        }
        this.collisions.sort_unstable();
        this.collisions.dedup();
        this
    }

    fn edit(&mut self, tree: &Tree, id: NodeId, text: &str) {
        self.edits.push(TextEdit {
            span: tree.span(id),
            text: text.to_owned(),
        });
    }

    /// The name that a local gets instead: its own with the first number that makes it new.
    fn new_name(&mut self, word: &str, is_free: impl Fn(&str) -> bool) -> String {
        if let Some((_, name)) = self.renamed.iter().find(|(old, _)| old == word) {
            return name.clone();
        }
        let mut names = (1u32..).map(|n| format!("{word}_{n}"));
        let name = names.find(|name| is_free(name)).unwrap_or_default();
        self.renamed.push((word.to_owned(), name.clone()));
        name
    }
}

/// Whether an identifier stands for a variable: no attribute or keyword, and not the name that the text
/// itself defines.
fn is_variable(scopes: &Scopes, id: NodeId) -> bool {
    scopes.is_name(id) && (scopes.lookup(id).is_some() || scopes.role(id) == Some(Role::Load))
}

/// Whether an identifier, which is an original, means what was hidden: a member asked of the receiver or of
/// the class, or the class. `classes` are the class's names and aliases.
fn is_leak(tree: &Tree, scopes: &Scopes, id: NodeId, classes: &[&str]) -> bool {
    if scopes.is_name(id) {
        return scopes.lookup(id).is_none()
            && scopes.role(id) == Some(Role::Load)
            && classes.contains(&tree.text(id));
    }
    let attribute = tree.parent(id).filter(|&parent| {
        tree.kind(parent) == Kind::Attribute && tree.node(id).field == Some("attribute")
    });
    let object = attribute.and_then(|attribute| tree.field(attribute, "object"));
    object
        .map(|object| tree.text(object))
        .is_some_and(|object| matches!(object, "self" | "cls") || classes.contains(&object))
}

/// The classes of a map, both names of each.
fn classes(names: &BTreeMap<String, String>) -> Vec<&str> {
    let classes = names
        .iter()
        .filter(|(alias, _)| Category::of_alias(alias) == Some(Category::Class));
    classes
        .flat_map(|(alias, original)| [alias.as_str(), original.as_str()])
        .collect()
}
