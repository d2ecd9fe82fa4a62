//! What the page is doing, and what came of it.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use shared::identify::IdentifyOptions;
use shared::subject::DatasetId;

use super::files::{Files, Slot};
use crate::components::announcer::{Announcer, use_announcer};
use crate::components::toast::{Toasts, use_toasts};
use crate::platform::files::UserFile;
use crate::platform::{clock, download};
use crate::reactive::{LocalValue, RwSignal, StoredValue};
use crate::state::words::n_of;
use crate::worker::client::{ClientError, Latest};
use crate::worker::compare::batch::protocol::{Example, IdentifiedFile, Lines};
use crate::worker::compare::client;
use crate::worker::protocol::{FailureKind, Progress};

/// The names of the example's files.
const EXAMPLE: [&str; 2] = ["example-variants.jsonl", "example-reports.jsonl"];

#[derive(Clone)]
pub(super) enum Run {
    Idle,
    Running,
    Done(Done),
    Cancelled,
    Failed(ClientError),
}

/// A file that was identified.
#[derive(Clone)]
pub(super) struct Done {
    pub(super) found: Arc<IdentifiedFile>,
    pub(super) took_ms: f64,
    /// Which choice of files it is of.
    pub(super) choice: u32,
}

/// The state of the page over one benchmark.
#[derive(Clone, Copy)]
pub(super) struct Runner {
    pub(super) dataset: StoredValue<DatasetId>,
    pub(super) files: Files,
    pub(super) options: RwSignal<IdentifyOptions>,
    pub(super) run: RwSignal<Run>,
    pub(super) progress: RwSignal<Option<Progress>>,
    pub(super) elapsed_ms: RwSignal<f64>,
    began_ms: RwSignal<f64>,
    latest: LocalValue<Latest>,
    announcer: Announcer,
    toasts: Toasts,
}

impl Runner {
    pub(super) fn new(dataset: DatasetId) -> Self {
        let runner = Self {
            dataset: StoredValue::new(dataset),
            files: Files::new(),
            options: RwSignal::default(),
            run: RwSignal::new(Run::Idle),
            progress: RwSignal::new(None),
            elapsed_ms: RwSignal::new(0.0),
            began_ms: RwSignal::new(0.0),
            latest: LocalValue::new_local(Latest::default()),
            announcer: use_announcer(),
            toasts: use_toasts(),
        };
        let tick = set_interval_with_handle(
            move || {
                if runner.run.with_untracked(|run| matches!(run, Run::Running)) {
                    let began = runner.began_ms.get_untracked();
                    runner.elapsed_ms.set(clock::now_ms() - began);
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
        runner
    }

    /// Identifies the chosen variants.
    pub(super) fn start(self) {
        let files = self.files.all();
        if files.is_empty() {
            return;
        }
        self.run.set(Run::Running);
        self.progress.set(None);
        self.began_ms.set(clock::now_ms());
        self.elapsed_ms.set(0.0);
        let on_progress = Box::new(move |progress| {
            self.progress.try_set(Some(progress));
        });
        let dataset = self.dataset.get_value();
        let options = self.options.get_untracked();
        let choice = self.files.choice.get_untracked();
        let job = client::identify(dataset, options, files, on_progress);
        let finish = move |outcome: Result<IdentifiedFile, ClientError>| match outcome {
            Ok(found) => {
                let n = found.decisions.len();
                let n_cases = found.funnel.total(None).n_unique as usize;
                self.announcer.say(format!(
                    "{} identified, {}",
                    n_of(n, "variant", "variants"),
                    n_of(n_cases, "case", "cases")
                ));
                self.run.set(Run::Done(Done {
                    found: Arc::new(found),
                    took_ms: clock::now_ms() - self.began_ms.get_untracked(),
                    choice,
                }));
            }
            Err(error) if error.kind == FailureKind::Cancelled => self.run.set(Run::Cancelled),
            Err(error) => self.run.set(Run::Failed(error)),
        };
        self.latest.with_value(|latest| latest.run(job, finish));
    }

    pub(super) fn cancel(self) {
        self.latest.with_value(Latest::stop);
        self.run.set(Run::Cancelled);
        self.announcer.say("cancelled");
    }

    /// Chooses the files that the benchmark's notes make, and identifies them.
    pub(super) fn try_example(self) {
        self.with_example(move |example| {
            let [variants, reports] = EXAMPLE;
            let variants = UserFile::of(variants, &example.variants);
            let reports = UserFile::of(reports, &example.reports);
            self.files.set(Slot::Variants, variants);
            self.files.set(Slot::Reports, reports);
            self.start();
        });
    }

    /// Saves the files that the benchmark's notes make.
    pub(super) fn save_example(self) {
        self.with_example(move |example| {
            for (name, text) in EXAMPLE.into_iter().zip([example.variants, example.reports]) {
                self.tell_saved(name, download::text(name, &text));
            }
        });
    }

    fn with_example(self, then: impl FnOnce(Example) + 'static) {
        let job = client::example(self.dataset.get_value());
        let toasts = self.toasts;
        self.latest.with_value(|latest| {
            latest.run(job, move |example| match example {
                Ok(example) => then(example),
                Err(error) => toasts.failed(error.to_string()),
            });
        });
    }

    /// Saves what was decided.
    pub(super) fn save(self, run: u32, lines: Lines) {
        let name = match lines {
            Lines::Decisions => self.file_name("decisions.jsonl"),
            Lines::Cases => self.file_name("cases.jsonl"),
        };
        leptos::task::spawn_local(async move {
            match client::written(run, lines).await {
                Ok(file) => self.tell_saved(&name, download::blob(&name, &file)),
                Err(error) => self.toasts.failed(error.to_string()),
            }
        });
    }

    /// Saves what is left after each stage.
    pub(super) fn save_funnel(self, found: &IdentifiedFile) {
        let name = self.file_name("funnel.csv");
        let saved = download::text(&name, &found.funnel.csv(found.options));
        self.tell_saved(&name, saved);
    }

    fn file_name(self, ending: &str) -> String {
        self.dataset
            .with_value(|dataset| format!("{dataset}-{ending}"))
    }

    fn tell_saved(self, name: &str, saved: Result<(), String>) {
        match saved {
            Ok(()) => self.toasts.done(format!("Saved {name}")),
            Err(why) => self.toasts.failed(why),
        }
    }
}
