//! Source text cut into runs that look alike: one colour, one set of marks.

use shared::syntax::highlight::{Token, TokenClass};
use shared::text::Span;

/// Something to show about a place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) span: Span,
    pub(crate) kind: MarkKind,
}

/// What a mark says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum MarkKind {
    /// A place that the shown instance hides.
    Site,
    /// The place that the reader asked for.
    Focus,
    /// No Python.
    Error,
    /// Text that a filling changed.
    Filled,
}

impl MarkKind {
    /// The class name of a run with this mark.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Site => "mark mark--site",
            Self::Focus => "mark mark--focus",
            Self::Error => "mark mark--error",
            Self::Filled => "mark mark--filled",
        }
    }
}

/// A run of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) span: Span,
    pub(crate) token: Option<TokenClass>,
    pub(crate) marks: Vec<MarkKind>,
}

impl Segment {
    /// The class names of the run.
    pub(crate) fn class(&self) -> String {
        let mut class = self.token.map_or("", token_class).to_owned();
        for mark in &self.marks {
            if !class.is_empty() {
                class.push(' ');
            }
            class.push_str(mark.class());
        }
        class
    }
}

/// Cuts the part `within` of `source`; `tokens` are sorted and disjoint. The runs cover it without gaps.
pub(crate) fn segments(
    source: &str,
    tokens: &[Token],
    marks: &[Mark],
    within: Span,
) -> Vec<Segment> {
    let end = within
        .end
        .min(u32::try_from(source.len()).unwrap_or(u32::MAX));
    let (start, spans) = (within.start, tokens.iter().map(|token| token.span));
    let mut cuts: Vec<u32> = spans
        .chain(marks.iter().map(|mark| mark.span))
        .flat_map(|span| [span.start, span.end])
        .filter(|&at| start < at && at < end && source.is_char_boundary(at as usize))
        .chain([start, end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut next_token = 0;
    cuts.windows(2)
        .map(|cut| {
            let span = Span::new(cut[0], cut[1]);
            while tokens
                .get(next_token)
                .is_some_and(|token| token.span.end <= span.start)
            {
                next_token += 1;
            }
            let token = tokens
                .get(next_token)
                .filter(|token| token.span.contains(span))
                .map(|token| token.class);
            let mut kinds: Vec<MarkKind> = marks
                .iter()
                .filter(|mark| mark.span.contains(span))
                .map(|mark| mark.kind)
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            Segment {
                span,
                token,
                marks: kinds,
            }
        })
        .collect()
}

/// How places move by an edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    prefix: usize,
    resumes: usize,
    old_len: usize,
    new_len: usize,
}

impl Shift {
    /// The edit that makes `new` of `old`: what lies between their common beginning and end.
    pub(crate) fn between(old: &str, new: &str) -> Self {
        let prefix = old
            .bytes()
            .zip(new.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let longest = old.len().min(new.len()) - prefix;
        let suffix = old
            .bytes()
            .rev()
            .zip(new.bytes().rev())
            .take(longest)
            .take_while(|(a, b)| a == b)
            .count();
        Self {
            prefix,
            resumes: old.len() - suffix,
            old_len: old.len(),
            new_len: new.len(),
        }
    }

    /// Where a place of the old text is in the new; `None` where the edit touches it.
    pub(crate) fn of(self, span: Span) -> Option<Span> {
        if span.end as usize <= self.prefix {
            return Some(span);
        }
        let moved = |at: u32| u32::try_from(at as usize + self.new_len - self.old_len).ok();
        if (span.start as usize) < self.resumes {
            return None;
        }
        Some(Span::new(moved(span.start)?, moved(span.end)?))
    }
}

/// The class name of a colour.
pub(crate) fn token_class(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "tok-keyword",
        TokenClass::String => "tok-string",
        TokenClass::Number => "tok-number",
        TokenClass::Constant => "tok-constant",
        TokenClass::Comment => "tok-comment",
        TokenClass::Function => "tok-function",
        TokenClass::Attribute => "tok-attribute",
        TokenClass::Receiver => "tok-receiver",
        TokenClass::Operator => "tok-operator",
        TokenClass::Annotation => "tok-annotation",
        TokenClass::Error => "tok-error",
    }
}
