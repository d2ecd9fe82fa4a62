//! Which tests of a class speak of one of its methods: the method's own, those of methods that call it, and
//! the others. And its class without it and them.

mod removal;

pub use self::removal::{Removed, without_method};

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::subject::Subject;
use crate::syntax::{Kind, NodeId, Tree, outline, parse_python};

/// What a test has to do with a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It is the method's own.
    Own,
    /// It is of a method that calls it, directly or through others.
    Dependant,
    /// Neither.
    Other,
}

impl Relation {
    /// For people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Own => "its own tests",
            Self::Dependant => "tests of methods that call it",
            Self::Other => "other tests of the class",
        }
    }
}

/// The test classes around a method.
pub struct Related<'a> {
    own: &'a str,
    dependants: Vec<&'a str>,
}

impl<'a> Related<'a> {
    /// The test classes of a subject and of its callers.
    pub fn of(dataset: &'a Dataset, subject: &'a Subject) -> Self {
        let class = dataset.class_of(subject);
        let callers = callers(&class.source, &class.name, &subject.method);
        // Whatever a constructor calls, every test calls.
        let by_all = callers.iter().any(|caller| caller == "__init__");
        let siblings = dataset.subjects.iter();
        let siblings = siblings.filter(|other| other.class == subject.class);
        let calling = siblings.filter(|other| by_all || callers.contains(&other.method));
        Self {
            own: &subject.test_class,
            dependants: calling.map(|other| other.test_class.as_str()).collect(),
        }
    }

    /// What a test class has to do with it.
    pub fn relation(&self, test_class: &str) -> Relation {
        let is = |listed: &str| listed.trim() == test_class.trim();
        if is(self.own) {
            Relation::Own
        } else if self.dependants.iter().any(|dependant| is(dependant)) {
            Relation::Dependant
        } else {
            Relation::Other
        }
    }
}

/// The methods of a class that use a method of it, directly or through others; sorted, without itself.
pub fn callers(source: &str, class_name: &str, method: &str) -> Vec<String> {
    let tree = parse_python(source).tree;
    let Some(class) = outline::class(&tree, class_name) else {
        return Vec::new();
    };
    let uses = uses(&tree, class, class_name);
    let mut found: Vec<&str> = Vec::new();
    let mut open = vec![method];
    while let Some(used) = open.pop() {
        for &(caller, callee) in &uses {
            if callee == used && caller != method && !found.contains(&caller) {
                found.push(caller);
                open.push(caller);
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(str::to_owned).collect()
}

/// Each method with what it names of its own object or class: `self.x`, `cls.x`, `Class.x`.
fn uses<'a>(tree: &'a Tree, class: NodeId, class_name: &str) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    let body = tree.field(class, "body").into_iter();
    for statement in body.flat_map(|body| tree.children(body)) {
        let Some(function) = removal::function(tree, statement) else {
            continue;
        };
        let method = outline::name(tree, function);
        let attributes = tree.subtree(function);
        for attribute in attributes.filter(|&id| tree.kind(id) == Kind::Attribute) {
            let object = tree.field(attribute, "object").map(|id| tree.text(id));
            let is_own = object.is_some_and(|it| matches!(it, "self" | "cls") || it == class_name);
            let name = tree.field(attribute, "attribute").filter(|_| is_own);
            found.extend(name.map(|name| (method, tree.text(name))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::callers;

    #[test]
    fn callers_are_found_through_others_and_by_the_class() {
        let source = "\
class Other:
    def far(self): self.leaf()
class A:
    def leaf(self): return 1
    def direct(self): return self.leaf()
    @staticmethod
    def by_class(): return A.leaf(None)
    def through(self): return [self.direct for _ in ()]
    def round(self): return self.again()
    def again(self): return self.round() or self.by_class()
    def none(self): return self.other.leaf()
";
        let found = callers(source, "A", "leaf");
        assert_eq!(found, ["again", "by_class", "direct", "round", "through"]);
        assert_eq!(callers(source, "A", "round"), ["again"]);
        assert!(callers(source, "A", "none").is_empty());
        assert!(callers("class", "A", "none").is_empty());
    }
}
