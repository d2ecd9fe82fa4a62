//! For addresses that lead nowhere.

use leptos::prelude::*;

use crate::state::head::name_page;

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    name_page(|| "Page not found".to_owned());
    view! {
        <div class="page page--text">
            <h1 tabindex="-1">"Page not found"</h1>
            <p>"There is nothing at this address. The link may be incomplete."</p>
            <p>
                <a href="/">"Go to Benchmarks"</a>
                " or find what you look for with "
                <kbd>"Ctrl K"</kbd>
                "."
            </p>
        </div>
    }
}
