//! One facet: values to choose from, each with the number of rows that it would keep.

use leptos::prelude::*;

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
    let wanted = RwSignal::new(String::new());
    let is_long = Memo::new(move |_| values.with(Vec::len) > MANY);
    let found = Memo::new(move |_| {
        let wanted = wanted.with(|wanted| wanted.trim().to_lowercase());
        let mut found = values.get();
        chosen.with(|chosen| {
            found.retain(|it| {
                let is_hit = it.n_rows != Some(0) && it.label.to_lowercase().contains(&wanted);
                is_hit || chosen.contains(&it.value)
            });
        });
        found
    });
    let n_hidden = move || found.with(|found| found.len().saturating_sub(SHOWN));
    let option = move |it: FacetValue| {
        let value = it.value.clone();
        let is_chosen = {
            let value = value.clone();
            move || chosen.with(|chosen| chosen.contains(&value))
        };
        view! {
            <label class="facet__value">
                <input type="checkbox" prop:checked=is_chosen on:change=move |_| on_toggle.run(value.clone())/>
                <span class="facet__label">{it.label}</span>
                <span class="facet__count">{it.n_rows.map(grouped)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="facet">
            <legend class="facet__title">{title}</legend>
            <Show when=move || !hint.with(String::is_empty)>
                <p class="facet__hint">{hint}</p>
            </Show>
            <Show when=move || is_long.get()>
                <input
                    type="search"
                    class="field facet__search"
                    placeholder="Find…"
                    aria-label=format!("Find in {}", title.to_lowercase())
                    prop:value=wanted
                    on:input=move |event| wanted.set(event_target_value(&event))
                />
            </Show>
            <div class="facet__values" class:facet__values--long=move || is_long.get()>
                <For
                    each=move || found.with(|found| found.iter().take(SHOWN).cloned().collect::<Vec<_>>())
                    key=|it| (it.value.clone(), it.n_rows)
                    children=option
                />
                <Show when=move || { n_hidden() > 0 }>
                    <p class="facet__hint">{move || format!("{} more: type to find them", grouped(n_hidden()))}</p>
                </Show>
            </div>
        </fieldset>
    }
}
