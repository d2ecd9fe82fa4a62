//! A requirement text cut into parts that are shown differently. No word is left out.

/// A signature and the blocks of its docstring.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Requirement {
    pub(crate) signature: String,
    pub(crate) blocks: Vec<Block>,
}

/// A part of a docstring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Block {
    /// A paragraph.
    Text(String),
    /// `:param name: text`: what stands between the colons, and the text.
    Field(String, String),
    /// A doctest-style example with its output.
    Example(String),
}

/// Reads a signature and docstring; text that is neither becomes paragraphs.
pub(crate) fn read(text: &str) -> Requirement {
    let is_signature = |line: &str| {
        line.starts_with('@') || line.starts_with("def ") || line.starts_with("async def ")
    };
    let mut signature: Vec<&str> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next_if(|line| {
        signature
            .last()
            .map_or_else(|| is_signature(line.trim()), |last| !last.ends_with(':'))
            && !opens_docstring(line.trim())
    }) {
        signature.push(line.trim_end());
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in lines.map(without_quotes) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let field = trimmed
            .strip_prefix(':')
            .and_then(|rest| rest.split_once(':'));
        match (field, blocks.last_mut()) {
            (Some((name, rest)), _) => {
                blocks.push(Block::Field(name.trim().to_owned(), rest.trim().to_owned()));
            }
            (None, Some(Block::Example(example))) if open => {
                example.push('\n');
                example.push_str(trimmed);
            }
            (None, _) if trimmed.starts_with(">>>") => {
                blocks.push(Block::Example(trimmed.to_owned()));
            }
            (None, Some(Block::Text(text) | Block::Field(_, text))) if open => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(trimmed);
            }
            _ => blocks.push(Block::Text(trimmed.to_owned())),
        }
        open = true;
    }
    Requirement {
        signature: dedent(&signature),
        blocks,
    }
}

fn opens_docstring(line: &str) -> bool {
    ["\"\"\"", "'''", "\u{201c}"]
        .iter()
        .any(|quotes| line.starts_with(quotes))
}

/// A line of a docstring without the quotes that open or close it.
fn without_quotes(line: &str) -> &str {
    let is_quote = |c: char| matches!(c, '\u{201c}' | '\u{201d}');
    let trimmed = line.trim();
    let trimmed = trimmed
        .trim_start_matches("\"\"\"")
        .trim_end_matches("\"\"\"");
    let trimmed = trimmed.trim_start_matches("'''").trim_end_matches("'''");
    if trimmed.len() == line.trim().len()
        && trimmed.contains(|c| !is_quote(c))
        && trimmed.chars().filter(|&c| is_quote(c)).count() < 3
    {
        return line;
    }
    trimmed.trim_matches(is_quote)
}

fn dedent(lines: &[&str]) -> String {
    let blanks = |line: &&&str| line.len() - line.trim_start().len();
    let least = lines
        .iter()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| blanks(&line))
        .min()
        .unwrap_or_default();
    let least = least.saturating_sub(LEVEL);
    let cut = |(at, line): (usize, &&str)| {
        if at == 0 {
            line.trim_start().to_owned()
        } else {
            line.get(least..).unwrap_or(line).to_owned()
        }
    };
    lines
        .iter()
        .enumerate()
        .map(cut)
        .collect::<Vec<_>>()
        .join("\n")
}

const LEVEL: usize = 4;
