//! A whole benchmark under the ten rules.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};
use shared::api::DatasetCard;
use shared::perturb::{CountsTable, RULES, RuleId, RuleOptions};

use crate::components::announcer::{Announcer, use_announcer};
use crate::components::async_view::ErrorNote;
use crate::components::counts_table::CountsTableView;
use crate::components::options_panel::OptionsPanel;
use crate::components::progress::ProgressBar;
use crate::components::toast::{Toasts, use_toasts};
use crate::page::{self, Page};
use crate::pages::of_benchmark::OfBenchmark;
use crate::platform::{clock, download};
use crate::reactive::{
    LocalValue, Memo, RwSignal, Signal, StoredValue, attr, handler, live, watch,
};
use crate::state::counts::CountsView;
use crate::state::words::{grouped, n_of};
use crate::worker::client::{self, ClientError, Latest};
use crate::worker::protocol::{ExportFormat, FailureKind, Progress};

/// What the page is doing.
#[derive(Clone)]
enum Run {
    Idle,
    Running,
    Done(Done),
    Cancelled(Option<Progress>),
    Failed(ClientError),
}

#[derive(Clone)]
struct Done {
    table: Arc<CountsTable>,
    options: RuleOptions,
    took_ms: f64,
}

/// The state of the page over one benchmark.
#[derive(Clone, Copy)]
struct Runner {
    card: StoredValue<DatasetCard>,
    view: RwSignal<CountsView>,
    run: RwSignal<Run>,
    progress: RwSignal<Option<Progress>>,
    began_ms: RwSignal<f64>,
    elapsed_ms: RwSignal<f64>,
    latest: LocalValue<Latest>,
    announcer: Announcer,
    toasts: Toasts,
}

#[component]
pub(crate) fn PerturbAllPage() -> impl IntoView {
    view! { <OfBenchmark title="Perturb all" page=|card| page(card).into_any()/> }
}

fn page(card: DatasetCard) -> impl IntoView {
    let (n_subjects, n_classes, name) = (card.n_subjects, card.n_classes, card.name.clone());
    let runner = Runner::new(card);
    let view = runner.view;
    let options = Memo::new(move |_| view.with(|view| view.options.clone()));
    let is_running = Memo::new(move |_| runner.run.with(|run| matches!(run, Run::Running)));
    view! {
        <div class="page perturb-all">
            <h1 tabindex="-1">{format!("Perturb all of {name}")}</h1>
            <p class="perturb-all__lead">
                {format!(
                    "All ten rules over {} of {}, in this browser.",
                    n_of(n_subjects, "method", "methods"),
                    n_of(n_classes, "class", "classes"),
                )}
            </p>
            <OptionsOfAll
                options
                on_set=move |(name, value): (String, String)| view.update(|view| {
                    let done = view.options.set(&name, &value);
                    debug_assert!(done.is_ok(), "{done:?}");
                })
                on_reset=move |()| view.update(|view| view.options = RuleOptions::default())
            />
            <div class="perturb-all__actions">
                <button
                    type="button"
                    class="button button--primary"
                    disabled=attr(move || is_running.get())
                    on:click=handler(move |_| runner.start())
                >
                    {format!("Perturb all {} methods", grouped(n_subjects))}
                </button>
            </div>
            {live(move || match runner.run.get() {
                Run::Idle => ().into_any(),
                Run::Running => running(runner).into_any(),
                Run::Done(done) => result(runner, done).into_any(),
                Run::Cancelled(progress) => cancelled(progress, n_subjects).into_any(),
                Run::Failed(error) => {
                    view! { <ErrorNote error what="the result" on_retry=move |()| runner.start()/> }.into_any()
                }
            })}
        </div>
    }
}

#[component]
fn OptionsOfAll(
    /// All choices in force.
    #[prop(into)]
    options: Signal<RuleOptions>,
    /// Called with an option's full name and its new value.
    #[prop(into)]
    on_set: Callback<(String, String)>,
    /// Restores all choices of the specification.
    #[prop(into)]
    on_reset: Callback<()>,
) -> impl IntoView {
    let changed = move || {
        options.with(|options| {
            options
                .changed()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect::<Vec<_>>()
        })
    };
    let summary = move || match changed().as_slice() {
        [] => "Options: all as in the specification".to_owned(),
        some => format!("Options: {}", some.join(", ")),
    };
    let rule = |rule: RuleId| {
        view! {
            <section class="perturb-all__rule">
                <h2>{format!("{} {}", rule.number(), rule.rule().title)}</h2>
                <OptionsPanel rule options on_set/>
            </section>
        }
    };
    let rules = RULES
        .iter()
        .filter(|of| !of.options.is_empty())
        .map(|of| rule(of.id))
        .collect_view();
    view! {
        <details class="perturb-all__options">
            <summary>{summary}</summary>
            <button
                type="button"
                class="button button--small"
                disabled=attr(move || changed().is_empty())
                on:click=handler(move |_| on_reset.run(()))
            >
                "Reset all to the specification’s"
            </button>
            <div class="perturb-all__rules">{rules}</div>
        </details>
    }
}

impl Runner {
    fn new(card: DatasetCard) -> Self {
        let runner = Self {
            card: StoredValue::new(card),
            view: RwSignal::new(read_view()),
            run: RwSignal::new(Run::Idle),
            progress: RwSignal::new(None),
            began_ms: RwSignal::new(0.0),
            elapsed_ms: RwSignal::new(0.0),
            latest: LocalValue::new_local(Latest::default()),
            announcer: use_announcer(),
            toasts: use_toasts(),
        };
        runner.keep_link();
        let tick = set_interval_with_handle(
            move || {
                if runner.run.with_untracked(|run| matches!(run, Run::Running)) {
                    runner
                        .elapsed_ms
                        .set(clock::now_ms() - runner.began_ms.get_untracked());
                }
            },
            Duration::from_millis(100),
        );
        on_cleanup(move || {
            runner.latest.try_with_value(Latest::stop);
            if let Ok(tick) = tick {
                tick.clear();
            }
        });
        if runner.view.with_untracked(|view| view.has_run) {
            runner.start();
        }
        runner
    }

