//! Code out of a reply: the one method that was asked for, wherever it stands.
//!
//! A reply is prose with code in it: in a fence or not, as a whole class or as a bare method, with
//! the task repeated before it, cut off at the end. It is read line by line for what it defines; of
//! several methods of the right name the best filled one is taken.

use serde::{Deserialize, Serialize};

use crate::identify::lines::{self, Heading, OpenText, index};
use crate::syntax::outline;
use crate::syntax::{self, NodeId, Tree};
use crate::text::Span;

/// What is looked for in a reply.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The class's names: its own, and an obfuscated one.
    pub class: &'a [&'a str],
    /// The method's names: its own, and an obfuscated one.
    pub method: &'a [&'a str],
    /// The class's other methods: none of them is a renamed `method`.
    pub siblings: &'a [&'a str],
}

/// In which form a method stood in a reply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// In the class of the right name.
    InClass,
    /// In a class of another name.
    InOtherClass,
    /// In no class.
    Bare,
}

impl Form {
    /// For people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::InClass => "in its class",
            Self::InOtherClass => "in another class",
            Self::Bare => "bare",
        }
    }
}

/// A method as a reply has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Extraction {
    /// Where it stands in the reply, decorators included.
    pub span: Span,
    /// Its text, its first line without indentation.
    pub text: String,
    /// The indentation of its `def` line in the reply.
    pub indentation: String,
    /// Whether it stands in a fenced block.
    pub fenced: bool,
    /// In what it stands.
    pub form: Form,
    /// The name it has in the reply, where that is none of the wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Imports that the reply makes outside of functions. They are no part of the method;
    /// [`ImportPolicy`](super::ImportPolicy) says whether the class gets them.
    pub imports: Vec<String>,
}

/// The most imports that are kept of a reply.
const MAX_IMPORTS: usize = 100;

/// Finds the method in a reply; `None` where there is none.
pub fn extract(reply: &str, wanted: &Wanted<'_>) -> Option<Extraction> {
    let in_scan = |strings| extract_from(scan(reply, strings), reply, wanted);
    in_scan(Strings::AsWritten).or_else(|| in_scan(Strings::MayBeUnclosed))
}

fn extract_from(scan: Scan, reply: &str, wanted: &Wanted<'_>) -> Option<Extraction> {
    let Scan {
        found: definitions,
        imports,
        ..
    } = scan;
    let named = |d: &Definition| wanted.method.contains(&d.name.of(reply));
    let of_name: Vec<usize> = methods(&definitions)
        .filter(|(_, d)| named(d))
        .map(|(at, _)| at)
        .collect();
    let score = |at: usize| {
        let definition = &definitions[at];
        let form = form(reply, &definitions, definition, wanted);
        quality(definition.text(reply)) * 8
            + u8::from(definition.fenced) * 4
            + u8::from(form == Form::InClass) * 2
            + u8::from(form == Form::Bare)
    };
    let found = match of_name.as_slice() {
        // Nothing to choose from, and telling how good one is means to parse it.
        [only] => Some(*only),
        // Of equals the first.
        several => several.iter().rev().copied().max_by_key(|&at| score(at)),
    };
    let at = found.or_else(|| renamed(reply, &definitions, wanted))?;
    let definition = &definitions[at];
    Some(Extraction {
        span: Span::new(index(definition.start), index(definition.end)),
        text: definition.text(reply).to_owned(),
        indentation: lines::indentation(&reply[definition.line..]).to_owned(),
        fenced: definition.fenced,
        form: form(reply, &definitions, definition, wanted),
        renamed_from: found
            .is_none()
            .then(|| definition.name.of(reply).to_owned()),
        imports: distinct(reply, &imports, definition.fenced),
    })
}

/// Where the class of one of these names stands in a reply: of several the one with the most
/// methods that do something, of equals the first.
pub fn extract_class(reply: &str, names: &[&str]) -> Option<Span> {
    let definitions = scan(reply, Strings::MayBeUnclosed).found;
    let mut n_filled = vec![0; definitions.len()];
    for (_, method) in methods(&definitions) {
        if let Some(class) = method.parent
            && names.contains(&definitions[class].name.of(reply))
            && quality(method.text(reply)) >= FILLED
        {
            n_filled[class] += 1;
        }
    }
    let mut best: Option<(u32, Span)> = None;
    for (class, n) in definitions.iter().zip(n_filled) {
        let is_better = best.is_none_or(|(other, _)| n > other);
        if class.is_class && names.contains(&class.name.of(reply)) && is_better {
            best = Some((n, Span::new(index(class.start), index(class.end))));
        }
    }
    best.map(|(_, span)| span)
}

