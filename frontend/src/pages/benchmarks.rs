//! The list of benchmarks, and import.

use leptos::prelude::*;

use crate::page::Page;
use crate::state::catalog::use_catalog;
use crate::state::head::name_page;

#[component]
pub(crate) fn BenchmarksPage() -> impl IntoView {
    name_page(|| "Benchmarks".to_owned());
    let catalog = use_catalog();
    view! {
        <div class="page">
            <h1 tabindex="-1">"Benchmarks"</h1>
            {move || {
                catalog.list.get().map(|list| match list {
                    Ok(list) => list
                        .entries
                        .into_iter()
                        .map(|entry| {
                            let path = Page::Subjects(entry.card.id).path();
                            view! { <p><a href=path>{entry.card.name}</a></p> }
                        })
                        .collect_view()
                        .into_any(),
                    Err(error) => view! { <p>{error.to_string()}</p> }.into_any(),
                })
            }}
        </div>
    }
}
