//! Single steps and their reasons, scripts on small programs, hostile trees, random trees.

use proptest::prelude::*;

use super::budget::Steps;
use super::lcs::LcsTable;
use super::{
    Budget, Diff, DiffOptions, DiffTree, DiffTreeBuilder, EditAction, FallbackReason, MATCHERS,
    MatchedBy, MatcherId, Parent, apply, diff,
};
use crate::syntax::{abstraction, parse_python};
use crate::text::Span;

fn python(source: &str) -> DiffTree {
    DiffTree::of(&parse_python(source).tree, &abstraction::PYTHON)
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

/// What holds for every two trees and every matcher.
fn laws(src: &DiffTree, dst: &DiffTree) {
    for matcher in &MATCHERS {
        let found = diff(src, dst, &options(matcher.id));
        let mut partners: Vec<_> = found.mappings.iter().map(|mapping| mapping.dst).collect();
        partners.sort_unstable();
        partners.dedup();
        assert_eq!(partners.len(), found.mappings.n_mappings(), "one-to-one");
        for mapping in found.mappings.iter() {
            assert_eq!(src.kind(mapping.src), dst.kind(mapping.dst), "of one type");
            assert_eq!(found.mappings.src_of(mapping.dst), Some(mapping.src));
        }
        if found.fallback.is_some() {
            continue;
        }
        for script in [&found.script, &found.simplified(src, dst)] {
            let applied = apply(src, dst, script).expect("every action fits");
            // The reference never updates the root's label.
            assert!(
                applied.is_isomorphic_to(dst) || src.label(src.root()) != dst.label(dst.root()),
                "{}: {script:?}",
                matcher.id
            );
        }
        let same = diff(src, src, &options(matcher.id));
        assert!(same.is_same(), "{}: a tree differs from itself", matcher.id);
        assert_eq!(same.mappings.n_mappings(), src.n_nodes());
    }
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
fn names_of_matchers_are_read_back() {
    for matcher in &MATCHERS {
        assert_eq!(matcher.id.slug().parse(), Ok(matcher.id));
        assert_eq!(matcher.id.matcher().id, matcher.id);
    }
    assert!("gumtree".parse::<MatcherId>().is_err());
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

/// A tree of few types and labels, so that much is alike; each number opens a node after closing some.
fn tree_of(nodes: &[(u8, u8, u8)]) -> DiffTree {
    const KINDS: [&str; 4] = ["a", "b", "c", "d"];
    // `p2` and `np` have one hash.
    const LABELS: [&str; 5] = ["", "x", "p2", "np", "longer name"];
    let mut builder = DiffTreeBuilder::default();
    let mut depth = 0u8;
    for (at, &(kind, label, up)) in (0u32..).zip(nodes) {
        let n_closed = if depth == 0 { 0 } else { up % depth };
        for _ in 0..n_closed {
            builder.close();
        }
        depth += 1;
        depth -= n_closed;
        let span = Span::new(at, at + 1);
        builder.open(
            KINDS[kind as usize % 4],
            LABELS[label as usize % 5],
            span,
            None,
        );
    }
    builder.finish()
}

/// One parent on either side, over subtrees of few labels with gaps in the text between them.
fn siblings(children: &[(u8, u8)]) -> DiffTree {
    const LABELS: [&str; 3] = ["x", "y", "z"];
    let mut builder = DiffTreeBuilder::default();
    builder.open("list", "", Span::new(0, 0), None);
    let mut start = 0;
    for &(label, gap) in children {
        start += u32::from(gap);
        let span = Span::new(start, start + 1);
        builder.open("item", "", span, None);
        builder.open("leaf", LABELS[usize::from(label) % 3], span, None);
        builder.close();
        builder.close();
    }
    builder.finish()
}

/// The ranking of equal siblings by its definition: all pairs, best first.
fn ranked_siblings(src: &DiffTree, dst: &DiffTree) -> Vec<(u32, u32)> {
    let label = |tree: &DiffTree, item: u32| tree.label(super::DiffNodeId(item + 1)).to_owned();
    let of = |tree: &DiffTree| -> Vec<u32> { tree.children(tree.root()).map(|id| id.0).collect() };
    let mut ranked = Vec::new();
    for &s in &of(src) {
        for &d in &of(dst) {
            if label(src, s) == label(dst, d) {
                let position = src.positions[s as usize].abs_diff(dst.positions[d as usize]);
                let (x, y) = (src.spans[s as usize], dst.spans[d as usize]);
                let text = x.start.abs_diff(y.start) + x.end.abs_diff(y.end);
                let postorder = src.postorder(s).abs_diff(dst.postorder(d));
                ranked.push((position, text, postorder, s, d));
            }
        }
    }
    ranked.sort_unstable();
    let mut mapped: Vec<(u32, u32)> = Vec::new();
    for (.., s, d) in ranked {
        if mapped.iter().all(|&(src, dst)| src != s && dst != d) {
            mapped.push((s, d));
        }
    }
    mapped.sort_unstable();
    mapped
}

#[test]
fn types_are_told_apart_by_their_text_not_by_where_it_stands() {
    let tree = |names: [&'static str; 2]| {
        let mut builder = DiffTreeBuilder::default();
        for name in names.into_iter().cycle().take(20) {
            builder.open(name, "", Span::new(0, 0), None);
        }
        builder.finish()
    };
    let elsewhere = |name: &str| -> &'static str { Box::leak(name.to_owned().into_boxed_str()) };
    let (here, there) = (tree(["a", "ab"]), tree([elsewhere("a"), elsewhere("ab")]));
    assert!(here.is_isomorphic_to(&there));
    assert!(diff(&here, &there, &DiffOptions::default()).is_same());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_over_any_trees(
        src in proptest::collection::vec((0u8..4, 0u8..5, 0u8..6), 1..40),
        dst in proptest::collection::vec((0u8..4, 0u8..5, 0u8..6), 1..40),
    ) {
        laws(&tree_of(&src), &tree_of(&dst));
    }

    #[test]
    fn equal_siblings_are_ranked_as_defined(
        src in proptest::collection::vec((0u8..3, 0u8..9), 0..14),
        dst in proptest::collection::vec((0u8..3, 0u8..9), 0..14),
    ) {
        let (src, dst) = (siblings(&src), siblings(&dst));
        prop_assume!(!src.is_isomorphic_to(&dst));
        let found = diff(&src, &dst, &DiffOptions::default());
        let identical = [MatchedBy::IdenticalRanked, MatchedBy::IdenticalUnique];
        let items: Vec<(u32, u32)> = found
            .mappings
            .iter()
            .filter(|mapping| identical.contains(&mapping.by) && src.kind(mapping.src) == "item")
            .map(|mapping| (mapping.src.0, mapping.dst.0))
            .collect();
        assert_eq!(items, ranked_siblings(&src, &dst));
    }

    #[test]
    fn common_subsequences_are_those_of_the_plain_table(
        a in proptest::collection::vec(0u32..4, 0..90),
        b in proptest::collection::vec(0u32..4, 0..90),
    ) {
        let mut lengths = vec![vec![0u32; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                lengths[i + 1][j + 1] = if a[i] == b[j] {
                    lengths[i][j] + 1
                } else {
                    lengths[i][j + 1].max(lengths[i + 1][j])
                };
            }
        }
        let mut table = LcsTable::default();
        table.fill(&a, &b, 4, &mut Steps::new(&Budget::default())).expect("enough");
        for (i, row) in lengths.iter().enumerate() {
            for (j, &length) in row.iter().enumerate() {
                prop_assert_eq!(table.len(i, j), length);
            }
        }
    }

    #[test]
    fn laws_hold_over_edited_trees(
        nodes in proptest::collection::vec((0u8..4, 0u8..5, 0u8..6), 1..60),
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0u8..4, 0u8..5, 0u8..6), 0..6),
    ) {
        let mut edited = nodes.clone();
        for (at, kind, label, up) in edits {
            let at = at.index(edited.len());
            if up == 0 && edited.len() > 1 {
                edited.remove(at);
            } else {
                edited[at] = (kind, label, up);
            }
        }
        laws(&tree_of(&nodes), &tree_of(&edited));
    }
}
