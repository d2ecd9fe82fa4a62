//! The rows of a view: which lines stand side by side, and what is to say of each row.

use shared::text::LineIndex;

use super::align::{LinePair, Lines, align, merge};
use super::sheet::{Line, Marks, Sheet, Which};
use super::{Comparison, Other};
use crate::worker::compare::protocol::DiffNode;

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
    pub(super) lines: Lines,
    /// Whether the lines of two texts correspond; else they only share a row.
    pub(super) is_linked: bool,
    pub(crate) state: RowState,
}

impl Row {
    /// The line of a text, from 0.
    pub(crate) fn line(&self, which: Which) -> Option<usize> {
        self.lines[which as usize]
    }
}

fn lines_of(source: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = source.split('\n').collect();
    if lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// All lines, side by side; what is to say of them comes later.
pub(super) fn rows_of(reference: &str, others: &[&Other]) -> Vec<Row> {
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

pub(super) fn state_of(sheets: &[Sheet], row: &Row) -> RowState {
    let Some((reference, others)) = sheets.split_first() else {
        return RowState::Same;
    };
    let states = others
        .iter()
        .map(|other| state_between(reference, other, row));
    states.max().unwrap_or(RowState::Same)
}

pub(super) fn state_between(reference: &Sheet, other: &Sheet, row: &Row) -> RowState {
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
