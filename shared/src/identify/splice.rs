//! A method laid out as its target has it, and put into its class byte by byte.

use crate::identify::lines::{self, OpenText};
use crate::syntax::outline;
use crate::syntax::{self, Kind};
use crate::text::{Span, TextEdit, apply_edits};

/// How a method is indented: benchmarks cut methods out of classes with their first line at the
/// margin and all others where they were.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Layout {
    /// Of the `def` line in its class; of continued signatures too.
    pub(super) head: String,
    /// Of the first statement.
    pub(super) body: String,
    /// Whether lines end with `\r\n`.
    pub(super) crlf: bool,
}

impl Layout {
    /// The layout of a method's text whose `def` line is indented by `head`; its first line stands
    /// without its indentation.
    pub(super) fn of(text: &str, head: &str) -> Self {
        Self {
            head: head.to_owned(),
            body: body_indentation(text).map_or_else(|| format!("{head}    "), str::to_owned),
            crlf: text.contains("\r\n"),
        }
    }
}

/// Where a method stands in its class's module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// From its `def` or its first decorator on, as the subject's own text has it.
    pub(super) span: Span,
    pub(super) layout: Layout,
}

impl Place {
    /// Finds a method in a module by its class and name; `source` is its own text.
    pub(super) fn find(module: &str, class: &str, method: &str, source: &str) -> Option<Self> {
        let tree = syntax::parse_python(module).tree;
        let class = outline::class(&tree, class)?;
        let mut node = outline::method_of(&tree, class, method)?;
        let definition = tree
            .subtree(node)
            .find(|&id| tree.kind(id) == Kind::FunctionDefinition)?;
        if !source.starts_with('@') {
            node = definition;
        }
        let start = tree.span(node).start;
        let own = source.trim_end();
        // A comment after the last statement is the method's in its own text, but not in the tree.
        let is_own = module
            .get(start as usize..)
            .is_some_and(|rest| rest.starts_with(own));
        let end = if is_own {
            start + lines::index(own.len())
        } else {
            tree.span(node).end
        };
        let span = Span::new(start, end);
        let before = module
            .get(..tree.span(definition).start as usize)
            .unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        Some(Self {
            layout: Layout::of(span.of(module), lines::indentation(line)),
            span,
        })
    }

    /// The module with `method` in this place.
    pub(super) fn splice(&self, module: &str, method: String) -> String {
        apply_edits(
            module,
            &[TextEdit {
                span: self.span,
                text: method,
            }],
        )
    }
}

/// What lays out a method whose `def` line was indented by `head`. Lines inside strings stay as they are.
pub(super) fn fit(text: &str, head: &str, to: &Layout) -> Vec<TextEdit> {
    let from = Layout::of(text, head);
    let first_is_head = !lines::is_decorator(text);
    let is_laid_out = from.body == to.body && (from.head == to.head || first_is_head);
    let mut edits = Vec::new();
    if is_laid_out && from.crlf == to.crlf {
        return edits;
    }
    let line_break = if to.crlf { "\r\n" } else { "\n" };
    let mut open = OpenText::default();
    let mut state = Part::Head;
    let mut end = 0;
    for (at, line) in lines::lines(text) {
        let in_string = open.is_string();
        state = state.at(line, open);
        open = open.after(line);
        // From the end of the line before to where this one's own text begins.
        let (mut to_here, mut indentation) = (at, "");
        if at > 0 && !in_string && !is_laid_out {
            let shifted = match state {
                Part::Body => shift(line, &from.body, &to.body),
                _ => None,
            };
            let shifted = shifted.or_else(|| shift(line, &from.head, &to.head));
            let own = lines::indentation(line);
            let (new, rest) = shifted.unwrap_or((own, line.trim_start()));
            let is_blank = rest.trim().is_empty();
            indentation = if is_blank { "" } else { new };
            to_here += if is_blank {
                line.len()
            } else {
                line.len() - rest.len()
            };
        }
        if at > 0 {
            let before = Span::new(lines::index(end), lines::index(to_here));
            let new = format!("{line_break}{indentation}");
            if before.of(text) != new {
                let (span, text) = (before, new);
                edits.push(TextEdit { span, text });
            }
        }
        end = at + line.len();
    }
    edits
}

fn shift<'a>(line: &'a str, from: &str, to: &'a str) -> Option<(&'a str, &'a str)> {
    line.strip_prefix(from).map(|rest| (to, rest))
}

/// What part of a method a line is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Decorators.
    Head,
    /// The `def` line and what continues it.
    Signature,
    /// The statements.
    Body,
}

impl Part {
    /// The part of the next line, where `open` is what the line before leaves open.
    fn at(self, line: &str, open: OpenText) -> Self {
        match self {
            Self::Head if lines::heading(line.trim_start()).is_some() => Self::Signature,
            Self::Signature if !open.is_statement() => Self::Body,
            part => part,
        }
    }
}

/// The indentation of a method's first statement; `None` where it is on the `def` line.
fn body_indentation(text: &str) -> Option<&str> {
    let mut open = OpenText::default();
    let mut state = Part::Head;
    for (_, line) in lines::lines(text) {
        state = state.at(line, open);
        let trimmed = line.trim();
        if state == Part::Body && !trimmed.is_empty() && !trimmed.starts_with('#') {
            return Some(lines::indentation(line));
        }
        open = open.after(line);
    }
    None
}

/// What gives the method the name that it was asked for under.
pub(super) fn with_name(text: &str, name: &str) -> Option<TextEdit> {
    let tree = syntax::parse_python(text).tree;
    let node = outline::method(&tree).and_then(|method| tree.field(method, "name"))?;
    (tree.text(node) != name).then(|| TextEdit {
        span: tree.span(node),
        text: name.to_owned(),
    })
}

/// What gives the method, whose `def` line was indented by `head`, the decorators of `reference` where it
/// has none itself. A method that takes its receiver is not made static.
pub(super) fn with_decorators(text: &str, head: &str, reference: &str) -> Option<TextEdit> {
    if lines::is_decorator(text) || !lines::is_decorator(reference) {
        return None;
    }
    let tree = syntax::parse_python(text).tree;
    let parameters = outline::method(&tree).and_then(|method| tree.field(method, "parameters"));
    let first = parameters.and_then(|list| tree.named_children(list).next());
    let takes_receiver = first.is_some_and(|first| matches!(tree.text(first), "self" | "cls"));
    let mut decorators = String::new();
    for (_, line) in lines::lines(reference) {
        let trimmed = line.trim();
        if lines::heading(trimmed).is_some() {
            break;
        }
        if !(takes_receiver && trimmed == "@staticmethod") {
            decorators.push_str(trimmed);
            decorators.push('\n');
            decorators.push_str(head);
        }
    }
    (!decorators.is_empty()).then(|| TextEdit {
        span: Span::new(0, 0),
        text: decorators,
    })
}
