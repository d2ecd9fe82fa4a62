//! The instances of the chosen rule and the places of the chosen one, to step through and reveal.

use leptos::prelude::*;
use shared::perturb::Perturbation;
use shared::text::LineIndex;

use crate::reactive::{attr, handler, live};
use crate::state::words::n_of;
use crate::state::workbench::Workbench;
use crate::state::workbench::link::Display;
use crate::state::workbench::place::{MaskedPlace, in_words};

#[component]
pub(crate) fn SiteList(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let is_unified = move || bench.display.get() == Display::Unified;
    view! {
        <div class="site-list">
            {live(move || (!is_unified()).then(|| instances(bench)))}
            <div class="site-list__head">
                <h2 class="site-list__title">
                    {live(move || bench.places.with(|places| n_of(places.len(), "site", "sites")))}
                </h2>
                <button
                    type="button"
                    class="button button--small"
                    aria-pressed=attr(move || bench.view.with(|view| view.reveal_all).to_string())
                    disabled=attr(move || bench.places.with(Vec::is_empty))
                    on:click=handler(move |_| bench.toggle_reveal_all())
                >
                    {live(move || if bench.view.with(|view| view.reveal_all) { "Hide all" } else { "Reveal all" })}
                    <kbd>"x"</kbd>
                </button>
            </div>
            <ol class="site-list__items">{live(move || sites(bench))}</ol>
        </div>
    }
}

fn instances(bench: Workbench) -> impl IntoView {
    let chosen = move || {
        bench
            .perturbation
            .with(|it| it.as_ref().map(|it| it.instance))
    };
    let lines = bench
        .analysis
        .with(|analysis| analysis.as_ref().map(|it| LineIndex::new(&it.source)));
    let item = move |it: &Perturbation, of: usize| {
        let instance = it.instance;
        let kind = it
            .sites
            .first()
            .map_or_else(String::new, |site| in_words(&site.kind));
        let label = it.label.clone().unwrap_or(kind);
        let n_sites = match it.sites.as_slice() {
            [site] => format!(
                "line {}",
                lines
                    .as_ref()
                    .map_or(0, |lines| lines.line(site.span.start))
            ),
            sites => n_of(sites.len(), "site", "sites"),
        };
        view! {
            <label class="site-list__instance">
                <input
                    type="radio"
                    name="instance"
                    prop:checked=attr(move || chosen() == Some(instance))
                    on:change=handler(move |_| bench.choose_instance(instance))
                />
                <span class="site-list__n">{format!("{} of {of}", instance + 1)}</span>
                <span class="site-list__label">{label}</span>
                <span class="site-list__count">{n_sites}</span>
            </label>
        }
    };
    let rule = bench.rule.get();
    let title = format!("Instances of {}", rule.rule().title.to_ascii_lowercase());
    bench.with_outcome(rule, |outcome| {
        let of = outcome.perturbations.len();
        (of > 0).then(|| {
            let items = outcome
                .perturbations
                .iter()
                .map(|it| item(it, of))
                .collect_view();
            view! {
                <fieldset class="site-list__instances">
                    <legend class="site-list__title">{title}</legend>
                    {items}
                </fieldset>
            }
        })
    })
}

fn sites(bench: Workbench) -> impl IntoView {
    let lines = bench.analysis.with(|analysis| {
        analysis
            .as_ref()
            .map(|analysis| LineIndex::new(&analysis.source))
    });
    let item = move |(n, place): (usize, MaskedPlace)| {
        let line = lines
            .as_ref()
            .map_or(0, |lines| lines.line(place.span.start));
        let is_current = move || bench.site.get() == n;
        let hidden = place.hidden.clone();
        let text = move || {
            if bench.is_revealed(n) {
                view! { <code class="site-list__hidden">{hidden.clone()}</code> }.into_any()
            } else {
                view! { <span class="site-list__veil">"hidden"</span> }.into_any()
            }
        };
        view! {
            <li class="site-list__site" class:site-list__site--current=is_current id=format!("site-row-{n}")>
                <button
                    type="button"
                    class="site-list__go"
                    aria-current=attr(move || is_current().then_some("true"))
                    on:click=handler(move |_| bench.choose_site(n))
                >
                    <span class="site-list__n">{n + 1}</span>
                    <span class="site-list__label">{place.what}</span>
                    <span class="site-list__count">{format!("line {line}")}</span>
                </button>
                {text}
                <button
                    type="button"
                    class="site-list__reveal"
                    aria-label=attr(move || format!("{} site {}", if bench.is_revealed(n) { "Hide" } else { "Reveal" }, n + 1))
                    on:click=handler(move |_| bench.toggle_reveal(n))
                >
                    {live(move || if bench.is_revealed(n) { "Hide" } else { "Reveal" })}
                </button>
            </li>
        }
    };
    bench
        .places
        .get()
        .into_iter()
        .enumerate()
        .map(item)
        .collect_view()
}
