//! A file of pairs, all compared; the answer is a file of the same bytes as the command line's.

use leptos::prelude::*;
use shared::diff::MatcherId;

use crate::components::announcer::{Announcer, use_announcer};
use crate::components::async_view::ErrorNote;
use crate::components::progress::ProgressBar;
use crate::components::toast::{Toasts, use_toasts};
use crate::platform::files::UserFile;
use crate::platform::{clock, download};
use crate::reactive::{LocalValue, RwSignal, handler, live};
use crate::state::words::{grouped, n_of, size};
use crate::worker::client::{ClientError, Latest};
use crate::worker::compare::client;
use crate::worker::compare::protocol::PairCounts;
use crate::worker::protocol::Progress;

/// The endings of a file of pairs.
const ENDINGS: [&str; 4] = [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"];

/// How far a file is.
#[derive(Clone)]
enum Stage {
    Offered,
    Running,
    Done {
        counts: PairCounts,
        matcher: MatcherId,
        took_ms: f64,
    },
    Cancelled(Option<Progress>),
    Failed(ClientError),
}

/// A file of pairs, and what became of it.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    matcher: RwSignal<MatcherId>,
    file: LocalValue<Option<UserFile>>,
    lines: LocalValue<Option<client::Made>>,
    /// `None` without a file.
    stage: RwSignal<Option<Stage>>,
    progress: RwSignal<Option<Progress>>,
    latest: LocalValue<Latest>,
    announcer: Announcer,
    toasts: Toasts,
}

/// Whether a file is one of pairs, by its name.
pub(super) fn is_pairs(file: &UserFile) -> bool {
    let name = file.name().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

impl Pairs {
    pub(super) fn new(matcher: RwSignal<MatcherId>) -> Self {
        let latest = LocalValue::new_local(Latest::default());
        on_cleanup(move || {
            latest.try_with_value(Latest::stop);
        });
        Self {
            matcher,
            file: LocalValue::new_local(None),
            lines: LocalValue::new_local(None),
            stage: RwSignal::new(None),
            progress: RwSignal::new(None),
            latest,
            announcer: use_announcer(),
            toasts: use_toasts(),
        }
    }

    /// Offers to compare a file.
    pub(super) fn offer(self, file: UserFile) {
        self.latest.with_value(Latest::stop);
        self.announcer
            .say(format!("{}, a file of pairs", file.name()));
        self.file.set_value(Some(file));
        self.stage.set(Some(Stage::Offered));
    }

    fn name(self) -> String {
        let file = self.file.with_value(Clone::clone);
        file.map_or_else(String::new, |file| file.name())
    }

    fn start(self) {
        let Some(file) = self.file.with_value(Clone::clone) else {
            return;
        };
        let (matcher, began_ms) = (self.matcher.get_untracked(), clock::now_ms());
        self.progress.set(None);
        self.stage.set(Some(Stage::Running));
        let on_progress = Box::new(move |progress| {
            self.progress.try_set(Some(progress));
        });
        let job = client::diff_pairs(file.into_blob(), matcher, on_progress);
        let finish = move |answer: Result<(PairCounts, client::Made), ClientError>| {
            let stage = match answer {
                Ok((counts, lines)) => {
                    self.lines.set_value(Some(lines));
                    self.announcer.say(counted(counts));
                    let took_ms = clock::now_ms() - began_ms;
                    Stage::Done {
                        counts,
                        matcher,
                        took_ms,
                    }
                }
                Err(error) => Stage::Failed(error),
            };
            self.stage.set(Some(stage));
        };
        self.latest.with_value(|latest| latest.run(job, finish));
    }

    fn cancel(self) {
        self.latest.with_value(Latest::stop);
        let progress = self.progress.get_untracked();
        self.stage.set(Some(Stage::Cancelled(progress)));
        self.announcer.say("cancelled");
    }

    fn close(self) {
        self.file.set_value(None);
        self.lines.set_value(None);
        self.stage.set(None);
    }

    fn save(self, matcher: MatcherId) {
        let name = self.name();
        let stem = name.split('.').next().unwrap_or_default();
        let name = format!("{stem}-{matcher}.jsonl");
        let saved = self
            .lines
            .with_value(|lines| lines.as_ref().map(|lines| download::blob(&name, lines)));
        match saved {
            Some(Ok(())) => self.toasts.done(format!("Saved {name}")),
            Some(Err(why)) => self.toasts.failed(why),
            None => {}
        }
    }
}

/// The file of pairs, where there is one.
pub(super) fn panel(pairs: Pairs) -> impl IntoView {
    live(move || pairs.stage.get().map(|stage| shown(pairs, stage)))
}

fn shown(pairs: Pairs, stage: Stage) -> impl IntoView {
    let name = pairs.name();
    let button = |label: &'static str, act: fn(Pairs)| {
        view! {
            <button type="button" class="button" on:click=handler(move |_| act(pairs))>
                {label}
            </button>
        }
    };
    let told = |text: String| view! { <p>{text}</p> };
    let content = match stage {
        Stage::Offered => {
            let file = pairs.file.with_value(Clone::clone);
            let n_bytes = file.map_or(0, |file| file.n_bytes());
            let text = format!(
                "{name}, {}: a pair a line, as a JSON object with id, a and b.",
                size(n_bytes)
            );
            (told(text), button("Compare all pairs", Pairs::start)).into_any()
        }
        Stage::Running => view! {
            <ProgressBar
                label=format!("Comparing {name}")
                unit="lines"
                progress=pairs.progress
                on_cancel=move |()| pairs.cancel()
            />
        }
        .into_any(),
        Stage::Done {
            counts,
            matcher,
            took_ms,
        } => {
            let text = format!(
                "{name}: {} by {matcher} in {:.1} s.",
                counted(counts),
                took_ms / 1000.0
            );
            let save = move |_| pairs.save(matcher);
            view! {
                {told(text)}
                <button type="button" class="button button--primary" on:click=handler(save)>
                    "Download the JSON lines"
                </button>
                {button("Compare again", Pairs::start)}
            }
            .into_any()
        }
        Stage::Cancelled(progress) => {
            let text = progress.map_or_else(String::new, |Progress { done, of }| {
                format!(" after {} of {} lines", grouped(done), grouped(of))
            });
            let text = format!("{name}: cancelled{text}. Nothing was kept.");
            (told(text), button("Compare all pairs", Pairs::start)).into_any()
        }
        Stage::Failed(error) => view! {
            <ErrorNote error what="the answer" on_retry=move |()| pairs.start()/>
        }
        .into_any(),
    };
    view! {
        <section class="diff-page__pairs note" aria-label="File of pairs">
            {content} {button("Close", |pairs| {
                pairs.latest.with_value(Latest::stop);
                pairs.close();
            })}
        </section>
    }
}

fn counted(counts: PairCounts) -> String {
    let compared = n_of(counts.n_compared, "pair", "pairs");
    match counts.n_bad {
        0 => format!("{compared} compared"),
        1 => format!("{compared} compared, 1 line is no pair (its answer says why)"),
        n => format!(
            "{compared} compared, {} lines are no pairs (their answers say why)",
            grouped(n)
        ),
    }
}
