//! The help pages, which the build makes from `static/help/*.md`.

use leptos::prelude::*;

#[component]
pub(crate) fn HelpIndexPage() -> impl IntoView {
    view! { <h1 tabindex="-1">"Help"</h1> }
}

#[component]
pub(crate) fn HelpPage() -> impl IntoView {
    view! { <h1 tabindex="-1">"Help"</h1> }
}
