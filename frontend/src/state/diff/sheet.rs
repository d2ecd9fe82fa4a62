//! One of the compared texts, cut into lines and runs that look alike.

use shared::syntax::highlight::TokenClass;
use shared::text::Span;

use super::{Edit, Row};
use crate::worker::compare::protocol::{DiffNode, DiffSide, EditKind, EditPlace};

/// A line with more bytes is cut at its edits only: a line of a hundred thousand runs is slow to show.
const LONG: u32 = 4000;

/// Which of the compared texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Reference,
    Variant,
    Answer,
}

impl Which {
    pub(crate) const ALL: [Self; 3] = [Self::Reference, Self::Variant, Self::Answer];

    /// A letter for ids.
    pub(crate) const fn letter(self) -> &'static str {
        match self {
            Self::Reference => "a",
            Self::Variant => "b",
            Self::Answer => "c",
        }
    }

    /// Its text's title.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Reference => "Reference",
            Self::Variant => "Variant",
            Self::Answer => "Answer",
        }
    }

    /// Its text within a sentence: `the variant`.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Reference => "the reference",
            Self::Variant => "the variant",
            Self::Answer => "the answer",
        }
    }
}

/// A run of text within a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) span: Span,
    pub(crate) token: Option<TokenClass>,
    /// The kinds of the edits that it belongs to.
    pub(crate) marks: Marks,
    /// The innermost of them, as a place in the list of edits.
    pub(crate) edit: Option<usize>,
}

/// A set of kinds of edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) fn add(&mut self, kind: EditKind) {
        self.0 |= 1 << kind as u8;
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn has(self, kind: EditKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The kinds of edits that lead from the reference to each other text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Marks([Kinds; 2]);

impl Marks {
    pub(crate) fn add(&mut self, to: Which, kind: EditKind) {
        self.0[Self::place(to)].add(kind);
    }

    pub(crate) fn join(&mut self, other: Self) {
        for (kinds, more) in self.0.iter_mut().zip(other.0) {
            kinds.join(more);
        }
    }

    /// Those that lead to one text.
    pub(crate) fn to(self, to: Which) -> Kinds {
        self.0[Self::place(to)]
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().all(|kinds| kinds.is_empty())
    }

    fn place(to: Which) -> usize {
        usize::from(to == Which::Answer)
    }
}

/// A line and its runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// Without the line break.
    pub(crate) span: Span,
    /// The first run, and one past the last, as places in [`Sheet::pieces`].
    pub(crate) pieces: (usize, usize),
    pub(crate) marks: Marks,
}

/// One of the compared texts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sheet {
    pub(crate) which: Which,
    pub(crate) source: String,
    pub(crate) side: DiffSide,
    pub(crate) lines: Vec<Line>,
    pub(crate) pieces: Vec<Piece>,
}

