//! All edits of a diff, with the pass that matched each and its reason.

use leptos::prelude::*;

use crate::components::diff_view::{show, with};
use crate::reactive::{attr, handler, live};
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::Which;
use crate::state::diff::{Comparison, Edit};
use crate::state::words::n_of;

/// The most edits that are listed of one text.
const MOST: usize = 300;

#[component]
pub(crate) fn DiffEdits(
    /// The comparison and its view.
    diff: DiffState,
    /// A word for ids, unique on the page.
    name: &'static str,
) -> impl IntoView {
    let lists = move || {
        with(diff, |it| {
            it.others()
                .map(|which| list(diff, name, it, which))
                .collect_view()
        })
    };
    view! { <div class="diff-edits">{live(lists)}</div> }
}

/// The edits that lead to one text.
fn list(
    diff: DiffState,
    name: &'static str,
    comparison: &Comparison,
    to: Which,
) -> impl IntoView + use<> {
    let edits = || {
        let edits = comparison.edits.iter().enumerate();
        edits.filter(|(_, edit)| edit.to == to)
    };
    let title = if comparison.has_three() {
        format!("Edits of {}", to.noun())
    } else {
        "Edits".to_owned()
    };
    let n_more = edits().count().saturating_sub(MOST);
    let rest = (n_more > 0).then(|| {
        let more = n_of(n_more, "more edit", "more edits");
        view! { <p class="diff-edits__rest">{format!("and {more}; n and p reach them")}</p> }
    });
    let items = edits().take(MOST);
    let items = items.map(|(n, edit)| item(diff, name, comparison, n, edit));
    view! {
        <section class="diff-edits__list">
            <h3 class="diff-edits__title">{title}</h3>
            <ol class="diff-edits__items">{items.collect_view()}</ol>
            {rest}
        </section>
    }
}

fn item(
    diff: DiffState,
    name: &'static str,
    comparison: &Comparison,
    n: usize,
    edit: &Edit,
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
                <span class=format!("diff-edits__sign diff-{}", edit.change.kind.word()) aria-hidden="true">
                    {edit.change.kind.sign()}
                </span>
                <span class="diff-edits__what">
                    <strong>{edit.change.kind.word()}</strong>
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
