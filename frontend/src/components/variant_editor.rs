//! A variant by the reader: the places filled one by one, or a whole text; what differs is said at once.

mod writing;

use std::sync::Arc;

use leptos::prelude::*;

pub(crate) use self::writing::Writing;
use crate::components::async_view::AsyncView;
use crate::components::toast::use_toasts;
use crate::components::variant_field::VariantField;
use crate::components::variant_findings::VariantFindings;
use crate::components::variant_sites::{FilledCode, VariantSites};
use crate::platform::{clipboard, download};
use crate::reactive::{Memo, attr, handler, live};
use crate::state::fetched::Fetched;
use crate::state::workbench::Workbench;
use crate::state::workbench::variant::{Draft, Masked, Verdict, Way};
use crate::worker::client;
use crate::worker::protocol::PerturbView;

#[component]
pub(crate) fn VariantEditor(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let options = Memo::new(move |_| bench.view.with(|view| view.options.clone()));
    let own = Fetched::new(move || {
        let body = bench.body.get_value();
        client::perturb(
            body.subject.source.clone(),
            body.context.clone(),
            options.get(),
        )
    });
    view! {
        <AsyncView resource=own what="the masked places" let:own>
            {opened(bench, own)}
        </AsyncView>
    }
}

fn opened(bench: Workbench, own: PerturbView) -> impl IntoView {
    let writing = Writing::new(bench, own);
    let is_edited = move || {
        bench.is_edited.get().then(|| {
            view! {
                <p class="workbench__notice">
                    "The Code view holds an edited text. A variant is of the benchmark’s own text, which is shown here."
                </p>
            }
        })
    };
    let nothing = move || {
        format!(
            "Rule {} hides nothing in this method.",
            bench.rule.get().number()
        )
    };
    let way = Memo::new(move |_| writing.draft.with(|draft| draft.way));
    let body = move || match writing.masked.get() {
        None => view! { <p class="workbench__notice">{nothing()}</p> }.into_any(),
        Some(masked) => view! {
            <div class="variant__head">
                {bar(writing)}
                {verdict(writing)}
            </div>
            {match way.get() {
                Way::Fill => view! { <FilledCode writing masked=Arc::clone(&masked)/> }.into_any(),
                Way::Write => text(writing, Arc::clone(&masked)).into_any(),
            }}
            <VariantSites writing masked way=way.get()/>
            {exports(writing)}
            <VariantFindings writing/>
        }
        .into_any(),
    };
    view! {
        <div class="variant">
            {live(is_edited)}
            {live(body)}
        </div>
    }
}

fn is_written(writing: Writing) -> bool {
    writing.draft.with(|draft| draft.code().is_some())
}

fn act(label: &'static str, act: Callback<()>) -> impl IntoView {
    view! {
        <button type="button" class="button button--small" on:click=handler(move |_| act.run(()))>{label}</button>
    }
}

fn bar(writing: Writing) -> impl IntoView {
    let way = move |way: Way, label: &'static str| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-pressed=attr(move || writing.draft.with(|draft| draft.way == way).to_string())
                on:click=handler(move |_| writing.draft.update(|draft| draft.way = way))
            >
                {label}
            </button>
        }
    };
    let note = move || {
        let filling = Callback::new(move |()| writing.use_note());
        writing
            .note()
            .map(|_| act("Use the author’s plausible filling", filling))
    };
    let follow = move || {
        let is_own = writing
            .draft
            .with(|draft| draft.way == Way::Write && draft.is_own_text());
        let follow = Callback::new(move |()| writing.draft.update(Draft::follow));
        is_own.then(|| act("Back to the filled sites", follow))
    };
    let clear = move || {
        let clear = Callback::new(move |()| writing.draft.update(Draft::clear));
        is_written(writing).then(|| act("Clear", clear))
    };
    view! {
        <div class="variant__bar">
            <div class="variant__ways" role="group" aria-label="How the variant is written">
                {way(Way::Fill, "Fill the sites")}
                {way(Way::Write, "Write the text")}
            </div>
            {live(note)}
            {live(follow)}
            {live(clear)}
        </div>
    }
}

/// Taking the variant along.
fn exports(writing: Writing) -> impl IntoView {
    let toasts = use_toasts();
    let copy = move |()| {
        let Some((_, line)) = writing.line() else {
            return;
        };
        leptos::task::spawn_local(async move {
            match clipboard::copy(&line).await {
                Ok(()) => toasts.done("Copied the variant as a JSON line"),
                Err(why) => toasts.failed(why),
            }
        });
    };
    let save = move |()| {
        let Some((name, line)) = writing.line() else {
            return;
        };
        match download::text(&name, &line) {
            Ok(()) => toasts.done(format!("Saved {name}")),
            Err(why) => toasts.failed(why),
        }
    };
    live(move || {
        is_written(writing).then(|| {
            view! {
                <div class="variant__bar">
                    {act("Copy variant line", Callback::new(copy))}
                    {act("Download variant line", Callback::new(save))}
                </div>
            }
        })
    })
}

fn verdict(writing: Writing) -> impl IntoView {
    let bench = writing.bench();
    let said = move || {
        let Verdict { slug, sign, text } = writing.verdict.get()?;
        Some(view! {
            <p class=format!("variant__verdict variant__verdict--{slug}")>
                <span class="variant__sign" aria-hidden="true">{sign}</span>
                {text}
            </p>
        })
    };
    let refused = move || {
        writing
            .refusal
            .get()
            .map(|why| view! { <p class="note note--error" role="alert">{why}</p> })
    };
    let is_shown = move || bench.view.with(|view| view.reveal_all);
    view! {
        <div class="variant__said">
            {live(said)}
            <button
                type="button"
                class="button button--small"
                aria-pressed=attr(move || is_shown().to_string())
                on:click=handler(move |_| bench.toggle_reveal_all())
            >
                {live(move || if is_shown() { "Hide the reference" } else { "Show the reference" })}
                <kbd>"x"</kbd>
            </button>
        </div>
        {live(refused)}
    }
}

fn text(writing: Writing, masked: Arc<Masked>) -> impl IntoView {
    let value = {
        let masked = Arc::clone(&masked);
        move |draft: &Draft| draft.variant(&masked)
    };
    view! {
        <label id="variant-label" class="variant__label" for="variant-text">
            "The method, a whole class, or a model’s reply"
        </label>
        <VariantField
            writing
            id="variant-text".to_owned()
            label="variant-label".to_owned()
            rows=12
            value=Arc::new(value)
            change=Arc::new(move |draft: &mut Draft, text: String| draft.write(text, &masked))
        />
    }
}