impl Sheet {
    pub(crate) fn new(which: Which, source: String, side: DiffSide, edits: &[Edit]) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in source.split('\n') {
            let end = start + line.len();
            lines.push(Line {
                span: Span::new(offset(start), offset(end)),
                pieces: (0, 0),
                marks: Marks::default(),
            });
            start = end + 1;
        }
        // What ends with a line break has no line after it.
        if lines.len() > 1 && lines.last().is_some_and(|line| line.span.is_empty()) {
            lines.pop();
        }
        let mut sheet = Self {
            which,
            source,
            side,
            lines,
            pieces: Vec::new(),
        };
        sheet.cut(edits);
        sheet.mark(edits);
        sheet
    }

    fn cut(&mut self, edits: &[Edit]) {
        let nodes = &self.side.nodes;
        let is_leaf = |&(at, node): &(usize, &DiffNode)| {
            nodes
                .get(at + 1)
                .is_none_or(|next| next.depth <= node.depth)
        };
        let leaves = nodes.iter().enumerate().filter(is_leaf);
        let parts = edits
            .iter()
            .filter_map(|edit| edit.place(self.which))
            .flat_map(|place| place.parts.iter().copied());
        let tokens = self.side.tokens.iter().map(|token| token.span);
        let has_long = self.lines.iter().any(|line| line.span.len() > LONG);
        let is_short = |span: &Span| {
            let line = self.lines.get(self.line_of(span.start));
            !has_long || line.is_none_or(|line| line.span.len() <= LONG)
        };
        let fine = leaves.map(|(_, node)| node.span).chain(tokens);
        let edges = fine.filter(is_short).chain(parts);
        let mut cuts: Vec<u32> = edges.flat_map(|span| [span.start, span.end]).collect();
        for line in &self.lines {
            let text = line.span.of(&self.source);
            let indent = text.len() - text.trim_start().len();
            let end = text.trim_end().len();
            let at = |n: usize| line.span.start + offset(n);
            cuts.extend([
                line.span.start,
                at(indent),
                at(end.max(indent)),
                line.span.end,
            ]);
        }
        cuts.retain(|&at| self.source.is_char_boundary(at as usize));
        cuts.sort_unstable();
        cuts.dedup();
        let (mut at, mut token) = (0, 0);
        for line in &mut self.lines {
            let first = self.pieces.len();
            at += cuts[at..].partition_point(|&cut| cut < line.span.start);
            while let Some(&[start, end]) = cuts.get(at..at + 2)
                && end <= line.span.end
            {
                let span = Span::new(start, end);
                let tokens = &self.side.tokens;
                while tokens.get(token).is_some_and(|it| it.span.end <= start) {
                    token += 1;
                }
                let class = tokens.get(token).filter(|it| it.span.contains(span));
                self.pieces.push(Piece {
                    span,
                    token: class.map(|token| token.class),
                    marks: Marks::default(),
                    edit: None,
                });
                at += 1;
            }
            line.pieces = (first, self.pieces.len());
        }
    }

    fn mark(&mut self, edits: &[Edit]) {
        let places = edits.iter().enumerate();
        let mut places: Vec<(usize, &Edit, &EditPlace)> = places
            .filter_map(|(n, edit)| Some((n, edit, edit.place(self.which)?)))
            .collect();
        // The innermost is the last to write its number.
        places.sort_by_key(|(_, _, place)| std::cmp::Reverse(place.span.len()));
        for (n, edit, place) in places {
            for part in &place.parts {
                let (first, end) = self.pieces_in(*part);
                for piece in &mut self.pieces[first..end] {
                    if !piece.span.of(&self.source).trim().is_empty() {
                        piece.marks.add(edit.to, edit.change.kind);
                        piece.edit = Some(n);
                    }
                }
            }
        }
        for line in &mut self.lines {
            for piece in &self.pieces[line.pieces.0..line.pieces.1] {
                line.marks.join(piece.marks);
            }
        }
    }

    /// The runs within a place: the first, and one past the last.
    pub(crate) fn pieces_in(&self, span: Span) -> (usize, usize) {
        let first = self
            .pieces
            .partition_point(|piece| piece.span.start < span.start);
        let end = self
            .pieces
            .partition_point(|piece| piece.span.end <= span.end);
        (first, end.max(first))
    }

    /// Its line in a row.
    pub(crate) fn line_in(&self, row: &Row) -> Option<&Line> {
        self.lines.get(row.line(self.which)?)
    }

    /// The line of a byte, from 0.
    pub(crate) fn line_of(&self, at: u32) -> usize {
        let after = self.lines.partition_point(|line| line.span.start <= at);
        after.saturating_sub(1)
    }

    /// The smallest node around a run.
    pub(crate) fn node_at(&self, piece: usize) -> Option<usize> {
        let span = self.pieces.get(piece)?.span;
        let nodes = &self.side.nodes;
        let after = nodes.partition_point(|node| node.span.start <= span.start);
        (0..after)
            .rev()
            .find(|&node| nodes[node].span.contains(span))
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        span.of(&self.source)
    }

    pub(crate) fn kind(&self, node: usize) -> &str {
        let kind = self.side.nodes.get(node).map(|node| node.kind);
        kind.and_then(|kind| self.side.kinds.get(kind))
            .map_or("", String::as_str)
    }
}

fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
