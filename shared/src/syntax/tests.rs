//! Trees: any text gives one, and it covers the text.

use super::{Kind, parse_python};

fn check(source: &str, dump: &str) {
    assert_eq!(parse_python(source).tree.dump(), dump, "{source:?}");
}

#[test]
fn a_tree_names_kinds_and_fields() {
    check(
        "x = -1\n",
        "(module (expression_statement (assignment left: (identifier) right: (unary_operator argument: (integer)))))",
    );
}

#[test]
fn nothing_is_a_module() {
    let parsed = parse_python("");
    assert_eq!(
        (parsed.tree.n_nodes(), parsed.tree.kind(parsed.tree.root())),
        (1, Kind::Module)
    );
    assert!(parsed.errors.is_empty());
}

#[test]
fn errors_are_told_once_and_in_place() {
    let source = "def f(:\n    return 1\n";
    let errors = parse_python(source).errors;
    assert!(!errors.is_empty());
    assert!(
        errors
            .iter()
            .all(|error| error.span.start as usize <= source.len())
    );
    let unclosed = parse_python("x = 1\ny = (2\n").errors;
    assert_eq!(unclosed.len(), 1);
    assert_eq!(unclosed[0].message, "unexpected text");
}

#[test]
fn a_method_at_two_indentations_is_no_error() {
    assert!(
        parse_python("@staticmethod\n    def f(a):\n        return a\n")
            .errors
            .is_empty()
    );
}

#[test]
fn relatives_agree() {
    let tree =
        parse_python("class A:\n    def f(self, x=1):\n        return [y for y in x if y]\n").tree;
    for id in tree.ids() {
        for child in tree.children(id) {
            assert_eq!(tree.parent(child), Some(id));
            assert!(tree.span(id).contains(tree.span(child)));
            assert!(tree.is_within(child, id) && !tree.is_within(id, child));
        }
    }
}
