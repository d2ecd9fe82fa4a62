//! Compared texts as the page lays them out, side by side: a reference, and one or two others that are each
//! compared with it. What the reader does with them is in `reading`.

pub(crate) mod align;
pub(crate) mod fold;
pub(crate) mod link;
pub(crate) mod reading;
pub(crate) mod sheet;
pub(crate) mod tree;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use shared::diff::MatchedBy;
use shared::text::{LineIndex, Span};

use self::align::{LinePair, Lines, align, merge};
use self::fold::{Block, fold};
use self::sheet::{Kinds, Line, Marks, Sheet, Which};
use crate::state::words::n_of;
use crate::worker::compare::protocol::{DiffEdit, DiffNode, DiffView, EditKind, EditPlace};

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

/// What is to say of a row, the strongest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RowState {
    Same,
    /// The lines differ, and no node does: white space, brackets, commas.
    Layout,
    Edited,
}

/// A row of the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    lines: Lines,
    /// Whether the lines of two texts correspond; else they only share a row.
    is_linked: bool,
    pub(crate) state: RowState,
}

impl Row {
    /// The line of a text, from 0.
    pub(crate) fn line(&self, which: Which) -> Option<usize> {
        self.lines[which as usize]
    }
}

/// An edit on the way from the reference to another text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Edit {
    pub(crate) to: Which,
    pub(crate) change: DiffEdit,
    /// Where it is seen first.
    pub(crate) row: usize,
}

impl Edit {
    /// Where it shows in a text.
    pub(crate) fn place(&self, which: Which) -> Option<&EditPlace> {
        match which {
            Which::Reference => self.change.a.as_ref(),
            other if other == self.to => self.change.b.as_ref(),
            _ => None,
        }
    }
}

/// A text, compared with the reference.
#[derive(Clone, PartialEq, Debug)]
struct Other {
    which: Which,
    text: String,
    view: DiffView,
}

/// What is laid out.
#[derive(PartialEq, Debug)]
struct Compared {
    reference: String,
    others: Vec<Other>,
}

/// Texts, compared and laid out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    compared: Arc<Compared>,
    /// The reference's, and those of the others that are shown.
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) rows: Vec<Row>,
    pub(crate) blocks: Vec<Block>,
    /// Text by text, as a reader meets them.
    pub(crate) edits: Vec<Edit>,
}

impl Comparison {
    /// Of a reference and a variant.
    pub(crate) fn new(reference: String, variant: String, view: DiffView) -> Self {
        let others = vec![Other {
            which: Which::Variant,
            text: variant,
            view,
        }];
        Self::laid_out(&Arc::new(Compared { reference, others }), None)
    }

    /// The same beside a third text, which is compared with the reference, too.
    pub(crate) fn with_answer(&self, answer: String, view: DiffView) -> Self {
        let Compared { reference, others } = &*self.compared;
        let mut others = others.clone();
        others.push(Other {
            which: Which::Answer,
            text: answer,
            view,
        });
        let reference = reference.clone();
        Self::laid_out(&Arc::new(Compared { reference, others }), None)
    }

    /// Of the reference and one of the others.
    pub(crate) fn only(&self, which: Which) -> Self {
        Self::laid_out(&self.compared, Some(which))
    }

    fn laid_out(compared: &Arc<Compared>, only: Option<Which>) -> Self {
        let reference = &compared.reference;
        let is_shown = |other: &&Other| only.is_none_or(|only| only == other.which);
        let others: Vec<&Other> = compared.others.iter().filter(is_shown).collect();
        let mut rows = rows_of(reference, &others);

        // The row of each line: every line has one, and they are in order.
        let mut row_of: [Vec<usize>; 3] = Default::default();
        for (at, row) in rows.iter().enumerate() {
            for which in Which::ALL {
                row_of[which as usize].extend(row.line(which).map(|_| at));
            }
        }
        let index = LineIndex::new(reference);
        let mut edits: Vec<Edit> = Vec::new();
        for other in &others {
            let to = other.which;
            let other_index = LineIndex::new(&other.text);
            let placed = |change: &DiffEdit| {
                let (place, index, rows) = match (&change.a, &change.b) {
                    (_, Some(place)) => (place, &other_index, &row_of[to as usize]),
                    (Some(place), None) => (place, &index, &row_of[Which::Reference as usize]),
                    (None, None) => return (0, 0),
                };
                let start = place.parts.first().map_or(place.span, |part| *part).start;
                let row = rows.get(index.line(start) - 1).copied();
                (row.unwrap_or_default(), start)
            };
            let changes = other.view.edits.iter();
            let mut changes: Vec<_> = changes.map(|change| (placed(change), change)).collect();
            changes.sort_by_key(|(place, _)| *place);
            edits.extend(changes.into_iter().map(|((row, _), change)| Edit {
                to,
                change: change.clone(),
                row,
            }));
        }

        let a = others
            .first()
            .map(|other| (Which::Reference, reference, &other.view.a));
        let rest = others
            .iter()
            .map(|other| (other.which, &other.text, &other.view.b));
        let sheets: Vec<Sheet> = a
            .into_iter()
            .chain(rest)
            .map(|(which, text, side)| Sheet::new(which, text.clone(), side.clone(), &edits))
            .collect();
        for row in &mut rows {
            row.state = state_of(&sheets, row);
        }
        let is_edited: Vec<bool> = rows
            .iter()
            .map(|row| row.state == RowState::Edited)
            .collect();
        Self {
            compared: Arc::clone(compared),
            sheets,
            blocks: fold(&is_edited),
            rows,
            edits,
        }
    }