/// Whether a function has a statement besides its docstring.
pub(super) fn has_body(tree: &Tree) -> bool {
    statements(tree).next().is_some()
}

/// A function's statements without its docstring.
fn statements(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    let body = outline::method(tree).and_then(|method| tree.field(method, "body"));
    let statements = body.into_iter().flat_map(|body| tree.named_children(body));
    statements.filter(|&statement| {
        let first = tree.named_children(statement).next();
        !first.is_some_and(|string| outline::is_docstring(tree, string))
    })
}

/// A class or function of a reply.
struct Definition {
    is_class: bool,
    name: Span,
    /// The first byte of its first decorator, or of its own line's text.
    start: usize,
    /// The first byte of the line with its name.
    line: usize,
    n_indentation: usize,
    /// One past its last line's text.
    end: usize,
    /// What it stands in.
    parent: Option<usize>,
    fenced: bool,
}

impl Definition {
    fn text<'a>(&self, reply: &'a str) -> &'a str {
        &reply[self.start..self.end]
    }
}

/// How far a string goes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Strings {
    /// To its closing quotes.
    #[default]
    AsWritten,
    /// At most to a definition that is not indented more than the one that the string is in: models,
    /// and benchmarks, forget to close docstrings.
    MayBeUnclosed,
}

/// Everything that a reply defines and imports, in order.
fn scan(reply: &str, strings: Strings) -> Scan {
    let mut scan = Scan {
        strings,
        ..Scan::default()
    };
    let mut fence: Option<&str> = None;
    for (start, line) in lines::lines(reply) {
        // A fence in a docstring is none.
        let in_docstring = scan.text.is_string() && line.starts_with([' ', '\t']);
        let mark = fence_mark(line).filter(|_| !in_docstring);
        match (fence, mark) {
            // A fence with a language opens a block, also where the last one was never closed.
            (Some(open), Some(mark)) if mark.starts_with(open) => {
                let is_closing = line.trim() == mark;
                fence = (!is_closing).then_some(mark);
                scan.close_all();
            }
            (None, Some(mark)) => {
                fence = Some(mark);
                scan.close_all();
            }
            _ => scan.line(start, line, fence.is_some()),
        }
    }
    scan
}

/// The run of backticks or tildes that a line begins with, where it is long enough for a fence.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let n = line.len() - line.trim_start_matches(mark).len();
    (n >= 3).then(|| &line[..n])
}

#[derive(Default)]
struct Scan {
    strings: Strings,
    found: Vec<Definition>,
    /// Lines that may import something, in no function, and whether each is fenced.
    imports: Vec<(bool, Span)>,
    /// The definitions that the last line is in, the outermost first.
    open: Vec<usize>,
    text: OpenText,
    /// Where the decorators of the next definition begin.
    decorators: Option<usize>,
}

impl Scan {
    fn close_all(&mut self) {
        self.open.clear();
        self.text = OpenText::default();
        self.decorators = None;
    }

