//! Two texts side by side or one below the other: what is edited by sign and shape, what corresponds lights up.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use crate::components::announcer::{Announcer, use_announcer};
use crate::components::diff_edits::DiffEdits;
use crate::components::diff_tree::DiffTrees;
use crate::platform::document;
use crate::reactive::{StoredValue, attr, effect, handler, live};
use crate::state::diff::fold::Block;
use crate::state::diff::reading::{DiffState, Layout};
use crate::state::diff::sheet::{Kinds, Piece, Which};
use crate::state::diff::{Comparison, Row, RowState, unified};
use crate::state::shortcuts::{self, Action};
use crate::state::words::n_of;
use crate::state::workbench::segments::token_class;

/// The most runs that light up together.
const MOST_LIT: usize = 4000;

#[component]
pub(crate) fn DiffView(
    /// The comparison and its view.
    diff: DiffState,
    /// A word for ids, unique on the page.
    name: &'static str,
) -> impl IntoView {
    let announcer = use_announcer();
    shortcuts::on(Action::NextSite, move || step(diff, name, 1, announcer));
    shortcuts::on(Action::PreviousSite, move || {
        step(diff, name, -1, announcer);
    });
    keep_lit(diff, name);
    let layout = move |layout: Layout, label: &'static str| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-pressed=attr(move || (diff.layout.get() == layout).to_string())
                on:click=handler(move |_| diff.layout.set(layout))
            >
                {label}
            </button>
        }
    };
    let go = move |by: isize, label: &'static str, key: &'static str| {
        view! {
            <button
                type="button"
                class="button button--small"
                disabled=attr(move || with(diff, |it| it.edits.is_empty()).unwrap_or(true))
                on:click=handler(move |_| step(diff, name, by, announcer))
            >
                {label}
                <kbd>{key}</kbd>
            </button>
        }
    };
    let point = move |event: MouseEvent| match document::id_of_target(&event)
        .and_then(|id| piece_of(name, &id))
    {
        Some((which, piece)) => diff.light_piece(which, piece),
        None => diff.light_edit(None),
    };
    let pick = move |event: MouseEvent| {
        let at = document::id_of_target(&event).and_then(|id| piece_of(name, &id));
        let edit = at.and_then(|(which, piece)| {
            with(diff, |it| it.sheet(which).pieces.get(piece)?.edit).flatten()
        });
        if let Some(edit) = edit {
            diff.choose(edit);
        }
    };
    let fallback = move || {
        let why = with(diff, |it| it.fallback.clone()).flatten()?;
        Some(view! {
            <p class="note note--warning" role="status">
                {format!("Compared token by token, because {why}. Moves are not found, and there is no tree.")}
            </p>
        })
    };
    view! {
        <section class="diff-view" aria-label="Diff">
            <div class="diff-view__bar">
                <h2 class="diff-view__summary">
                    {live(move || with(diff, Comparison::summary))}
                </h2>
                <div class="diff-view__tools" role="group" aria-label="Edits">
                    {go(-1, "Previous edit", "p")}
                    {go(1, "Next edit", "n")}
                </div>
                <div class="diff-view__tools" role="group" aria-label="Layout">
                    {layout(Layout::Split, "Split")}
                    {layout(Layout::Unified, "Unified")}
                </div>
            </div>
            {live(fallback)}
            <div class="diff-view__panes">
                <div class="diff-view__texts">
                    <div
                        class="diff-view__scroll"
                        role="group"
                        aria-label="Both texts"
                        tabindex="0"
                        on:mouseover=handler(point)
                        on:mouseleave=handler(move |_| diff.light_edit(None))
                        on:click=handler(pick)
                    >
                        {live(move || table(diff, name))}
                    </div>
                    <p class="diff-view__lit" aria-hidden="true">
                        {live(move || {
                            let lit = diff.lit.with(|lit| lit.as_ref().map(|lit| lit.text.clone()));
                            lit.unwrap_or_else(|| "Point at a node to see what corresponds to it, and why.".to_owned())
                        })}
                    </p>
                </div>
                <DiffEdits diff name/>
            </div>
            <DiffTrees diff name/>
        </section>
    }
}

