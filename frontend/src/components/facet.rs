//! One facet: values to choose from, each with the number of rows that it would keep.

use leptos::prelude::*;

use crate::reactive::{Memo, RwSignal, Signal, attr, handler, live};
use crate::state::words::grouped;

/// So many values get a search field.
const MANY: usize = 14;
/// So many are shown at once.
const SHOWN: usize = 60;

/// A value of a facet.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FacetValue {
    /// As in the filter.
    pub(crate) value: String,
    /// For a reader.
    pub(crate) label: String,
    /// Rows that it keeps beside the other facets; `None` while that is not known.
    pub(crate) n_rows: Option<usize>,
}

#[component]
pub(crate) fn Facet(
    /// Its name.
    title: &'static str,
    /// A hint below the title; empty for none.
    #[prop(into, optional)]
    hint: Signal<String>,
    /// All values, in order.
    #[prop(into)]
    values: Signal<Vec<FacetValue>>,
    /// The values chosen.
    #[prop(into)]
    chosen: Signal<Vec<String>>,
    /// Chooses a value or lets it go.
    #[prop(into)]
    on_toggle: Callback<String>,
) -> impl IntoView {
    // There may be thousands, so they are put together once a change and not for each reader.
    let values = Memo::new(move |_| values.get());
    let wanted = RwSignal::new(String::new());
    let is_long = Memo::new(move |_| values.with(Vec::len) > MANY);
    let found = Memo::new(move |_| {
        let wanted = wanted.with(|wanted| wanted.trim().to_lowercase());
        let mut found = values.get();
        if wanted.is_empty() {
            return found;
        }
        chosen.with(|chosen| {
            found.retain(|it| {
                it.label.to_lowercase().contains(&wanted) || chosen.contains(&it.value)
            });
        });
        found
    });
    let n_hidden = move || found.with(|found| found.len().saturating_sub(SHOWN));
    // The count follows by itself, so that a checkbox with the focus stays when counts change.
    let n_rows = move |value: &str| {
        found.with(|found| {
            found
                .iter()
                .find(|it| it.value == value)
                .and_then(|it| it.n_rows)
        })
    };
    let option = move |FacetValue { value, label, .. }: FacetValue| {
        let (of, it) = (value.clone(), value.clone());
        view! {
            <label class="facet__value">
                <input
                    type="checkbox"
                    prop:checked=attr(move || chosen.with(|chosen| chosen.contains(&it)))
                    on:change=handler(move |_| on_toggle.run(value.clone()))
                />
                <span class="facet__label">{label}</span>
                <span class="facet__count">{live(move || n_rows(&of).map(grouped))}</span>
            </label>
        }
    };
    view! {
        <fieldset class="facet">
            <legend class="facet__title">{title}</legend>
            {live(move || {
                let hint = hint.get();
                (!hint.is_empty()).then(|| view! { <p class="facet__hint">{hint}</p> })
            })}
            <Show when=move || is_long.get()>
                <input
                    type="search"
                    class="field facet__search"
                    placeholder="Find…"
                    aria-label=format!("Find in {}", title.to_ascii_lowercase())
                    prop:value=attr(move || wanted.get())
                    on:input=handler(move |event| wanted.set(event_target_value(&event)))
                />
            </Show>
            <div class="facet__values" class:facet__values--long=attr(move || is_long.get())>
                <For
                    each=move || found.with(|found| found.iter().take(SHOWN).cloned().collect::<Vec<_>>())
                    key=|it| it.value.clone()
                    children=option
                />
                {live(move || {
                    let n = n_hidden();
                    let text = format!("{} more: type to find them", grouped(n));
                    (n > 0).then(|| view! { <p class="facet__hint">{text}</p> })
                })}
            </div>
        </fieldset>
    }
}
