//! The rows of a diff: a line of each text, its number, the signs of its edits, its runs.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::diff_view::piece_id;
use crate::reactive::{handler, live};
use crate::state::diff::fold::Block;
use crate::state::diff::reading::{DiffState, Layout};
use crate::state::diff::sheet::{Kinds, Piece, Sheet, Which};
use crate::state::diff::{Comparison, Row, RowState, unified};
use crate::state::words::n_of;
use crate::state::workbench::segments::token_class;

pub(crate) fn table(diff: DiffState, name: &'static str) -> Option<impl IntoView> {
    let comparison = diff.comparison.get()?;
    let layout = diff.layout.get();
    let mut cols: Vec<&str> = Vec::new();
    match layout {
        Layout::Unified => cols.extend(["number", "number", "sign", "code"]),
        Layout::Split => {
            for sheet in &comparison.sheets {
                cols.push("number");
                cols.extend(marked_for(&comparison, sheet.which).map(|_| "sign"));
                cols.push("code");
            }
        }
    }
    let n_columns = cols.len();
    let block = {
        let comparison = Arc::clone(&comparison);
        move |block: Block| {
            let comparison = Arc::clone(&comparison);
            live(move || {
                let shown = &comparison.rows[block.rows.clone()];
                let hidden = comparison.text_of(&block);
                if block.is_folded && !diff.is_open(hidden) {
                    return fold(diff, hidden.to_owned(), shown, n_columns).into_any();
                }
                let row = |row: &Row| table_row(&comparison, name, layout, row);
                match layout {
                    Layout::Split => shown.iter().map(row).collect_view().into_any(),
                    Layout::Unified => unified(&comparison, shown)
                        .iter()
                        .map(row)
                        .collect_view()
                        .into_any(),
                }
            })
        }
    };
    let col = |part: &str| view! { <col class=format!("diff-view__col diff-view__col--{part}")/> };
    let cols = cols.into_iter().map(col).collect_view();
    let head = match layout {
        Layout::Split => {
            let head = |sheet: &Sheet| head(&comparison, sheet.which);
            comparison.sheets.iter().map(head).collect_view().into_any()
        }
        Layout::Unified => {
            let others = comparison.others().map(Which::noun);
            let others = others.collect::<Vec<_>>().join(", ");
            view! { <th scope="col" colspan="4">{format!("Reference and {others}")}</th> }
                .into_any()
        }
    };
    Some(view! {
        <table class="diff-view__table">
            <colgroup>{cols}</colgroup>
            <thead>
                <tr>{head}</tr>
            </thead>
            <tbody>{comparison.blocks.iter().cloned().map(block).collect_view()}</tbody>
        </table>
    })
}

/// Towards which texts one shows its edits: the reference towards all others, those towards themselves.
fn marked_for(comparison: &Comparison, which: Which) -> impl Iterator<Item = Which> {
    let others = comparison.others().collect::<Vec<_>>();
    others
        .into_iter()
        .filter(move |other| which == Which::Reference || *other == which)
}

/// Of three texts the answer's edits have their line above, so that the reference can show both.
pub(crate) fn is_above(comparison: &Comparison, to: Which) -> bool {
    comparison.has_three() && to == Which::Answer
}

fn head(comparison: &Comparison, which: Which) -> impl IntoView + use<> {
    let note = match which {
        _ if !comparison.has_three() => "",
        Which::Reference => "variant’s edits with a line below, answer’s above",
        Which::Variant => "line below",
        Which::Answer => "line above",
    };
    let n_columns = marked_for(comparison, which).count() + 2;
    view! {
        <th scope="col" colspan=n_columns.to_string()>
            {which.title()}
            <span class="diff-view__note">{note}</span>
        </th>
    }
}

fn fold(diff: DiffState, hidden: String, rows: &[Row], n_columns: usize) -> impl IntoView + use<> {
    let n = |state: RowState| rows.iter().filter(|row| row.state == state).count();
    let (n_layout, n_edited) = (n(RowState::Layout), n(RowState::Edited));
    let mut text = if n_edited > 0 {
        n_of(rows.len(), "more line", "more lines")
    } else {
        n_of(rows.len(), "unchanged line", "unchanged lines")
    };
    if n_layout > 0 {
        text = format!("{text}, {n_layout} of them laid out differently");
    }
    view! {
        <tr class="diff-view__fold">
            <td colspan=n_columns.to_string()>
                <button type="button" class="button button--link" on:click=handler(move |_| diff.open(&hidden))>
                    {format!("Show {text}")}
                </button>
            </td>
        </tr>
    }
}