/// Reads the comparison, where there is one.
pub(crate) fn with<T>(diff: DiffState, read: impl FnOnce(&Comparison) -> T) -> Option<T> {
    diff.comparison.with(|it| it.as_deref().map(read))
}

fn step(diff: DiffState, name: &'static str, by: isize, announcer: Announcer) {
    if let Some(n) = diff.step(by) {
        show(diff, name, n);
        announcer.say(diff.say(n));
    }
}

/// Brings a chosen edit into view, in the text and in the list.
pub(crate) fn show(diff: DiffState, name: &'static str, n: usize) {
    let ids = diff.comparison.with_untracked(|it| {
        let it = it.as_ref()?;
        let edit = it.edits.get(n)?;
        let shown = Which::BOTH.into_iter().filter_map(|which| {
            let sheet = it.sheet(which);
            let place = which.place(edit)?;
            let span = place.parts.first().map_or(place.span, |part| *part);
            Some(piece_id(name, which, sheet.pieces_in(span).0))
        });
        Some(shown.collect::<Vec<_>>())
    });
    request_animation_frame(move || {
        // A narrow page has the list below the texts: they have the last word.
        document::reveal(&format!("#{name}-edit-{n}"));
        for id in ids.into_iter().flatten() {
            document::reveal(&format!("#{id}"));
        }
    });
}

fn piece_id(name: &str, which: Which, piece: usize) -> String {
    format!("{name}-{}-{piece}", which.letter())
}

/// The run that an id names.
fn piece_of(name: &str, id: &str) -> Option<(Which, usize)> {
    let (letter, piece) = id.strip_prefix(name)?.strip_prefix('-')?.split_once('-')?;
    let which = Which::BOTH
        .into_iter()
        .find(|which| which.letter() == letter)?;
    Some((which, piece.parse().ok()?))
}

/// Gives what is lit its class, and takes it from what was.
fn keep_lit(diff: DiffState, name: &'static str) {
    let shown = StoredValue::new(Vec::<String>::new());
    effect(move || {
        diff.opened.track();
        diff.layout.track();
        let ids = diff.lit.with(|lit| {
            let lit = lit.as_ref()?;
            with(diff, |comparison| {
                let mut ids = Vec::new();
                for which in Which::BOTH {
                    let Some(place) = lit.place(which) else {
                        continue;
                    };
                    let (first, end) = comparison.sheet(which).pieces_in(place.span);
                    let pieces = first..end.min(first + MOST_LIT);
                    ids.extend(pieces.map(|piece| piece_id(name, which, piece)));
                    ids.extend(
                        place
                            .node
                            .map(|node| format!("{name}-node-{}-{node}", which.letter())),
                    );
                }
                ids
            })
        });
        let ids = ids.unwrap_or_default();
        // What has just been folded out has to be there.
        request_animation_frame(move || {
            let set = |is_set: bool| {
                shown.try_update_value(|shown| {
                    document::set_class(shown.iter().cloned(), "diff-lit", is_set);
                });
            };
            set(false);
            shown.try_update_value(|shown| *shown = ids);
            set(true);
        });
    });
}

