//! Laws over random trees, and single parts against their definitions.

use proptest::prelude::*;

use crate::budget::Steps;
use crate::lcs::LcsTable;
use crate::{
    Budget, DiffNodeId, DiffOptions, DiffTree, DiffTreeBuilder, MATCHERS, MatchedBy, MatcherId,
    Span, apply, diff,
};

fn options(matcher: MatcherId) -> DiffOptions {
    DiffOptions {
        matcher,
        ..DiffOptions::default()
    }
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
fn names_of_matchers_are_read_back() {
    for matcher in &MATCHERS {
        assert_eq!(matcher.id.slug().parse(), Ok(matcher.id));
        assert_eq!(matcher.id.matcher().id, matcher.id);
    }
    assert!("gumtree".parse::<MatcherId>().is_err());
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
    let label = |tree: &DiffTree, item: u32| tree.label(DiffNodeId(item + 1)).to_owned();
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
