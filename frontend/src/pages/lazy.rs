//! Pages that are loaded when they are first opened: their code is no part of a first visit.

use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;
use leptos::reactive::spawn_local;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

use crate::pages::perturb_all::PerturbAllPage;
use crate::pages::workbench::WorkbenchPage;
use crate::reactive::{LocalValue, RwSignal, live};

type Loaded = Result<AnyView, SplitLoaderError>;

#[wasm_split(workbench, fallible, preload(load_workbench))]
fn workbench_view() -> Loaded {
    Ok(view! { <WorkbenchPage/> }.into_any())
}

#[wasm_split(perturb_all, fallible, preload(load_perturb_all))]
fn perturb_all_view() -> Loaded {
    Ok(view! { <PerturbAllPage/> }.into_any())
}

#[component]
pub(crate) fn LazyWorkbench() -> impl IntoView {
    shown_when_loaded(workbench_view())
}

#[component]
pub(crate) fn LazyPerturbAll() -> impl IntoView {
    shown_when_loaded(perturb_all_view())
}

fn shown_when_loaded(page: impl Future<Output = Loaded> + 'static) -> impl IntoView {
    let slot = LocalValue::new_local(None::<AnyView>);
    let is_ready = RwSignal::new(false);
    // The page's signals belong to the place that shows it.
    let page = ScopedFuture::new(page);
    spawn_local(async move {
        match page.await {
            Ok(view) => {
                slot.set_value(Some(view));
                is_ready.set(true);
            }
            Err(_why) => {}
        }
    });
    live(move || {
        is_ready
            .get()
            .then(|| slot.try_update_value(Option::take).flatten())
            .flatten()
    })
}
