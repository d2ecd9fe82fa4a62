//! The palette: type a few letters, press Enter.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::components::dialog::Dialog;
use crate::platform::document;
use crate::reactive::{Memo, RwSignal, StoredValue, attr, handler, live};
use crate::state::catalog::use_catalog;
use crate::state::opened::use_current_benchmark;
use crate::state::palette::{Item, Scope, Target, items, search};
use crate::state::shortcuts::{self, Action};

#[component]
pub(crate) fn Palette() -> impl IntoView {
    let open = RwSignal::new(false);
    let scope = RwSignal::new(Scope::Everything);
    let current = use_current_benchmark();
    let show = move |wanted: Scope| {
        scope.set(wanted);
        open.set(true);
    };
    shortcuts::on(Action::OpenPalette, move || show(Scope::Everything));
    shortcuts::on(Action::GoTo, move || {
        let has_methods = untrack(|| current.ready()).is_some();
        show(if has_methods {
            Scope::Methods
        } else {
            Scope::Everything
        });
    });
    view! {
        <Dialog open title="Find" kind="palette">
            <Finder open scope=scope.get_untracked()/>
        </Dialog>
    }
}

#[component]
fn Finder(open: RwSignal<bool>, scope: Scope) -> impl IntoView {
    let datasets = use_catalog().list.with_untracked(|list| match list {
        Some(Ok(list)) => list.entries.clone(),
        _ => Vec::new(),
    });
    let opened = untrack(|| use_current_benchmark().ready());
    let all = StoredValue::new(items(scope, &datasets, opened.as_ref()));
    let wanted = RwSignal::new(String::new());
    let found = Memo::new(move |_| wanted.with(|wanted| all.with_value(|all| search(all, wanted))));
    let at = RwSignal::new(0_usize);
    let navigate = use_navigate();
    let choose = Callback::new(move |item: Item| {
        open.set(false);
        match item.target {
            Target::Open(page) => navigate(&page.path(), NavigateOptions::default()),
            // The dialog closes first: an action may open another or move the focus.
            Target::Do(action) => request_animation_frame(move || {
                shortcuts::run(action);
            }),
        }
    });
    let keydown = move |event: KeyboardEvent| {
        let last = found.with_untracked(Vec::len).saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = if *at >= last { 0 } else { *at + 1 }),
            "ArrowUp" => at.update(|at| *at = if *at == 0 { last } else { *at - 1 }),
            "Enter" => {
                if let Some(item) =
                    found.with_untracked(|found| found.get(at.get_untracked()).cloned())
                {
                    choose.run(item);
                }
            }
            _ => return,
        }
        event.prevent_default();
        request_animation_frame(|| document::reveal(".palette__item[aria-selected=\"true\"]"));
    };
    let item = move |(index, item): (usize, Item)| {
        let label = item.label.clone();
        let sort = item.sort;
        view! {
            <li
                class="palette__item"
                role="option"
                id=format!("palette-{index}")
                aria-selected=attr(move || (at.get() == index).to_string())
                on:click=handler(move |_| choose.run(item.clone()))
            >
                <span class="palette__label">{label}</span>
                <span class="palette__sort">{sort}</span>
            </li>
        }
    };
    let placeholder = match scope {
        Scope::Everything => "Page, benchmark, method, rule or action",
        Scope::Methods => "Method of this benchmark",
    };
    view! {
        <input
            type="text"
            class="field palette__field"
            role="combobox"
            autofocus
            autocomplete="off"
            spellcheck="false"
            placeholder=placeholder
            aria-label=placeholder
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant=attr(move || format!("palette-{}", at.get()))
            prop:value=attr(move || wanted.get())
            on:input=handler(move |event| {
                at.set(0);
                wanted.set(event_target_value(&event));
            })
            on:keydown=handler(keydown)
        />
        <ul class="palette__list" id="palette-list" role="listbox" aria-label="Finds">
            {live(move || found.get().into_iter().enumerate().map(item).collect_view())}
        </ul>
        <p class="palette__foot muted" role="status">
            {live(move || match found.with(Vec::len) {
                0 => "Nothing has all of these words.".to_owned(),
                crate::state::palette::SHOWN => "The first finds; type more to narrow them down.".to_owned(),
                _ => "↑ ↓ to choose, Enter to open, Esc to close".to_owned(),
            })}
        </p>
    }
}
