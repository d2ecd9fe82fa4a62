//! The benchmarks: what there is, where it lives, and import.

use leptos::prelude::*;
use shared::subject::{DatasetId, SubjectId};

use crate::components::async_view::{ErrorNote, Loading};
use crate::components::benchmark_card::BenchmarkCard;
use crate::components::dialog::ConfirmDialog;
use crate::components::import_panel::ImportPanel;
use crate::components::toast::use_toasts;
use crate::page::Page;
use crate::reactive::{RwSignal, Signal, live};
use crate::state::catalog::use_catalog;
use crate::state::head::name_page;
use crate::state::opened::use_current_benchmark;
use crate::worker::client;
use crate::worker::protocol::DatasetEntry;

/// A method of the starter benchmark whose plausible line needs no domain knowledge.
const FIRST_SHOWCASE: &str = "AccessMask.merge";

#[component]
pub(crate) fn BenchmarksPage() -> impl IntoView {
    name_page(|| "Benchmarks".to_owned());
    let catalog = use_catalog();
    if catalog.list.with_untracked(Option::is_some) {
        catalog.refresh();
    }
    let showcase =
        Page::Workbench(DatasetId::starter(), SubjectId(FIRST_SHOWCASE.to_owned())).path();
    view! {
        <div class="page benchmarks">
            <h1 tabindex="-1">"Benchmarks"</h1>
            <p class="lead">
                "Code that a model adapts to your class can look right and be wrong, because the line that decides it \
                 stands somewhere else. CtxLab takes correct methods, hides the places that depend on their context, \
                 and shows what a model would be asked to fill in. "
                <a href=showcase>"See a plausible line that is wrong here"</a>
            </p>
            <Show when=move || catalog.is_offline()>
                <p class="note note--warning">
                    "The server is not reachable. Everything on this page works without it; benchmarks on the server \
                     are listed if this browser has opened them before."
                </p>
            </Show>
            <List/>
            <ImportPanel/>
        </div>
    }
}

#[component]
fn List() -> impl IntoView {
    let catalog = use_catalog();
    let toasts = use_toasts();
    let current = use_current_benchmark();
    let asked = RwSignal::new(None::<DatasetId>);
    let confirming = RwSignal::new(false);
    let name_of = move |id: &DatasetId| {
        let entries = catalog.list.with(|list| {
            list.as_ref()?
                .as_ref()
                .ok()
                .map(|list| list.entries.clone())
        });
        let entry = entries
            .into_iter()
            .flatten()
            .find(|entry| entry.card.id == *id);
        entry.map_or_else(|| id.to_string(), |entry| entry.card.name)
    };
    let asked_name = move || asked.get().map_or_else(String::new, |id| name_of(&id));
    let remove = move |()| {
        let Some(id) = asked.get_untracked() else {
            return;
        };
        let name = untrack(asked_name);
        leptos::task::spawn_local(async move {
            match client::remove(id.clone()).await {
                Ok(()) => {
                    current.close(&id);
                    toasts.done(format!("{name} removed from this browser"));
                }
                Err(error) => toasts.failed(error.to_string()),
            }
            catalog.refresh();
        });
    };
    let ask = move |id| {
        asked.set(Some(id));
        confirming.set(true);
    };
    let card = move |entry: DatasetEntry| view! { <BenchmarkCard entry on_remove=ask/> };
    view! {
        {live(move || match catalog.list.get() {
            None => view! { <Loading what="the benchmarks"/> }.into_any(),
            Some(Err(error)) => {
                view! { <ErrorNote error what="the benchmarks" on_retry=move || catalog.refresh()/> }.into_any()
            }
            Some(Ok(list)) => {
                view! { <div class="benchmarks__list">{list.entries.into_iter().map(card).collect_view()}</div> }
                    .into_any()
            }
        })}
        <ConfirmDialog
            open=confirming
            title=Signal::derive(move || format!("Remove {}?", asked_name()))
            text="This browser forgets the benchmark. Its file on your disk stays, and you can import it again."
            verb="Remove"
            on_confirm=remove
        />
    }
}

#[cfg(test)]
mod tests {
    use super::FIRST_SHOWCASE;

    #[test]
    fn the_first_showcase_exists() {
        let notes = include_str!("../../../static/cases/showcases_a.json");
        assert!(notes.contains(&format!("\"subject\": \"{FIRST_SHOWCASE}\"")));
    }
}
