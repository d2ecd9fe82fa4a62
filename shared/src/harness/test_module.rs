//! Which tests a test module holds, read from its text.

use crate::syntax::outline::{self, name};
use crate::syntax::{Kind, NodeId, Tree, parse_python};

/// The classes of a test module.
pub(crate) struct TestModule(Vec<Class>);

/// A class as it is written.
struct Class {
    name: String,
    /// The names of its bases, `a.b` as `b`.
    bases: Vec<String>,
    /// What its body binds, and whether it is a function.
    members: Vec<(String, bool)>,
}

impl TestModule {
    pub(crate) fn of(source: &str) -> Self {
        let tree = parse_python(source).tree;
        let classes = tree.ids();
        let classes = classes.filter(|&id| tree.kind(id) == Kind::ClassDefinition);
        Self(classes.map(|id| Class::of(&tree, id)).collect())
    }

    /// The tests of a class: its own in their order, then those that it inherits from other classes of the
    /// module and neither overrides nor takes away (`test_x = None`).
    pub(crate) fn tests(&self, class: &str) -> Vec<&str> {
        let mut seen: Vec<(&str, bool)> = Vec::new();
        for class in self.with_bases(class) {
            for (member, is_function) in &class.members {
                if seen.iter().all(|(other, _)| other != member) {
                    seen.push((member, *is_function));
                }
            }
        }
        let tests = seen.into_iter();
        let tests =
            tests.filter(|(member, is_function)| *is_function && member.starts_with("test"));
        tests.map(|(member, _)| member).collect()
    }

    /// A class and the classes above it, nearest first. Of classes of one name the last one counts, as it
    /// does when the module has run.
    fn with_bases(&self, class: &str) -> Vec<&Class> {
        let mut found: Vec<&Class> = Vec::new();
        let mut open = vec![class];
        while let Some(name) = open.pop() {
            let Some(class) = self.0.iter().rfind(|class| class.name == name) else {
                continue;
            };
            if found.iter().all(|other| other.name != class.name) {
                found.push(class);
                open.extend(class.bases.iter().rev().map(String::as_str));
            }
        }
        found
    }
}

impl Class {
    fn of(tree: &Tree, class: NodeId) -> Self {
        let bases = tree.field(class, "superclasses").into_iter();
        let bases = bases.flat_map(|list| tree.named_children(list));
        let bases = bases.map(|base| tree.text(base).rsplit('.').next().unwrap_or_default());
        let mut members: Vec<(String, bool)> = Vec::new();
        let body = tree.field(class, "body").into_iter();
        for statement in body.flat_map(|body| tree.children(body)) {
            let Some((member, is_function)) = bound(tree, statement) else {
                continue;
            };
            match members.iter_mut().find(|(other, _)| other == member) {
                // The last one counts, in the place of the first.
                Some(other) => other.1 = is_function,
                None => members.push((member.to_owned(), is_function)),
            }
        }
        Self {
            name: name(tree, class).to_owned(),
            bases: bases.map(str::to_owned).collect(),
            members,
        }
    }
}

/// The name that a statement of a class's body binds, and whether to a function.
fn bound(tree: &Tree, statement: NodeId) -> Option<(&str, bool)> {
    match tree.kind(statement) {
        Kind::FunctionDefinition => Some((outline::name(tree, statement), true)),
        Kind::DecoratedDefinition => bound(tree, tree.field(statement, "definition")?),
        Kind::ExpressionStatement => {
            let assignment = tree.named_children(statement).next()?;
            let target = tree.field(assignment, "left")?;
            Some((tree.text(target), false))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::TestModule;

    fn check(source: &str, class: &str, tests: &[&str]) {
        assert_eq!(TestModule::of(source).tests(class), tests, "{source}");
    }

    #[test]
    fn own_tests_are_those_that_begin_so() {
        let source = "class T(unittest.TestCase):\n    def setUp(self): pass\n    @patch('x')\n    def test_b(self): pass\n    def test_a(self): pass\n    def test_b(self): pass\n    def check(self):\n        def test_c(): pass\n";
        check(source, "T", &["test_b", "test_a"]);
        check(source, "U", &[]);
    }

    #[test]
    fn what_stands_in_a_class_above_is_a_test_too() {
        let source = "\
class Mixin:
    def test_m(self): pass
    def test_gone(self): pass
class Base(unittest.TestCase):
    def test_b(self): pass
    def test_m(self): pass
class T(Mixin, tests.Base):
    test_gone = None
    test_data = DATA
    def test_t(self): pass
class Round(Round): pass
class First(Second):
    def test_1(self): pass
class Second(First):
    def test_2(self): pass
";
        check(source, "T", &["test_t", "test_m", "test_b"]);
        check(source, "Round", &[]);
        check(source, "First", &["test_1", "test_2"]);
    }
}
