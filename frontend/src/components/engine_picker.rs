//! What can run the tests, and why something cannot.

use leptos::prelude::*;
use shared::api::EngineState;

use crate::components::toast::sentence;
use crate::reactive::{attr, handler, live};
use crate::state::testing::words::bounds;
use crate::state::testing::{Phase, Testing};

#[component]
pub(crate) fn EnginePicker(
    /// The test runner.
    testing: Testing,
) -> impl IntoView {
    let name = move || {
        testing
            .engine()
            .map_or_else(|| "none is ready".to_owned(), |it| it.engine)
    };
    // Who is told that none is ready sees at once which there are.
    let is_open = move || {
        testing.engine().is_none()
            && testing
                .phase
                .with(|phase| matches!(phase, Phase::Failed(..)))
    };
    let list = move || match testing.engines.get() {
        None => ().into_any(),
        Some(Err(why)) => view! {
            <p class="engines__note">{coded(&sentence(&why.message))}</p>
            {testing.engine().map(|it| row(testing, it))}
        }
        .into_any(),
        Some(Ok(can)) => {
            let limits = bounds(can.limits);
            let rows = can.engines.into_iter().map(|it| row(testing, it));
            view! {
                {rows.collect_view()}
                <p class="engines__note">"Limits: " {limits} "."</p>
            }
            .into_any()
        }
    };
    view! {
        <details class="engines" open=attr(is_open)>
            <summary>"Engine: " <strong>{live(name)}</strong></summary>
            <fieldset class="engines__list">
                <legend class="visually-hidden">"Engine"</legend>
                {live(list)}
            </fieldset>
            <p class="engines__note">
                <a href="/help/testing">"What an engine holds back, and what it cannot"</a>
                " · "
                <button type="button" class="button button--link" on:click=handler(move |_| testing.engines.refetch())>
                    "Look again"
                </button>
            </p>
        </details>
    }
}

fn row(testing: Testing, it: EngineState) -> impl IntoView {
    let EngineState {
        engine,
        title,
        python,
        libraries,
        gpus,
        missing,
        gaps,
    } = it;
    let is_ready = missing.is_none();
    let is_chosen = {
        let engine = engine.clone();
        move || testing.engine().is_some_and(|it| it.engine == engine)
    };
    let choose = {
        let engine = engine.clone();
        move |_| testing.choose(&engine)
    };
    let gaps = gaps.iter().map(|gap| format!("Note: {gap}."));
    let about = if libraries.is_empty() {
        format!("{python}.")
    } else {
        format!("{python}; {}.", libraries.join(", "))
    };
    let gpus = (gpus > 0).then(|| format!("At most {gpus} graphics processors a program."));
    let about = std::iter::once(about).chain(gpus).chain(gaps);
    let about = about.collect::<Vec<_>>().join(" ");
    view! {
        <label class="engines__row" class:engines__row--missing=!is_ready>
            <input
                type="radio"
                name="engine"
                disabled=!is_ready
                prop:checked=attr(is_chosen)
                on:change=handler(choose)
            />
            <span class="engines__name">{engine}</span>
            <span class="engines__title">{title}</span>
            <span class="engines__about">
                {match missing {
                    None => about.into_any(),
                    Some(why) => view! { "Not ready: " {coded(&why)} }.into_any(),
                }}
            </span>
        </label>
    }
}

/// A text, what stands in backquotes as code.
pub(crate) fn coded(text: &str) -> impl IntoView + use<> {
    let parts = text.split('`').enumerate().map(|(at, part)| {
        let part = part.to_owned();
        if at % 2 == 1 {
            view! { <code>{part}</code> }.into_any()
        } else {
            part.into_any()
        }
    });
    parts.collect_view()
}
