//! The benchmark that the page is in: its card, its index and the rules' counts.

use std::sync::Arc;

use leptos::prelude::*;
use shared::api::SubjectSummary;
use shared::subject::{DatasetId, SubjectId};

use crate::reactive::{LocalValue, RwSignal};
use crate::worker::client::{self, ClientError, Latest};
use crate::worker::protocol::{DatasetEntry, Progress};

/// Instances of rules 1 to 10, one row a subject, in the index's order.
pub(crate) type RuleCounts = Arc<Vec<[u16; 10]>>;

/// How far a benchmark is.
#[derive(Clone, Default)]
pub(crate) enum Opening {
    #[default]
    Idle,
    Running(Option<Progress>),
    Failed(ClientError),
    Ready(Opened),
}

/// A benchmark that is ready.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) entry: Arc<DatasetEntry>,
    /// In the file's order.
    pub(crate) index: Arc<Vec<SubjectSummary>>,
}

/// The benchmark that the page is in.
#[derive(Clone, Copy)]
pub(crate) struct CurrentBenchmark {
    pub(crate) id: RwSignal<Option<DatasetId>>,
    pub(crate) opening: RwSignal<Opening>,
    /// `None` until all are counted.
    pub(crate) counts: RwSignal<Option<RuleCounts>>,
    /// How far the counting is.
    pub(crate) counting: RwSignal<Option<Progress>>,
    latest: LocalValue<Latest>,
    latest_counts: LocalValue<Latest>,
}

impl CurrentBenchmark {
    pub(crate) fn provide() -> Self {
        let current = Self {
            id: RwSignal::new(None),
            opening: RwSignal::default(),
            counts: RwSignal::new(None),
            counting: RwSignal::new(None),
            latest: LocalValue::new_local(Latest::default()),
            latest_counts: LocalValue::new_local(Latest::default()),
        };
        provide_context(current);
        current
    }

    /// Opens a benchmark unless it is open or on its way.
    pub(crate) fn want(self, id: &DatasetId) {
        let is_it = self
            .id
            .with_untracked(|current| current.as_ref() == Some(id));
        let failed = self
            .opening
            .with_untracked(|opening| matches!(opening, Opening::Failed(_)));
        if !is_it || failed {
            self.open(id);
        }
    }

    /// Opens the benchmark again after a failure.
    pub(crate) fn retry(self) {
        if let Some(id) = self.id.get_untracked() {
            self.open(&id);
        }
    }

    /// Forgets a benchmark that is there no more.
    pub(crate) fn close(self, id: &DatasetId) {
        if self
            .id
            .with_untracked(|current| current.as_ref() == Some(id))
        {
            self.latest.with_value(Latest::stop);
            self.latest_counts.with_value(Latest::stop);
            self.id.set(None);
            self.opening.set(Opening::Idle);
            self.counts.set(None);
        }
    }

    /// The benchmark, when it is ready.
    pub(crate) fn ready(self) -> Option<Opened> {
        self.opening.with(|opening| match opening {
            Opening::Ready(opened) => Some(opened.clone()),
            _ => None,
        })
    }

    /// The subject `by` places after `id` in the file's order, where there is one.
    pub(crate) fn neighbour(self, id: &SubjectId, by: isize) -> Option<SubjectId> {
        let index = self.ready()?.index;
        let at = index.iter().position(|row| row.id == *id)?;
        index
            .get(at.checked_add_signed(by)?)
            .map(|row| row.id.clone())
    }

    fn open(self, id: &DatasetId) {
        self.id.set(Some(id.clone()));
        self.opening.set(Opening::Running(None));
        self.counts.set(None);
        self.counting.set(None);
        self.latest_counts.with_value(Latest::stop);
        let id = id.clone();
        let job = async move {
            let on_progress =
                Box::new(move |progress| self.opening.set(Opening::Running(Some(progress))));
            let entry = client::open(id.clone(), on_progress).await?;
            let index = client::index(id).await?;
            Ok(Opened {
                entry: Arc::new(entry),
                index: Arc::new(index),
            })
        };
        self.latest.with_value(|latest| {
            latest.run(
                job,
                move |opened: Result<Opened, ClientError>| match opened {
                    Ok(opened) => {
                        let id = opened.entry.card.id.clone();
                        self.opening.set(Opening::Ready(opened));
                        self.count(id);
                    }
                    Err(error) => self.opening.set(Opening::Failed(error)),
                },
            );
        });
    }

    fn count(self, id: DatasetId) {
        let job = client::rule_counts(
            id,
            Box::new(move |progress| self.counting.set(Some(progress))),
        );
        self.latest_counts.with_value(|latest| {
            latest.run(job, move |counts| {
                self.counting.set(None);
                // Without counts the list works, only without the rules' facet: the worker has said why it died.
                self.counts.set(counts.ok().map(Arc::new));
            });
        });
    }
}

/// The page's current benchmark.
pub(crate) fn use_current_benchmark() -> CurrentBenchmark {
    expect_context()
}
