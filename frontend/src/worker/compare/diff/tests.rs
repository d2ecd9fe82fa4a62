use std::fmt::Write as _;

use shared::diff::{Budget, DiffOptions, MATCHERS, MatcherId};

use super::{compare, compare_within};
use crate::worker::compare::protocol::EditPlace;

/// One edit a line: its kind, its node's type, what shows of it on either side.
fn check(a: &str, b: &str, expected: &str) {
    let view = compare(a, b, MatcherId::Simple);
    let parts = |place: &Option<EditPlace>, source: &str| {
        let parts = place.iter().flat_map(|place| &place.parts);
        let texts: Vec<&str> = parts.map(|part| part.of(source)).collect();
        texts.join("|")
    };
    let mut found = String::new();
    for edit in &view.edits {
        let (in_a, in_b) = (parts(&edit.a, a), parts(&edit.b, b));
        let line = format!("{:?} {} [{in_a}] [{in_b}]", edit.kind, edit.what);
        writeln!(found, "{line}").unwrap();
    }
    assert_eq!(found.trim_end(), expected, "{a:?} -> {b:?}");
}

#[test]
fn edits_show_where_they_are() {
    check("x = 1\n", "x = 1\n", "");
    check("x = 1\n", "x = 2\n", "Update integer [1] [2]");
    check("f(a)\n", "f(a, b)\n", "Insert identifier [] [b]");
    check("f(a, b)\n", "f(a)\n", "Delete identifier [b] []");
}

#[test]
fn of_a_longer_text_the_words_show_that_differ() {
    check(
        "x = 'put it in'\n",
        "x = 'put this in'\n",
        "Update string [it] [this]",
    );
    check(
        "x = 'put it'\n",
        "x = 'put it in'\n",
        "Update string [it] [it in]",
    );
    check("# nö so\n", "# nä so\n", "Update comment [nö] [nä]");
}

#[test]
fn a_node_that_comes_alone_shows_its_own_text() {
    check(
        "def f(a):\n    a.go(1)\n    a.stop(2)\n",
        "def f(a):\n    if a:\n        a.go(1)\n        a.stop(2)\n",
        "Insert block [] []\n\
         Insert if_statement [] [if|:]\n\
         Insert identifier [] [a]\n\
         Move block [a.go(1)\n    a.stop(2)] [a.go(1)\n        a.stop(2)]",
    );
}

#[test]
fn partners_point_at_each_other() {
    let (a, b) = (
        "def f(x):\n    return x + 1\n",
        "def f(y):\n    return y + 2\n",
    );
    for matcher in &MATCHERS {
        let view = compare(a, b, matcher.id);
        for (at, node) in view.a.nodes.iter().enumerate() {
            let Some((partner, by)) = node.partner else {
                continue;
            };
            assert_eq!(view.b.nodes[partner].partner, Some((at, by)));
        }
        assert_eq!(view.a.nodes[0].depth, 0);
        assert!(view.edits.iter().all(|edit| edit.by.is_some()));
    }
}

#[test]
fn too_much_is_compared_by_tokens() {
    let options = DiffOptions {
        budget: Budget {
            max_nodes: 10,
            ..Budget::default()
        },
        ..DiffOptions::default()
    };
    let (a, b) = ("x = [1, 1, 2]\n", "x = [1, 1, 3]\n");
    let view = compare_within(a, b, &options);
    assert!(view.fallback.is_some());
    assert_eq!(view.edits.len(), 1);
    let place = view.edits[0].b.as_ref().unwrap();
    assert_eq!((place.node, place.span.of(b)), (None, "3"));
}
