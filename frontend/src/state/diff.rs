//! Compared texts as the page lays them out, side by side: a reference, and one or two others that are each
//! compared with it. What the reader does with them is in `reading`.

pub(crate) mod align;
pub(crate) mod fold;
pub(crate) mod link;
pub(crate) mod reading;
mod rows;
pub(crate) mod sheet;
pub(crate) mod tree;
mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use shared::diff::MatchedBy;
use shared::text::{LineIndex, Span};

use self::fold::{Block, fold};
pub(crate) use self::rows::{Row, RowState, unified};
use self::rows::{rows_of, state_between, state_of};
use self::sheet::{Sheet, Which};
pub(crate) use self::words::one_line;
use crate::worker::compare::protocol::{DiffEdit, DiffView, EditPlace};

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
}