    fn start(self) {
        let options = self.view.with_untracked(|view| view.options.clone());
        self.run.set(Run::Running);
        self.progress.set(None);
        self.began_ms.set(clock::now_ms());
        self.elapsed_ms.set(0.0);
        let on_progress = Box::new(move |progress| {
            self.progress.try_set(Some(progress));
        });
        let id = self.card.with_value(|card| card.id.clone());
        let job = client::perturb_all(id, options.clone(), on_progress);
        let finish = move |outcome: Result<CountsTable, ClientError>| {
            let took_ms = clock::now_ms() - self.began_ms.get_untracked();
            match outcome {
                Ok(table) => {
                    self.announcer.say(format!(
                        "{} instances found",
                        grouped(table.totals().total())
                    ));
                    self.view.update(|view| view.has_run = true);
                    self.run.set(Run::Done(Done {
                        table: Arc::new(table),
                        options,
                        took_ms,
                    }));
                }
                Err(error) if error.kind == FailureKind::Cancelled => {
                    self.run.set(Run::Cancelled(self.progress.get_untracked()));
                }
                Err(error) => self.run.set(Run::Failed(error)),
            }
        };
        self.latest.with_value(|latest| latest.run(job, finish));
    }

    fn cancel(self) {
        self.latest.with_value(Latest::stop);
        self.run.set(Run::Cancelled(self.progress.get_untracked()));
        self.announcer.say("cancelled");
    }

    fn export(self, format: ExportFormat, options: RuleOptions) {
        let toasts = self.toasts;
        let id = self.card.with_value(|card| card.id.clone());
        leptos::task::spawn_local(async move {
            match client::export(id, options, format, Box::new(|_| ())).await {
                Ok((name, blob)) => match download::blob(&name, &blob) {
                    Ok(()) => toasts.done(format!("Saved {name}")),
                    Err(why) => toasts.failed(why),
                },
                Err(error) => toasts.failed(error.to_string()),
            }
        });
    }

    fn keep_link(self) {
        let navigate = use_navigate();
        let path = self
            .card
            .with_value(|card| Page::PerturbAll(card.id.clone()).path());
        watch(
            move || self.view.with(ToString::to_string),
            move |query| {
                let address = if query.is_empty() {
                    path.clone()
                } else {
                    format!("{path}?{query}")
                };
                navigate(&address, page::in_place());
            },
        );
    }
}

fn read_view() -> CountsView {
    let query = use_location().search.get_untracked();
    CountsView::from_query(
        query
            .trim_start_matches('?')
            .split('&')
            .filter_map(|pair| pair.split_once('=')),
    )
}

fn running(runner: Runner) -> impl IntoView {
    let label = move || format!("Perturbing, {:.1} s", runner.elapsed_ms.get() / 1000.0);
    view! {
        <ProgressBar
            label=Signal::derive(label)
            unit="methods"
            progress=runner.progress
            on_cancel=move |()| runner.cancel()
        />
    }
}

fn cancelled(progress: Option<Progress>, n_subjects: usize) -> impl IntoView {
    let done = progress.map_or(0, |progress| progress.done);
    view! {
        <p class="note">
            {format!(
                "Cancelled after {} of {} methods. Nothing was kept; start again to count all.",
                grouped(done),
                grouped(n_subjects),
            )}
        </p>
    }
}

fn result(runner: Runner, done: Done) -> impl IntoView {
    let Done {
        table,
        options,
        took_ms,
    } = done;
    let (id, view) = (runner.card.with_value(|card| card.id.clone()), runner.view);
    let totals = table.totals();
    let text = format!(
        "{} from {} in {:.1} s.",
        n_of(totals.total(), "instance", "instances"),
        n_of(totals.n_methods, "method", "methods"),
        took_ms / 1000.0,
    );
    let is_stale = {
        let options = options.clone();
        Memo::new(move |_| view.with(|view| view.options != options))
    };
    let options = StoredValue::new(options);
    let link = move |(class, rule): (String, RuleId)| {
        let class =
            percent_encoding::utf8_percent_encode(&class, percent_encoding::NON_ALPHANUMERIC);
        format!(
            "{}?class={class}&rule={}",
            Page::Subjects(id.clone()).path(),
            rule.slug()
        )
    };
    view! {
        <section class="perturb-all__result" aria-label="Result">
            <div class="perturb-all__summary">
                <p>{text}</p>
                <button type="button" class="button" on:click=handler(move |_| runner.export(ExportFormat::Jsonl, options.get_value()))>
                    "Export JSONL"
                </button>
                <button type="button" class="button" on:click=handler(move |_| runner.export(ExportFormat::Csv, options.get_value()))>
                    "Export CSV"
                </button>
            </div>
            <Show when=move || is_stale.get()>
                <p class="note note--warning">
                    "The options have changed since. "
                    <button type="button" class="button button--small" on:click=handler(move |_| runner.start())>
                        "Perturb again"
                    </button>
                </p>
            </Show>
            <CountsTableView
                table=Arc::unwrap_or_clone(table)
                sort=Signal::derive(move || view.with(|view| view.sort))
                on_sort=move |column| view.update(|view| view.sort = view.sort.after_click(column))
                link
                help=move |rule: RuleId| Page::HelpOn(rule.slug().to_owned()).path()
            />
        </section>
    }
}
