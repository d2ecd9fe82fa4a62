//! Python line by line, without a parser: what a line continues, what it defines, how far it is
//! indented. Works on text that is partly prose, and on code that is cut off.

use crate::text::Span;

/// What is open at the end of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenText {
    /// The quote of a triple-quoted string.
    quote: Option<u8>,
    /// Brackets.
    depth: u32,
    /// The line ended with a backslash.
    backslash: bool,
}

impl OpenText {
    /// Whether the next line begins inside a string.
    pub(super) fn is_string(self) -> bool {
        self.quote.is_some()
    }

    /// Whether the next line goes on with a statement.
    pub(super) fn is_statement(self) -> bool {
        self.quote.is_some() || self.depth > 0 || self.backslash
    }

    /// What is open after a line. A `def`, a `class` or a decorator begins no line inside brackets:
    /// brackets that are open there were never closed.
    pub(super) fn after(mut self, line: &str) -> Self {
        if self.quote.is_none() && begins_statement(line.trim_start()) {
            self.depth = 0;
        }
        self.backslash = false;
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            if let Some(quote) = self.quote {
                if byte == b'\\' {
                    at += 2;
                } else if is_triple(rest, quote) {
                    self.quote = None;
                    at += 3;
                } else {
                    at += 1;
                }
                continue;
            }
            match byte {
                b'#' => return self,
                b'"' | b'\'' if is_triple(rest, byte) => {
                    self.quote = Some(byte);
                    at += 3;
                    continue;
                }
                b'"' | b'\'' => at += short_string(rest, byte),
                b'(' | b'[' | b'{' => self.depth += 1,
                b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                b'\\' if rest.len() == 1 => self.backslash = true,
                _ => {}
            }
            at += 1;
        }
        self
    }
}

fn is_triple(rest: &[u8], quote: u8) -> bool {
    rest.starts_with(&[quote; 3])
}

/// The bytes up to the closing quote, or up to the line's end.
fn short_string(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A line that defines a class or a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) is_class: bool,
    /// Where the name is, in the trimmed line.
    pub(super) name: Span,
}

/// Whether a trimmed line defines something.
pub(super) fn heading(trimmed: &str) -> Option<Heading> {
    let space = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let mut at = 0;
    if let Some(rest) = trimmed.strip_prefix("async")
        && space(rest) > 0
    {
        at += "async".len() + space(rest);
    }
    let rest = &trimmed[at..];
    let (is_class, rest) = match (rest.strip_prefix("def"), rest.strip_prefix("class")) {
        (Some(after), _) => (false, after),
        (_, Some(after)) => (true, after),
        _ => return None,
    };
    let n_space = space(rest);
    if n_space == 0 {
        return None;
    }
    let start = trimmed.len() - rest.len() + n_space;
    let rest = &trimmed[start..];
    let n_name = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let after = rest[n_name..].trim_start();
    let opens = after.starts_with(['(', '[']) || is_class && after.starts_with(':');
    (n_name > 0 && opens).then(|| Heading {
        is_class,
        name: Span::new(index(start), index(start + n_name)),
    })
}

/// Whether a trimmed line decorates what follows.
pub(super) fn is_decorator(trimmed: &str) -> bool {
    trimmed
        .strip_prefix('@')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether a trimmed line looks like an import.
pub(super) fn imports(trimmed: &str) -> bool {
    trimmed.starts_with("import ") || trimmed.starts_with("from ") && trimmed.contains(" import ")
}

/// Whether a trimmed line can stand in no brackets.
pub(super) fn begins_statement(trimmed: &str) -> bool {
    heading(trimmed).is_some() || is_decorator(trimmed)
}

/// The blanks that a line begins with.
pub(super) fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Lines without their line breaks, and where each begins.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len() + 1;
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    })
}

/// Offsets are 32 bits: no text that is parsed is longer.
pub(super) fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
