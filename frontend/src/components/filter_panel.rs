//! The facets of the Subjects page.

use leptos::prelude::*;
use shared::perturb::RULES;

use crate::components::facet::{Facet, FacetValue};
use crate::reactive::{Memo, RwSignal, Signal, attr, handler, live};
use crate::state::opened::CurrentBenchmark;
use crate::state::subject_list::SubjectList;
use crate::state::words::grouped;
use crate::worker::protocol::{Filter, NO_LIBRARY, QueryResult, SizeClass};

#[component]
pub(crate) fn FilterPanel(
    /// The page's state.
    list: SubjectList,
    /// For how far the counting of rules is.
    current: CurrentBenchmark,
) -> impl IntoView {
    let SubjectList { filter, result, .. } = list;
    let rules_hint = move || {
        current.counting.get().map_or_else(String::new, |progress| {
            format!(
                "Counting: {} of {} methods",
                grouped(progress.done),
                grouped(progress.of)
            )
        })
    };
    let rules = move || {
        let counts = result.with(|it| it.as_ref().filter(|it| it.rules_known).map(|it| it.rules));
        let value = |(at, rule): (usize, &shared::perturb::Rule)| FacetValue {
            value: rule.id.slug().to_owned(),
            label: format!("{}. {}", rule.id.number(), rule.title),
            n_rows: counts.map(|counts| counts[at]),
        };
        RULES.iter().enumerate().map(value).collect::<Vec<_>>()
    };
    let sizes = move || {
        let counts = result.with(|it| it.as_ref().map_or([0; 4], |it| it.sizes));
        let value = |size: SizeClass| FacetValue {
            value: size.slug().to_owned(),
            label: size.label().to_owned(),
            n_rows: Some(counts[size as usize]),
        };
        SizeClass::ALL.map(value).to_vec()
    };
    let n_showcases = move || result.with(|it| it.as_ref().map_or(0, |it| it.n_showcases));
    let has_showcases =
        Memo::new(move |_| n_showcases() > 0 || filter.with(|filter| filter.showcases_only));
    view! {
        <Show when=move || has_showcases.get()>
            <label class="facet__value facet__value--alone">
                <input
                    type="checkbox"
                    prop:checked=attr(move || filter.with(|filter| filter.showcases_only))
                    on:change=handler(move |event| {
                        let only = event_target_checked(&event);
                        filter.update(|filter| filter.showcases_only = only);
                    })
                />
                <span class="facet__label">"Has a showcase"</span>
                <span class="facet__count">{live(move || grouped(n_showcases()))}</span>
            </label>
        </Show>
        <Facet
            title="Rule that applies"
            hint=Signal::derive(rules_hint)
            values=Signal::derive(rules)
            chosen=Signal::derive(move || filter.with(|filter| filter.rules.clone()))
            on_toggle=move |value| filter.update(|filter| toggle(&mut filter.rules, value))
        />
        <Facet
            title="Size"
            values=Signal::derive(sizes)
            chosen=Signal::derive(move || {
                filter.with(|filter| filter.sizes.iter().map(|size| size.slug().to_owned()).collect())
            })
            on_toggle=move |value: String| filter.update(|filter| toggle_size(filter, &value))
        />
        <Facet
            title="Library"
            values=named(result, |it| &it.libraries, |filter| &filter.libraries, filter)
            chosen=Signal::derive(move || filter.with(|filter| filter.libraries.clone()))
            on_toggle=move |value| filter.update(|filter| toggle(&mut filter.libraries, value))
        />
        <Facet
            title="Class"
            values=named(result, |it| &it.classes, |filter| &filter.classes, filter)
            chosen=Signal::derive(move || filter.with(|filter| filter.classes.clone()))
            on_toggle=move |value| filter.update(|filter| toggle(&mut filter.classes, value))
        />
    }
}

/// The values of a facet whose values are names; chosen ones stay even when they keep nothing.
fn named(
    result: RwSignal<Option<QueryResult>>,
    counts: fn(&QueryResult) -> &Vec<(String, usize)>,
    chosen: fn(&Filter) -> &Vec<String>,
    filter: RwSignal<Filter>,
) -> Signal<Vec<FacetValue>> {
    Signal::derive(move || {
        let mut all =
            result.with(|it| it.as_ref().map(|it| counts(it).clone()).unwrap_or_default());
        filter.with(|filter| {
            for value in chosen(filter) {
                if !all.iter().any(|(known, _)| known == value) {
                    all.push((value.clone(), 0));
                }
            }
        });
        let value = |(value, n): (String, usize)| FacetValue {
            label: label(&value),
            value,
            n_rows: Some(n),
        };
        all.into_iter().map(value).collect()
    })
}

/// A class or library for a reader.
pub(crate) fn label(value: &str) -> String {
    if value == NO_LIBRARY {
        "no library".to_owned()
    } else {
        value.to_owned()
    }
}

/// Takes a value in, or out when it is in.
pub(crate) fn toggle(values: &mut Vec<String>, value: String) {
    match values.iter().position(|known| *known == value) {
        Some(at) => drop(values.remove(at)),
        None => values.push(value),
    }
}

/// The same for a size, by its slug.
pub(crate) fn toggle_size(filter: &mut Filter, slug: &str) {
    let Some(size) = SizeClass::ALL.into_iter().find(|size| size.slug() == slug) else {
        return;
    };
    match filter.sizes.iter().position(|known| *known == size) {
        Some(at) => drop(filter.sizes.remove(at)),
        None => filter.sizes.push(size),
    }
}
