//! The server could not do it, which is no verdict.

use leptos::prelude::*;

use crate::components::engine_picker::coded;
use crate::components::toast::sentence;
use crate::reactive::handler;
use crate::worker::protocol::Failure;

/// Why it was not run, what to do, and that this is no verdict.
#[component]
pub(crate) fn NotRun(
    /// What failed.
    title: &'static str,
    /// Why, and the next step.
    why: Failure,
    /// That it is no verdict.
    but: &'static str,
    /// Tries again.
    #[prop(into)]
    on_retry: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="note note--warning">
            <p class="note__what">{title}</p>
            <p>{coded(&sentence(&why.message))}</p>
            {why.next.as_deref().map(|next| view! { <p>{coded(&sentence(next))}</p> })}
            <p class="muted">{but}</p>
            <div class="note__actions">
                <button type="button" class="button button--small" on:click=handler(move |_| on_retry.run(()))>
                    "Try again"
                </button>
            </div>
        </div>
    }
}
