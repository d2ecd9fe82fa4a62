//! Two compared texts as the page lays them out, side by side. What the reader does with them is in `reading`.

pub(crate) mod align;
pub(crate) mod fold;
pub(crate) mod link;
pub(crate) mod reading;
pub(crate) mod sheet;
pub(crate) mod tree;

#[cfg(test)]
mod tests;

use shared::text::LineIndex;

use self::align::{LinePair, align};
use self::fold::{Block, fold};
use self::sheet::{Kinds, Line, Sheet, Which};
use crate::state::words::n_of;
use crate::worker::protocol::{DiffEdit, DiffNode, DiffView, EditKind};

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

/// What is to say of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowState {
    Same,
    /// The lines differ, and no node does: white space, brackets, commas.
    Layout,
    Edited,
}

/// A row of the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) lines: LinePair,
    pub(crate) state: RowState,
}

/// Two texts, compared and laid out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    pub(crate) a: Sheet,
    pub(crate) b: Sheet,
    pub(crate) rows: Vec<Row>,
    pub(crate) blocks: Vec<Block>,
    /// As a reader meets them.
    pub(crate) edits: Vec<DiffEdit>,
    /// The row of each edit.
    pub(crate) edit_rows: Vec<usize>,
    /// Why trees were not compared.
    pub(crate) fallback: Option<String>,
}

impl Comparison {
    pub(crate) fn new(a: String, b: String, view: DiffView) -> Self {
        let lines = (lines_of(&a), lines_of(&b));
        let index = (LineIndex::new(&a), LineIndex::new(&b));
        let partner = |(at, node): (usize, &DiffNode)| {
            let (partner, _) = node.partner?;
            let next = view.a.nodes.get(at + 1);
            let is_leaf = next.is_none_or(|next| next.depth <= node.depth);
            let other = view.b.nodes.get(partner).filter(|_| is_leaf)?;
            Some((
                index.0.line(node.span.start) - 1,
                index.1.line(other.span.start) - 1,
            ))
        };
        let matched = view.a.nodes.iter().enumerate().filter_map(partner);
        let pairs = align(&lines.0, &lines.1, matched.collect());

        // The row of each line.
        let mut rows_of = (vec![0; lines.0.len()], vec![0; lines.1.len()]);
        for (row, pair) in pairs.iter().enumerate() {
            if let Some(at) = pair.a.and_then(|line| rows_of.0.get_mut(line)) {
                *at = row;
            }
            if let Some(at) = pair.b.and_then(|line| rows_of.1.get_mut(line)) {
                *at = row;
            }
        }
        let place = |edit: &DiffEdit| {
            let (place, index, rows) = match (&edit.a, &edit.b) {
                (_, Some(place)) => (place, &index.1, &rows_of.1),
                (Some(place), None) => (place, &index.0, &rows_of.0),
                (None, None) => return (0, 0),
            };
            let start = place.parts.first().map_or(place.span, |part| *part).start;
            let row = rows.get(index.line(start) - 1).copied();
            (row.unwrap_or_default(), start)
        };
        let mut placed: Vec<((usize, u32), DiffEdit)> = view
            .edits
            .into_iter()
            .map(|edit| (place(&edit), edit))
            .collect();
        placed.sort_by_key(|(place, _)| *place);
        let edit_rows = placed.iter().map(|((row, _), _)| *row).collect();
        let edits: Vec<DiffEdit> = placed.into_iter().map(|(_, edit)| edit).collect();

        let a = Sheet::new(a, view.a, Which::Reference, &edits);
        let b = Sheet::new(b, view.b, Which::Variant, &edits);
        let rows: Vec<Row> = pairs
            .into_iter()
            .map(|lines| Row {
                lines,
                state: state_of(&a, &b, lines),
            })
            .collect();
        let is_edited: Vec<bool> = rows
            .iter()
            .map(|row| row.state == RowState::Edited)
            .collect();
        Self {
            a,
            b,
            blocks: fold(&is_edited),
            rows,
            edits,
            edit_rows,
            fallback: view.fallback,
        }
    }

    pub(crate) fn sheet(&self, which: Which) -> &Sheet {
        match which {
            Which::Reference => &self.a,
            Which::Variant => &self.b,
        }
    }

