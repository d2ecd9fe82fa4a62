//! A list of any length that holds only the rows in view: fixed row height, one row in the tab order.

use std::sync::Arc;

use leptos::ev::{self, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;

use crate::platform::document;
use crate::state::settings::use_settings;

/// A row's height, the same as `--height-row`.
const ROW_REM: f64 = 2.25;
/// Rows kept ready above and below the view.
const OVERSCAN: usize = 6;

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
    /// The header's cells; the header is row 1 for screen readers.
    header: AnyView,
    /// The cells of a row.
    row: RowView,
    /// Opens the item at a place.
    #[prop(into)]
    on_open: Callback<usize>,
) -> impl IntoView {
    let viewport = NodeRef::<html::Div>::new();
    let scroll_top = RwSignal::new(0.0_f64);
    let height = RwSignal::new(0.0_f64);
    let text_size = use_settings().text_size;
    let row_px = Memo::new(move |_| {
        text_size.track();
        ROW_REM * document::rem_px()
    });
    let n = move || items.with(|items| items.len());

    let measure = move || {
        if let Some(viewport) = viewport.get_untracked() {
            height.set(f64::from(viewport.client_height()));
            scroll_top.set(f64::from(viewport.scroll_top()));
        }
    };
    Effect::new(move || {
        text_size.track();
        if viewport.get().is_some() {
            request_animation_frame(measure);
        }
    });
    let resized = window_event_listener(ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    // A new list starts at its top.
    Effect::watch(
        move || items.get(),
        move |_, _, _| {
            if active.get_untracked() == 0
                && let Some(viewport) = viewport.get_untracked()
            {
                viewport.set_scroll_top(0);
            }
        },
        false,
    );

    let range = Memo::new(move |_| visible(scroll_top.get(), height.get(), row_px.get(), n()));
    // Rows out of view are not in the page, so the tab order falls back to the first in view.
    let tab_stop = Memo::new(move |_| {
        let (first, last) = range.get();
        let active = active.get();
        if (first..last).contains(&active) { active } else { first }
    });
    let go_to = move |to: usize| {
        active.set(to);
        let (Some(viewport), px) = (viewport.get_untracked(), row_px.get_untracked()) else { return };
        viewport.set_scroll_top(scrolled_to(to, f64::from(viewport.scroll_top()), height.get_untracked(), px));
        request_animation_frame(move || {
            document::focus(&format!(".virtual-list [aria-rowindex=\"{}\"]", to + 2));
        });
    };
    let keydown = move |event: KeyboardEvent| {
        let page = visible_rows(height.get_untracked(), row_px.get_untracked());
        let Some(to) = target(&event.key(), active.get_untracked(), untrack(n), page) else {
            if event.key() == "Enter" && untrack(n) > 0 {
                event.prevent_default();
                on_open.run(active.get_untracked());
            }
            return;
        };
        event.prevent_default();
        go_to(to);
    };
    crate::state::shortcuts::on(crate::state::shortcuts::Action::NextRow, move || {
        if let Some(to) = target("ArrowDown", active.get_untracked(), untrack(n), 1) {
            // The first press only takes the keyboard to the list.
            go_to(if document::is_focus_in(".virtual-list") { to } else { active.get_untracked() });
        }
    });
    crate::state::shortcuts::on(crate::state::shortcuts::Action::PreviousRow, move || {
        if let Some(to) = target("ArrowUp", active.get_untracked(), untrack(n), 1) {
            go_to(to);
        }
    });

    let rows = move || {
        let (first, last) = range.get();
        items.with(|items| (first..last.min(items.len())).map(|at| (at, items[at])).collect::<Vec<_>>())
    };
    let line = move |(at, item): (usize, u32)| {
        view! {
            <div
                class="virtual-list__row"
                role="row"
                aria-rowindex=at + 2
                aria-selected=move || (active.get() == at).to_string()
                tabindex=move || if tab_stop.get() == at { "0" } else { "-1" }
                style:transform=move || format!("translateY({}px)", offset(at, row_px.get()))
                on:focus=move |_| active.set(at)
                on:click=move |event| {
                    // The link in the row does what links do, with Ctrl and the middle button too.
                    if !event.default_prevented() && !event.ctrl_key() && !event.meta_key() && !event.shift_key() {
                        event.prevent_default();
                        on_open.run(at);
                    }
                }
            >
                {row(at, item)}
            </div>
        }
    };
    view! {
        <div class="virtual-list" role="grid" aria-label=label aria-rowcount=move || n() + 1 on:keydown=keydown>
            <div class="virtual-list__header" role="row" aria-rowindex="1">{header}</div>
            <div
                class="virtual-list__viewport"
                role="rowgroup"
                node_ref=viewport
                tabindex="-1"
                on:scroll=move |_| measure()
            >
                <div
                    class="virtual-list__space"
                    role="presentation"
                    style:height=move || format!("{}px", offset(n(), row_px.get()))
                >
                    <For each=rows key=|row| *row children=line/>
                </div>
            </div>
        </div>
    }
}

#[expect(clippy::cast_precision_loss, reason = "a list has far fewer than 2^52 rows")]
fn offset(row: usize, row_px: f64) -> f64 {
    row as f64 * row_px
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a small whole number")]
fn whole(value: f64) -> usize {
    value.clamp(0.0, 1e9) as usize
}

/// Rows that fit a height.
fn visible_rows(height: f64, row_px: f64) -> usize {
    whole(height / row_px).max(1)
}

/// The places to show: first, and one past the last.
fn visible(scroll_top: f64, height: f64, row_px: f64, n: usize) -> (usize, usize) {
    let first = whole(scroll_top / row_px);
    let last = first + visible_rows(height, row_px) + 1;
    (first.saturating_sub(OVERSCAN).min(n), (last + OVERSCAN).min(n))
}

/// Where to scroll, in pixels, so that a row is in view.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a scrollable page fit an i32")]
fn scrolled_to(row: usize, scroll_top: f64, height: f64, row_px: f64) -> i32 {
    let top = offset(row, row_px);
    let lowest = top + row_px - height;
    scroll_top.clamp(lowest.min(top).max(0.0), top).round() as i32
}

/// The row that a key leads to.
fn target(key: &str, active: usize, n: usize, page: usize) -> Option<usize> {
    let last = n.checked_sub(1)?;
    Some(match key {
        "ArrowDown" => (active + 1).min(last),
        "ArrowUp" => active.saturating_sub(1),
        "PageDown" => (active + page).min(last),
        "PageUp" => active.saturating_sub(page),
        "Home" => 0,
        "End" => last,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_around_the_view_are_shown() {
        assert_eq!(visible(0.0, 720.0, 36.0, 10_000), (0, 27));
        assert_eq!(visible(36_000.0, 720.0, 36.0, 10_000), (994, 1_027));
        assert_eq!(visible(0.0, 720.0, 36.0, 3), (0, 3));
        assert_eq!(visible(99_999.0, 720.0, 36.0, 3), (3, 3));
    }

    #[test]
    fn scrolling_goes_no_further_than_needed() {
        assert_eq!(scrolled_to(5, 0.0, 720.0, 36.0), 0);
        assert_eq!(scrolled_to(20, 0.0, 720.0, 36.0), 36);
        assert_eq!(scrolled_to(2, 720.0, 720.0, 36.0), 72);
    }

    #[test]
    fn keys_stay_inside_the_list() {
        assert_eq!(target("ArrowDown", 9, 10, 5), Some(9));
        assert_eq!(target("PageUp", 3, 10, 5), Some(0));
        assert_eq!(target("End", 0, 10, 5), Some(9));
        assert_eq!(target("ArrowDown", 0, 0, 5), None);
        assert_eq!(target("a", 0, 10, 5), None);
    }
}
