//! Names hidden and given back exactly (CtxBugGen, sections 3.3 and 4): what a model is shown says nothing
//! of where it comes from, and its reply is put back into the class it is for.
//!
//! ```text
//! method, module ── scopes ──> mentions ──┐
//! requirement ── lines, words ─> mentions ┴─> NameMap ──> text with aliases ──> model
//!                                               │                                 │
//!                                     code with its own names <── restore ── code with aliases
//! ```
//!
//! For generation a method has a map of its own, for evaluation a class has one. What is renamed in code
//! is told by scope and never by text; strings and comments stay as they are, so a name in a string still
//! tells itself. Three ways of asking for a name by its text are not seen: `f"{x=}"` prints the alias, and
//! `locals()` and `getattr(self, "x")` miss it; in the restored code all three are right again.

mod mentions;
mod names;
mod requirement;
mod restore;

pub use self::names::{Category, Name, NameMap};
pub use self::restore::{Restored, restore, restore_text};

use self::mentions::{ClassNames, Mention, Text};
use crate::subject::{ClassItem, MethodContext, Subject};
use crate::syntax::parse_python;
use crate::text::{Span, TextEdit, apply_edits};

/// Gives the names of one class their aliases, in any text that speaks of it.
///
/// A name that has none yet gets the next one, so the map grows with what is hidden.
pub struct Obfuscator<'a> {
    class: ClassNames<'a>,
    names: NameMap,
    /// Words of the aliases' form that the texts have themselves; sorted.
    taken: Vec<String>,
    n_renames: usize,
}

impl<'a> Obfuscator<'a> {
    /// For generation: a map for one method, numbered as its unmasked text comes to the names.
    pub fn of_method(
        class: &'a ClassItem,
        subject: &'a Subject,
        context: &'a MethodContext,
    ) -> Self {
        let mut this = Self::new(class, context, &[&subject.source, &subject.requirement]);
        this.number(&subject.source, Text::Method);
        this
    }

    /// For evaluation: a map for a whole class, numbered as its module comes to the names. `also` are the
    /// other texts that will be hidden with it: an alias that one of them has is not given.
    pub fn of_class(class: &'a ClassItem, context: &'a MethodContext, also: &[&str]) -> Self {
        let mut this = Self::new(class, context, also);
        this.number(&class.source, Text::Module);
        this
    }

    fn new(class: &'a ClassItem, context: &'a MethodContext, also: &[&str]) -> Self {
        let texts = [class.source.as_str(), class.description.as_str()];
        let texts = texts.iter().chain(also);
        let words = texts.flat_map(|text| restore::aliases(text).map(|span| span.of(text)));
        let mut taken: Vec<String> = words.map(str::to_owned).collect();
        taken.sort_unstable();
        taken.dedup();
        Self {
            class: ClassNames::of(class, context),
            names: NameMap::default(),
            taken,
            n_renames: 0,
        }
    }

    /// The names that have an alias.
    pub fn names(&self) -> &NameMap {
        &self.names
    }

    /// How many words were replaced in all texts so far.
    pub fn n_renames(&self) -> usize {
        self.n_renames
    }

    /// A method's own text: the reference, or a variant of it.
    pub fn method(&mut self, source: &str) -> String {
        self.template(source, &[])
    }

    /// A method's own text with edits of it, which are sorted and disjoint and given in the bytes of
    /// `source`: placeholders, or marks around a place. A name in an edited place is gone with it.
    pub fn template(&mut self, source: &str, places: &[TextEdit]) -> String {
        let mentions = mentions::of(&parse_python(source).tree, &self.class, Text::Method);
        self.apply(source, mentions, places)
    }

    /// A module with the class in it, whole or in parts.
    pub fn module(&mut self, source: &str) -> String {
        let mentions = mentions::of(&parse_python(source).tree, &self.class, Text::Module);
        self.apply(source, mentions, &[])
    }

    /// A method's requirement: its signature and what is said of it.
    pub fn requirement(&mut self, subject: &Subject) -> String {
        let mentions = requirement::mentions(&subject.requirement, &subject.source, &self.class);
        self.apply(&subject.requirement, mentions, &[])
    }

    fn number(&mut self, source: &str, text: Text) {
        for mention in mentions::of(&parse_python(source).tree, &self.class, text) {
            let original = mention.span.of(source);
            self.names.alias(mention.category, original, &self.taken);
        }
    }

    fn apply(&mut self, source: &str, mentions: Vec<Mention>, places: &[TextEdit]) -> String {
        let mut edits = Vec::with_capacity(mentions.len() + places.len());
        let mut places = places.iter().peekable();
        for Mention { span, category } in mentions {
            while let Some(place) = places.next_if(|place| is_before(place.span, span)) {
                edits.push(place.clone());
            }
            let is_hidden = places.peek().is_some_and(|place| overlap(place.span, span));
            if !is_hidden {
                let alias = self.names.alias(category, span.of(source), &self.taken);
                let text = alias.to_owned();
                edits.push(TextEdit { span, text });
                self.n_renames += 1;
            }
        }
        edits.extend(places.cloned());
        apply_edits(source, &edits)
    }
}

fn is_before(place: Span, mention: Span) -> bool {
    place.end <= mention.start
}

fn overlap(place: Span, mention: Span) -> bool {
    place.start < mention.end && mention.start < place.end
}

#[cfg(test)]
mod tests;
