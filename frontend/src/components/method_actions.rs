//! Taking the shown text along: copies, files, a link.

use leptos::prelude::*;
use shared::perturb::{PerturbationRecord, Stamp};

use crate::platform::{clipboard, download};
use crate::state::workbench::Workbench;
use crate::state::workbench::link::Display;

#[component]
pub(crate) fn MethodActions(
    /// The subject and its view.
    bench: Workbench,
    /// The address of the shown view; an error (a text for the user) when it is too long for a link.
    #[prop(into)]
    link: Callback<(), Result<String, String>>,
    /// Called with what was done, or why not.
    #[prop(into)]
    on_done: Callback<Result<String, String>>,
) -> impl IntoView {
    let copy = move |text: Result<String, String>, done: &'static str| {
        leptos::task::spawn_local(async move {
            let outcome = match text {
                Ok(text) => clipboard::copy(&text).await,
                Err(why) => Err(why),
            };
            on_done.run(outcome.map(|()| done.to_owned()));
        });
    };
    let save = move |name: String, text: String| {
        on_done.run(download::text(&name, &text).map(|()| format!("Saved {name}")));
    };
    let is_masked = Memo::new(move |_| bench.places.with(|places| !places.is_empty()));
    let has_record = Memo::new(move |_| {
        bench.perturbation.with(Option::is_some) && bench.view.with(|view| view.display) != Display::Unified
    });
    let why_no_record = move || if has_record.get() { "" } else { "Choose one instance of one rule in the masked view" };
    view! {
        <div class="method-actions" role="group" aria-label="Take along">
            <button
                type="button"
                class="button button--small"
                disabled=move || !is_masked.get()
                on:click=move |_| copy(masked(bench), "Copied the masked text")
            >
                "Copy masked text"
            </button>
            <button
                type="button"
                class="button button--small"
                disabled=move || !is_masked.get()
                on:click=move |_| copy(markdown(bench), "Copied as Markdown")
            >
                "Copy as Markdown"
            </button>
            <button
                type="button"
                class="button button--small"
                disabled=move || !is_masked.get()
                on:click=move |_| match masked(bench) {
                    Ok(text) => save(file_name(bench, "py"), text),
                    Err(why) => on_done.run(Err(why)),
                }
            >
                "Download .py"
            </button>
            <button
                type="button"
                class="button button--small"
                disabled=move || !has_record.get()
                title=why_no_record
                on:click=move |_| {
                    if let Some(record) = record(bench) {
                        save(file_name(bench, "jsonl"), record.json_line());
                    }
                }
            >
                "Download JSON line"
            </button>
            <button
                type="button"
                class="button button--small"
                on:click=move |_| copy(link.run(()), "Copied the link")
            >
                "Copy link"
            </button>
        </div>
    }
}

fn masked(bench: Workbench) -> Result<String, String> {
    bench.masked().ok_or_else(|| "the text is not read yet; try again in a moment".to_owned())
}

/// The rules that hide the shown places: `R4`, or `R3+R5` in the unified view.
fn rules(bench: Workbench) -> String {
    let rules = if bench.view.with_untracked(|view| view.display) == Display::Unified {
        bench.unified.get_untracked()
    } else {
        vec![bench.rule.get_untracked()]
    };
    rules.iter().map(|rule| format!("R{}", rule.number())).collect::<Vec<_>>().join("+")
}

/// `Class.method-R4-1.py`.
fn file_name(bench: Workbench, extension: &str) -> String {
    let subject = bench.body.with_value(|body| body.subject.id.0.clone());
    let instance = bench.perturbation.with_untracked(|it| it.as_ref().map_or(0, |it| it.instance)) + 1;
    let is_unified = bench.view.with_untracked(|view| view.display) == Display::Unified;
    let instance = if is_unified { String::new() } else { format!("-{instance}") };
    format!("{subject}-{}{instance}.{extension}", rules(bench))
}

fn markdown(bench: Workbench) -> Result<String, String> {
    let text = masked(bench)?;
    let subject = bench.body.with_value(|body| body.subject.id.0.clone());
    let n = bench.places.with_untracked(Vec::len);
    let fence = if text.contains("```") { "````" } else { "```" };
    let sites = if n == 1 { "1 site".to_owned() } else { format!("{n} sites") };
    let edited = if bench.is_edited.get_untracked() { ", edited" } else { "" };
    Ok(format!("**{subject}** ({}, {sites}{edited})\n\n{fence}python\n{}\n{fence}\n", rules(bench), text.trim_end()))
}

/// An edited text is no longer the benchmark's, and its record does not say so.
fn record(bench: Workbench) -> Option<PerturbationRecord> {
    let analysis = bench.analysis.get_untracked()?;
    let of = bench.perturbation.get_untracked()?;
    let options = bench.view.with_untracked(|view| view.options.clone());
    if bench.is_edited.get_untracked() {
        return Some(PerturbationRecord::new(None, &analysis.source, of, &options, &Stamp::new(None)));
    }
    let subject = bench.body.with_value(|body| body.subject.id.clone());
    Some(PerturbationRecord::new(Some(&subject), &analysis.source, of, &options, &bench.stamp.get_value()))
}
