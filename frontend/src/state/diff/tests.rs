use shared::diff::MatcherId;

use super::align::{LinePair, Lines, align, merge};
use super::fold::fold;
use super::link::{MAX_HASH, from_hash, join, split, to_hash};
use super::sheet::Which;
use super::{Comparison, Row, RowState, tree, unified};
use crate::worker::compare::diff::compare;

fn comparison(a: &str, b: &str) -> Comparison {
    Comparison::new(a.to_owned(), b.to_owned(), compare(a, b, MatcherId::Simple))
}

/// Rows as `1=1` (same), `2~2` (layout), `3!4` (edited), lines from 1.
fn written(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let line = |at: Option<usize>| at.map_or("_".to_owned(), |at| (at + 1).to_string());
        let state = match row.state {
            RowState::Same => "=",
            RowState::Layout => "~",
            RowState::Edited => "!",
        };
        format!(
            "{}{state}{}",
            line(row.line(Which::Reference)),
            line(row.line(Which::Variant))
        )
    };
    rows.iter().map(row).collect::<Vec<_>>().join(" ")
}

fn check(a: &str, b: &str, split: &str, joined: &str) {
    let comparison = comparison(a, b);
    assert_eq!(written(&comparison.rows), split);
    assert_eq!(
        written(&unified(&comparison, &comparison.rows)),
        joined,
        "unified"
    );
}

#[test]
fn lines_stand_beside_what_corresponds() {
    check("a = 1\n", "a = 1\n", "1=1", "1=1");
    check("a = 1\nb = 2\n", "a = 1\nb = 3\n", "1=1 2!2", "1=1 2!_ _!2");
    check(
        "a = 1\nb = 2\n",
        "a = 1\nnew()\nb = 2\n",
        "1=1 _!2 2=3",
        "1=1 _!2 2=3",
    );
    check("", "a = 1\n", "1!1", "1!1");
}

#[test]
fn a_line_that_only_gains_something_stands_once() {
    check("f(a)\n", "f(a, b)\n", "1!1", "1!1");
}

#[test]
fn lines_that_only_share_a_row_stand_apart_when_unified() {
    check(
        "a = 1\nlog(a)\nb = 2\n",
        "a = 1\n\nb = 2\n",
        "1=1 2!2 3=3",
        "1=1 2!_ _!2 3=3",
    );
    check(
        "a = 1\nb = 2\nc()\n",
        "a = 2\nb = 3\nx()\nc()\n",
        "1!1 2!2 _!3 3=4",
        "1!_ 2!_ _!1 _!2 _!3 3=4",
    );
}

#[test]
fn layout_is_no_edit() {
    check("f(a,b)\n", "f(a, b)\n", "1~1", "1~1");
    check(
        "a = 1\nb = 2\n",
        "a = 1\n\nb = 2\n",
        "1=1 _~2 2=3",
        "1=1 _~2 2=3",
    );
    let layout = comparison("f(a,b)\n", "f(a, b)\n");
    assert!(layout.summary().starts_with("No edits"));
}

#[test]
fn alignment_keeps_the_heavier_of_two_orders() {
    let a = ["x", "y", "z"];
    let b = ["z", "x", "y"];
    let pairs = align(&a, &b, vec![(0, 1), (1, 2), (2, 0)]);
    let pair = |a: Option<usize>, b: Option<usize>| LinePair {
        a,
        b,
        is_linked: a.is_some() && b.is_some(),
    };
    assert_eq!(
        pairs,
        [
            pair(None, Some(0)),
            pair(Some(0), Some(1)),
            pair(Some(1), Some(2)),
            pair(Some(2), None),
        ]
    );
}

#[test]
fn edits_are_counted_and_in_reading_order() {
    let it = comparison("a = 1\nb = 2\nc = 3\n", "a = 9\nb = 2\nd = 3\ne()\n");
    assert_eq!(it.summary(), "3 edits: 1 insertion, 2 updates");
    let words: Vec<&str> = it
        .edits
        .iter()
        .map(|edit| edit.change.kind.word())
        .collect();
    assert_eq!(words, ["update", "update", "insert"]);
    let rows: Vec<usize> = it.edits.iter().map(|edit| edit.row).collect();
    assert_eq!(rows, [0, 2, 3]);
    let first = it.describe(&it.edits[0]);
    assert_eq!(
        (first.before.as_deref(), first.after.as_deref()),
        (Some("1"), Some("9"))
    );
    assert_eq!(first.places, "line 1");
    assert!(it.why(&it.edits[0]).contains(':'));
}

