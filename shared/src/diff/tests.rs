//! Scripts on small programs, single steps and their reasons, hostile programs.

use super::{
    Budget, Diff, DiffOptions, DiffTree, EditAction, FallbackReason, MatcherId, Parent, apply, diff,
};
use crate::syntax::{abstraction, parse_python};
use crate::text::Span;

fn python(source: &str) -> DiffTree {
    abstraction::PYTHON.diff_tree(&parse_python(source).tree)
}

fn options(matcher: MatcherId) -> DiffOptions {
    DiffOptions {
        matcher,
        ..DiffOptions::default()
    }
}

/// A simplified script as lines of words.
fn script(src: &DiffTree, dst: &DiffTree, diff: &Diff) -> String {
    let place = |parent| match parent {
        Parent::Src(node) => src.kind(node),
        Parent::Dst(node) => dst.kind(node),
        Parent::Root => "root",
    };
    let line = |action: EditAction| {
        let name = action.name();
        match action {
            EditAction::Insert {
                node,
                parent,
                index,
            }
            | EditAction::InsertTree {
                node,
                parent,
                index,
            } => {
                format!(
                    "{name} {} {} {} {index}",
                    dst.kind(node),
                    dst.label(node),
                    place(parent)
                )
            }
            EditAction::Move {
                node,
                parent,
                index,
            } => {
                format!(
                    "{name} {} {} {} {index}",
                    src.kind(node),
                    src.label(node),
                    place(parent)
                )
            }
            EditAction::Update { node, to } => {
                format!("{name} {} -> {}", src.label(node), dst.label(to))
            }
            EditAction::Delete { node } | EditAction::DeleteTree { node } => {
                format!("{name} {} {}", src.kind(node), src.label(node))
            }
        }
    };
    let lines = diff.simplified(src, dst).into_iter().map(line);
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.collect::<Vec<_>>().join("; ")
}

fn check(src: &str, dst: &str, expected: &str) {
    let (src, dst) = (python(src), python(dst));
    let diff = diff(&src, &dst, &DiffOptions::default());
    assert_eq!(script(&src, &dst, &diff), expected);
}

#[test]
fn a_rename_is_one_update() {
    check("x = 1\n", "y = 1\n", "update-node x -> y");
}

#[test]
fn another_operator_is_another_type() {
    check(
        "x = a + b\n",
        "x = a - b\n",
        "insert-node - - binary_operator 1; delete-node + +",
    );
    check("x = a < b\n", "x = a >= b\n", "update-node < -> >=");
}

#[test]
fn a_new_statement_is_one_tree() {
    check(
        "def f(a):\n    return a\n",
        "def f(a):\n    print(a)\n    return a\n",
        "insert-tree expression_statement block 0",
    );
}

#[test]
fn a_statement_that_changes_places_is_moved() {
    check(
        "a = f(1)\nb = g(2)\nc = h(3)\n",
        "c = h(3)\na = f(1)\nb = g(2)\n",
        "move-tree expression_statement module 0",
    );
}

#[test]
fn brackets_and_commas_are_no_nodes() {
    let tree = python("f((a), b,)\n");
    let kinds: Vec<_> = tree.ids().map(|id| tree.kind(id)).collect();
    assert_eq!(
        kinds,
        [
            "module",
            "expression_statement",
            "call",
            "identifier",
            "argument_list",
            "parenthesized_expression",
            "identifier",
            "identifier"
        ]
    );
    let list = tree.ids().find(|&id| tree.kind(id) == "argument_list");
    assert_eq!(list.map(|id| tree.label(id)), Some(""));
}

#[test]
fn a_mapping_knows_who_made_it() {
    let (src, dst) = (
        python("def f(a):\n    return a + g(1)\n"),
        python("def f(b):\n    return b + g(1)\n"),
    );
    let found = diff(&src, &dst, &DiffOptions::default());
    let who = |kind: &str| {
        let node = src.ids().find(|&id| src.kind(id) == kind)?;
        Some(found.mappings.matched_by(node)?.slug())
    };
    assert_eq!(who("call"), Some("identical_unique"));
    assert_eq!(who("module"), Some("roots"));
    assert_eq!(who("binary_operator"), Some("common_descendants"));
    assert_eq!(who("parameters"), Some("recovered_structure"));
    assert_eq!(who("return_statement"), Some("common_descendants"));
}

#[test]
fn a_place_of_the_source_is_found_in_the_tree() {
    let source = "if a not in b: pass\n";
    let tree = python(source);
    let at = u32::try_from(source.find("in").unwrap()).unwrap();
    assert_eq!(tree.kind(tree.enclosing(Span::new(at, at + 2))), "not in");
}

#[test]
fn a_spent_budget_is_said_and_tokens_are_compared() {
    let (src, dst) = (
        python("a = f(1)\nb = 2\n"),
        python("a = f(1)\nc = 3\nb = 2\n"),
    );
    let cheap = |budget| DiffOptions {
        matcher: MatcherId::Classic,
        budget,
    };
    let few_nodes = Budget {
        max_nodes: 10,
        ..Budget::default()
    };
    let few_steps = Budget {
        max_steps: 50,
        ..Budget::default()
    };
    for budget in [few_nodes, few_steps] {
        let found = diff(&src, &dst, &cheap(budget));
        let fallback = found.fallback.as_ref().expect("too much");
        let changes = fallback.changes.as_slice();
        assert_eq!(changes.len(), 1);
        assert_eq!(
            (changes[0].src.len(), changes[0].dst),
            (0, Span::new(9, 14))
        );
        assert!(found.script.is_empty() && !found.is_same());
        assert_eq!(found.mappings.n_mappings(), 7);
        assert_eq!(
            matches!(fallback.reason, FallbackReason::TooManyNodes { .. }),
            budget == few_nodes
        );
    }
    assert!(diff(&src, &src, &cheap(few_nodes)).is_same());
}

#[test]
fn hostile_programs_end_inside_the_budget() {
    let n = 10_000;
    let siblings = |statement: &str| statement.repeat(n);
    let line = |stem: &str, number: usize| format!("{stem}{number} = {number}\n");
    let numbered = |stem: &str| {
        (0..n)
            .map(|number| line(stem, number))
            .collect::<Vec<_>>()
            .concat()
    };
    let backwards = |stem: &str| {
        let lines = (0..n).rev().map(|number| line(stem, number));
        lines.collect::<Vec<_>>().concat()
    };
    let list = |n: usize| format!("x = [{}]\n", "1, ".repeat(n));
    let deep = |leaf: &str| format!("x = {}{leaf}{}\n", "[".repeat(5_000), "]".repeat(5_000));
    for (src, dst) in [
        (siblings("x = 1\n"), siblings("x = 1\n") + "y = 2\n"),
        (siblings("f(x)\n"), siblings("f(x)\ng(x)\n")),
        (list(n), list(n + 1)),
        (numbered("a"), numbered("b")),
        (numbered("a"), backwards("a")),
        (numbered("a"), String::new()),
        (String::new(), numbered("a")),
        (deep("1"), deep("2")),
        (deep("a"), "x = 1\n".to_owned()),
    ] {
        let (src, dst) = (python(&src), python(&dst));
        // The other two are made of the same passes.
        for matcher in [MatcherId::Simple, MatcherId::Classic] {
            let found = diff(&src, &dst, &options(matcher));
            assert_eq!(found.fallback, None, "{matcher}");
            if matcher == MatcherId::Simple {
                let applied = apply(&src, &dst, &found.script).expect("every action fits");
                assert!(applied.is_isomorphic_to(&dst));
            }
        }
    }
}
