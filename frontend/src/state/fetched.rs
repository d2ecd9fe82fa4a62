//! A value that the worker or the server gives, asked for again when what it depends on changes.

use leptos::prelude::*;

use crate::reactive::{LocalValue, RwSignal, effect};
use crate::worker::client::{ClientError, Latest};

/// The last answer; it stays until the next is there.
pub(crate) struct Fetched<T: Send + Sync + 'static> {
    answer: RwSignal<Option<Result<T, ClientError>>>,
    again: Trigger,
}

impl<T: Send + Sync + 'static> Copy for Fetched<T> {}

impl<T: Send + Sync + 'static> Clone for Fetched<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Clone + Send + Sync + 'static> Fetched<T> {
    /// Asks now, and again whenever a signal changes that `ask` reads before its first wait. A question
    /// that is overtaken is dropped, and so is one whose owner goes away.
    pub(crate) fn new<F>(ask: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = Result<T, ClientError>> + 'static,
    {
        let (answer, again) = (RwSignal::new(None), Trigger::new());
        let latest = Latest::default();
        let stop = LocalValue::new_local(latest.clone());
        on_cleanup(move || {
            stop.try_with_value(Latest::stop);
        });
        effect(move || {
            again.track();
            latest.run(ask(), move |given| answer.set(Some(given)));
        });
        Self { answer, again }
    }

    /// The answer, followed; `None` before the first.
    pub(crate) fn get(self) -> Option<Result<T, ClientError>> {
        self.answer.get()
    }

    /// Asks again.
    pub(crate) fn refetch(self) {
        self.again.notify();
    }
}