#[test]
fn indentation_is_not_marked() {
    let it = comparison(
        "def f():\n    pass\n",
        "def f():\n    pass\n\ndef g():\n    pass\n",
    );
    let variant = it.sheet(Which::Variant).unwrap();
    let marked = variant.pieces.iter().filter(|piece| piece.edit.is_some());
    let marked: Vec<&str> = marked.map(|piece| variant.text(piece.span)).collect();
    assert!(
        marked.iter().all(|text| !text.trim().is_empty()),
        "{marked:?}"
    );
    assert_eq!(marked.last(), Some(&"pass"));
    assert_eq!(variant.lines.len(), 5);
}

#[test]
fn a_very_long_line_is_cut_at_its_edits_only() {
    let line = |last: &str| format!("x = [{}{last}]\n", "1, ".repeat(2000));
    let it = comparison(&line("2"), &line("3"));
    let reference = it.sheet(Which::Reference).unwrap();
    let runs = reference.pieces.iter();
    let runs = runs.map(|piece| reference.text(piece.span).len());
    assert_eq!(runs.collect::<Vec<_>>(), [6005, 1, 1]);
}

#[test]
fn the_smallest_node_is_found_at_a_run() {
    let it = comparison("total = count + 1\n", "total = count + 1\n");
    let reference = it.sheet(Which::Reference).unwrap();
    let mut runs = reference.pieces.iter();
    let at = runs.position(|piece| reference.text(piece.span) == "count");
    let node = reference.node_at(at.unwrap()).unwrap();
    assert_eq!(reference.kind(node), "identifier");
}

#[test]
fn far_rows_are_folded() {
    let mut edited = vec![false; 20];
    edited[10] = true;
    let blocks: Vec<_> = fold(&edited)
        .into_iter()
        .map(|block| (block.rows, block.is_folded))
        .collect();
    assert_eq!(blocks, [(0..7, true), (7..14, false), (14..20, true)]);
    edited[4] = true;
    assert_eq!(fold(&edited).len(), 2, "one row is not worth folding");
    assert_eq!(fold(&[]), []);
}

#[test]
fn a_page_of_rows_is_enough() {
    let blocks = fold(&vec![true; 5000]);
    assert_eq!(blocks.len(), 2);
    assert!(blocks[1].is_folded);
    assert_eq!(blocks[1].rows.end, 5000);
}

