//! What can be done with the shown text: its tests, copies, files, a link.

use leptos::prelude::*;
use shared::perturb::{PerturbationRecord, Stamp};

use crate::platform::{clipboard, download};
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::words::n_of;
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
    let save = move |name: String, text: Result<String, String>| {
        let saved = text.and_then(|text| download::text(&name, &text));
        on_done.run(saved.map(|()| format!("Saved {name}")));
    };
    let display = bench.display;
    let has_text = Memo::new(move |_| {
        display.get() == Display::Code || bench.places.with(|places| !places.is_empty())
    });
    let has_record = Memo::new(move |_| {
        display.get() != Display::Unified && bench.perturbation.with(Option::is_some)
    });
    let why_not =
        move |has: Memo<bool>, why: &'static str| move || if has.get() { "" } else { why };
    let no_text = why_not(has_text, "Nothing is masked here");
    let no_record = why_not(has_record, "A line holds one instance of one rule");
    let button = |label: Signal<&'static str>,
                  has: Memo<bool>,
                  why: Signal<&'static str>,
                  act: Callback<()>| {
        view! {
            <button
                type="button"
                class="button button--small"
                disabled=attr(move || !has.get())
                title=attr(move || why.get())
                on:click=handler(move |_| act.run(()))
            >
                {live(move || label.get())}
            </button>
        }
    };
    let copy_label = move || {
        if display.get() == Display::Code {
            "Copy code"
        } else {
            "Copy masked text"
        }
    };
    let always = Memo::new(|_| true);
    view! {
        <div class="method-actions" role="group" aria-label="Run or take along">
            <button
                type="button"
                class="button button--small button--primary"
                on:click=handler(move |_| bench.test())
            >
                "Run tests"
            </button>
            {button(
                Signal::derive(copy_label),
                has_text,
                Signal::derive(no_text),
                Callback::new(move |()| copy(shown(bench), "Copied the text")),
            )}
            {button(
                Signal::stored("Copy as Markdown"),
                has_text,
                Signal::derive(no_text),
                Callback::new(move |()| copy(markdown(bench), "Copied as Markdown")),
            )}
            {button(
                Signal::stored("Download .py"),
                has_text,
                Signal::derive(no_text),
                Callback::new(move |()| save(file_name(bench, "py"), shown(bench))),
            )}
            {button(
                Signal::stored("Download JSON line"),
                has_record,
                Signal::derive(no_record),
                Callback::new(move |()| save(record_name(bench), record(bench))),
            )}
            {button(
                Signal::stored("Copy link"),
                always,
                Signal::stored(""),
                Callback::new(move |()| copy(link.run(()), "Copied the link")),
            )}
        </div>
    }
}

fn not_yet() -> String {
    "the text is not read yet; try again in a moment".to_owned()
}

fn is_shown(bench: Workbench, display: Display) -> bool {
    bench.display.get_untracked() == display
}

/// The code in the code view, else the masked text.
fn shown(bench: Workbench) -> Result<String, String> {
    if is_shown(bench, Display::Code) {
        return Ok(bench.source.get_untracked());
    }
    bench.masked().ok_or_else(not_yet)
}

/// The rules that hide the shown places: `R4`, or `R3+R5` in the unified view.
fn rules(bench: Workbench) -> String {
    let rules = if is_shown(bench, Display::Unified) {
        bench.unified.get_untracked()
    } else {
        vec![bench.rule.get_untracked()]
    };
    let numbers = rules.iter().map(|rule| format!("R{}", rule.number()));
    numbers.collect::<Vec<_>>().join("+")
}

/// `Class.method.py` for the code, `Class.method-R4-1.py` for an instance.
fn file_name(bench: Workbench, extension: &str) -> String {
    let subject = bench.body.with_value(|body| body.subject.id.0.clone());
    if is_shown(bench, Display::Code) {
        return format!("{subject}.{extension}");
    }
    if is_shown(bench, Display::Unified) {
        return format!("{subject}-{}.{extension}", rules(bench));
    }
    record_stem(bench, &subject) + "." + extension
}

fn record_name(bench: Workbench) -> String {
    bench
        .body
        .with_value(|body| record_stem(bench, body.subject.id.as_str()))
        + ".jsonl"
}

fn record_stem(bench: Workbench, subject: &str) -> String {
    let instance = bench
        .perturbation
        .with_untracked(|it| it.as_ref().map_or(0, |it| it.instance));
    format!(
        "{subject}-R{}-{}",
        bench.rule.get_untracked().number(),
        instance + 1
    )
}

fn markdown(bench: Workbench) -> Result<String, String> {
    let text = shown(bench)?;
    let subject = bench.body.with_value(|body| body.subject.id.0.clone());
    let mut notes = Vec::new();
    if !is_shown(bench, Display::Code) {
        notes.push(rules(bench));
        notes.push(n_of(bench.places.with_untracked(Vec::len), "site", "sites"));
    }
    if bench.is_edited.get_untracked() {
        notes.push("edited".to_owned());
    }
    let notes = if notes.is_empty() {
        String::new()
    } else {
        format!(" ({})", notes.join(", "))
    };
    let fence = if text.contains("```") { "````" } else { "```" };
    Ok(format!(
        "**{subject}**{notes}\n\n{fence}python\n{}\n{fence}\n",
        text.trim_end()
    ))
}

/// An edited text is no longer the benchmark's, and its record does not say so.
fn record(bench: Workbench) -> Result<String, String> {
    let analysis = bench.analysis.get_untracked().ok_or_else(not_yet)?;
    let of = bench.perturbation.get_untracked().ok_or_else(not_yet)?;
    let options = bench.view.with_untracked(|view| view.options.clone());
    let (subject, stamp) = if bench.is_edited.get_untracked() {
        (None, Stamp::new(None))
    } else {
        (
            Some(bench.body.with_value(|body| body.subject.id.clone())),
            bench.stamp.get_value(),
        )
    };
    let source = &analysis.source;
    Ok(PerturbationRecord::new(subject.as_ref(), source, of, &options, &stamp).json_line())
}
