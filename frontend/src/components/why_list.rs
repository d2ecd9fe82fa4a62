//! Each node that the chosen rule looked at, and why it was masked or left alone.

use leptos::prelude::*;
use shared::perturb::Considered;
use shared::text::LineIndex;

use crate::components::toast::sentence;
use crate::page::Page;
use crate::platform::document;
use crate::reactive::{Memo, attr, handler, live};
use crate::state::workbench::Workbench;
use crate::state::workbench::link::Keep;
use crate::state::workbench::place::in_words;

/// Whether the list keeps a node.
fn keeps(keep: Keep, node: &Considered) -> bool {
    match keep {
        Keep::All => true,
        Keep::Masked => node.instance.is_some(),
        Keep::Left => node.instance.is_none(),
    }
}

#[component]
pub(crate) fn WhyList(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let keep = Memo::new(move |_| bench.view.with(|view| view.keep));
    let count = move |keep: Keep| {
        let rule = bench.rule.get();
        bench.with_outcome(rule, |outcome| {
            outcome
                .considered
                .iter()
                .filter(|node| keeps(keep, node))
                .count()
        })
    };
    let choice = move |value: Keep, label: &'static str| {
        view! {
            <label class="why-list__choice">
                <input
                    type="radio"
                    name="why"
                    prop:checked=attr(move || keep.get() == value)
                    on:change=handler(move |_| bench.view.update(|view| view.keep = value))
                />
                {live(move || format!("{label} {}", count(value).unwrap_or_default()))}
            </label>
        }
    };
    let title = move || {
        let rule = bench.rule.get().rule();
        format!(
            "Rule {}: {}",
            rule.id.number(),
            rule.title.to_ascii_lowercase()
        )
    };
    let help = move || Page::HelpOn(bench.rule.get().slug().to_owned()).path();
    let summary = move || sentence(bench.rule.get().rule().summary);
    view! {
        <div class="why-list">
            <h2 class="why-list__title">{title}</h2>
            <p class="why-list__summary">{summary} " " <a href=help>"About this rule"</a></p>
            <fieldset class="why-list__filter">
                <legend class="visually-hidden">"Nodes shown"</legend>
                {choice(Keep::All, "All")}
                {choice(Keep::Masked, "Masked")}
                {choice(Keep::Left, "Left alone")}
            </fieldset>
            <ul class="why-list__items">{live(move || rows(bench, keep.get()))}</ul>
        </div>
    }
}

fn rows(bench: Workbench, keep: Keep) -> Option<AnyView> {
    let analysis = bench.analysis.get()?;
    let lines = LineIndex::new(&analysis.source);
    let row = |node: &Considered| {
        let (line, column) = lines.line_column(&analysis.source, node.span.start);
        let text = first_line(node.span.of(&analysis.source));
        let (span, instance) = (node.span, node.instance);
        let fate = match instance {
            Some(instance) => format!("masked in instance {}", instance + 1),
            None => "left alone".to_owned(),
        };
        let go = move |_| {
            if let Some(instance) = instance {
                bench.choose_instance(instance);
                let site = bench
                    .places
                    .with_untracked(|places| places.iter().position(|it| it.span.contains(span)));
                bench.choose_site(site.unwrap_or_default());
            }
            bench.focus.set(Some(span));
            request_animation_frame(|| {
                document::reveal(
                    ".masked-view .mark--focus, .masked-view .site--current, .editor .mark--focus",
                );
            });
        };
        view! {
            <li>
                <button
                    type="button"
                    class="why-list__row"
                    class:why-list__row--masked=instance.is_some()
                    aria-pressed=attr(move || (bench.focus.get() == Some(span)).to_string())
                    on:click=handler(go)
                >
                    <span class="why-list__place">{format!("{line}:{column}")}</span>
                    <code class="why-list__text">{text}</code>
                    <span class="why-list__fate">
                        <b>{fate}</b>
                        " · "
                        <span class="why-list__kind">{in_words(&node.kind)}</span>
                    </span>
                    <span class="why-list__reason">{node.reason.clone()}</span>
                </button>
            </li>
        }
    };
    let rule = bench.rule.get();
    let nodes: Vec<_> = bench.with_outcome(rule, |outcome| {
        outcome
            .considered
            .iter()
            .filter(|node| keeps(keep, node))
            .map(row)
            .collect()
    })?;
    if nodes.is_empty() {
        let text = match keep {
            Keep::All => "The rule found no node to look at.",
            Keep::Masked => "The rule masked nothing here.",
            Keep::Left => "The rule left nothing alone that it looked at.",
        };
        return Some(view! { <li class="why-list__empty">{text}</li> }.into_any());
    }
    Some(nodes.collect_view().into_any())
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() {
        format!("{first} …")
    } else {
        first.to_owned()
    }
}
