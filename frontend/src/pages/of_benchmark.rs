//! What pages over a whole benchmark have in common: they load its card, and stand below its methods.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};
use shared::api::DatasetCard;
use shared::subject::DatasetId;

use crate::components::async_view::AsyncView;
use crate::page::Page;
use crate::reactive::Memo;
use crate::state::fetched::Fetched;
use crate::state::head::{Crumb, name_page, show_way};
use crate::state::shortcuts::{self, Action};
use crate::worker::client;

/// A page over the benchmark that its address names.
#[component]
pub(super) fn OfBenchmark(
    /// What the page is called in the way to it.
    title: &'static str,
    /// The page over a benchmark.
    page: fn(DatasetCard) -> AnyView,
) -> impl IntoView {
    let params = use_params_map();
    let dataset = Memo::new(move |_| {
        DatasetId(params.with(|params| params.get("dataset").unwrap_or_default()))
    });
    name_page(move || title.to_owned());
    let card = Fetched::new(move || {
        let dataset = dataset.get();
        async move {
            let entry = client::open(dataset, Box::new(|_| ())).await?;
            Ok(entry.card)
        }
    });
    let below = move |card: DatasetCard| {
        let up = Page::Subjects(card.id.clone());
        let way = vec![Crumb::to(card.name.clone(), up.clone()), Crumb::here(title)];
        show_way(move || way.clone());
        let (navigate, up) = (use_navigate(), up.path());
        shortcuts::on(Action::UpOneLevel, move || {
            navigate(&up, NavigateOptions::default());
        });
        page(card)
    };
    view! { <AsyncView resource=card what="the benchmark" children=below/> }
}
