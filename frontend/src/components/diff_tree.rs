//! The trees of the texts; a node lights itself, what corresponds, and their texts.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::components::diff_table::is_above;
use crate::components::diff_view::with;
use crate::platform::document;
use crate::reactive::{Memo, RwSignal, attr, handler, live};
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::{Marks, Which};
use crate::state::diff::tree::{TreeRow, rows};

#[component]
pub(crate) fn DiffTrees(
    /// The comparison and its view.
    diff: DiffState,
    /// A word for ids, unique on the page.
    name: &'static str,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    // A text that was compared token by token has no nodes that correspond.
    let shown = Memo::new(move |_| {
        with(diff, |it| {
            let has_nodes = |which: &Which| it.fallback(*which).is_none();
            let others: Vec<Which> = it.others().filter(has_nodes).collect();
            let reference = (!others.is_empty()).then_some(Which::Reference);
            reference.into_iter().chain(others).collect::<Vec<_>>()
        })
        .unwrap_or_default()
    });
    let has_trees = move || !shown.with(Vec::is_empty);
    let trees = move || {
        let shown = shown.get();
        (is_open.get() && !shown.is_empty()).then(|| {
            let tree = |which: Which| tree(diff, name, which);
            view! { <div class="diff-tree__all">{shown.into_iter().map(tree).collect_view()}</div> }
        })
    };
    view! {
        <div class="diff-tree" hidden=attr(move || !has_trees())>
            <button
                type="button"
                class="button button--small"
                aria-expanded=attr(move || is_open.get().to_string())
                on:click=handler(move |_| is_open.update(|open| *open = !*open))
            >
                {live(move || if is_open.get() { "Hide the trees" } else { "Show the trees" })}
            </button>
            {live(trees)}
        </div>
    }
}

fn tree(diff: DiffState, name: &'static str, which: Which) -> impl IntoView {
    let toggled = RwSignal::new(Vec::<usize>::new());
    // The row that Tab reaches.
    let at = RwSignal::new(0_usize);
    let shown = move || {
        with(diff, |it| toggled.with(|toggled| rows(it, which, toggled))).unwrap_or_default()
    };
    let toggle = move |node: usize| {
        toggled.update(
            |toggled| match toggled.iter().position(|known| *known == node) {
                Some(place) => drop(toggled.swap_remove(place)),
                None => toggled.push(node),
            },
        );
        focus(name, which, node);
    };
    let keydown = move |event: KeyboardEvent| {
        let rows = untrack(shown);
        let node = at.get_untracked();
        let Some(place) = rows.iter().position(|row| row.node == node) else {
            return;
        };
        let row = &rows[place];
        let to = match event.key().as_str() {
            "ArrowDown" => place + 1,
            "ArrowUp" => place.saturating_sub(1),
            "Home" => 0,
            "End" => rows.len() - 1,
            "ArrowRight" if row.is_open => place + 1,
            "ArrowLeft" if !row.is_open => {
                let above = rows[..place]
                    .iter()
                    .rposition(|other| other.depth < row.depth);
                above.unwrap_or(place)
            }
            "ArrowRight" | "ArrowLeft" | "Enter" | " " => {
                event.prevent_default();
                if row.n_below > 0 {
                    toggle(node);
                }
                return;
            }
            _ => return,
        };
        event.prevent_default();
        if let Some(row) = rows.get(to) {
            at.set(row.node);
            focus(name, which, row.node);
        }
    };
    let item = move |row: TreeRow| {
        let node = row.node;
        let expanded = (row.n_below > 0).then(|| row.is_open.to_string());
        let fold = match (row.n_below, row.is_open) {
            (0, _) => String::new(),
            (_, true) => "▾".to_owned(),
            (n, false) => format!("▸ {n}"),
        };
        view! {
            <li
                id=format!("{name}-node-{}-{node}", which.letter())
                class="diff-tree__node"
                role="treeitem"
                attr:aria-level=(row.depth + 1).to_string()
                aria-expanded=expanded
                tabindex=attr(move || if at.get() == node { "0" } else { "-1" })
                style:padding-inline-start=format!("{}ch", 2 * row.depth.min(30) + 1)
                on:focus=handler(move |_: leptos::ev::FocusEvent| diff.light_node(which, node))
                on:mouseover=handler(move |_: leptos::ev::MouseEvent| diff.light_node(which, node))
                on:click=handler(move |_| {
                    at.set(node);
                    if row.n_below > 0 {
                        toggle(node);
                    }
                })
            >
                {signs(diff, row.marks)}
                {row.kind}
                " "
                {row.text.map(|text| view! { <code>{text}</code> })}
                <span class="diff-tree__fold" aria-hidden="true">{fold}</span>
            </li>
        }
    };
    view! {
        <div class="diff-tree__side">
            <h3>{which.title()}</h3>
            <ul class="diff-tree__nodes" role="tree" aria-label=format!("Tree of {}", which.noun()) on:keydown=handler(keydown)>
                {live(move || shown().into_iter().map(item).collect_view())}
            </ul>
        </div>
    }
}

/// The signs of a node's edits, one group a text that they lead to.
fn signs(diff: DiffState, marks: Marks) -> impl IntoView {
    with(diff, |it| {
        let group = |to: Which| {
            let kinds = marks.to(to);
            view! {
                <span
                    class="diff-tree__sign"
                    class:diff-view__sign--above=is_above(it, to)
                    data-sign=kinds.signs()
                ></span>
                <span class="visually-hidden">{kinds.words()}</span>
            }
        };
        it.others().map(group).collect_view()
    })
}

/// The row may be drawn anew first.
fn focus(name: &'static str, which: Which, node: usize) {
    request_animation_frame(move || {
        document::focus(&format!("#{name}-node-{}-{node}", which.letter()));
    });
}
