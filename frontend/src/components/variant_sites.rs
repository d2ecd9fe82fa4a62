//! The places of a variant: in the method as it is filled so far, and one by one with what is said of each.

use std::sync::Arc;

use leptos::prelude::*;
use shared::perturb::PerturbedSite;
use shared::text::{LineIndex, Span};

use crate::components::code_view::{gutter, runs};
use crate::components::variant_editor::Writing;
use crate::components::variant_field::VariantField;
use crate::reactive::{attr, handler, live};
use crate::state::workbench::place::in_words;
use crate::state::workbench::variant::{Draft, Masked, SiteState, Way};

impl Writing {
    fn state(self, n: usize, masked: &Masked) -> Option<SiteState> {
        let view = self.view.get();
        self.draft
            .with(|draft| draft.state(n, masked, view.as_deref()))
    }
}

/// The method with its fillings. A click on a place goes to its field.
#[component]
pub(crate) fn FilledCode(
    /// What is written.
    writing: Writing,
    /// The method and its places.
    masked: Arc<Masked>,
) -> impl IntoView {
    let filled = {
        let masked = Arc::clone(&masked);
        move || writing.draft.with(|draft| draft.filled(&masked))
    };
    let mut pieces = Vec::new();
    let mut at = 0;
    let tokens = writing.own.with_value(|own| own.tokens.clone());
    let part = |from: u32, to: u32| runs(&masked.source, &tokens, &[], Span::new(from, to));
    for (n, site) in masked.of.sites.iter().enumerate() {
        pieces.push(part(at, site.span.start).into_any());
        pieces.push(chip(writing, n, site, Arc::clone(&masked)).into_any());
        at = site.span.end;
    }
    let end = u32::try_from(masked.source.len()).unwrap_or(u32::MAX);
    pieces.push(part(at, end).into_any());
    view! {
        <div class="code-view masked-view" role="group" tabindex="0" aria-label="The method as it is filled">
            <div class="code-view__sheet">
                <pre class="code-view__gutter" aria-hidden="true">{live(move || gutter(&filled()))}</pre>
                <pre class="code-view__text">
                    <code>{pieces}</code>
                </pre>
            </div>
        </div>
    }
}

fn chip(
    writing: Writing,
    n: usize,
    site: &PerturbedSite,
    masked: Arc<Masked>,
) -> impl IntoView + use<> {
    let bench = writing.bench();
    let placeholder = site.placeholder.clone();
    let text = move || {
        writing.draft.with(|draft| {
            if draft.is_open(n) {
                placeholder.clone()
            } else {
                draft.filling(n).to_owned()
            }
        })
    };
    let sign = move || writing.state(n, &masked).map(SiteState::sign);
    view! {
        <label
            class="site"
            class:site--current=move || bench.site.get() == n
            for=format!("filling-{n}")
            data-n=n + 1
            data-rule=bench.rule.get_untracked().number()
            data-sign=attr(sign)
        >
            {live(text)}
        </label>
    }
}

#[component]
pub(crate) fn VariantSites(
    /// What is written.
    writing: Writing,
    /// The method and its places.
    masked: Arc<Masked>,
    /// With fields to fill, or with what stands there in a whole text.
    way: Way,
) -> impl IntoView {
    let lines = LineIndex::new(&masked.source);
    let item = |(n, site): (usize, &PerturbedSite)| {
        let line = lines.line(site.span.start);
        row(writing, n, site, line, way, Arc::clone(&masked))
    };
    let items = masked.of.sites.iter().enumerate().map(item).collect_view();
    view! {
        <ol class="variant__sites" aria-label="Sites">{items}</ol>
        {(way == Way::Fill).then(|| view! {
            <p class="variant__hint">"A field left empty keeps its placeholder. To take a place away, write the text. Esc leaves a field."</p>
        })}
    }
}

fn row(
    writing: Writing,
    n: usize,
    site: &PerturbedSite,
    line: usize,
    way: Way,
    masked: Arc<Masked>,
) -> impl IntoView + use<> {
    let bench = writing.bench();
    let what = format!("{}, line {line}", in_words(&site.kind));
    let head = view! {
        <span class="variant__n" data-rule=bench.rule.get_untracked().number()>
            <span class="visually-hidden">"Site "</span>
            {n + 1}
        </span>
        {what}
    };
    let head = match way {
        Way::Fill => view! { <label id=format!("filling-label-{n}") for=format!("filling-{n}")>{head}</label> }.into_any(),
        Way::Write => view! { <span>{head}</span> }.into_any(),
    };
    let state_of = {
        let masked = Arc::clone(&masked);
        move || writing.state(n, &masked)
    };
    let state = {
        let state_of = state_of.clone();
        move || {
            let state = state_of()?;
            let class = format!("variant__state variant__state--{}", state.slug());
            Some(view! {
                <span class=class>
                    <span class="variant__sign" aria-hidden="true">{state.sign()}</span>
                    {state.words()}
                </span>
            })
        }
    };
    let hidden = site.hidden.clone();
    let reference = move || {
        if !bench.is_revealed(n) {
            return view! { <span class="variant__veil">"hidden"</span> }.into_any();
        }
        // A place that is no node of its own is compared by the smallest around it.
        let around = writing.view.with(|view| {
            let found = *view.as_ref()?.sites.get(n)?;
            Some(found.reference.of(&masked.source).to_owned())
        });
        view! { <code>{around.unwrap_or_else(|| hidden.clone())}</code> }.into_any()
    };
    // A field shows what stands there itself.
    let here = move || {
        if state_of() == Some(SiteState::Open) {
            return None;
        }
        writing.view.with(|view| {
            let view = view.as_ref()?;
            let text = match view.sites.get(n)?.variant {
                Some(place) if way == Way::Write => {
                    view! { <code>{place.of(&view.method).to_owned()}</code> }.into_any()
                }
                Some(_) => return None,
                None => "no node of its type corresponds".into_any(),
            };
            Some(view! { <dt>"Variant"</dt> <dd>{text}</dd> })
        })
    };
    let reveal = move || {
        if bench.is_revealed(n) {
            "Hide"
        } else {
            "Reveal"
        }
    };
    view! {
        <li class="variant__site" class:variant__site--current=move || bench.site.get() == n>
            <div class="variant__site-head">{head} <span id=format!("filling-state-{n}")>{live(state)}</span></div>
            {(way == Way::Fill).then(|| field(writing, n, site))}
            <dl class="variant__texts">
                <dt>"Reference"</dt>
                <dd>
                    {live(reference)}
                    <button
                        type="button"
                        class="site-list__reveal"
                        aria-label=attr(move || format!("{} the reference of site {}", reveal(), n + 1))
                        on:click=handler(move |_| bench.toggle_reveal(n))
                    >
                        {live(reveal)}
                    </button>
                </dd>
                {live(here)}
            </dl>
        </li>
    }
}

fn field(writing: Writing, n: usize, site: &PerturbedSite) -> impl IntoView + use<> {
    view! {
        <VariantField
            writing
            id=format!("filling-{n}")
            label=format!("filling-label-{n}")
            said=format!("filling-state-{n}")
            placeholder=site.placeholder.clone()
            rows=1
            value=Arc::new(move |draft: &Draft| draft.filling(n).to_owned())
            change=Arc::new(move |draft: &mut Draft, text: String| draft.fill(n, text))
            on_focus=Callback::new(move |()| writing.bench().choose_site(n))
        />
    }
}
