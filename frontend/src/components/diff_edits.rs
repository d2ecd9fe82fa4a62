//! All edits of a diff, with the pass that matched each and its reason.

use leptos::prelude::*;

use crate::components::diff_view::{show, with};
use crate::reactive::{attr, handler, live};
use crate::state::diff::Comparison;
use crate::state::diff::reading::DiffState;
use crate::state::words::n_of;
use crate::worker::protocol::DiffEdit;

/// The most edits that are listed.
const MOST: usize = 300;

#[component]
pub(crate) fn DiffEdits(
    /// The comparison and its view.
    diff: DiffState,
    /// A word for ids, unique on the page.
    name: &'static str,
) -> impl IntoView {
    let items = move || {
        with(diff, |it| {
            let edits = it.edits.iter().take(MOST).enumerate();
            edits
                .map(|(n, edit)| item(diff, name, it, n, edit))
                .collect_view()
        })
    };
    let rest = move || {
        let n = with(diff, |it| it.edits.len().saturating_sub(MOST))?;
        let text = format!(
            "and {}; n and p reach them",
            n_of(n, "more edit", "more edits")
        );
        (n > 0).then(|| view! { <p class="diff-edits__rest">{text}</p> })
    };
    view! {
        <div class="diff-edits">
            <h3 class="diff-edits__title">"Edits"</h3>
            <ol class="diff-edits__items">{live(items)}</ol>
            {live(rest)}
        </div>
    }
}

fn item(
    diff: DiffState,
    name: &'static str,
    comparison: &Comparison,
    n: usize,
    edit: &DiffEdit,
) -> impl IntoView + use<> {
    let words = comparison.describe(edit);
    let arrow = (words.before.is_some() && words.after.is_some()).then_some(" → ");
    let text = |text: String| view! { <code>{text}</code> };
    let jump = move |_| {
        diff.choose(n);
        show(diff, name, n);
    };
    view! {
        <li>
            <button
                id=format!("{name}-edit-{n}")
                type="button"
                class="diff-edits__edit"
                aria-current=attr(move || (diff.current.get() == Some(n)).then_some("true"))
                on:click=handler(jump)
                on:focus=handler(move |_: leptos::ev::FocusEvent| diff.light_edit(Some(n)))
                on:mouseover=handler(move |_: leptos::ev::MouseEvent| diff.light_edit(Some(n)))
            >
                <span class=format!("diff-edits__sign diff-{}", edit.kind.word()) aria-hidden="true">
                    {edit.kind.sign()}
                </span>
                <span class="diff-edits__what">
                    <strong>{edit.kind.word()}</strong>
                    " "
                    {words.what}
                </span>
                <span class="diff-edits__place">{words.places}</span>
                <span class="diff-edits__text">
                    {words.before.map(text)} {arrow} {words.after.map(text)}
                </span>
                <span class="diff-edits__why">{comparison.why(edit)}</span>
            </button>
        </li>
    }
}
