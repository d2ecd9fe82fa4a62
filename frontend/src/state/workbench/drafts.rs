//! What was written in this tab: they outlive a walk to another method, not the tab.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shared::subject::{DatasetId, SubjectId};

thread_local! {
    static DRAFTS: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Keeps what was written about a subject, by a word for what it is; `None` forgets it.
pub(crate) fn keep(dataset: &DatasetId, subject: &SubjectId, what: &str, text: Option<String>) {
    let key = key(dataset, subject, what);
    DRAFTS.with_borrow_mut(|drafts| match text {
        Some(text) => drop(drafts.insert(key, text)),
        None => drop(drafts.remove(&key)),
    });
}

/// What is kept of a subject.
pub(crate) fn of(dataset: &DatasetId, subject: &SubjectId, what: &str) -> Option<String> {
    DRAFTS.with_borrow(|drafts| drafts.get(&key(dataset, subject, what)).cloned())
}

fn key(dataset: &DatasetId, subject: &SubjectId, what: &str) -> String {
    format!("{dataset}/{subject}/{what}")
}
