//! The filters in force, each with a way to drop it.

use leptos::prelude::*;
use shared::perturb::RULES;

use crate::components::filter_panel::{label, toggle, toggle_size};
use crate::reactive::{RwSignal, handler};
use crate::worker::protocol::Filter;

/// A filter in force: what it says, and how to drop it.
struct Chip {
    label: String,
    drop: Callback<()>,
}

#[component]
pub(crate) fn FilterChips(
    /// The page's filter.
    filter: RwSignal<Filter>,
) -> impl IntoView {
    let chip = |chip: Chip| {
        let name = format!("Drop the filter {}", chip.label);
        view! {
            <li>
                <button type="button" class="chip" aria-label=name on:click=handler(move |_| chip.drop.run(()))>
                    {chip.label}
                    <span aria-hidden="true">"×"</span>
                </button>
            </li>
        }
    };
    let clear = move |_| {
        let sort = filter.with_untracked(|filter| filter.sort);
        filter.set(Filter {
            sort,
            ..Filter::default()
        });
    };
    move || {
        let chips = chips(filter);
        (!chips.is_empty()).then(|| {
            view! {
                <ul class="chips" aria-label="Filters in force">
                    {chips.into_iter().map(chip).collect_view()}
                    <li>
                        <button type="button" class="button button--link" on:click=handler(clear)>
                            "Clear all"
                        </button>
                    </li>
                </ul>
            }
        })
    }
}

fn chips(filter: RwSignal<Filter>) -> Vec<Chip> {
    let mut chips = Vec::new();
    let mut add = |label: String, change: Box<dyn Fn(&mut Filter) + Send + Sync>| {
        chips.push(Chip {
            label,
            drop: Callback::new(move |()| filter.update(|filter| change(filter))),
        });
    };
    let now = filter.get();
    if !now.text.trim().is_empty() {
        add(
            format!("“{}”", now.text.trim()),
            Box::new(|filter| filter.text.clear()),
        );
    }
    if now.showcases_only {
        add(
            "Has a showcase".to_owned(),
            Box::new(|filter| filter.showcases_only = false),
        );
    }
    for slug in now.rules {
        let rule = RULES.iter().find(|rule| rule.id.slug() == slug);
        let label = rule.map_or_else(
            || slug.clone(),
            |rule| format!("{}. {}", rule.id.number(), rule.title),
        );
        add(
            label,
            Box::new(move |filter| toggle(&mut filter.rules, slug.clone())),
        );
    }
    for size in now.sizes {
        add(
            size.label().to_owned(),
            Box::new(move |filter| toggle_size(filter, size.slug())),
        );
    }
    for library in now.libraries {
        add(
            label(&library),
            Box::new(move |filter| toggle(&mut filter.libraries, library.clone())),
        );
    }
    for class in now.classes {
        add(
            class.clone(),
            Box::new(move |filter| toggle(&mut filter.classes, class.clone())),
        );
    }
    chips
}
