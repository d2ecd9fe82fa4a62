//! Where things stand in a class's source. Works on lines, so that it holds for any text.

use std::ops::Range;

use shared::api::SubjectBody;

/// Another method of the class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sibling {
    pub(crate) name: String,
    /// The line of its `def`, from 0.
    pub(crate) line: usize,
    /// What it is for, from the skeleton; may be empty.
    pub(crate) summary: String,
}

/// The lines (from 0) of the subject's method in the class's source.
pub(crate) fn target_lines(body: &SubjectBody) -> Option<Range<usize>> {
    let lines: Vec<&str> = body.class.source.lines().collect();
    let own: Vec<&str> = body
        .subject
        .source
        .trim_end()
        .lines()
        .map(str::trim)
        .collect();
    let own_def = own
        .iter()
        .position(|line| defines(line, &body.subject.method))
        .unwrap_or_default();
    let after_def = &own[own_def.min(own.len())..];
    let matching = |at: usize| {
        lines[at..]
            .iter()
            .zip(after_def)
            .take_while(|(a, b)| a.trim() == **b)
            .count()
    };
    let def = (0..lines.len())
        .filter(|&at| defines(lines[at].trim(), &body.subject.method))
        .max_by_key(|&at| (matching(at), std::cmp::Reverse(at)))?;
    let is_decorator = |at: usize| lines[at].trim_start().starts_with('@');
    let start = (0..def)
        .rev()
        .take_while(|&at| is_decorator(at))
        .last()
        .unwrap_or(def);
    Some(start..(def + after_def.len()).min(lines.len()))
}

/// The lines of the method's body among its `lines`: all below its signature.
pub(crate) fn body_lines(source: &str, lines: &Range<usize>) -> Range<usize> {
    let signature_end = source
        .lines()
        .enumerate()
        .take(lines.end)
        .skip(lines.start)
        .find(|(_, line)| line.trim_end().ends_with(':'));
    let start = signature_end.map_or(lines.start, |(at, _)| at + 1);
    start.min(lines.end)..lines.end
}

/// The source with those lines blank, as long as before: every place and colour stays where it is.
pub(crate) fn veiled(source: &str, lines: &Range<usize>) -> String {
    let blank = |(at, line): (usize, &str)| {
        if !lines.contains(&at) {
            return line.to_owned();
        }
        let text = line.trim_end_matches(['\n', '\r']);
        " ".repeat(text.len()) + &line[text.len()..]
    };
    source
        .split_inclusive('\n')
        .enumerate()
        .map(blank)
        .collect()
}

/// The other methods, in the order of the source.
pub(crate) fn siblings(body: &SubjectBody) -> Vec<Sibling> {
    let lines: Vec<&str> = body.class.source.lines().collect();
    let mut siblings: Vec<Sibling> = body
        .context
        .methods
        .iter()
        .filter(|&name| *name != body.subject.method)
        .filter_map(|name| {
            let line = lines.iter().position(|line| defines(line.trim(), name))?;
            Some(Sibling {
                name: name.clone(),
                line,
                summary: summary(&body.class.skeleton, name),
            })
        })
        .collect();
    siblings.sort_by_key(|sibling| sibling.line);
    siblings
}

/// The line (from 0) that an author's note points to, rather outside the method than in it.
pub(crate) fn deciding_line(body: &SubjectBody, decides: &str) -> Option<usize> {
    let target = target_lines(body).unwrap_or_default();
    let lines = body.class.source.lines().enumerate();
    let mut found = lines
        .filter(|(_, line)| line.trim() == decides.trim())
        .map(|(at, _)| at);
    let first = found.next()?;
    Some(
        std::iter::once(first)
            .chain(found)
            .find(|at| !target.contains(at))
            .unwrap_or(first),
    )
}

fn defines(line: &str, name: &str) -> bool {
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("def ")
        .and_then(|rest| rest.trim_start().strip_prefix(name))
        .is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// The first paragraph of a method's docstring in the skeleton, as one line.
fn summary(skeleton: &str, name: &str) -> String {
    let mut lines = skeleton
        .lines()
        .skip_while(|line| !defines(line.trim(), name))
        .skip(1)
        .peekable();
    let Some(first) = lines.next_if(|line| line.trim().starts_with("\"\"\"")) else {
        return String::new();
    };
    let first = first.trim().trim_start_matches('"');
    let rest = lines.map(str::trim);
    let ends = |line: &str| {
        line.is_empty()
            || line.starts_with(':')
            || line.starts_with(">>>")
            || line.starts_with("\"\"\"")
    };
    let mut words = Vec::new();
    if let Some((only, _)) = first.split_once("\"\"\"") {
        words.push(only);
    } else {
        words.push(first);
        for line in rest
            .skip_while(|line| first.is_empty() && line.is_empty())
            .take_while(|line| !ends(line))
        {
            let (text, is_last) = line
                .split_once("\"\"\"")
                .map_or((line, false), |(text, _)| (text, true));
            words.push(text);
            if is_last {
                break;
            }
        }
    }
    words.join(" ").trim().to_owned()
}