fn table(diff: DiffState, name: &'static str) -> Option<impl IntoView> {
    let comparison = diff.comparison.get()?;
    let layout = diff.layout.get();
    let is_split = layout == Layout::Split;
    let cols: &[&str] = if is_split {
        &["number", "sign", "code", "number", "sign", "code"]
    } else {
        &["number", "number", "sign", "code"]
    };
    let n_columns = cols.len();
    let block = {
        let comparison = std::sync::Arc::clone(&comparison);
        move |block: Block| {
            let comparison = std::sync::Arc::clone(&comparison);
            let Block { rows, is_folded } = block;
            live(move || {
                let rows = rows.clone();
                let shown = &comparison.rows[rows.clone()];
                if is_folded && !diff.opened.with(|opened| opened.contains(&rows.start)) {
                    return fold(diff, rows.start, shown, n_columns).into_any();
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
    let col = |part: &&str| view! { <col class=format!("diff-view__col diff-view__col--{part}")/> };
    let cols = cols.iter().map(col).collect_view();
    let head = if is_split {
        view! {
            <th scope="col" colspan="3">"Reference"</th>
            <th scope="col" colspan="3">"Variant"</th>
        }
        .into_any()
    } else {
        view! { <th scope="col" colspan="4">"Reference and variant"</th> }.into_any()
    };
    Some(view! {
        <table class="diff-view__table" class:diff-view__table--split=is_split>
            <colgroup>{cols}</colgroup>
            <thead>
                <tr>{head}</tr>
            </thead>
            <tbody>{comparison.blocks.iter().cloned().map(block).collect_view()}</tbody>
        </table>
    })
}

fn fold(diff: DiffState, first: usize, rows: &[Row], n_columns: usize) -> impl IntoView + use<> {
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
                <button type="button" class="button button--link" on:click=handler(move |_| diff.open(first))>
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
    let (a, b) = (row.lines.a, row.lines.b);
    let cells = match layout {
        Layout::Split => {
            let side = |which: Which, at: Option<usize>| {
                (
                    number(at),
                    sign(kinds(comparison, which, at), row.state),
                    code(comparison, name, which, at),
                )
            };
            (side(Which::Reference, a), side(Which::Variant, b)).into_any()
        }
        Layout::Unified => {
            // A line that stands once is shown as the side that has an edit has it.
            let in_a = kinds(comparison, Which::Reference, a);
            let (which, at) = if b.is_none() || !in_a.is_empty() {
                (Which::Reference, a)
            } else {
                (Which::Variant, b)
            };
            let mut both = in_a;
            both.join(kinds(comparison, Which::Variant, b));
            (
                number(a),
                number(b),
                sign(both, row.state),
                code(comparison, name, which, at),
            )
                .into_any()
        }
    };
    let class = match row.state {
        RowState::Same => "",
        RowState::Layout => "diff-view__row--layout",
        RowState::Edited => "diff-view__row--edited",
    };
    view! { <tr class=class>{cells}</tr> }
}

fn kinds(comparison: &Comparison, which: Which, at: Option<usize>) -> Kinds {
    let line = comparison.sheet(which).line(at);
    line.map_or(Kinds::default(), |line| line.kinds)
}

fn number(at: Option<usize>) -> impl IntoView + use<> {
    view! { <td class="diff-view__number">{at.map(|at| (at + 1).to_string())}</td> }
}

/// The signs of a line: drawn from an attribute, and as words for a screen reader.
fn sign(kinds: Kinds, state: RowState) -> impl IntoView + use<> {
    let (mut signs, mut words) = (kinds.signs(), kinds.words());
    if state == RowState::Layout {
        "≈".clone_into(&mut signs);
        "layout".clone_into(&mut words);
    }
    view! {
        <td class="diff-view__sign" data-sign=signs>
            <span class="visually-hidden">{words}</span>
        </td>
    }
}

fn code(
    comparison: &Comparison,
    name: &str,
    which: Which,
    at: Option<usize>,
) -> impl IntoView + use<> {
    let sheet = comparison.sheet(which);
    let line = sheet.line(at);
    let run = |at: usize, piece: &Piece| {
        let mut class = piece.token.map_or("", token_class).to_owned();
        for kind in piece.kinds.kinds() {
            class.push_str(" diff-");
            class.push_str(kind.word());
        }
        let id = piece_id(name, which, at);
        view! { <span id=id class=class>{sheet.text(piece.span).to_owned()}</span> }
    };
    let runs = line.map(|line| {
        let (first, end) = line.pieces;
        let pieces = (first..end).zip(&sheet.pieces[first..end]);
        pieces.map(|(at, piece)| run(at, piece)).collect_view()
    });
    let is_missing = line.is_none();
    view! { <td class="diff-view__code" class:diff-view__code--missing=is_missing>{runs}</td> }
}
