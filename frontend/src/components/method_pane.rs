//! The method: its code, masked by one rule, by several, filled by the reader, or as an author's note shows it.

use leptos::prelude::*;
use shared::subject::Showcase;

use crate::components::editor::Editor;
use crate::components::masked_view::MaskedView;
use crate::components::showcase_note::ShowcaseNote;
use crate::components::tab_bar::{Tab, TabBar, panel_id, tab_id};
use crate::pages::lazy::LazyVariantEditor;
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::words::n_of;
use crate::state::workbench::Workbench;
use crate::state::workbench::link::Display;

#[component]
pub(crate) fn MethodPane(
    /// The subject and its view.
    bench: Workbench,
    /// Goes that many places on.
    #[prop(into)]
    on_step: Callback<isize>,
    /// Undoes all edits, and the options' changes where asked.
    #[prop(into)]
    on_reset: Callback<()>,
) -> impl IntoView {
    let display = bench.display;
    let n_showcases = bench.body.with_value(|body| body.subject.showcases.len());
    let tab = |value: Display, label: &str| Tab {
        value,
        slug: value.slug(),
        label: Signal::stored(label.to_owned()),
    };
    let mut tabs = vec![
        tab(Display::Code, "Code"),
        tab(Display::Masked, "Masked"),
        tab(Display::Unified, "Several rules"),
        tab(Display::Variant, "Variant"),
    ];
    if n_showcases > 0 {
        tabs.push(tab(
            Display::Showcase,
            if n_showcases == 1 {
                "Showcase"
            } else {
                "Showcases"
            },
        ));
    }
    let content = move || {
        match display.get() {
        Display::Code => view! { <Editor bench/> }.into_any(),
        Display::Masked => masked(bench).into_any(),
        Display::Unified => {
            view! { <MaskedView bench label="The method with the places of several rules masked" with_rules=true/> }
                .into_any()
        }
        Display::Variant => view! { <LazyVariantEditor bench/> }.into_any(),
        Display::Showcase => showcases(bench, on_reset).into_any(),
    }
    };
    let is_stepping = move || !matches!(display.get(), Display::Code | Display::Showcase);
    view! {
        <div class="workbench__bar">
            <TabBar
                label="How the method is shown"
                name="display"
                tabs
                selected=display
                on_select=move |display| bench.choose_display(display)
            />
            {live(move || bench.is_edited.get().then(|| view! {
                <span class="workbench__edited">"Edited"</span>
                <button type="button" class="button button--small" on:click=handler(move |_| bench.reset())>"Reset"</button>
            }))}
            {live(move || is_stepping().then(|| stepper(bench, on_step)))}
        </div>
        <div
            class="workbench__panel workbench__panel--method"
            id=panel_id("display")
            role="tabpanel"
            aria-labelledby=attr(move || tab_id("display", display.get().slug()))
        >
            {content}
        </div>
    }
}

fn masked(bench: Workbench) -> impl IntoView {
    let label = move || {
        let title = bench.rule.get().rule().title.to_ascii_lowercase();
        bench.places.with(|places| {
            format!(
                "The method with {} masked: {}",
                n_of(places.len(), "site", "sites"),
                title
            )
        })
    };
    let is_empty =
        move || bench.analysis.with(Option::is_some) && bench.perturbation.with(Option::is_none);
    view! {
        <Show when=is_empty>
            <p class="workbench__notice">
                {live(move || format!("Rule {} hides nothing in this method.", bench.rule.get().number()))}
            </p>
        </Show>
        <MaskedView bench label=Signal::derive(label) with_rules=false/>
    }
}

fn stepper(bench: Workbench, on_step: Callback<isize>) -> impl IntoView {
    let n = move || bench.places.with(Vec::len);
    let at = move || {
        if n() == 0 {
            "No site".to_owned()
        } else {
            format!("Site {} of {}", bench.site.get() + 1, n())
        }
    };
    let button = move |by: isize, label: &'static str, sign: &'static str| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-label=label
                title=label
                disabled=attr(move || n() == 0)
                on:click=handler(move |_| on_step.run(by))
            >
                {sign}
            </button>
        }
    };
    view! {
        <div class="workbench__stepper">
            {button(-1, "Previous site (p)", "‹")}
            <span class="workbench__at">{at}</span>
            {button(1, "Next site (n)", "›")}
        </div>
    }
}

fn showcases(bench: Workbench, on_reset: Callback<()>) -> impl IntoView {
    let all: Vec<Showcase> = bench.body.with_value(|body| body.subject.showcases.clone());
    let n = all.len();
    let chosen = Memo::new(move |_| {
        bench
            .view
            .with(|view| view.showcase)
            .min(n.saturating_sub(1))
    });
    let showcase = Signal::derive({
        let all = all.clone();
        move || all[chosen.get()].clone()
    });
    let choices = all.into_iter().enumerate().map(|(at, showcase)| {
        view! {
            <label class="showcase__choice">
                <input
                    type="radio"
                    name="showcase"
                    prop:checked=attr(move || chosen.get() == at)
                    on:change=handler(move |_| bench.choose_showcase(at))
                />
                {showcase.title}
            </label>
        }
    });
    let choices = choices.collect_view();
    view! {
        {(n > 1).then(|| view! {
            <fieldset class="showcase__choices">
                <legend class="visually-hidden">"Author’s notes"</legend>
                {choices}
            </fieldset>
        })}
        <ShowcaseNote bench showcase on_reset/>
    }
}
