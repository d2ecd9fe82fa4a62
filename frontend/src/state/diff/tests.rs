use shared::diff::MatcherId;

use super::align::{LinePair, align};
use super::fold::fold;
use super::link::{MAX_HASH, from_hash, join, split, to_hash};
use super::sheet::Which;
use super::{Comparison, Row, RowState, tree, unified};
use crate::worker::diff::compare;

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
        format!("{}{state}{}", line(row.lines.a), line(row.lines.b))
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
    let words: Vec<&str> = it.edits.iter().map(|edit| edit.kind.word()).collect();
    assert_eq!(words, ["update", "update", "insert"]);
    assert_eq!(it.edit_rows, [0, 2, 3]);
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
    let marked: Vec<&str> =
        it.b.pieces
            .iter()
            .filter(|piece| piece.edit.is_some())
            .map(|piece| it.b.text(piece.span))
            .collect();
    assert!(
        marked.iter().all(|text| !text.trim().is_empty()),
        "{marked:?}"
    );
    assert_eq!(marked.last(), Some(&"pass"));
    assert_eq!(it.b.lines.len(), 5);
}

#[test]
fn a_very_long_line_is_cut_at_its_edits_only() {
    let line = |last: &str| format!("x = [{}{last}]\n", "1, ".repeat(2000));
    let it = comparison(&line("2"), &line("3"));
    let runs = it.a.pieces.iter().map(|piece| it.a.text(piece.span).len());
    assert_eq!(runs.collect::<Vec<_>>(), [6005, 1, 1]);
}

#[test]
fn the_smallest_node_is_found_at_a_run() {
    let it = comparison("total = count + 1\n", "total = count + 1\n");
    let at =
        it.a.pieces
            .iter()
            .position(|piece| it.a.text(piece.span) == "count");
    let node = it.a.node_at(at.unwrap()).unwrap();
    assert_eq!(it.a.kind(node), "identifier");
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
fn two_texts_travel_in_a_hash() {
    let joined = join("x = 'ü'\n", "y\n");
    assert_eq!(
        split(&joined),
        Some(("x = 'ü'\n".to_owned(), "y\n".to_owned()))
    );
    assert_eq!(split(&join("", "")), Some((String::new(), String::new())));
    assert_eq!(split("9\nabc"), None);
    assert_eq!(split("abc"), None);
    let hash = to_hash(joined.as_bytes()).unwrap();
    assert_eq!(
        from_hash(&format!("#{hash}")).as_deref(),
        Some(joined.as_bytes())
    );
    assert_eq!(from_hash("#c1=abc"), None);
    assert_eq!(to_hash(&vec![7; MAX_HASH]), None);
}
