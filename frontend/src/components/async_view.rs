//! The four states of anything that is loaded: on its way, failed (with a way on), empty, there.

use leptos::prelude::*;

use crate::components::toast::sentence;
use crate::reactive::handler;
use crate::state::fetched::Fetched;
use crate::worker::client::ClientError;

/// Shows what was asked for, and what is the matter until it does.
#[component]
pub(crate) fn AsyncView<T, F, V>(
    /// What is loaded.
    resource: Fetched<T>,
    /// What it is, for the notes: `the benchmark`.
    what: &'static str,
    /// Shows the value.
    children: F,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
{
    move || match resource.get() {
        None => view! { <Loading what/> }.into_any(),
        Some(Err(error)) => {
            view! { <ErrorNote error what on_retry=move || resource.refetch()/> }.into_any()
        }
        Some(Ok(value)) => children(value).into_any(),
    }
}

#[component]
pub(crate) fn Loading(
    /// What is loaded.
    what: &'static str,
) -> impl IntoView {
    view! { <p class="loading" aria-busy="true">{format!("Loading {what}…")}</p> }
}

#[component]
pub(crate) fn ErrorNote(
    /// What went wrong.
    error: ClientError,
    /// What could not be shown.
    what: &'static str,
    /// Tries again.
    #[prop(into)]
    on_retry: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="note note--error" role="alert">
            <p class="note__what">{format!("Cannot show {what}.")}</p>
            <p>{sentence(&error.message)}</p>
            {error.next.as_deref().map(|next| view! { <p>{sentence(next)}</p> })}
            <div class="note__actions">
                <button type="button" class="button" on:click=handler(move |_| on_retry.run(()))>
                    "Try again"
                </button>
                <a class="button" href="/">
                    "Go to Benchmarks"
                </a>
            </div>
        </div>
    }
}
