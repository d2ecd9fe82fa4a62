//! A class without one of its methods and without those that call it: what a model may see of the place
//! that it writes a method for (CtxBugGen, section 4.3).

use crate::relation::callers;
use crate::syntax::scope::{Role, ScopeKind, Scopes};
use crate::syntax::{Kind, NodeId, Tree, outline, parse_python};
use crate::text::{Span, TextEdit, apply_edits};

/// A module from whose class methods were taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    /// The module; all other lines are as they were.
    pub text: String,
    /// The methods that were taken, in the order of the class.
    pub methods: Vec<String>,
}

/// Takes a method out of its class, with all that call it, directly or through others, a constructor too.
/// Decorators and comments go with their method, and statements of the class's body that name one of them.
pub fn without_method(source: &str, class_name: &str, method: &str) -> Removed {
    let tree = parse_python(source).tree;
    let class = outline::class(&tree, class_name);
    let Some(body) = class.and_then(|class| tree.field(class, "body")) else {
        return Removed {
            text: source.to_owned(),
            ..Removed::default()
        };
    };
    let mut gone = callers(source, class_name, method);
    gone.push(method.to_owned());
    gone.sort_unstable();
    let is_gone = |name: &str| gone.binary_search_by(|it| it.as_str().cmp(name)).is_ok();
    let scopes = Scopes::of(&tree);
    let lines = Lines::of(&tree);
    let (mut edits, mut methods) = (Vec::new(), Vec::new());
    let mut n_left = 0;
    for statement in tree.named_children(body) {
        let function = function(&tree, statement).map(|id| outline::name(&tree, id));
        let goes = match function {
            Some(name) => is_gone(name),
            None => names_member(&tree, &scopes, statement).any(is_gone),
        };
        if goes {
            methods.extend(function.map(str::to_owned));
            let whole = lines.around(tree.span(statement), n_left == 0);
            // Blank lines between two of them are taken once.
            let start = edits.last().map_or(0, |last: &TextEdit| last.span.end);
            let span = Span::new(whole.start.max(start), whole.end);
            edits.push(TextEdit {
                span,
                text: String::new(),
            });
        } else {
            n_left += 1;
        }
    }
    if let (0, Some(first)) = (n_left, edits.first_mut()) {
        let head = lines.start(tree.span(body).start);
        let indentation = &source[head as usize..tree.span(body).start as usize];
        // The first statement may stand on the line of the class itself.
        let blank = indentation.trim().is_empty();
        first.text = if blank {
            format!("{indentation}pass\n")
        } else {
            "pass".to_owned()
        };
    }
    methods.dedup();
    Removed {
        text: apply_edits(source, &edits),
        methods,
    }
}

/// The function that a statement of a class's body defines.
pub(super) fn function(tree: &Tree, statement: NodeId) -> Option<NodeId> {
    let definition = match tree.kind(statement) {
        Kind::DecoratedDefinition => tree.field(statement, "definition")?,
        _ => statement,
    };
    (tree.kind(definition) == Kind::FunctionDefinition).then_some(definition)
}

/// The names of its class's body that a statement of it reads: `total = property(read_total)`.
fn names_member<'a>(
    tree: &'a Tree,
    scopes: &'a Scopes,
    statement: NodeId,
) -> impl Iterator<Item = &'a str> {
    let names = tree.subtree(statement).filter(move |&id| {
        let variable = scopes.lookup(id);
        let is_member = variable.is_some_and(|it| scopes.kind(it.scope) == ScopeKind::Class);
        is_member && scopes.role(id) == Some(Role::Load)
    });
    names.map(|id| tree.text(id))
}

/// The lines of a text, and where its comments are.
struct Lines<'a> {
    source: &'a str,
    /// Where each comment starts, in order.
    comments: Vec<u32>,
}

impl<'a> Lines<'a> {
    fn of(tree: &'a Tree) -> Self {
        let comments = tree.ids().filter(|&id| tree.kind(id) == Kind::Comment);
        Self {
            source: tree.source(),
            comments: comments.map(|id| tree.span(id).start).collect(),
        }
    }

    /// The first byte of the line that a byte is on.
    fn start(&self, at: u32) -> u32 {
        let before = &self.source[..at as usize];
        before.rfind('\n').map_or(0, |end| index(end + 1))
    }

    /// One past the line break of the line that a byte is on.
    fn end(&self, at: u32) -> u32 {
        let rest = &self.source[at as usize..];
        at + rest
            .find('\n')
            .map_or(index(rest.len()), |end| index(end + 1))
    }

