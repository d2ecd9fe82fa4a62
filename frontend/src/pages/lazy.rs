//! Pages and views that are loaded when they are first opened: their code is no part of a first visit.
//!
//! All that such a page alone needs goes into the part that `wasm_split` names, also what the worker does for it.

#![expect(
    clippy::unnecessary_wraps,
    reason = "an error is what `wasm_split` makes of a part that cannot be loaded"
)]

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;
use wasm_bindgen_futures::spawn_local;
use wasm_split_helpers::wasm_split;

use crate::components::async_view::{ErrorNote, Loading};
use crate::components::test_runner::TestRunner;
use crate::components::variant_editor::VariantEditor;
use crate::pages::diff::DiffPage;
use crate::pages::identify::IdentifyPage;
use crate::pages::perturb_all::PerturbAllPage;
use crate::pages::references::ReferencesPage;
use crate::platform::document;
use crate::reactive::{LocalValue, RwSignal, live};
use crate::state::workbench::Workbench;
use crate::worker::protocol::Failure;

/// A page or view, or why it could not be loaded.
type Loaded = Result<AnyView, Failure>;

/// How long after a benchmark was opened its other pages are fetched.
const DELAY: Duration = Duration::from_millis(1_500);

/// Fetches the part while the reader looks around, so that its pages are there without the server.
pub(crate) fn read_ahead() {
    let read = async {
        // Whoever opens such a page hears what is the matter.
        let _is_there = futures_util::join!(fetch_compare(), document::use_part_style());
    };
    set_timeout(move || spawn_local(read), DELAY);
}

#[wasm_split(compare, fallible, preload(fetch_compare))]
fn diff_page() -> Loaded {
    Ok(view! { <DiffPage/> }.into_any())
}

#[wasm_split(compare, fallible)]
fn variant_editor(bench: Workbench) -> Loaded {
    Ok(view! { <VariantEditor bench/> }.into_any())
}

/// [`DiffPage`].
#[component]
pub(crate) fn LazyDiffPage() -> impl IntoView {
    once_loaded(Arc::new(|| Box::pin(diff_page())), "the comparison")
}

#[wasm_split(compare, fallible)]
fn identify_page() -> Loaded {
    Ok(view! { <IdentifyPage/> }.into_any())
}

/// [`IdentifyPage`].
#[component]
pub(crate) fn LazyIdentifyPage() -> impl IntoView {
    once_loaded(Arc::new(|| Box::pin(identify_page())), "the identification")
}

#[wasm_split(compare, fallible)]
fn test_runner(bench: Workbench) -> Loaded {
    Ok(view! { <TestRunner bench/> }.into_any())
}

/// [`TestRunner`].
#[component]
pub(crate) fn LazyTestRunner(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    once_loaded(
        Arc::new(move || Box::pin(test_runner(bench))),
        "the test runner",
    )
}

#[wasm_split(compare, fallible)]
fn perturb_all_page() -> Loaded {
    Ok(view! { <PerturbAllPage/> }.into_any())
}

/// [`PerturbAllPage`].
#[component]
pub(crate) fn LazyPerturbAllPage() -> impl IntoView {
    once_loaded(Arc::new(|| Box::pin(perturb_all_page())), "the page")
}

#[wasm_split(compare, fallible)]
fn references_page() -> Loaded {
    Ok(view! { <ReferencesPage/> }.into_any())
}

/// [`ReferencesPage`].
#[component]
pub(crate) fn LazyReferencesPage() -> impl IntoView {
    once_loaded(Arc::new(|| Box::pin(references_page())), "the page")
}

/// [`VariantEditor`].
#[component]
pub(crate) fn LazyVariantEditor(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    once_loaded(
        Arc::new(move || Box::pin(variant_editor(bench))),
        "the variant editor",
    )
}

type Load = Arc<dyn Fn() -> LocalBoxFuture<'static, Loaded> + Send + Sync>;

/// Shows what is loaded when it is there, and until then what is the matter.
fn once_loaded(load: Load, what: &'static str) -> impl IntoView {
    let page = LocalValue::new_local(None::<Loaded>);
    let n_loaded = RwSignal::new(0_usize);
    let owner = Owner::current();
    let start = move || {
        let Some(owner) = owner.clone() else { return };
        // What the page makes belongs to the place that shows it.
        let loading = owner.with(|| ScopedFuture::new(load()));
        spawn_local(async move {
            let (loaded, ()) = futures_util::join!(loading, document::use_part_style());
            page.set_value(Some(loaded));
            n_loaded.update(|n| *n += 1);
        });
    };
    start();
    let again = Callback::new(move |()| start());
    live(move || {
        n_loaded.get();
        match page.try_update_value(Option::take).flatten() {
            None => view! { <Loading what/> }.into_any(),
            Some(Ok(page)) => page,
            Some(Err(error)) => view! { <ErrorNote error what on_retry=again/> }.into_any(),
        }
    })
}
