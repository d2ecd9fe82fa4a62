//! A file of variants: which are a CtxBug, and why the others are none.

mod files;
mod result;
mod run;
mod schema;

use leptos::ev;
use leptos::prelude::*;
use shared::api::DatasetCard;
use shared::diff::{MATCHERS, Matcher};
use shared::identify::OutsidePolicy;
use shared::subject::DatasetId;

use self::files::{FilesView, Slot};
use self::result::ResultView;
use self::run::{Run, Runner};
use self::schema::Schema;
use crate::components::async_view::ErrorNote;
use crate::components::progress::ProgressBar;
use crate::page::Page;
use crate::pages::of_benchmark::OfBenchmark;
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::words::{grouped, n_of};

#[component]
pub(crate) fn IdentifyPage() -> impl IntoView {
    view! { <OfBenchmark title="Identify variants" page=|card| page(card).into_any()/> }
}

fn page(card: DatasetCard) -> impl IntoView {
    let runner = Runner::new(card.id.clone());
    let is_running = Memo::new(move |_| runner.run.with(|run| matches!(run, Run::Running)));
    let has_variants = Memo::new(move |_| runner.files.get(Slot::Variants).is_some());
    let is_starter = card.id.as_str() == DatasetId::STARTER;
    view! {
        <div class="page identify">
            <h1 tabindex="-1">{format!("Identify variants of {}", card.name)}</h1>
            <p class="lead">
                "Which fillings of hidden places are a CtxBug each, and why the others are none. \
                 Everything stays in this browser, and no variant is run: what its tests said comes from a file. "
                <a href=Page::HelpOn("identify".to_owned()).path()>"How it is decided"</a>
            </p>
            <FilesView files=runner.files/>
            <Choices runner/>
            <div class="identify__actions">
                <button
                    type="button"
                    class="button button--primary"
                    disabled=attr(move || is_running.get() || !has_variants.get())
                    on:click=handler(move |_| runner.start())
                >
                    "Identify"
                </button>
                {if is_starter {
                    view! {
                        <button
                            type="button"
                            class="button"
                            disabled=attr(move || is_running.get())
                            on:click=handler(move |_| runner.try_example())
                        >
                            "Try an example"
                        </button>
                    }
                    .into_any()
                } else {
                    view! { <a class="button" href=Page::Identify(DatasetId::starter()).path()>"See an example…"</a> }.into_any()
                }}
                <span class="muted">
                    {live(move || (!has_variants.get()).then_some("Choose a file of variants first."))}
                </span>
            </div>
            <Schema runner has_example=is_starter/>
            {live(move || match runner.run.get() {
                Run::Idle => ().into_any(),
                Run::Running => running(runner).into_any(),
                Run::Done(done) => view! { <ResultView runner done/> }.into_any(),
                Run::Cancelled => cancelled(runner).into_any(),
                Run::Failed(error) => {
                    view! { <ErrorNote error what="the variants" on_retry=move |()| runner.start()/> }.into_any()
                }
            })}
        </div>
    }
}

/// How variants are identified.
#[component]
fn Choices(runner: Runner) -> impl IntoView {
    let options = runner.options;
    let option = move |matcher: &'static Matcher| {
        let is_chosen = move || options.with(|options| options.matcher == matcher.id);
        view! {
            <option value=matcher.id.slug() prop:selected=attr(is_chosen)>{matcher.title}</option>
        }
    };
    let choose = move |event: ev::Event| {
        if let Ok(matcher) = event_target_value(&event).parse() {
            options.update(|options| options.matcher = matcher);
        }
    };
    let is_strict = move || options.with(|options| options.outside == OutsidePolicy::Reject);
    let set_strict = move |event: ev::Event| {
        let outside = if event_target_checked(&event) {
            OutsidePolicy::Reject
        } else {
            OutsidePolicy::Accept
        };
        options.update(|options| options.outside = outside);
    };
    view! {
        <div class="identify__choices">
            <label for="matcher">"Matcher"</label>
            <select id="matcher" class="field" on:change=handler(choose)>
                {MATCHERS.iter().map(option).collect_view()}
            </select>
            <label class="identify__strict">
                <input type="checkbox" prop:checked=attr(is_strict) on:change=handler(set_strict)/>
                "Strict: drop what differs outside the hidden places, too"
            </label>
        </div>
    }
}

fn running(runner: Runner) -> impl IntoView {
    let label = move || format!("Identifying, {:.1} s", runner.elapsed_ms.get() / 1000.0);
    view! {
        <ProgressBar
            label=Signal::derive(label)
            unit="lines"
            progress=runner.progress
            on_cancel=move |()| runner.cancel()
        />
    }
}

fn cancelled(runner: Runner) -> impl IntoView {
    let progress = runner.progress.get_untracked();
    let (done, of) = progress.map_or((0, 0), |progress| (progress.done, progress.of));
    view! {
        <p class="note">
            {if of == 0 {
                "Cancelled. Nothing was kept.".to_owned()
            } else {
                format!("Cancelled after {} of {}. Nothing was kept.", grouped(done), n_of(of, "line", "lines"))
            }}
        </p>
    }
}
