//! A comparison in words: its kinds of edits, each edit, and all of them in a sentence.

use super::sheet::{Kinds, Which};
use super::{Comparison, Edit};
use crate::state::words::n_of;
use crate::worker::compare::protocol::EditKind;

/// How much of a node's text a list shows, in characters.
const SHOWN: usize = 48;

impl EditKind {
    pub(crate) const ALL: [Self; 4] = [Self::Insert, Self::Update, Self::Move, Self::Delete];

    /// Its sign, the same as in a terminal.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Insert => "+",
            Self::Update => "~",
            Self::Move => ">",
            Self::Delete => "-",
        }
    }

    /// What is done: `insert`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Move => "move",
            Self::Delete => "delete",
        }
    }

    const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Insert => ("insertion", "insertions"),
            Self::Update => ("update", "updates"),
            Self::Move => ("move", "moves"),
            Self::Delete => ("deletion", "deletions"),
        }
    }
}

impl Kinds {
    /// Its kinds' signs: `~>`.
    pub(crate) fn signs(self) -> String {
        self.kinds().map(EditKind::sign).collect()
    }

    /// Its kinds in words: `update, move`.
    pub(crate) fn words(self) -> String {
        self.kinds()
            .map(EditKind::word)
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub(crate) fn kinds(self) -> impl Iterator<Item = EditKind> {
        EditKind::ALL
            .into_iter()
            .filter(move |kind| self.has(*kind))
    }
}

/// An edit in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EditWords {
    pub(crate) what: String,
    pub(crate) places: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

impl Comparison {
    /// The edits in words: `3 edits: 1 update, 2 moves`.
    pub(crate) fn summary(&self) -> String {
        let one = |which: Which| {
            let (n_edits, what) = self.counts(which);
            if self.has_three() {
                format!("{}: {} ({what})", which.title(), n_edits.to_lowercase())
            } else {
                format!("{n_edits}: {what}")
            }
        };
        self.others().map(one).collect::<Vec<_>>().join("; ")
    }

    /// How many edits lead to a text, and of which kinds.
    fn counts(&self, to: Which) -> (String, String) {
        let edits = || self.edits.iter().filter(|edit| edit.to == to);
        let n_edits = edits().count();
        if n_edits == 0 {
            let reference = self.sheets.first();
            let is_same = reference.map(|it| &it.source) == self.sheet(to).map(|it| &it.source);
            let what = if is_same {
                "the texts are the same"
            } else {
                "the texts differ only in layout, brackets or commas"
            };
            return ("No edits".to_owned(), what.to_owned());
        }
        let counts = EditKind::ALL.into_iter().filter_map(|kind| {
            let n = edits().filter(|edit| edit.change.kind == kind).count();
            let (one, many) = kind.nouns();
            (n > 0).then(|| n_of(n, one, many))
        });
        let counts = counts.collect::<Vec<_>>().join(", ");
        (n_of(n_edits, "edit", "edits"), counts)
    }

    /// An edit in words, without its reason.
    pub(crate) fn describe(&self, edit: &Edit) -> EditWords {
        let text = |which: Which| {
            let place = edit.place(which)?;
            Some(one_line(self.sheet(which)?.text(place.span)))
        };
        let line = |which: Which| {
            let place = edit.place(which)?;
            Some(self.sheet(which)?.line_of(place.span.start) + 1)
        };
        let (from, to) = (line(Which::Reference), line(edit.to));
        let places = match (from, to) {
            (Some(from), Some(to)) if from != to => format!("line {from} → {to}"),
            (_, Some(line)) | (Some(line), None) => format!("line {line}"),
            (None, None) => String::new(),
        };
        let (before, after) = (text(Which::Reference), text(edit.to));
        let change = &edit.change;
        let alone = if change.alone { " alone" } else { "" };
        let what = match &change.into {
            Some(into) => format!("{}{alone} into {into}", change.what),
            None => format!("{}{alone}", change.what),
        };
        EditWords {
            what,
            places,
            // What moves has one text.
            before: before.filter(|_| change.kind != EditKind::Move || after.is_none()),
            after,
        }
    }

    /// Why there is this edit.
    pub(crate) fn why(&self, edit: &Edit) -> String {
        match (edit.change.by, edit.change.kind) {
            (Some(by), _) => by.why().to_owned(),
            _ if self.fallback(edit.to).is_some() => {
                "fallback: tokens were compared, in order".to_owned()
            }
            (None, EditKind::Insert) => "no node of the reference corresponds".to_owned(),
            (None, _) => format!("no node of {} corresponds", edit.to.noun()),
        }
    }
}

/// The first line of a text, shortened.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let cut = line
        .char_indices()
        .nth(SHOWN)
        .map_or(line.len(), |(at, _)| at);
    let more = if cut < text.len() { "…" } else { "" };
    format!("{}{more}", line.get(..cut).unwrap_or_default())
}
