//! Places in a text, and edits of it. All offsets are UTF-8 bytes.

pub use diff::Span;

/// Byte offsets to lines and columns, both counted from 1; a column counts characters.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `source`; `\n` ends a line.
    pub fn new(source: &str) -> Self {
        let ends = source
            .bytes()
            .zip(1u32..)
            .filter(|&(byte, _)| byte == b'\n');
        Self {
            starts: std::iter::once(0)
                .chain(ends.map(|(_, next)| next))
                .collect(),
        }
    }

    /// The number of lines; a text without a line break has one.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }

    /// The line of a byte, from 1.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// Line and column of a byte, both from 1.
    pub fn line_column(&self, source: &str, offset: u32) -> (usize, usize) {
        let line = self.line(offset);
        let before = Span::new(self.starts[line - 1], offset).of(source);
        (line, before.chars().count() + 1)
    }
}

/// Puts `text` in the place of `span`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// Applies edits that are sorted and disjoint; an edit that is not is left out.
pub fn apply_edits(source: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for edit in edits {
        let Some(kept) = source.get(at..edit.span.start as usize) else {
            continue;
        };
        if source
            .get(edit.span.start as usize..edit.span.end as usize)
            .is_none()
        {
            continue;
        }
        out.push_str(kept);
        out.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    out.push_str(source.get(at..).unwrap_or_default());
    out
}
