//! The method with its hidden places as numbered chips. What is selected and copied is exactly the
//! masked text: numbers and revealed texts are drawn by the style sheet from attributes.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use shared::text::Span;

use crate::components::code_view::{gutter, runs};
use crate::platform::document;
use crate::reactive::{Signal, attr, handler, live};
use crate::state::workbench::place::{self, MaskedPlace};
use crate::state::workbench::segments::{Mark, MarkKind};
use crate::state::workbench::{Analysis, Workbench};

#[component]
pub(crate) fn MaskedView(
    /// The subject and its view.
    bench: Workbench,
    /// Its name for a screen reader.
    #[prop(into)]
    label: Signal<String>,
    /// Whether chips name their rules.
    with_rules: bool,
) -> impl IntoView {
    let masked = move || {
        bench.places.with(|places| {
            let analysis = bench.analysis.get()?;
            Some(place::masked(&analysis.source, places))
        })
    };
    let text = move || {
        let analysis = bench.analysis.get()?;
        let places = bench.places.get();
        let focus = bench.focus.get();
        Some(pieces(bench, &analysis, &places, focus, with_rules))
    };
    view! {
        <div class="code-view masked-view" role="group" tabindex="0" aria-label=attr(move || label.get())>
            <div class="code-view__sheet">
                <pre class="code-view__gutter" aria-hidden="true">
                    {live(move || gutter(&masked().unwrap_or_default()))}
                </pre>
                <pre class="code-view__text">
                    <code>{text}</code>
                </pre>
            </div>
        </div>
    }
}

fn pieces(
    bench: Workbench,
    analysis: &Analysis,
    places: &[MaskedPlace],
    focus: Option<Span>,
    with_rules: bool,
) -> impl IntoView + use<> {
    let Analysis { source, view } = analysis;
    let marks: Vec<Mark> = focus
        .map(|span| Mark {
            span,
            kind: MarkKind::Focus,
        })
        .into_iter()
        .collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    for (n, place) in places.iter().enumerate() {
        pieces.push(
            runs(
                source,
                &view.tokens,
                &marks,
                Span::new(at, place.span.start),
            )
            .into_any(),
        );
        pieces.push(chip(bench, n, place, with_rules).into_any());
        at = place.span.end;
    }
    let rest = Span::new(at, u32::try_from(source.len()).unwrap_or(u32::MAX));
    pieces.push(runs(source, &view.tokens, &marks, rest).into_any());
    pieces
}

fn chip(
    bench: Workbench,
    n: usize,
    place: &MaskedPlace,
    with_rules: bool,
) -> impl IntoView + use<> {
    let rules: Vec<String> = place
        .rules
        .iter()
        .map(|rule| rule.number().to_string())
        .collect();
    let badge = if with_rules {
        format!("{} R{}", n + 1, rules.join("+"))
    } else {
        (n + 1).to_string()
    };
    let hue = place.rules.first().map_or(0, |rule| rule.number());
    let is_current = move || bench.site.get() == n;
    let (what, hidden) = (place.what.clone(), place.hidden.clone());
    let name = {
        let (hidden, placeholder) = (hidden.clone(), place.placeholder.clone());
        move || {
            let hidden = if bench.is_revealed(n) {
                hidden.as_str()
            } else {
                "hidden"
            };
            // What is seen belongs to the name: it is what a reader says to a computer that listens.
            format!("site {}, {what}, {hidden}, {placeholder}", n + 1)
        }
    };
    // The chip shows the first line only.
    let title = {
        let hidden = hidden.clone();
        move || bench.is_revealed(n).then(|| hidden.clone())
    };
    let keydown = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" | " " => {
            event.prevent_default();
            bench.choose_site(n);
            bench.toggle_reveal(n);
        }
        "ArrowRight" | "ArrowDown" => step(bench, &event, 1),
        "ArrowLeft" | "ArrowUp" => step(bench, &event, -1),
        _ => {}
    };
    view! {
        <span
            id=format!("site-{n}")
            class="site"
            class:site--current=is_current
            role="button"
            tabindex=attr(move || if is_current() { "0" } else { "-1" })
            aria-label=name
            aria-current=attr(move || is_current().then_some("true"))
            data-n=badge
            data-rule=hue
            title=title
            data-hidden=attr(move || bench.is_revealed(n).then(|| hidden.clone()))
            on:click=handler(move |_| bench.choose_site(n))
            on:keydown=handler(keydown)
        >
            {place.placeholder.clone()}
        </span>
    }
}

fn step(bench: Workbench, event: &KeyboardEvent, by: isize) {
    event.prevent_default();
    event.stop_propagation();
    if let Some(site) = bench.step_site(by) {
        document::focus(&format!("#site-{site}"));
    }
}
