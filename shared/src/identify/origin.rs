//! Where the bytes of an extracted method stood in its reply: names that were put back and lines that
//! were laid out anew have moved them.

use crate::identify::lines::index;
use crate::text::{Span, TextEdit, apply_edits};

/// Leads from places of a method back to its reply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Where the method's text began in the reply.
    start: u32,
    /// The edits that were made of it, one set after the other: what went, and how long what came is.
    steps: Vec<Vec<(Span, u32)>>,
}

/// A text that is edited and remembers it.
pub(super) struct Rewriting {
    pub(super) text: String,
    pub(super) origin: Origin,
}

impl Rewriting {
    /// The text as it stands from a byte of the reply on.
    pub(super) fn new(text: &str, start: u32) -> Self {
        Self {
            text: text.to_owned(),
            origin: Origin {
                start,
                steps: Vec::new(),
            },
        }
    }

    /// Makes edits that are sorted and disjoint.
    pub(super) fn edit(&mut self, edits: &[TextEdit]) {
        if edits.is_empty() {
            return;
        }
        self.text = apply_edits(&self.text, edits);
        let lengths = edits.iter().map(|edit| (edit.span, index(edit.text.len())));
        self.origin.steps.push(lengths.collect());
    }
}

impl Origin {
    /// Where in the reply a place of the method comes from, in order: what was replaced in it counts
    /// whole, what was put in from elsewhere comes from nowhere.
    pub fn in_reply(&self, place: Span) -> Vec<Span> {
        let mut places = vec![place];
        for edits in self.steps.iter().rev() {
            let mut before = Vec::with_capacity(places.len());
            for place in places {
                undo(edits, place, &mut before);
            }
            places = before;
        }
        let moved = places
            .into_iter()
            .map(|at| Span::new(self.start + at.start, self.start + at.end));
        moved.collect()
    }
}

/// The parts of a text before edits that a place after them comes from.
fn undo(edits: &[(Span, u32)], place: Span, out: &mut Vec<Span>) {
    let mut add = |part: Span| match out.last_mut() {
        _ if part.is_empty() => {}
        Some(last) if last.end == part.start => last.end = part.end,
        _ => out.push(part),
    };
    // How far the text before and the text after are read.
    let (mut before, mut after) = (0, 0);
    for &(span, n) in edits {
        let kept = span.start - before;
        add(cut(place, after, before, kept));
        after += kept;
        let is_over = place.start < after + n && after < place.end;
        if is_over {
            add(span);
        }
        (before, after) = (span.end, after + n);
    }
    add(cut(place, after, before, u32::MAX - after.max(before)));
}

/// The part of `n` bytes, which stand at `after` now and stood at `before`, that is in a place.
fn cut(place: Span, after: u32, before: u32, n: u32) -> Span {
    let start = place.start.clamp(after, after + n);
    let end = place.end.clamp(after, after + n);
    Span::new(start - after + before, end - after + before)
}

#[cfg(test)]
mod tests {
    use super::Rewriting;
    use crate::text::{Span, TextEdit};

    #[track_caller]
    fn check(edits: &[&[(u32, u32, &str)]], place: &str, expected: &[&str]) {
        let reply = "reply: def f(a, b): return a + b";
        let mut text = Rewriting::new(&reply[7..], 7);
        for edits in edits {
            let edits = edits.iter().map(|&(start, end, text)| TextEdit {
                span: Span::new(start, end),
                text: text.to_owned(),
            });
            text.edit(&edits.collect::<Vec<_>>());
        }
        let at = u32::try_from(text.text.find(place).unwrap()).unwrap();
        let n = u32::try_from(place.len()).unwrap();
        let found = text.origin.in_reply(Span::new(at, at + n));
        let found: Vec<&str> = found.iter().map(|span| span.of(reply)).collect();
        assert_eq!(found, expected, "{}", text.text);
    }

    #[test]
    fn what_stayed_is_found_where_it_was() {
        check(&[], "a + b", &["a + b"]);
        check(&[&[(0, 0, "@x\n")]], "a + b", &["a + b"]);
        check(&[&[(0, 0, "@x\n")]], "@x", &[]);
    }

    #[test]
    fn what_was_replaced_counts_whole() {
        let renamed: &[(u32, u32, &str)] = &[(6, 7, "first"), (20, 21, "first")];
        check(&[renamed], "first + b", &["a + b"]);
        check(&[renamed], "irst + b", &["a + b"]);
        check(
            &[renamed, &[(17, 17, "\n   ")]],
            "return first",
            &["return a"],
        );
    }

    #[test]
    fn what_was_taken_out_inside_a_place_counts() {
        check(&[&[(13, 20, "")]], "a + b", &["a + b"]);
        check(&[&[(21, 22, "")]], "a+ b", &["a + b"]);
        check(&[&[(21, 24, "")]], "b", &["b"]);
    }
}
