//! Which references of a benchmark can judge variants, and why the others cannot.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use shared::api::DatasetCard;
use shared::integrity::Standing;
use shared::report::Protocol;
use shared::subject::DatasetId;

use crate::components::announcer::use_announcer;
use crate::components::async_view::{ErrorNote, Loading};
use crate::components::engine_picker::coded;
use crate::components::not_run::NotRun;
use crate::components::progress::ProgressBar;
use crate::components::references_table::ReferencesTable;
use crate::components::toast::{sentence, use_toasts};
use crate::page::Page;
use crate::pages::of_benchmark::OfBenchmark;
use crate::platform::download;
use crate::reactive::{Memo, Signal, attr, handler, live, watch};
use crate::state::references::{Checked, Checker, Phase, words};
use crate::state::words::n_of;
use crate::worker::protocol::Progress;

#[component]
pub(crate) fn ReferencesPage() -> impl IntoView {
    view! { <OfBenchmark title="Check references" page=|card| page(card).into_any()/> }
}

fn page(card: DatasetCard) -> impl IntoView {
    let checker = Checker::new(card.id.clone());
    keep_said(checker);
    let is_over = Memo::new(move |_| checker.phase.with(Phase::is_over));
    let is_ready = Memo::new(move |_| checker.engine().is_some_and(|it| it.missing.is_none()));
    let id = card.id.clone();
    view! {
        <div class="page references">
            <h1 tabindex="-1">{format!("Check references of {}", card.name)}</h1>
            <p class="lead">
                "A reference has to pass its own tests before it can judge a variant, whatever the clock, the host name, \
                 the seed, the order of the tests or the load of the machine. The server runs each under all of these. "
                <a href=Page::HelpOn("testing".to_owned()).path()>"What the standings mean"</a>
            </p>
            <Choices checker is_over/>
            <div class="references__actions">
                <button
                    type="button"
                    class="button button--primary"
                    disabled=attr(move || !is_over.get() || !is_ready.get())
                    on:click=handler(move |_| checker.start())
                >
                    {format!("Check {}", n_of(card.n_classes, "reference", "references"))}
                </button>
            </div>
            {live(move || status(checker))}
            {live(move || is_over.get().then(|| match checker.last.get() {
                None => view! { <Loading what="the last check"/> }.into_any(),
                Some(Err(error)) => {
                    view! { <ErrorNote error what="the last check" on_retry=move |()| checker.last.refetch()/> }.into_any()
                }
                Some(Ok(None)) => {
                    view! { <p class="muted">"Nothing was checked yet on this engine."</p> }.into_any()
                }
                Some(Ok(Some(found))) => view! { <Found checker checked=found id=id.clone()/> }.into_any(),
            }))}
        </div>
    }
}

/// What checks, and by which tests.
#[component]
fn Choices(checker: Checker, #[prop(into)] is_over: Signal<bool>) -> impl IntoView {
    let is_it = move |name: &str| checker.engine().is_some_and(|it| it.engine == name);
    let options = move || {
        let option = |it: shared::api::EngineState| {
            let is_ready = it.missing.is_none();
            let label = if is_ready {
                format!("{} · {}", it.engine, it.python)
            } else {
                format!("{} (not ready)", it.engine)
            };
            let name = it.engine.clone();
            view! {
                <option value=it.engine disabled=!is_ready prop:selected=attr(move || is_it(&name))>{label}</option>
            }
        };
        let all = checker.on_server().into_iter().map(option);
        all.collect_view()
    };
    let choose = move |event: ev::Event| checker.chosen.set(Some(event_target_value(&event)));
    let set_protocol = move |event: ev::Event| {
        checker.protocol.set(match &*event_target_value(&event) {
            "published" => Protocol::Published,
            _ => Protocol::Corrected,
        });
    };
    let not_ready = move || {
        if let Some(Err(why)) = checker.engines.get() {
            return engine_note(&why.to_string()).into_any();
        }
        let engines = checker.on_server();
        if engines.is_empty() || engines.iter().any(|it| it.missing.is_none()) {
            return ().into_any();
        }
        let missing = engines.into_iter().filter_map(|it| it.missing);
        let ways: Vec<String> = missing.collect();
        engine_note(&format!("No engine is ready: {}", ways.join("; or "))).into_any()
    };
    view! {
        <div class="references__choices">
            <label for="check-engine">"Engine"</label>
            <select id="check-engine" class="field" disabled=attr(move || !is_over.get()) on:change=handler(choose)>
                {live(options)}
            </select>
            <label for="check-protocol">"Protocol"</label>
            <select
                id="check-protocol"
                class="field"
                disabled=attr(move || !is_over.get())
                on:change=handler(set_protocol)
            >
                <option value="corrected">"corrected"</option>
                <option value="published">"published"</option>
            </select>
        </div>
        {live(not_ready)}
    }
}

