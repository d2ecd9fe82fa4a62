//! One variant: what it is and why, place by place, and its diff to the reference.

use std::sync::Arc;

use leptos::prelude::*;
use shared::case::{OutsideEdit, SiteStatus};
use shared::identify::{Form, MaskedNode};
use shared::perturb::RuleOptions;
use shared::subject::DatasetId;

use super::Reading;
use crate::components::announcer::use_announcer;
use crate::components::async_view::AsyncView;
use crate::components::diff_view::DiffView;
use crate::page::Page;
use crate::platform::document;
use crate::reactive::{StoredValue, handler};
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::Which;
use crate::state::diff::{Comparison, one_line};
use crate::state::fetched::Fetched;
use crate::state::shortcuts::{self, Action};
use crate::state::variant_filter::words;
use crate::state::words::{grouped, n_of};
use crate::state::workbench::link::ViewState;
use crate::worker::compare::batch::protocol::{DecisionRow, IdentifiedVariant};
use crate::worker::compare::client;

#[component]
pub(super) fn VariantView(
    reading: Reading,
    dataset: DatasetId,
    /// Its place in the list.
    at: usize,
) -> impl IntoView {
    let n_items = reading.items.with_untracked(|items| items.len());
    let item = reading.items.with_untracked(|items| items.get(at).copied());
    let item = item.unwrap_or_default() as usize;
    let row = reading.found(|found| found.decisions.get(item).cloned());
    let run = reading.found(|found| found.run);
    shortcuts::on(Action::UpOneLevel, move || reading.close());
    request_animation_frame(|| {
        document::focus(".identified h2");
        document::reveal(".identified");
    });
    let variant =
        Fetched::new(move || async move { client::identified(run, item).await.map(Arc::new) });
    let row = StoredValue::new(row);
    let step = move |by: isize, label: &'static str| {
        let to = at.checked_add_signed(by).filter(|to| *to < n_items);
        view! {
            <button
                type="button"
                class="button button--small"
                disabled=to.is_none()
                on:click=handler(move |_| {
                    if let Some(to) = to {
                        reading.open(to);
                    }
                })
            >
                {label}
            </button>
        }
    };
    row.get_value().map(|of| {
        view! {
            <section class="identified" aria-label=format!("Variant {}", of.id)>
                <div class="identified__head">
                    <h2 tabindex="-1">{format!("{}: {}", of.id, words(&of.decision))}</h2>
                    <span class="muted">{format!("{} of {}", grouped(at + 1), grouped(n_items))}</span>
                    {step(-1, "Previous variant")}
                    {step(1, "Next variant")}
                    <button type="button" class="button button--small" on:click=handler(move |_| reading.close())>
                        "Back to the list"
                    </button>
                </div>
                <AsyncView resource=variant what="the variant" let:variant>
                    {row.get_value().map(|row| shown(&dataset, &row, &variant))}
                </AsyncView>
            </section>
        }
    })
}

fn shown(
    dataset: &DatasetId,
    row: &DecisionRow,
    variant: &Arc<IdentifiedVariant>,
) -> impl IntoView + use<> {
    let diff = DiffState::new();
    let has_diff = variant.diff.is_some();
    if let Some(view) = variant.diff.clone() {
        let (a, b) = (variant.reference.clone(), variant.method.clone());
        let comparison = Comparison::new(a, b, view);
        use_announcer().say(comparison.summary());
        diff.show(Some(comparison));
    }
    let workbench = format!(
        "{}?{}",
        Page::Workbench(dataset.clone(), row.subject.clone()).path(),
        view_of(row, variant)
    );
    view! {
        <p>{row.why.clone()}"."</p>
        <p>
            <a href=workbench>{row.subject.to_string()}</a>
            {format!(
                ", R{} {}, instance {}; by {}. ",
                row.rule.number(),
                row.rule.rule().title.to_lowercase(),
                row.instance,
                row.generator
            )}
            {how_found(variant)}
        </p>
        {(!variant.sites.is_empty()).then(|| places(variant, diff))}
        {elsewhere(variant)}
        {has_diff.then(|| view! { <DiffView diff name="variant"/> })}
        <details class="identified__reply" open=!has_diff>
            <summary>"The whole reply"</summary>
            <pre tabindex="0">{variant.text.clone()}</pre>
        </details>
    }
}