    /// The whole lines of a statement, its comments and the blank lines before it, or behind it where it is
    /// the first that its body has left. Only the statement where something else stands on its lines.
    fn around(&self, statement: Span, is_first: bool) -> Span {
        let (mut start, mut end) = (self.start(statement.start), statement.end);
        let is_alone = self.is_blank(start, statement.start);
        // A body may reach to the start of the next line.
        if end > self.start(end) || end == statement.start {
            let tail = Span::new(end, self.end(end));
            let rest = tail.of(self.source).trim();
            if !is_alone || !(rest.is_empty() || self.is_comment(tail)) {
                return statement;
            }
            end = tail.end;
        }
        let n_indentation = statement.start - start;
        while let Some(line) = self
            .next(end)
            .filter(|&line| self.is_comment(line) && self.indentation(line) > n_indentation)
        {
            end = line.end;
        }
        while let Some(line) = self
            .previous(start)
            .filter(|&line| self.is_comment(line) && self.indentation(line) == n_indentation)
        {
            start = line.start;
        }
        if is_first {
            while let Some(line) = self
                .next(end)
                .filter(|&line| self.is_blank(line.start, line.end))
            {
                end = line.end;
            }
        } else {
            while let Some(line) = self
                .previous(start)
                .filter(|&line| self.is_blank(line.start, line.end))
            {
                start = line.start;
            }
        }
        Span::new(start, end)
    }

    fn next(&self, end: u32) -> Option<Span> {
        let is_line = (end as usize) < self.source.len();
        is_line.then(|| Span::new(end, self.end(end)))
    }

    fn previous(&self, start: u32) -> Option<Span> {
        let before = start.checked_sub(1)?;
        Some(Span::new(self.start(before), start))
    }

    fn is_blank(&self, start: u32, end: u32) -> bool {
        Span::new(start, end).of(self.source).trim().is_empty()
    }

    fn indentation(&self, line: Span) -> u32 {
        let text = line.of(self.source);
        index(text.len() - text.trim_start().len())
    }

    /// Whether the first that stands on a line is a comment.
    fn is_comment(&self, line: Span) -> bool {
        let at = line.start + self.indentation(line);
        self.comments.binary_search(&at).is_ok()
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::without_method;

    const SOURCE: &str = r#"import re


class Shop:
    """A shop."""
    RATE = 2

    def __init__(self, goods):
        self.goods = goods

    # What a thing costs.
    @staticmethod
    def price(thing):
        return thing * Shop.RATE
        # A comment of its own.

    def total(self):
        return sum(self.price(thing) for thing in self.goods)

    # Kept.
    def count(self):
        return len(self.goods)

    def report(self):
        return [self.total()]

    def ping(self, n):
        return self.pong(n - 1) if n else 0

    def pong(self, n):
        return self.ping(n - 1) if n else 1

    sum_of = property(total)


class Other:
    def price(self):
        return 1
"#;

    fn taken(method: &str) -> (String, Vec<String>) {
        let removed = without_method(SOURCE, "Shop", method);
        (removed.text, removed.methods)
    }

    #[test]
    fn callers_go_with_the_method() {
        let (text, methods) = taken("price");
        assert_eq!(methods, ["price", "total", "report"]);
        let from = SOURCE.find("\n    # What a thing").unwrap();
        let to = SOURCE.find("\n    # Kept.").unwrap();
        let report = "\n    def report(self):\n        return [self.total()]\n";
        let expected = format!("{}{}", &SOURCE[..from], &SOURCE[to..]);
        let expected = expected
            .replace(report, "")
            .replace("\n    sum_of = property(total)\n", "");
        assert_eq!(text, expected);
    }

    #[test]
    fn mutual_recursion_goes_as_a_whole() {
        for method in ["ping", "pong"] {
            let (text, methods) = taken(method);
            assert_eq!(methods, ["ping", "pong"]);
            let from = SOURCE.find("\n    def ping").unwrap();
            let to = SOURCE.find("\n    sum_of").unwrap();
            assert_eq!(text, format!("{}{}", &SOURCE[..from], &SOURCE[to..]));
        }
    }

    #[test]
    fn what_nobody_calls_goes_alone() {
        let (text, methods) = taken("count");
        assert_eq!(methods, ["count"]);
        let own = "\n    # Kept.\n    def count(self):\n        return len(self.goods)\n";
        assert_eq!(text, SOURCE.replace(own, ""));
    }

    #[test]
    fn a_class_is_never_left_without_a_body() {
        let only = "class A:\n    def m(self):\n        return 1\n\nx = 1\n";
        let removed = without_method(only, "A", "m");
        assert_eq!(removed.text, "class A:\n    pass\nx = 1\n");
        let removed = without_method("class A:\n    def m(self): pass", "A", "m");
        assert_eq!(removed.text, "class A:\n    pass\n");
    }

    #[test]
    fn what_is_not_there_changes_nothing() {
        for (class, method) in [("Shop", "none"), ("None", "price")] {
            let removed = without_method(SOURCE, class, method);
            assert_eq!(removed.text, SOURCE);
            assert!(removed.methods.is_empty());
        }
    }

    #[test]
    fn accessors_of_one_name_go_together() {
        let source = "\
class A:
    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value

    y = 1  # stays
";
        let removed = without_method(source, "A", "x");
        assert_eq!(removed.text, "class A:\n    y = 1  # stays\n");
        assert_eq!(removed.methods, ["x"]);
    }
}
