//! Two texts compared by GumTree, as plain data for the page.

use std::ops::Range;

use shared::diff::{
    Diff, DiffNodeId, DiffOptions, DiffTree, EditAction, MatchedBy, MatcherId, Parent, TokenChange,
    diff,
};
use shared::syntax::{Parsed, abstraction, highlight, parse_python};
use shared::text::Span;

use crate::worker::compare::protocol::{
    DiffEdit, DiffNode, DiffSide, DiffView, EditKind, EditPlace,
};

/// What corresponds between two texts, and the edits that turn the first into the second.
pub(crate) fn compare(a: &str, b: &str, matcher: MatcherId) -> DiffView {
    let options = DiffOptions {
        matcher,
        ..DiffOptions::default()
    };
    compare_within(a, b, &options)
}

fn compare_within(a: &str, b: &str, options: &DiffOptions) -> DiffView {
    let (src, dst) = (Program::read(a), Program::read(b));
    let diff = diff(&src.tree, &dst.tree, options);
    let pair = Pair {
        src: &src,
        dst: &dst,
        diff: &diff,
    };
    let edits = if let Some(fallback) = &diff.fallback {
        fallback.changes.iter().map(token_edit).collect()
    } else {
        let script = diff.simplified(&src.tree, &dst.tree);
        script.into_iter().map(|action| pair.edit(action)).collect()
    };
    let mappings = &diff.mappings;
    DiffView {
        a: src.side(|node| Some((mappings.dst_of(node)?, mappings.matched_by(node)?))),
        b: dst.side(|node| {
            let partner = mappings.src_of(node)?;
            Some((partner, mappings.matched_by(partner)?))
        }),
        edits,
        fallback: diff.fallback.map(|fallback| fallback.reason.to_string()),
    }
}

/// A text and its trees.
struct Program<'a> {
    text: &'a str,
    parsed: Parsed,
    tree: DiffTree,
}

impl<'a> Program<'a> {
    fn read(text: &'a str) -> Self {
        let parsed = parse_python(text);
        let tree = abstraction::PYTHON.diff_tree(&parsed.tree);
        Self { text, parsed, tree }
    }

    fn side(&self, partner: impl Fn(DiffNodeId) -> Option<(DiffNodeId, MatchedBy)>) -> DiffSide {
        let mut kinds: Vec<String> = Vec::new();
        let mut nodes: Vec<DiffNode> = Vec::with_capacity(self.tree.n_nodes());
        for id in self.tree.ids() {
            let name = self.tree.kind(id);
            let kind = kinds.iter().position(|known| known == name);
            let kind = kind.unwrap_or_else(|| {
                kinds.push(name.to_owned());
                kinds.len() - 1
            });
            let parent = self.tree.parent(id);
            nodes.push(DiffNode {
                kind,
                span: self.tree.span(id),
                depth: parent.map_or(0, |parent| nodes[index(parent)].depth + 1),
                partner: partner(id).map(|(node, by)| (index(node), by)),
            });
        }
        DiffSide {
            tokens: highlight::tokens(&self.parsed.tree),
            n_errors: self.parsed.errors.len(),
            kinds,
            nodes,
        }
    }

    /// Where an edit of a node shows.
    fn place(&self, node: DiffNodeId, is_alone: bool) -> EditPlace {
        let span = self.tree.span(node);
        EditPlace {
            node: Some(index(node)),
            span,
            parts: if is_alone { self.own(node) } else { vec![span] },
        }
    }

    /// The text of a node that is no child's.
    fn own(&self, node: DiffNodeId) -> Vec<Span> {
        let span = self.tree.span(node);
        let mut parts = Vec::new();
        let mut at = span.start;
        let children = self.tree.children(node).map(|child| self.tree.span(child));
        for child in children.chain([Span::new(span.end, span.end)]) {
            parts.extend(trimmed(self.text, at..child.start));
            at = at.max(child.end);
        }
        parts
    }

    /// An inner node whose children are not all edited with it.
    fn is_inner(&self, node: DiffNodeId) -> bool {
        self.tree.children(node).next().is_some()
    }
}

fn index(node: DiffNodeId) -> usize {
    node.0 as usize
}

/// A range without the white space at its ends; `None` where there is nothing else.
fn trimmed(text: &str, range: Range<u32>) -> Option<Span> {
    let part = Span::new(range.start, range.end).of(text);
    let n_before = part.len() - part.trim_start().len();
    let start = range.start + u32::try_from(n_before).ok()?;
    let end = start + u32::try_from(part.trim().len()).ok()?;
    (start < end).then_some(Span::new(start, end))
}