/// The workbench's view of a variant's perturbation.
fn view_of(row: &DecisionRow, variant: &IdentifiedVariant) -> ViewState {
    let mut options = RuleOptions::default();
    for (name, value) in &variant.options {
        // What is wrong with an option was told when its line was read.
        drop(options.set(&format!("{}.{name}", row.rule), value));
    }
    ViewState {
        rule: Some(row.rule),
        instance: row.instance,
        options,
        ..ViewState::default()
    }
}

/// How the method stood in the reply.
fn how_found(variant: &IdentifiedVariant) -> String {
    let Some(found) = &variant.extraction else {
        return "The reply has no such method.".to_owned();
    };
    let form = match found.form {
        Form::InClass => "in its class",
        Form::InOtherClass => "in another class",
        Form::Bare => "by itself",
    };
    let mut parts = vec![format!("The method stood {form}")];
    if found.fenced {
        parts.push("in a fenced block".to_owned());
    }
    if let Some(name) = &found.renamed_from {
        parts.push(format!("under the name {name}"));
    }
    if !variant.collisions.is_empty() {
        let names = variant.collisions.join(" and ");
        parts.push(format!(
            "with its own use of {names}, which an obfuscated name stands for"
        ));
    }
    format!("{}.", parts.join(", "))
}

/// What became of each hidden place.
fn places(variant: &Arc<IdentifiedVariant>, diff: DiffState) -> impl IntoView + use<> {
    let place = |site: &MaskedNode| {
        let span = site.reference;
        let light = move || {
            let node = diff.comparison.with_untracked(|it| {
                let nodes = &it.as_ref()?.sheet(Which::Reference)?.side.nodes;
                nodes.iter().position(|node| node.span == span)
            });
            if let Some(node) = node {
                diff.light_node(Which::Reference, node);
            }
        };
        let text = |text: &str| view! { <code>{one_line(text)}</code> };
        let (sign, word) = match site.status {
            SiteStatus::Resolved => ("=", "as in the reference"),
            SiteStatus::Changed => ("~", "other text"),
            SiteStatus::Deleted => ("-", "no counterpart"),
        };
        let there = site.variant.map(|span| text(span.of(&variant.method)));
        view! {
            <tr on:mouseenter=handler(move |_| light())>
                <th scope="row">
                    <button type="button" class="button button--small" title="Show in the diff" on:click=handler(move |_| light())>
                        {format!("Place {}", site.site + 1)}
                    </button>
                </th>
                <td>{text(span.of(&variant.reference))}</td>
                <td class=format!("identified__status identified__status--{}", site.status.slug())>
                    <span aria-hidden="true">{sign}" "</span>
                    {word}
                </td>
                <td>{there}</td>
            </tr>
        }
    };
    view! {
        <table class="identified__places">
            <caption>"Hidden places"</caption>
            <thead>
                <tr>
                    <th scope="col">"Place"</th>
                    <th scope="col">"Reference"</th>
                    <th scope="col">"Status"</th>
                    <th scope="col">"Variant"</th>
                </tr>
            </thead>
            <tbody>{variant.sites.iter().map(place).collect_view()}</tbody>
        </table>
    }
}

/// What differs under no hidden place.
fn elsewhere(variant: &IdentifiedVariant) -> impl IntoView + use<> {
    let edit = |edit: &OutsideEdit| {
        let text = |text: &str| match text {
            "" => view! { <i>"nothing"</i> }.into_any(),
            text => view! { <code>{one_line(text)}</code> }.into_any(),
        };
        let (from, to) = (
            edit.reference.of(&variant.reference),
            edit.variant.of(&variant.method),
        );
        view! { <li>{text(from)}" → "{text(to)}</li> }
    };
    let n = variant.outside.len();
    (n > 0).then(|| {
        view! {
            <details>
                <summary>{format!("{} outside the hidden places", n_of(n, "edit", "edits"))}</summary>
                <ul class="identified__outside">{variant.outside.iter().map(edit).collect_view()}</ul>
            </details>
        }
    })
}
