//! Import: where to drop a file, how far it is, what came of it.

use leptos::prelude::*;

use crate::components::drop_zone::DropZone;
use crate::components::progress::ProgressBar;
use crate::components::record_reports::RecordReports;
use crate::components::toast::sentence;
use crate::page::Page;
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::importing::{Importing, Outcome};
use crate::state::words::n_of;
use crate::worker::client::ClientError;
use crate::worker::protocol::{DatasetEntry, Place};

#[component]
pub(crate) fn ImportPanel() -> impl IntoView {
    let importing = expect_context::<Importing>();
    let label = move || {
        let file = importing
            .reading
            .with(|reading| reading.as_ref().map(|reading| reading.file.clone()));
        format!("Reading {}", file.unwrap_or_default())
    };
    let progress = move || {
        importing
            .reading
            .with(|reading| reading.as_ref().and_then(|reading| reading.progress))
    };
    let is_reading = Memo::new(move |_| importing.reading.with(Option::is_some));
    let report = move |(index, outcome): (usize, Outcome)| {
        view! {
            <div class="import__report">
                {match outcome.result {
                    Ok(entry) => imported(&outcome.file, entry).into_any(),
                    Err(error) => refused(&outcome.file, &error).into_any(),
                }}
                <button
                    type="button"
                    class="button button--icon"
                    aria-label=format!("Close the report on {}", outcome.file)
                    on:click=handler(move |_| importing.dismiss(index))
                >
                    "×"
                </button>
            </div>
        }
    };
    view! {
        <section class="import" aria-label="Import">
            <DropZone
                accept=".json,.jsonl,.ndjson,.gz"
                on_files=UnsyncCallback::new(move |files| importing.start(files))
            />
            <label class="import__license">
                <span>"Licence"</span>
                <input
                    class="field"
                    type="text"
                    maxlength="80"
                    placeholder="not stated; its card shows it"
                    prop:value=attr(move || importing.license.get())
                    on:input=handler(move |event| importing.license.set(event_target_value(&event)))
                />
            </label>
            <Show when=move || is_reading.get()>
                <ProgressBar
                    label=Signal::derive(label)
                    unit="records"
                    progress=Signal::derive(progress)
                    on_cancel=Callback::new(move |()| importing.cancel())
                />
            </Show>
            {live(move || importing.outcomes.get().into_iter().enumerate().map(report).collect_view())}
        </section>
    }
}

fn imported(file: &str, entry: DatasetEntry) -> impl IntoView + use<> {
    let DatasetEntry { card, place } = entry;
    let counts = format!(
        " imported: {}, {}, {}.",
        n_of(card.n_classes, "class", "classes"),
        n_of(card.n_subjects, "method", "methods"),
        n_of(card.n_tests, "test", "tests"),
    );
    let not_kept = (place == Place::Tab).then_some(
        "This browser refused to keep it, so it is gone when the tab is closed. Free some disk space or leave the \
         private window, then import it again.",
    );
    view! {
        <div class="note">
            <p>
                <span class="note__what">{file.to_owned()}</span>
                {counts}
                " "
                <a href=Page::Subjects(card.id).path()>"Browse its methods"</a>
            </p>
            {not_kept.map(|text| view! { <p>{text}</p> })}
            <RecordReports reports=card.reports open=true/>
        </div>
    }
}

fn refused(file: &str, error: &ClientError) -> impl IntoView + use<> {
    view! {
        <div class="note note--error" role="alert">
            <p class="note__what">{format!("{file} was not imported.")}</p>
            <p>{sentence(&error.message)}</p>
            {error.next.as_deref().map(|next| view! { <p>{sentence(next)}</p> })}
        </div>
    }
}