    pub(crate) fn sheet(&self, which: Which) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.which == which)
    }

    /// The texts that are shown beside the reference.
    pub(crate) fn others(&self) -> impl Iterator<Item = Which> {
        self.sheets.iter().skip(1).map(|sheet| sheet.which)
    }

    /// All texts that the reference was compared with.
    pub(crate) fn compared(&self) -> impl Iterator<Item = Which> {
        self.compared.others.iter().map(|other| other.which)
    }

    /// Whether two others are shown, whose marks in the reference have to be told apart.
    pub(crate) fn has_three(&self) -> bool {
        self.sheets.len() > 2
    }

    /// What a block of rows shows or hides: its text in the reference, or else in the first that has some.
    pub(crate) fn text_of(&self, block: &Block) -> &str {
        let rows = self.rows.get(block.rows.clone()).unwrap_or_default();
        let mut texts = self.sheets.iter().filter_map(|sheet| {
            let mut lines = rows.iter().filter_map(|row| sheet.line_in(row));
            let first = lines.next()?.span;
            let last = lines.next_back().map_or(first, |line| line.span);
            Some(sheet.text(Span::new(first.start, last.end)))
        });
        texts.next().unwrap_or_default()
    }

    fn view(&self, of: Which) -> Option<&DiffView> {
        let other = self.compared.others.iter().find(|other| other.which == of);
        other.map(|other| &other.view)
    }

    /// Why trees were not compared.
    pub(crate) fn fallback(&self, of: Which) -> Option<&str> {
        self.view(of)?.fallback.as_deref()
    }

    /// The node of a second text that corresponds to a node of a first; one of both is the reference.
    pub(crate) fn partner(
        &self,
        from: Which,
        node: usize,
        to: Which,
    ) -> Option<(usize, MatchedBy)> {
        let side = match from {
            Which::Reference => &self.view(to)?.a,
            _ => &self.view(from)?.b,
        };
        side.nodes.get(node)?.partner
    }

    /// What is to say of a row, towards one of the others.
    pub(crate) fn state(&self, row: &Row, to: Which) -> RowState {
        let other = self.sheet(to);
        self.sheets
            .first()
            .zip(other)
            .map_or(RowState::Same, |(reference, other)| {
                state_between(reference, other, row)
            })
    }

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

/// All lines, side by side; what is to say of them comes later.
fn rows_of(reference: &str, others: &[&Other]) -> Vec<Row> {
    let lines = lines_of(reference);
    let index = LineIndex::new(reference);
    let aligned = |other: &Other| {
        let other_index = LineIndex::new(&other.text);
        let view = &other.view;
        let partner = |(at, node): (usize, &DiffNode)| {
            let (partner, _) = node.partner?;
            let next = view.a.nodes.get(at + 1);
            let is_leaf = next.is_none_or(|next| next.depth <= node.depth);
            let other = view.b.nodes.get(partner).filter(|_| is_leaf)?;
            Some((
                index.line(node.span.start) - 1,
                other_index.line(other.span.start) - 1,
            ))
        };
        let matched = view.a.nodes.iter().enumerate().filter_map(partner);
        align(&lines, &lines_of(&other.text), matched.collect())
    };
    let row = |lines: Lines, is_linked: bool| Row {
        lines,
        is_linked,
        state: RowState::Same,
    };
    match others {
        [] => Vec::new(),
        [other] => {
            let beside = |pair: LinePair| {
                let mut lines = [pair.a, None, None];
                lines[other.which as usize] = pair.b;
                row(lines, pair.is_linked)
            };
            aligned(other).into_iter().map(beside).collect()
        }
        [b, c, ..] => {
            let (with_b, with_c) = (aligned(b), aligned(c));
            let merged = merge(&lines_of(&b.text), &lines_of(&c.text), &with_b, &with_c);
            merged.into_iter().map(|lines| row(lines, true)).collect()
        }
    }
}

fn state_of(sheets: &[Sheet], row: &Row) -> RowState {
    let Some((reference, others)) = sheets.split_first() else {
        return RowState::Same;
    };
    let states = others
        .iter()
        .map(|other| state_between(reference, other, row));
    states.max().unwrap_or(RowState::Same)
}

fn state_between(reference: &Sheet, other: &Sheet, row: &Row) -> RowState {
    let (a, b) = (reference.line_in(row), other.line_in(row));
    let has_edit =
        |line: Option<&Line>| line.is_some_and(|line| !line.marks.to(other.which).is_empty());
    if has_edit(a) || has_edit(b) {
        return RowState::Edited;
    }
    let text_a = a.map(|line| reference.text(line.span));
    let text_b = b.map(|line| other.text(line.span));
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

/// The rows of a unified view of two texts: what goes stands above what comes, and a line that one side alone
/// edits stands once.
pub(crate) fn unified(comparison: &Comparison, rows: &[Row]) -> Vec<Row> {
    let [reference, other, ..] = &*comparison.sheets else {
        return rows.to_vec();
    };
    let marks = |sheet: &Sheet, row: &Row| sheet.line_in(row).map(|line| line.marks);
    let is_unmarked = |marks: Option<Marks>| marks.is_none_or(Marks::is_empty);
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    let mut later: Vec<Row> = Vec::new();
    for row in rows {
        let (a, b) = (row.line(Which::Reference), row.line(other.which));
        let is_one = a.is_none() || b.is_none() || row.state == RowState::Same;
        let gains_only = is_unmarked(marks(reference, row)) || is_unmarked(marks(other, row));
        if is_one || row.is_linked && gains_only {
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
            let without = |which: Which| {
                let mut row = *row;
                row.lines[which as usize] = None;
                row
            };
            out.push(without(other.which));
            later.push(without(Which::Reference));
        }
    }
    out.append(&mut later);
    out
}
