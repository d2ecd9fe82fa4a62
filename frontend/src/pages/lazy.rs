//! Pages that are loaded when they are first opened: their code is no part of a first visit.
//!
//! All that such a page alone needs goes into the part that `wasm_split` names, also what the worker does for it.

#![expect(
    clippy::unnecessary_wraps,
    reason = "an error is what `wasm_split` makes of a part that cannot be loaded"
)]

use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;
use wasm_bindgen_futures::spawn_local;
use wasm_split_helpers::wasm_split;

use crate::components::async_view::{ErrorNote, Loading};
use crate::pages::diff::DiffPage;
use crate::reactive::{LocalValue, RwSignal, live};
use crate::worker::protocol::Failure;

/// A page, or why it could not be loaded.
type Loaded = Result<AnyView, Failure>;

#[wasm_split(compare, fallible)]
fn diff_page() -> Loaded {
    Ok(view! { <DiffPage/> }.into_any())
}

/// [`DiffPage`].
#[component]
pub(crate) fn LazyDiffPage() -> impl IntoView {
    once_loaded(|| Box::pin(diff_page()), "the comparison")
}

type Load = fn() -> std::pin::Pin<Box<dyn Future<Output = Loaded>>>;

/// Shows a page when it is there, and until then what is the matter.
fn once_loaded(load: Load, what: &'static str) -> impl IntoView {
    let page = LocalValue::new_local(None::<Loaded>);
    let n_loaded = RwSignal::new(0_usize);
    let owner = Owner::current();
    let start = move || {
        let Some(owner) = owner.clone() else { return };
        // What the page makes belongs to the place that shows it.
        let loading = owner.with(|| ScopedFuture::new(load()));
        spawn_local(async move {
            page.set_value(Some(loading.await));
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
