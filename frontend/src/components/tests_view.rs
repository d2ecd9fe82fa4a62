//! The tests of a method.

use leptos::prelude::*;
use shared::syntax::highlight::Token;

use crate::components::code_view::CodeView;
use crate::reactive::Signal;
use crate::state::words::n_of;

#[component]
pub(crate) fn TestsView(
    /// The name of the test class.
    class: String,
    /// Its source.
    source: String,
    /// Its colours.
    #[prop(into)]
    tokens: Signal<Vec<Token>>,
) -> impl IntoView {
    let n_tests = source
        .lines()
        .filter(|line| line.trim_start().starts_with("def test"))
        .count();
    if source.trim().is_empty() {
        return view! { <p class="tests-view__none">"The benchmark gives no tests for this method."</p> }.into_any();
    }
    view! {
        <div class="tests-view">
            <p class="tests-view__head">
                {n_of(n_tests, "test", "tests")} " in " <code>{class}</code>
            </p>
            <CodeView label="Tests" source=Signal::stored(source) tokens=tokens/>
        </div>
    }
    .into_any()
}