fn table_row(
    comparison: &Comparison,
    name: &str,
    layout: Layout,
    row: &Row,
) -> impl IntoView + use<> {
    let cells = match layout {
        Layout::Split => {
            let side = |sheet: &Sheet| {
                let signs = marked_for(comparison, sheet.which).map(|to| {
                    let kinds = sheet.line_in(row).map(|line| line.marks.to(to));
                    sign(comparison, to, kinds.unwrap_or_default(), row)
                });
                (
                    number(row.line(sheet.which)),
                    signs.collect_view(),
                    code(comparison, name, sheet, row, sheet.which.letter()),
                )
            };
            comparison.sheets.iter().map(side).collect_view().into_any()
        }
        Layout::Unified => {
            let [reference, other, ..] = &*comparison.sheets else {
                return ().into_any();
            };
            let kinds = |sheet: &Sheet| {
                let line = sheet.line_in(row);
                line.map_or(Kinds::default(), |line| line.marks.to(other.which))
            };
            // A line that stands once is shown as the side that has an edit has it.
            let is_only = row.line(other.which).is_none();
            let sheet = if is_only || !kinds(reference).is_empty() {
                reference
            } else {
                other
            };
            let mut both = kinds(reference);
            both.join(kinds(other));
            (
                number(row.line(Which::Reference)),
                number(row.line(other.which)),
                sign(comparison, other.which, both, row),
                code(comparison, name, sheet, row, "one"),
            )
                .into_any()
        }
    };
    let class = match row.state {
        RowState::Same => "",
        RowState::Layout => "diff-view__row--layout",
        RowState::Edited => "diff-view__row--edited",
    };
    view! { <tr class=class>{cells}</tr> }.into_any()
}

fn number(at: Option<usize>) -> impl IntoView + use<> {
    view! { <td class="diff-view__number">{at.map(|at| (at + 1).to_string())}</td> }
}

/// The signs of a line's edits towards a text: drawn from an attribute, and as words for a screen reader.
fn sign(comparison: &Comparison, to: Which, kinds: Kinds, row: &Row) -> impl IntoView + use<> {
    let (mut signs, mut words) = (kinds.signs(), kinds.words());
    if comparison.state(row, to) == RowState::Layout {
        "≈".clone_into(&mut signs);
        "layout".clone_into(&mut words);
    }
    if comparison.has_three() && !words.is_empty() {
        words = format!("{}: {words}", to.title());
    }
    view! {
        <td class="diff-view__sign" class:diff-view__sign--above=is_above(comparison, to) data-sign=signs>
            <span class="visually-hidden">{words}</span>
        </td>
    }
}

fn code(
    comparison: &Comparison,
    name: &str,
    sheet: &Sheet,
    row: &Row,
    column: &'static str,
) -> impl IntoView + use<> {
    let line = sheet.line_in(row);
    let run = |at: usize, piece: &Piece| {
        let mut class = piece.token.map_or("", token_class).to_owned();
        let mut above = String::new();
        for to in marked_for(comparison, sheet.which) {
            let class = if is_above(comparison, to) {
                &mut above
            } else {
                &mut class
            };
            for kind in piece.marks.to(to).kinds() {
                class.push_str(" diff-");
                class.push_str(kind.word());
            }
        }
        let id = piece_id(name, sheet.which, at);
        let run = view! { <span id=id class=class>{sheet.text(piece.span).to_owned()}</span> };
        if above.is_empty() {
            run.into_any()
        } else {
            view! { <span class=format!("diff-above{above}")>{run}</span> }.into_any()
        }
    };
    let runs = line.map(|line| {
        let (first, end) = line.pieces;
        let pieces = (first..end).zip(&sheet.pieces[first..end]);
        pieces.map(|(at, piece)| run(at, piece)).collect_view()
    });
    let is_missing = line.is_none();
    view! {
        <td class="diff-view__code" class:diff-view__code--missing=is_missing data-column=column>
            {runs}
        </td>
    }
}
