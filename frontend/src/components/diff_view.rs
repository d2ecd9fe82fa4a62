//! Compared texts side by side or one below the other: what is edited by sign and shape, what corresponds
//! lights up.

use leptos::ev::{self, MouseEvent};
use leptos::prelude::*;

use crate::components::announcer::{Announcer, use_announcer};
use crate::components::diff_edits::DiffEdits;
use crate::components::diff_table::table;
use crate::components::diff_tree::DiffTrees;
use crate::platform::{document, selection};
use crate::reactive::{RwSignal, StoredValue, attr, effect, handler, live};
use crate::state::diff::Comparison;
use crate::state::diff::reading::{DiffState, Layout, LitPlace};
use crate::state::diff::sheet::Which;
use crate::state::shortcuts::{self, Action};

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
    follow_width(diff);
    view! {
        <section class="diff-view" aria-label="Diff">
            <div class="diff-view__bar">
                <h2 class="diff-view__summary">
                    {live(move || with(diff, Comparison::summary))}
                </h2>
                {tools(diff, name, announcer)}
            </div>
            {live(move || fallbacks(diff))}
            <div class="diff-view__panes" class:diff-view__panes--three=attr(move || with(diff, Comparison::has_three).unwrap_or(false))>
                {texts(diff, name)}
                <DiffEdits diff name/>
            </div>
            <DiffTrees diff name/>
        </section>
    }
}

fn tools(diff: DiffState, name: &'static str, announcer: Announcer) -> impl IntoView {
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
    view! {
        <div class="diff-view__tools" role="group" aria-label="Edits">
            {go(-1, "Previous edit", "p")}
            {go(1, "Next edit", "n")}
        </div>
        {live(move || choices(diff))}
        <div class="diff-view__tools" role="group" aria-label="Layout">
            {layout(Layout::Split, "Split")}
            {layout(Layout::Unified, "Unified")}
        </div>
    }
}

/// Of three texts the two others, or one of them.
fn choices(diff: DiffState) -> Option<impl IntoView> {
    let choice = move |(only, is_chosen): (Option<Which>, bool)| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-pressed=is_chosen.to_string()
                on:click=handler(move |_| diff.show_only(only))
            >
                {only.map_or("All three", Which::title)}
            </button>
        }
    };
    let choices = diff.choices();
    (!choices.is_empty()).then(|| {
        view! {
            <div class="diff-view__tools" role="group" aria-label="Beside the reference">
                {choices.into_iter().map(choice).collect_view()}
            </div>
        }
    })
}

/// Why trees were not compared.
fn fallbacks(diff: DiffState) -> Option<impl IntoView> {
    with(diff, |it| {
        let fallback = |which: Which| {
            let why = it.fallback(which)?;
            let text = format!(
                "Compared token by token with {}, because {why}. Moves are not found, and there is no tree.",
                which.noun()
            );
            Some(view! { <p class="note note--warning" role="status">{text}</p> })
        };
        it.others().filter_map(fallback).collect_view()
    })
}

fn texts(diff: DiffState, name: &'static str) -> impl IntoView {
    // A selection stays in the column where it began.
    let column = RwSignal::new(None::<String>);
    let press = move |event: ev::PointerEvent| {
        column.set(document::attribute_around(&event, "data-column"));
    };
    let copy = move |event: ev::ClipboardEvent| {
        if let Some(column) = column.get_untracked() {
            let selector = format!("[data-column={column}]:not(.diff-view__code--missing)");
            selection::copy_only(&event, &selector);
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
            with(diff, |it| it.sheet(which)?.pieces.get(piece)?.edit).flatten()
        });
        if let Some(edit) = edit {
            diff.choose(edit);
        }
    };
    view! {
        <div class="diff-view__texts">
            <div
                class="diff-view__scroll"
                role="group"
                aria-label="Compared texts"
                tabindex="0"
                data-column=attr(move || column.get())
                on:pointerdown=handler(press)
                on:copy=handler(copy)
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
    }
}

/// Follows whether there is room for three texts.
fn follow_width(diff: DiffState) {
    let resized = window_event_listener(ev::resize, move |_| {
        let is_narrow = document::is_narrow();
        if diff.is_narrow.get_untracked() != is_narrow {
            diff.is_narrow.set(is_narrow);
        }
    });
    on_cleanup(move || resized.remove());
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
        let shown = it.sheets.iter().filter_map(|sheet| {
            let place = edit.place(sheet.which)?;
            let span = place.parts.first().map_or(place.span, |part| *part);
            Some(piece_id(name, sheet.which, sheet.pieces_in(span).0))
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

/// The id of a run.
pub(crate) fn piece_id(name: &str, which: Which, piece: usize) -> String {
    format!("{name}-{}-{piece}", which.letter())
}

/// The run that an id names.
fn piece_of(name: &str, id: &str) -> Option<(Which, usize)> {
    let (letter, piece) = id.strip_prefix(name)?.strip_prefix('-')?.split_once('-')?;
    let which = Which::ALL
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
                let ids = |place: &LitPlace| ids_of(comparison, name, *place);
                lit.places.iter().flat_map(ids).collect::<Vec<_>>()
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

/// The ids of a place's runs and of its node.
fn ids_of(comparison: &Comparison, name: &str, place: LitPlace) -> Vec<String> {
    let LitPlace { which, span, node } = place;
    let pieces = comparison.sheet(which).map(|sheet| sheet.pieces_in(span));
    let (first, end) = pieces.unwrap_or_default();
    let pieces = first..end.min(first + MOST_LIT);
    let pieces = pieces.map(|piece| piece_id(name, which, piece));
    let node = node.map(|node| format!("{name}-node-{}-{node}", which.letter()));
    pieces.chain(node).collect()
}
