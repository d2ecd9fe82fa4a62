//! The methods of a benchmark.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use shared::subject::DatasetId;

use crate::page::Page;
use crate::state::opened::use_current_benchmark;

#[component]
pub(crate) fn SubjectsPage() -> impl IntoView {
    let params = use_params_map();
    let dataset = move || DatasetId(params.with(|params| params.get("dataset").unwrap_or_default()));
    let current = use_current_benchmark();
    Effect::new(move || current.want(&dataset()));
    view! {
        <div class="page">
            <h1 tabindex="-1">"Subjects"</h1>
            {move || {
                current.ready().map(|opened| {
                    opened
                        .index
                        .iter()
                        .take(100)
                        .map(|row| {
                            let path = Page::Workbench(dataset(), row.id.clone()).path();
                            view! { <p><a href=path>{row.id.to_string()}</a></p> }
                        })
                        .collect_view()
                })
            }}
        </div>
    }
}
