//! A list of any length that holds only the rows in view: fixed row height, one row in the tab order.

use std::sync::Arc;

use leptos::ev::{self, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;

use crate::platform::document;
use crate::reactive::{Memo, RwSignal, Signal, attr, effect, handler, watch};
use crate::state::settings::use_settings;
use crate::state::shortcuts::{self, Action};
use crate::state::virtual_rows::View;

/// A row's height, the same as `--height-row`.
const ROW_REM: f64 = 2.25;
/// Row 1 of the grid is the header, and grids count from 1.
const FIRST_ROW: usize = 2;

/// Makes the cells of a row from its place in the list and its item.
pub(crate) type RowView = Arc<dyn Fn(usize, u32) -> AnyView + Send + Sync>;

#[component]
pub(crate) fn VirtualList(
    /// Its name for a screen reader.
    label: &'static str,
    /// What is listed.
    #[prop(into)]
    items: Signal<Arc<Vec<u32>>>,
    /// The place in the list that the keyboard is on.
    active: RwSignal<usize>,
    /// The header's cells.
    header: AnyView,
    /// The cells of a row.
    row: RowView,
    /// Opens the item at a place.
    #[prop(into)]
    on_open: Callback<usize>,
) -> impl IntoView {
    let list = Scroller::new(items, active);
    shortcuts::on(Action::NextRow, move || {
        // The first press only takes the keyboard to the list.
        let key = if document::is_focus_in(".virtual-list") {
            "ArrowDown"
        } else {
            ""
        };
        list.go_to(
            list.view
                .get_untracked()
                .target(key, active.get_untracked())
                .unwrap_or(active.get_untracked()),
        );
    });
    shortcuts::on(Action::PreviousRow, move || list.press("ArrowUp"));
    let keydown = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" => on_open.run(active.get_untracked()),
        key @ ("ArrowDown" | "ArrowUp" | "PageDown" | "PageUp" | "Home" | "End") => {
            event.prevent_default();
            list.press(key);
        }
        _ => {}
    };
    let rows = move || {
        let (from, to) = list.range.get();
        items.with(|items| {
            (from..to.min(items.len()))
                .map(|at| (at, items[at]))
                .collect::<Vec<_>>()
        })
    };
    let line = move |(at, item): (usize, u32)| {
        view! {
            <div
                class="virtual-list__row"
                role="row"
                aria-rowindex=at + FIRST_ROW
                tabindex=attr(move || if list.tab_stop.get() == at { "0" } else { "-1" })
                style:transform=attr(move || format!("translateY({}px)", list.view.get().top_of(at)))
                on:focus=handler(move |_| active.set(at))
                on:click=handler(move |event: ev::MouseEvent| {
                    // With Ctrl or Shift the link in the row does what links do.
                    if !event.ctrl_key() && !event.meta_key() && !event.shift_key() {
                        event.prevent_default();
                        on_open.run(at);
                    }
                })
            >
                {row(at, item)}
            </div>
        }
    };
    view! {
        <div
            class="virtual-list"
            role="grid"
            aria-label=label
            aria-rowcount=attr(move || items.with(|items| items.len()) + 1)
            on:keydown=handler(keydown)
        >
            <div class="virtual-list__header" role="row" aria-rowindex="1">
                {header}
            </div>
            <div
                class="virtual-list__viewport"
                role="rowgroup"
                node_ref=list.viewport
                tabindex="-1"
                on:scroll=handler(move |_| list.measure())
            >
                <div
                    class="virtual-list__space"
                    role="presentation"
                    style:height=attr(move || {
                        let view = list.view.get();
                        format!("{}px", view.top_of(view.n_rows))
                    })
                >
                    <For each=rows key=|row| *row children=line/>
                </div>
            </div>
        </div>
    }
}

/// The list's element and what is in view of it.
#[derive(Clone, Copy)]
struct Scroller {
    viewport: NodeRef<html::Div>,
    /// Where the element is scrolled to, and how high it is.
    measured: RwSignal<(f64, f64)>,
    view: Memo<View>,
    range: Memo<(usize, usize)>,
    /// Rows out of view are not in the page, so the tab order falls back to the first that is.
    tab_stop: Memo<usize>,
    active: RwSignal<usize>,
}

impl Scroller {
    fn new(items: Signal<Arc<Vec<u32>>>, active: RwSignal<usize>) -> Self {
        let text_size = use_settings().text_size;
        let measured = RwSignal::new((0.0, 0.0));
        let row_height = Memo::new(move |_| {
            text_size.track();
            ROW_REM * document::rem_px()
        });
        let view = Memo::new(move |_| {
            let (scroll_top, height) = measured.get();
            View {
                scroll_top,
                height,
                row_height: row_height.get(),
                n_rows: items.with(|items| items.len()),
            }
        });
        let range = Memo::new(move |_| view.get().range());
        let tab_stop = Memo::new(move |_| {
            let ((first, last), active) = (range.get(), active.get());
            if (first..last).contains(&active) {
                active
            } else {
                first
            }
        });
        let list = Self {
            viewport: NodeRef::new(),
            measured,
            view,
            range,
            tab_stop,
            active,
        };
        effect(move || {
            text_size.track();
            if list.viewport.get().is_some() {
                request_animation_frame(move || list.measure());
            }
        });
        let resized = window_event_listener(ev::resize, move |_| list.measure());
        on_cleanup(move || resized.remove());
        // A new list starts at its top.
        watch(move || items.get(), move |_| list.scroll(0));
        list
    }

    fn measure(self) {
        if let Some(viewport) = self.viewport.get_untracked() {
            self.measured.set((
                f64::from(viewport.scroll_top()),
                f64::from(viewport.client_height()),
            ));
        }
    }

    fn scroll(self, to: i32) {
        if let Some(viewport) = self.viewport.get_untracked() {
            viewport.set_scroll_top(to);
        }
    }

    /// Takes the keyboard where a key leads.
    fn press(self, key: &str) {
        if let Some(to) = self
            .view
            .get_untracked()
            .target(key, self.active.get_untracked())
        {
            self.go_to(to);
        }
    }

    /// Takes the keyboard to a row and the row into view.
    fn go_to(self, row: usize) {
        if self.view.get_untracked().n_rows == 0 {
            return;
        }
        self.active.set(row);
        self.scroll(self.view.get_untracked().scrolled_to(row));
        self.measure();
        request_animation_frame(move || {
            document::focus(&format!(
                ".virtual-list [aria-rowindex=\"{}\"]",
                row + FIRST_ROW
            ));
        });
    }
}
