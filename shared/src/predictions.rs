//! Whole classes as models wrote them, and ClassEval's scores of them.
//!
//! Source: ClassEval (Du et al., ICSE 2024), its files of predictions and its scorer: a test class is a
//! success if it ran and all of its tests passed, a class if all of its test classes are.

use serde::{Deserialize, Serialize};

use crate::identify::extract_class;
use crate::report::{Protocol, TestOutcome, TestReport};
use crate::subject::ClassItem;
use crate::syntax::{Kind, NodeId, Tree, outline, parse_python};
use crate::text::{Span, TextEdit, apply_edits};

/// A record of a file of predictions: replies to the task of writing a class. Other fields are ignored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Prediction {
    /// The class.
    pub class_name: String,
    /// One reply a sample.
    pub predict: Vec<String>,
}

/// Reads a file of predictions: a JSON array.
pub fn read(bytes: &[u8]) -> Result<Vec<Prediction>, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// The module that a reply makes of a class, as ClassEval's scorer lays it out: the reply's code, in it
/// each method static that takes neither `self` nor `cls` and no other, and the task's imports on top. A
/// reply without the class is taken as it is, and Python will say what is wrong with it.
pub fn module_of(class: &ClassItem, reply: &str) -> String {
    let code = match extract_class(reply, &[&class.name]) {
        Some(span) => code_around(reply, span),
        None => reply.to_owned(),
    };
    let mut module = class.imports.join("\n");
    module.push('\n');
    module + &with_own_static_methods(&code)
}

/// The fenced block that a class stands in; without a fence the class and what is imported before it.
fn code_around(reply: &str, class: Span) -> String {
    let (start, end) = (class.start as usize, class.end as usize);
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let mut opened = None;
    let mut imports = String::new();
    let mut at = 0;
    for line in reply.split_inclusive('\n') {
        if at >= start {
            break;
        }
        at += line.len();
        if is_fence(line) {
            opened = if opened.is_none() { Some(at) } else { None };
        } else if line.starts_with("import ") || line.starts_with("from ") {
            imports.push_str(line.trim_end());
            imports.push('\n');
        }
    }
    let Some(opened) = opened else {
        return imports + class.of(reply);
    };
    let rest = reply[end..].split_inclusive('\n');
    let closed: usize = rest.take_while(|line| !is_fence(line)).map(str::len).sum();
    reply[opened..end + closed].to_owned()
}

/// The code with `@staticmethod` before those methods that take no receiver, and before no others.
fn with_own_static_methods(code: &str) -> String {
    let tree = parse_python(code).tree;
    let mut edits = Vec::new();
    for function in tree.ids() {
        if tree.kind(function) != Kind::FunctionDefinition {
            continue;
        }
        let decorated = tree
            .parent(function)
            .filter(|&it| tree.kind(it) == Kind::DecoratedDefinition);
        let outer = decorated.unwrap_or(function);
        if !is_in_class(&tree, outer) {
            continue;
        }
        let is_static = outline::is_static(&tree, function);
        if is_static == takes_no_receiver(&tree, function) {
            continue;
        }
        if is_static {
            edits.extend(decorated.and_then(|it| without_static(&tree, it)));
        } else {
            let start = tree.span(outer).start;
            let line = code[..start as usize].rfind('\n').map_or(0, |at| at + 1);
            let indentation = &code[line..start as usize];
            edits.push(TextEdit {
                span: Span::new(start, start),
                text: format!("@staticmethod\n{indentation}"),
            });
        }
    }
    apply_edits(code, &edits)
}

fn is_in_class(tree: &Tree, definition: NodeId) -> bool {
    let block = tree.parent(definition);
    let owner = block.and_then(|block| tree.parent(block));
    owner.is_some_and(|owner| tree.kind(owner) == Kind::ClassDefinition)
}

fn takes_no_receiver(tree: &Tree, function: NodeId) -> bool {
    let parameters = tree.field(function, "parameters");
    let first = parameters.and_then(|list| tree.named_children(list).next());
    let first = first.map(|first| tree.text(first));
    first.is_none_or(|first| !matches!(first, "self" | "cls"))
}

/// Takes `@staticmethod` off a definition, with its line.
fn without_static(tree: &Tree, decorated: NodeId) -> Option<TextEdit> {
    let mut children = tree.children(decorated);
    let is_static = |&id: &NodeId| tree.text(id).trim_start_matches('@').trim() == "staticmethod";
    let decorator = children.find(is_static)?;
    let next = children.next()?;
    Some(TextEdit {
        span: Span::new(tree.span(decorator).start, tree.span(next).start),
        text: String::new(),
    })
}

/// What the tests of a test class say as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestClassVerdict {
    /// All passed.
    Success,
    /// Some passed.
    PartialSuccess,
    /// None passed, and at least one said no.
    Fail,
    /// Nothing ran, all broke, or the time was over.
    Error,
}

impl TestClassVerdict {
    /// The name used in files.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::PartialSuccess => "partial_success",
            Self::Fail => "fail",
            Self::Error => "error",
        }
    }
}

