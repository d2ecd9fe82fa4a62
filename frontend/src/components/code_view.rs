//! Source text with its colours: read-only, selectable as it is, scrolled by keyboard.

use std::ops::Range;

use leptos::prelude::*;
use shared::syntax::highlight::Token;
use shared::text::Span;

use crate::reactive::{Signal, attr, live};
use crate::state::workbench::segments::{Mark, segments};

/// Lines with a background of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Band {
    /// From 0.
    pub(crate) lines: Range<usize>,
    /// The last part of its class name: `target`, `decides`.
    pub(crate) kind: &'static str,
}

#[component]
pub(crate) fn CodeView(
    /// Its name for a screen reader.
    #[prop(into)]
    label: Signal<String>,
    /// The text.
    #[prop(into)]
    source: Signal<String>,
    /// Its colours.
    #[prop(into)]
    tokens: Signal<Vec<Token>>,
    /// Places to point out.
    #[prop(into, optional)]
    marks: Signal<Vec<Mark>>,
    /// Lines to point out.
    #[prop(into, optional)]
    bands: Signal<Vec<Band>>,
) -> impl IntoView {
    let text = move || {
        source.with(|source| {
            tokens.with(|tokens| marks.with(|marks| runs(source, tokens, marks, whole(source))))
        })
    };
    view! {
        <div class="code-view" role="group" tabindex="0" aria-label=attr(move || label.get())>
            <div class="code-view__sheet">
                {live(move || bands.get().into_iter().map(band).collect_view())}
                <pre class="code-view__gutter" aria-hidden="true">
                    {live(move || source.with(|source| gutter(source)))}
                </pre>
                <pre class="code-view__text">
                    <code>{text}</code>
                </pre>
            </div>
        </div>
    }
}

/// The range of a whole text.
pub(crate) fn whole(source: &str) -> Span {
    Span::new(0, u32::try_from(source.len()).unwrap_or(u32::MAX))
}

/// Part of a text as coloured runs.
pub(crate) fn runs(
    source: &str,
    tokens: &[Token],
    marks: &[Mark],
    within: Span,
) -> impl IntoView + use<> {
    let run = |segment: &crate::state::workbench::segments::Segment| {
        let text = segment.span.of(source).to_owned();
        view! { <span class=segment.class()>{text}</span> }
    };
    segments(source, tokens, marks, within)
        .iter()
        .map(run)
        .collect_view()
}

/// The line numbers of a text.
pub(crate) fn gutter(source: &str) -> String {
    let n_lines = source.lines().count().max(1);
    (1..=n_lines)
        .map(|n| n.to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A background behind lines; heights are in lines (`lh`).
fn band(band: Band) -> impl IntoView {
    let top = format!("{}lh", band.lines.start);
    let height = format!("{}lh", band.lines.len());
    let class = format!("code-view__band code-view__band--{}", band.kind);
    view! { <div class=class aria-hidden="true" style:top=top style:height=height></div> }
}