    /// The edits in words: `3 edits: 1 update, 2 moves`.
    pub(crate) fn summary(&self) -> String {
        if self.edits.is_empty() {
            return if self.a.source == self.b.source {
                "The texts are the same"
            } else {
                "No edits: the texts differ only in layout, brackets or commas"
            }
            .to_owned();
        }
        let counts = EditKind::ALL.map(|kind| {
            let n = self.edits.iter().filter(|edit| edit.kind == kind).count();
            let (one, many) = kind.nouns();
            (n, n_of(n, one, many))
        });
        let counts: Vec<String> = counts
            .into_iter()
            .filter_map(|(n, words)| (n > 0).then_some(words))
            .collect();
        let edits = n_of(self.edits.len(), "edit", "edits");
        format!("{edits}: {}", counts.join(", "))
    }

    /// An edit in words, without its reason.
    pub(crate) fn describe(&self, edit: &DiffEdit) -> EditWords {
        let text = |which: Which| {
            let place = which.place(edit)?;
            Some(one_line(self.sheet(which).text(place.span)))
        };
        let line = |which: Which| {
            let place = which.place(edit)?;
            Some(self.sheet(which).line_of(place.span.start) + 1)
        };
        let (from, to) = (line(Which::Reference), line(Which::Variant));
        let places = match (from, to) {
            (Some(from), Some(to)) if from != to => format!("line {from} → {to}"),
            (_, Some(line)) | (Some(line), None) => format!("line {line}"),
            (None, None) => String::new(),
        };
        let (before, after) = (text(Which::Reference), text(Which::Variant));
        let alone = if edit.alone { " alone" } else { "" };
        let what = match &edit.into {
            Some(into) => format!("{}{alone} into {into}", edit.what),
            None => format!("{}{alone}", edit.what),
        };
        EditWords {
            what,
            places,
            // What moves has one text.
            before: before.filter(|_| edit.kind != EditKind::Move || after.is_none()),
            after,
        }
    }

    /// Why there is this edit.
    pub(crate) fn why(&self, edit: &DiffEdit) -> &'static str {
        match (edit.by, edit.kind) {
            (Some(by), _) => by.why(),
            _ if self.fallback.is_some() => "fallback: tokens were compared, in order",
            (None, EditKind::Insert) => "no node of the reference corresponds",
            (None, _) => "no node of the variant corresponds",
        }
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

fn lines_of(source: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = source.split('\n').collect();
    if lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn state_of(a: &Sheet, b: &Sheet, pair: LinePair) -> RowState {
    let (line_a, line_b) = (a.line(pair.a), b.line(pair.b));
    let has_edit = |line: Option<&Line>| line.is_some_and(|line| !line.kinds.is_empty());
    if has_edit(line_a) || has_edit(line_b) {
        return RowState::Edited;
    }
    let text_a = line_a.map(|line| a.text(line.span));
    let text_b = line_b.map(|line| b.text(line.span));
    if text_a == text_b {
        RowState::Same
    } else {
        RowState::Layout
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

/// The rows of a unified view: what goes stands above what comes, and a line that one side alone edits
/// stands once.
pub(crate) fn unified(comparison: &Comparison, rows: &[Row]) -> Vec<Row> {
    let kinds = |sheet: &Sheet, at: Option<usize>| {
        sheet.line(at).map_or(Kinds::default(), |line| line.kinds)
    };
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    let mut later: Vec<Row> = Vec::new();
    for row in rows {
        let LinePair { a, b, is_linked } = row.lines;
        let (in_a, in_b) = (kinds(&comparison.a, a), kinds(&comparison.b, b));
        let is_one = a.is_none() || b.is_none() || row.state == RowState::Same;
        if is_one || is_linked && (in_a.is_empty() || in_b.is_empty()) {
            // What stands in one text alone waits for what goes with it above.
            if !(later.is_empty() || a.is_some()) {
                later.push(*row);
                continue;
            }
            if b.is_some() {
                out.append(&mut later);
            }
            out.push(*row);
        } else {
            let one = |a, b| Row {
                lines: LinePair { a, b, is_linked },
                ..*row
            };
            out.push(one(a, None));
            later.push(one(None, b));
        }
    }
    out.append(&mut later);
    out
}