/// The verdict of each test class, in the benchmark's order and by its name there.
pub fn test_class_verdicts(
    class: &ClassItem,
    report: &TestReport,
) -> Vec<(String, TestClassVerdict)> {
    let protocol = report.engine.as_ref().map(|it| it.protocol);
    let protocol = protocol.unwrap_or_default();
    let mut found = Vec::new();
    for listed in &class.test_classes {
        let name = match protocol {
            Protocol::Published => listed.as_str(),
            Protocol::Corrected => listed.trim(),
        };
        let of_it = |test: &str| {
            test.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        let runs = report.tests.iter().filter(|run| of_it(&run.name));
        let outcomes: Vec<&TestOutcome> = runs.map(|run| &run.outcome).collect();
        if !outcomes.is_empty() || protocol == Protocol::Published {
            found.push((listed.clone(), verdict(&outcomes)));
        }
    }
    found
}

fn verdict(outcomes: &[&TestOutcome]) -> TestClassVerdict {
    let count = |of: fn(&TestOutcome) -> bool| outcomes.iter().filter(|it| of(it)).count();
    let was_ended =
        |it: &TestOutcome| matches!(it, TestOutcome::TimedOut | TestOutcome::Killed { .. });
    let n_passed = count(|it| *it == TestOutcome::Passed);
    let n_failed = count(|it| matches!(it, TestOutcome::Failed { .. }));
    if count(was_ended) > 0 || n_passed + n_failed == 0 {
        TestClassVerdict::Error
    } else if n_passed == outcomes.len() {
        TestClassVerdict::Success
    } else if n_passed > 0 {
        TestClassVerdict::PartialSuccess
    } else {
        TestClassVerdict::Fail
    }
}

/// How many of several are a success, and how many a success at least in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Successes {
    /// All of it passed.
    pub n_success: usize,
    /// No part of it failed as a whole.
    pub n_partial: usize,
    /// Of so many.
    pub n: usize,
}

/// ClassEval's figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scores {
    /// Of classes: a success where all test classes are; in part where all are at least in part.
    pub classes: Successes,
    /// Of test classes.
    pub test_classes: Successes,
}

impl Scores {
    /// Adds the test classes of one class.
    pub fn add(&mut self, verdicts: &[(String, TestClassVerdict)]) {
        use TestClassVerdict::{PartialSuccess, Success};
        let n = |upto: TestClassVerdict| verdicts.iter().filter(|(_, it)| *it <= upto).count();
        let (n_success, n_partial) = (n(Success), n(PartialSuccess));
        self.test_classes.n_success += n_success;
        self.test_classes.n_partial += n_partial;
        self.test_classes.n += verdicts.len();
        let has_any = !verdicts.is_empty();
        self.classes.n_success += usize::from(has_any && n_success == verdicts.len());
        self.classes.n_partial += usize::from(has_any && n_partial == verdicts.len());
        self.classes.n += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Scores, TestClassVerdict, code_around, verdict, with_own_static_methods};
    use crate::identify::extract_class;
    use crate::report::TestOutcome;

    #[test]
    fn methods_are_static_where_they_take_no_receiver() {
        let code = "class A:\n    @staticmethod\n    def a(self): pass\n    def b(x): pass\n    @staticmethod\n    def c(): pass\n    @cached\n    def d(): pass\n    @classmethod\n    def e(cls): pass\n    def f(self):\n        def g(): pass\ndef h(): pass\n";
        let wanted = "class A:\n    def a(self): pass\n    @staticmethod\n    def b(x): pass\n    @staticmethod\n    def c(): pass\n    @staticmethod\n    @cached\n    def d(): pass\n    @classmethod\n    def e(cls): pass\n    def f(self):\n        def g(): pass\ndef h(): pass\n";
        assert_eq!(with_own_static_methods(code), wanted);
    }

    #[test]
    fn code_is_the_block_around_the_class_or_the_class_with_its_imports() {
        let class = "class A:\n    def a(self):\n        return 1";
        let check = |reply: &str, code: &str| {
            let span = extract_class(reply, &["A"]).unwrap();
            assert_eq!(code_around(reply, span), code, "{reply}");
        };
        let block = format!("import re\n\n{class}\n\ndef help(): pass\n");
        check(&format!("Here:\n```python\n{block}```\nDone."), &block);
        check(&format!("```\n{block}"), &block);
        check(
            &format!("Complete it.\nimport re\n\n{class}\n\nDone."),
            &format!("import re\n{class}"),
        );
        check(&format!("```\nx\n```\n{class}\n```\ny\n```"), class);
    }

    #[test]
    fn a_test_class_is_judged_by_all_of_its_tests() {
        let failed = TestOutcome::Failed {
            message: String::new(),
        };
        let errored = TestOutcome::Errored {
            message: String::new(),
        };
        let (passed, late, not_run) = (
            TestOutcome::Passed,
            TestOutcome::TimedOut,
            TestOutcome::NotRun,
        );
        let mut scores = Scores::default();
        for (outcomes, wanted) in [
            (&[&passed, &passed][..], TestClassVerdict::Success),
            (&[&passed, &errored], TestClassVerdict::PartialSuccess),
            (&[&failed, &errored], TestClassVerdict::Fail),
            (&[&errored, &errored], TestClassVerdict::Error),
            (&[&passed, &late], TestClassVerdict::Error),
            (&[&not_run], TestClassVerdict::Error),
            (&[], TestClassVerdict::Error),
        ] {
            assert_eq!(verdict(outcomes), wanted, "{outcomes:?}");
            scores.add(&[("T".to_owned(), wanted)]);
        }
        assert_eq!(
            (
                scores.classes.n_success,
                scores.classes.n_partial,
                scores.classes.n
            ),
            (1, 2, 7)
        );
        assert_eq!(scores.classes, scores.test_classes);
    }
}