fn engine_note(why: &str) -> impl IntoView + use<> {
    view! { <p class="note note--warning">{coded(&sentence(why))}</p> }
}

fn status(checker: Checker) -> AnyView {
    let going = move |label: String, progress: Option<Progress>| {
        view! {
            <ProgressBar
                label=label
                unit="references"
                progress=Signal::stored(progress)
                on_cancel=move |()| checker.cancel()
            />
        }
        .into_any()
    };
    match checker.phase.get() {
        Phase::Idle => ().into_any(),
        Phase::Asking => going("Asking the server…".to_owned(), None),
        Phase::Queued(0) => going("Waiting for a free place".to_owned(), None),
        Phase::Queued(n) => {
            let runs = if n == 1 { "runs" } else { "run" };
            going(
                format!("Waiting: {} {runs} before", n_of(n, "job", "jobs")),
                None,
            )
        }
        Phase::Running => checker.heard.with(|(heard, of)| {
            let n_out = heard.iter().filter(|&&it| it != Standing::Clean).count();
            let label = if n_out == 0 {
                "Checking".to_owned()
            } else {
                format!("Checking, {n_out} left out so far")
            };
            let progress = (*of > 0).then_some(Progress {
                done: heard.len(),
                of: *of,
            });
            going(label, progress)
        }),
        Phase::Waiting => going(
            "The server does not answer; its job goes on there".to_owned(),
            None,
        ),
        Phase::Failed(title, why) => {
            let but = "This says nothing about the references.";
            view! { <NotRun title why but on_retry=move |()| checker.start()/> }.into_any()
        }
        Phase::Cancelled => {
            let (n, of) = checker.heard.with(|(heard, of)| (heard.len(), *of));
            let text = format!("Cancelled after {n} of {of}. What was found before is kept.");
            view! { <p class="note">{text}</p> }.into_any()
        }
    }
}

#[component]
fn Found(checker: Checker, checked: Arc<Checked>, id: DatasetId) -> impl IntoView {
    let toasts = use_toasts();
    let stamp = checked.all.iter().find_map(|it| it.report.engine.clone());
    let by = stamp.map(|it| format!("{} · {}", it.engine, it.python));
    let n_runs: usize = checked.all.iter().map(|it| it.probes.len()).sum();
    let save = {
        let (checked, name) = (Arc::clone(&checked), format!("{id}-references.jsonl"));
        move |_| match download::text(&name, &checked.lines) {
            Ok(()) => toasts.done(format!("Saved {name}")),
            Err(why) => toasts.failed(why),
        }
    };
    view! {
        <section class="references__result" aria-label="Result">
            <div class="references__summary">
                <p>{words::summary(&checked)}</p>
                <button type="button" class="button" on:click=handler(save)>"Export JSONL"</button>
            </div>
            <p class="muted">{by} {format!(" · {}", n_of(n_runs, "run", "runs"))}</p>
            <ReferencesTable checked id engines=Signal::derive(move || checker.on_server())/>
        </section>
    }
}

/// Reads out what begins and what came of it.
fn keep_said(checker: Checker) {
    let announcer = use_announcer();
    let to_say = Memo::new(move |was: Option<&(bool, String)>| {
        let was_running = was.is_some_and(|(is_running, _)| *is_running);
        checker.phase.with(|phase| match phase {
            Phase::Idle if was_running => (false, "All references are checked".to_owned()),
            Phase::Idle => (false, String::new()),
            Phase::Asking => (true, "Asking the server".to_owned()),
            Phase::Queued(n) => (true, format!("Waiting: {n} before")),
            Phase::Running => (true, "Checking the references".to_owned()),
            Phase::Waiting => (true, "The server does not answer".to_owned()),
            Phase::Failed(title, why) => (false, format!("{title}: {why}")),
            Phase::Cancelled => (false, "Cancelled".to_owned()),
        })
    });
    watch(
        move || to_say.get(),
        move |(_, text)| announcer.say(text.as_str()),
    );
}
