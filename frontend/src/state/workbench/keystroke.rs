//! What the keys of a code editor do to a text. Offsets are UTF-8 bytes.

use std::ops::Range;

/// A key that the editor handles itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    /// Indents.
    Tab,
    /// Outdents.
    BackTab,
    /// Breaks the line and indents the next.
    Enter,
    /// Removes a level of indentation.
    Backspace,
}

/// Replace a range by a text and select a range of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    pub(crate) replace: Range<usize>,
    pub(crate) with: String,
    pub(crate) select: Range<usize>,
}

const LEVEL: usize = 4;

/// What a key changes; `None` leaves it to the browser.
pub(crate) fn change(key: Key, text: &str, selection: Range<usize>) -> Option<Change> {
    text.get(selection.clone())?;
    match key {
        Key::Tab if text[selection.clone()].contains('\n') => {
            Some(each_line(text, selection, indented))
        }
        Key::Tab => Some(insert(
            selection.clone(),
            " ".repeat(LEVEL - column(text, selection.start) % LEVEL),
        )),
        Key::BackTab => Some(each_line(text, selection, outdented)),
        Key::Enter => Some(new_line(text, selection)),
        Key::Backspace => remove_level(text, selection),
    }
}

/// The byte offset of an offset in UTF-16 units, as a browser counts.
pub(crate) fn byte_offset(text: &str, utf16: usize) -> usize {
    let mut units = 0;
    text.char_indices()
        .find(|(_, c)| {
            units += c.len_utf16();
            units > utf16
        })
        .map_or(text.len(), |(at, _)| at)
}

/// The inverse of [`byte_offset`].
pub(crate) fn utf16_offset(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).encode_utf16().count()
}

fn insert(replace: Range<usize>, with: String) -> Change {
    let caret = replace.start + with.len();
    Change {
        replace,
        with,
        select: caret..caret,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn column(text: &str, at: usize) -> usize {
    text[line_start(text, at)..at].chars().count()
}

fn each_line(text: &str, selection: Range<usize>, edit: fn(&str) -> String) -> Change {
    let start = line_start(text, selection.start);
    // A selection that ends before the first letter of a line does not mean that line.
    let last = if selection.is_empty() {
        selection.end
    } else {
        selection.end - 1
    };
    let last = text.floor_char_boundary(last);
    let end = text[last..]
        .find('\n')
        .map_or(text.len(), |newline| last + newline)
        .max(last);
    let lines: Vec<String> = text[start..end].split('\n').map(edit).collect();
    let with = lines.join("\n");
    if !selection.is_empty() {
        return Change {
            select: start..start + with.len(),
            replace: start..end,
            with,
        };
    }
    let removed = (end - start).saturating_sub(with.len());
    let caret = selection.start.saturating_sub(removed).max(start);
    Change {
        replace: start..end,
        with,
        select: caret..caret,
    }
}

fn indented(line: &str) -> String {
    if line.is_empty() {
        String::new()
    } else {
        format!("{}{line}", " ".repeat(LEVEL))
    }
}

fn outdented(line: &str) -> String {
    let blanks = line
        .bytes()
        .take(LEVEL)
        .take_while(|&byte| byte == b' ')
        .count();
    if blanks == 0 {
        line.strip_prefix('\t').unwrap_or(line).to_owned()
    } else {
        line[blanks..].to_owned()
    }
}

fn new_line(text: &str, selection: Range<usize>) -> Change {
    let line = &text[line_start(text, selection.start)..selection.start];
    let indent = &line[..line.len() - line.trim_start().len()];
    let (open, code) = scan(line);
    let code = code.trim();
    let deeper = format!("\n{indent}{}", " ".repeat(LEVEL));
    if let Some(bracket) = open {
        if text[selection.end..].starts_with(closing(bracket)) {
            let caret = selection.start + deeper.len();
            return Change {
                with: format!("{deeper}\n{indent}"),
                replace: selection,
                select: caret..caret,
            };
        }
        return insert(selection, deeper);
    }
    if code.ends_with(':') {
        return insert(selection, deeper);
    }
    let leaves = ["return", "pass", "break", "continue", "raise"];
    let ends_block = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .is_some_and(|word| leaves.contains(&word));
    let indent = if ends_block {
        outdented(indent)
    } else {
        indent.to_owned()
    };
    insert(selection, format!("\n{indent}"))
}

/// The innermost bracket that a line leaves open, and the line without its comment.
fn scan(line: &str) -> (Option<char>, &str) {
    let mut open = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if let Some(end) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == end {
                quote = None;
            }
            continue;
        }
        match c {
            '\'' | '"' => quote = Some(c),
            '#' => return (open.last().copied(), &line[..at]),
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    (open.last().copied(), line)
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn remove_level(text: &str, selection: Range<usize>) -> Option<Change> {
    let start = line_start(text, selection.start);
    let before = &text[start..selection.start];
    if !selection.is_empty() || before.is_empty() || !before.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let n = (before.len() - 1) % LEVEL + 1;
    let caret = selection.start - n;
    Some(Change {
        replace: caret..selection.start,
        with: String::new(),
        select: caret..caret,
    })
}
