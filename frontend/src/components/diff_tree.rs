//! The trees of both texts; a node lights itself, its partner, and their texts.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::components::diff_view::with;
use crate::platform::document;
use crate::reactive::{RwSignal, attr, handler, live};
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::Which;
use crate::state::diff::tree::{TreeRow, rows};

#[component]
pub(crate) fn DiffTrees(
    /// The comparison and its view.
    diff: DiffState,
    /// A word for ids, unique on the page.
    name: &'static str,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let has_trees = move || with(diff, |it| it.fallback.is_none()).unwrap_or(false);
    let trees = move || {
        (is_open.get() && has_trees()).then(|| {
            view! {
                <div class="diff-tree__pair">
                    {tree(diff, name, Which::Reference, "Reference")}
                    {tree(diff, name, Which::Variant, "Variant")}
                </div>
            }
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

fn tree(diff: DiffState, name: &'static str, which: Which, label: &'static str) -> impl IntoView {
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
                <span class="diff-tree__sign" aria-hidden="true">{row.kinds.signs()}</span>
                <span class="visually-hidden">{row.kinds.words()}</span>
                {row.kind}
                " "
                {row.text.map(|text| view! { <code>{text}</code> })}
                <span class="diff-tree__fold" aria-hidden="true">{fold}</span>
            </li>
        }
    };
    view! {
        <div class="diff-tree__side">
            <h3>{label}</h3>
            <ul class="diff-tree__nodes" role="tree" aria-label=format!("Tree of the {}", label.to_ascii_lowercase()) on:keydown=handler(keydown)>
                {live(move || shown().into_iter().map(item).collect_view())}
            </ul>
        </div>
    }
}

/// The row may be drawn anew first.
fn focus(name: &'static str, which: Which, node: usize) {
    request_animation_frame(move || {
        document::focus(&format!("#{name}-node-{}-{node}", which.letter()));
    });
}