struct Pair<'a> {
    src: &'a Program<'a>,
    dst: &'a Program<'a>,
    diff: &'a Diff,
}

impl Pair<'_> {
    fn edit(&self, action: EditAction) -> DiffEdit {
        let (src, dst) = (self.src, self.dst);
        match action {
            EditAction::Insert { node, parent, .. } => DiffEdit {
                into: self.kind(parent),
                b: Some(dst.place(node, true)),
                alone: dst.is_inner(node),
                ..edit(EditKind::Insert, dst.tree.kind(node))
            },
            EditAction::InsertTree { node, parent, .. } => DiffEdit {
                into: self.kind(parent),
                b: Some(dst.place(node, false)),
                ..edit(EditKind::Insert, dst.tree.kind(node))
            },
            EditAction::Update { node, to } => {
                let (mut a, mut b) = (src.place(node, true), dst.place(to, true));
                let words = changed_words(a.span.of(src.text), b.span.of(dst.text));
                if let Some((in_a, in_b)) = words {
                    a.parts = vec![within(a.span, &in_a)];
                    b.parts = vec![within(b.span, &in_b)];
                }
                DiffEdit {
                    by: self.diff.mappings.matched_by(node),
                    a: Some(a),
                    b: Some(b),
                    ..edit(EditKind::Update, src.tree.kind(node))
                }
            }
            EditAction::Move { node, parent, .. } => DiffEdit {
                into: self.kind(parent),
                by: self.diff.mappings.matched_by(node),
                a: Some(src.place(node, false)),
                b: (self.diff.mappings.dst_of(node)).map(|to| dst.place(to, false)),
                ..edit(EditKind::Move, src.tree.kind(node))
            },
            EditAction::Delete { node } => DiffEdit {
                a: Some(src.place(node, true)),
                alone: src.is_inner(node),
                ..edit(EditKind::Delete, src.tree.kind(node))
            },
            EditAction::DeleteTree { node } => DiffEdit {
                a: Some(src.place(node, false)),
                ..edit(EditKind::Delete, src.tree.kind(node))
            },
        }
    }

    fn kind(&self, parent: Parent) -> Option<String> {
        let kind = match parent {
            Parent::Src(node) => self.src.tree.kind(node),
            Parent::Dst(node) => self.dst.tree.kind(node),
            Parent::Root => return None,
        };
        Some(kind.to_owned())
    }
}

/// What differs between two texts of several words, in whole words; `None` where that is all or nothing.
fn changed_words(a: &str, b: &str) -> Option<(Range<usize>, Range<usize>)> {
    if !a.contains(char::is_whitespace) {
        return None;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let alike = |(x, y): &(u8, u8)| x == y;
    let mut from = a.bytes().zip(b.bytes()).take_while(alike).count();
    while from > 0 && (!a.is_char_boundary(from) || a[..from].ends_with(is_word)) {
        from -= 1;
    }
    let most = a.len().min(b.len()) - from;
    let ends = a.bytes().rev().zip(b.bytes().rev()).take(most);
    let mut n_tail = ends.take_while(alike).count();
    let tail = |n: usize| a.len() - n;
    while n_tail > 0
        && (!a.is_char_boundary(tail(n_tail)) || a[tail(n_tail)..].starts_with(is_word))
    {
        n_tail -= 1;
    }
    let (in_a, in_b) = (from..a.len() - n_tail, from..b.len() - n_tail);
    (!in_a.is_empty() && !in_b.is_empty()).then_some((in_a, in_b))
}

/// A part of a place.
fn within(place: Span, part: &Range<usize>) -> Span {
    let at = |n: usize| place.start + u32::try_from(n).unwrap_or(place.len());
    Span::new(at(part.start), at(part.end))
}

/// An edit without its places.
fn edit(kind: EditKind, what: &str) -> DiffEdit {
    DiffEdit {
        kind,
        what: what.to_owned(),
        alone: false,
        into: None,
        by: None,
        a: None,
        b: None,
    }
}

fn token_edit(change: &TokenChange) -> DiffEdit {
    let place = |span: Span| {
        (!span.is_empty()).then(|| EditPlace {
            node: None,
            span,
            parts: vec![span],
        })
    };
    let (a, b) = (place(change.src), place(change.dst));
    let kind = match (&a, &b) {
        (None, _) => EditKind::Insert,
        (_, None) => EditKind::Delete,
        _ => EditKind::Update,
    };
    DiffEdit {
        a,
        b,
        ..edit(kind, "token")
    }
}

#[cfg(test)]
mod tests;