#[test]
fn the_tree_is_open_where_something_is_edited() {
    let it = comparison(
        "def f():\n    return 1\n\ndef g():\n    return 2\n",
        "def f():\n    return 1\n\ndef g():\n    return 3\n",
    );
    let shown = |toggled: &[usize]| {
        let rows = tree::rows(&it, Which::Reference, toggled);
        rows.iter()
            .map(|row| row.text.clone().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert!(shown(&[]).contains(&"2".to_owned()));
    assert!(!shown(&[]).contains(&"1".to_owned()));
    assert_eq!(shown(&[0]).len(), 1);
}

#[test]
fn texts_travel_in_a_hash() {
    let texts = |texts: &[&str]| {
        texts
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    for some in [
        texts(&["x = 'ü'\n", "y\n"]),
        texts(&["", ""]),
        texts(&["a\n", "", "c"]),
    ] {
        assert_eq!(split(&join(&some)), Some(some));
    }
    assert_eq!(
        split("2\na\nb"),
        Some(texts(&["a\n", "b"])),
        "a link of old"
    );
    for none in ["9\nabc", "abc", "1 9\nabc", "1 1 1\nabcd", "\nabc"] {
        assert_eq!(split(none), None, "{none:?}");
    }
    let hash = to_hash(b"some bytes").unwrap();
    assert_eq!(
        from_hash(&format!("#{hash}")).as_deref(),
        Some(&b"some bytes"[..])
    );
    assert_eq!(from_hash("#c1=abc"), None);
    assert_eq!(to_hash(&vec![7; MAX_HASH]), None);
}

fn three(a: &str, b: &str, c: &str) -> Comparison {
    comparison(a, b).with_answer(c.to_owned(), compare(a, c, MatcherId::Simple))
}

/// Rows of three as `1-1-_`, lines from 1.
fn written_lines(rows: impl Iterator<Item = Lines>) -> String {
    let line = |at: Option<usize>| at.map_or("_".to_owned(), |at| (at + 1).to_string());
    let row = |row: Lines| row.map(line).join("-");
    rows.map(row).collect::<Vec<_>>().join(" ")
}

/// Checks how three texts stand side by side, and that every line stands once, in order.
fn check_three(a: &str, b: &str, c: &str, expected: &str) {
    let it = three(a, b, c);
    assert_eq!(written_lines(it.rows.iter().map(|row| row.lines)), expected);
    for sheet in &it.sheets {
        let lines: Vec<usize> = it
            .rows
            .iter()
            .filter_map(|row| row.line(sheet.which))
            .collect();
        assert_eq!(
            lines,
            (0..sheet.lines.len()).collect::<Vec<_>>(),
            "{:?}",
            sheet.which
        );
    }
}

#[test]
fn the_reference_is_the_spine_of_three() {
    let a = "a = 1\nb = 2\nc = 3\n";
    check_three(a, a, a, "1-1-1 2-2-2 3-3-3");
    check_three(a, "a = 1\nc = 3\n", a, "1-1-1 2-_-2 3-2-3");
    check_three(
        a,
        "a = 1\nnew()\nb = 2\nc = 3\n",
        a,
        "1-1-1 _-2-_ 2-3-2 3-4-3",
    );
    check_three("", "a = 1\n", "b = 2\nc = 3\n", "1-1-1 _-_-2");
}

#[test]
fn what_both_others_add_stands_side_by_side() {
    check_three(
        "a = 1\nb = 2\n",
        "a = 1\nnew()\nb = 2\n",
        "a = 1\nother(1, 2)\nnew()\nb = 2\n",
        "1-1-1 _-_-2 _-2-3 2-3-4",
    );
    check_three(
        "a = 1\n",
        "a = 1\nx()\n",
        "first()\na = 1\ny(1)\n",
        "_-_-1 1-1-2 _-2-3",
    );
}

#[test]
fn alignments_of_one_reference_merge() {
    let pair = |a: Option<usize>, b: Option<usize>| LinePair {
        a,
        b,
        is_linked: true,
    };
    let with_b = [
        pair(None, Some(0)),
        pair(Some(0), Some(1)),
        pair(Some(1), None),
    ];
    let with_c = [
        pair(Some(0), None),
        pair(Some(1), Some(0)),
        pair(None, Some(1)),
    ];
    let merged = merge(&["x", "y"], &["p", "q"], &with_b, &with_c);
    assert_eq!(written_lines(merged.into_iter()), "_-1-_ 1-2-_ 2-_-1 _-_-2");
    assert_eq!(merge(&[], &[], &[], &[]), Vec::<Lines>::new());
}

#[test]
fn the_reference_tells_both_others_edits_apart() {
    let it = three("a = 1\nb = 2\n", "a = 9\nb = 2\n", "a = 1\nb = 7\nc()\n");
    assert_eq!(
        it.summary(),
        "Variant: 1 edit (1 update); Answer: 2 edits (1 insertion, 1 update)"
    );
    let to: Vec<Which> = it.edits.iter().map(|edit| edit.to).collect();
    assert_eq!(to, [Which::Variant, Which::Answer, Which::Answer]);
    let reference = it.sheet(Which::Reference).unwrap();
    let marked = |to: Which| {
        let pieces = reference.pieces.iter();
        let pieces = pieces.filter(|piece| !piece.marks.to(to).is_empty());
        pieces
            .map(|piece| reference.text(piece.span))
            .collect::<Vec<_>>()
    };
    assert_eq!(marked(Which::Variant), ["1"]);
    assert_eq!(marked(Which::Answer), ["2"]);
    let states = |to: Which| {
        it.rows
            .iter()
            .map(|row| it.state(row, to))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        states(Which::Variant)[..2],
        [RowState::Edited, RowState::Same]
    );
    assert_eq!(
        states(Which::Answer)[..2],
        [RowState::Same, RowState::Edited]
    );
}

#[test]
fn one_of_three_is_shown_as_if_it_were_alone() {
    let (a, b, c) = ("a = 1\nb = 2\n", "a = 9\nb = 2\n", "a = 1\nc()\nb = 7\n");
    let only = three(a, b, c).only(Which::Variant);
    let alone = comparison(a, b);
    assert_eq!(
        (&only.sheets, &only.rows, &only.edits),
        (&alone.sheets, &alone.rows, &alone.edits)
    );
    let answer = three(a, b, c).only(Which::Answer);
    assert_eq!(answer.summary(), comparison(a, c).summary());
    assert_eq!(unified(&answer, &answer.rows).len(), 4);
}

#[test]
fn a_fold_is_known_by_its_text() {
    let body: Vec<String> = (0..12).map(|n| format!("x{n} = {n}\n")).collect();
    let body = body.concat();
    let it = comparison(&body, &format!("{body}new()\n"));
    let folded = it.blocks.iter().find(|block| block.is_folded).unwrap();
    assert!(it.text_of(folded).starts_with("x0 = 0\nx1 = 1\n"));
    // What is typed elsewhere leaves it the same.
    let typed = comparison(&body, &format!("{body}new(1)\n"));
    assert_eq!(typed.text_of(&typed.blocks[0]), it.text_of(folded));
}
