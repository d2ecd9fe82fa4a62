//! A bar for work whose end is known.

use leptos::prelude::*;

use crate::reactive::{Signal, attr, handler, live};
use crate::state::words::grouped;
use crate::worker::protocol::Progress;

#[component]
pub(crate) fn ProgressBar(
    /// What is going on: `Reading ClassEval`.
    #[prop(into)]
    label: Signal<String>,
    /// What is counted: `records`.
    unit: &'static str,
    /// How far; `None` while the end is not known.
    #[prop(into)]
    progress: Signal<Option<Progress>>,
    /// Gives the work up; no button without it.
    #[prop(optional, into)]
    on_cancel: Option<Callback<()>>,
) -> impl IntoView {
    let done = move || progress.get().map(|progress| progress.done.to_string());
    let of = move || {
        progress
            .get()
            .map_or(1, |progress| progress.of.max(1))
            .to_string()
    };
    let counts = move || {
        progress
            .get()
            .map(|Progress { done, of }| format!("{} of {} {unit}", grouped(done), grouped(of)))
    };
    view! {
        <div class="progress">
            <span class="progress__label">{live(move || label.get())}</span>
            <progress class="progress__bar" aria-label=attr(move || label.get()) max=of prop:value=attr(move || done().unwrap_or_default()) value=done></progress>
            <span class="progress__counts">{counts}</span>
            {on_cancel
                .map(|cancel| {
                    view! {
                        <button type="button" class="button" on:click=handler(move |_| cancel.run(()))>
                            "Cancel"
                        </button>
                    }
                })}
        </div>
    }
}