    fn line(&mut self, start: usize, line: &str, fenced: bool) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.text = self.text.after(line);
            return;
        }
        let n_indentation = lines::indentation(line).len();
        let at = start + n_indentation;
        if self.strings == Strings::MayBeUnclosed && self.text.is_string() {
            let innermost = self.open.last().map(|&d| self.found[d].n_indentation);
            let is_outside = innermost.is_some_and(|innermost| n_indentation <= innermost);
            if is_outside && lines::begins_statement(trimmed) {
                self.text = OpenText::default();
            }
        }
        let heading = lines::heading(trimmed).filter(|_| !self.text.is_string());
        let is_decorator = lines::is_decorator(trimmed) && !self.text.is_string();
        let goes_on = self.text.is_statement() && heading.is_none() && !is_decorator;
        let is_comment = trimmed.starts_with('#');
        if !goes_on && !is_comment {
            let found = &self.found;
            self.open
                .retain(|&d| found[d].n_indentation < n_indentation);
        }
        let end = start + line.trim_end().len();
        if !goes_on && lines::imports(trimmed) && self.open.iter().all(|&d| self.found[d].is_class)
        {
            let span = Span::new(index(at), index(end));
            self.imports.push((fenced, span));
        }
        for &d in &self.open {
            if goes_on || found_below(&self.found[d], n_indentation) {
                self.found[d].end = end;
            }
        }
        if let Some(heading) = heading {
            self.define(heading, start, (at, end), fenced);
        } else if is_decorator {
            self.decorators.get_or_insert(at);
        } else if !is_comment && !goes_on {
            self.decorators = None;
        }
        self.text = if self.open.is_empty() && self.decorators.is_none() {
            OpenText::default()
        } else {
            self.text.after(line)
        };
    }

    fn define(&mut self, heading: Heading, line: usize, (at, end): (usize, usize), fenced: bool) {
        let offset = index(at);
        self.found.push(Definition {
            is_class: heading.is_class,
            name: Span::new(offset + heading.name.start, offset + heading.name.end),
            start: self.decorators.take().unwrap_or(at),
            line,
            n_indentation: at - line,
            end,
            parent: self.open.last().copied(),
            fenced,
        });
        self.open.push(self.found.len() - 1);
    }
}

fn found_below(definition: &Definition, n_indentation: usize) -> bool {
    definition.n_indentation < n_indentation
}

/// Functions that stand in no other function.
fn methods(definitions: &[Definition]) -> impl Iterator<Item = (usize, &Definition)> {
    let in_function = |d: &Definition| d.parent.is_some_and(|parent| !definitions[parent].is_class);
    definitions
        .iter()
        .enumerate()
        .filter(move |(_, d)| !d.is_class && !in_function(d))
}

fn form(reply: &str, all: &[Definition], method: &Definition, wanted: &Wanted<'_>) -> Form {
    match method.parent {
        Some(class) if wanted.class.contains(&all[class].name.of(reply)) => Form::InClass,
        Some(_) => Form::InOtherClass,
        None => Form::Bare,
    }
}

/// From this quality on a method does something.
const FILLED: u8 = 2;

/// 0 to 3: whether it does something, whether it is valid.
fn quality(text: &str) -> u8 {
    let parsed = syntax::parse_python(text);
    u8::from(does_something(&parsed.tree)) * FILLED + u8::from(parsed.errors.is_empty())
}

/// Whether a function has a statement besides its docstring, `pass` and `...`.
pub(super) fn does_something(tree: &Tree) -> bool {
    let does_nothing = |statement: NodeId| {
        let only = tree.named_children(statement).next();
        tree.node(statement).name == "pass_statement"
            || only.is_some_and(|only| tree.node(only).name == "ellipsis")
    };
    statements(tree).any(|statement| !does_nothing(statement))
}

/// The only method that may be the wanted one under another name.
fn renamed(reply: &str, definitions: &[Definition], wanted: &Wanted<'_>) -> Option<usize> {
    let may_be = |d: &Definition| {
        let name = d.name.of(reply);
        let is_special = name.starts_with("__") && name.ends_with("__");
        !is_special && !wanted.siblings.contains(&name)
    };
    let any_fenced = methods(definitions).any(|(_, d)| d.fenced && may_be(d));
    let mut candidates = methods(definitions)
        .filter(|(_, d)| may_be(d) && d.fenced == any_fenced)
        .filter(|(_, d)| quality(d.text(reply)) >= FILLED);
    let (at, _) = candidates.next()?;
    candidates.next().is_none().then_some(at)
}

/// An import statement up to the end of its parentheses.
fn whole_import(reply: &str, line: Span) -> &str {
    let statement = line.of(reply);
    let rest = reply.get(line.start as usize..).unwrap_or_default();
    match (statement.contains('('), rest.find(')')) {
        (true, Some(at)) if !statement.contains(')') => &rest[..=at],
        _ => statement,
    }
}

/// Different import statements of the fenced blocks, or of the rest.
fn distinct(reply: &str, imports: &[(bool, Span)], fenced: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, span) in imports.iter().filter(|(other, _)| *other == fenced) {
        let statement = whole_import(reply, *span);
        let is_new = !found.iter().any(|other| other == statement);
        if is_new && syntax::parse_python(statement).errors.is_empty() {
            found.push(statement.to_owned());
        }
        if found.len() == MAX_IMPORTS {
            break;
        }
    }
    found
}
