//! Tabs in a row: arrow keys move, Home and End jump.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::platform::document;
use crate::reactive::{Signal, attr, handler, live};

/// One tab.
#[derive(Clone)]
pub(crate) struct Tab<T: 'static> {
    pub(crate) value: T,
    /// A word for ids; unique on the page together with the bar's name.
    pub(crate) slug: &'static str,
    pub(crate) label: Signal<String>,
}

#[component]
pub(crate) fn TabBar<T>(
    /// Its name for a screen reader.
    label: &'static str,
    /// A word for ids, unique on the page.
    name: &'static str,
    /// The tabs.
    tabs: Vec<Tab<T>>,
    /// The selected one.
    #[prop(into)]
    selected: Signal<T>,
    /// Called with the tab that the user wants.
    #[prop(into)]
    on_select: Callback<T>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let order: Vec<(T, &'static str)> = tabs.iter().map(|tab| (tab.value, tab.slug)).collect();
    let keydown = move |event: KeyboardEvent| {
        let at = order
            .iter()
            .position(|(value, _)| *value == selected.get_untracked())
            .unwrap_or_default();
        let n = order.len();
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % n,
            "ArrowLeft" => (at + n - 1) % n,
            "Home" => 0,
            "End" => n - 1,
            _ => return,
        };
        event.prevent_default();
        on_select.run(order[to].0);
        document::focus(&format!("#{}", tab_id(name, order[to].1)));
    };
    let button = move |tab: Tab<T>| {
        let Tab { value, slug, label } = tab;
        let is_selected = move || selected.get() == value;
        view! {
            <button
                id=tab_id(name, slug)
                class="tab-bar__tab"
                type="button"
                role="tab"
                aria-selected=attr(move || if is_selected() { "true" } else { "false" })
                aria-controls=panel_id(name)
                tabindex=attr(move || if is_selected() { "0" } else { "-1" })
                on:click=handler(move |_| on_select.run(value))
            >
                {live(move || label.get())}
            </button>
        }
    };
    view! {
        <div class="tab-bar" role="tablist" aria-label=label on:keydown=handler(keydown)>
            {tabs.into_iter().map(button).collect_view()}
        </div>
    }
}

/// The id of the one panel that a bar controls.
pub(crate) fn panel_id(name: &str) -> String {
    format!("panel-{name}")
}

/// The id of a tab, which names the panel.
pub(crate) fn tab_id(name: &str, slug: &str) -> String {
    format!("tab-{name}-{slug}")
}
