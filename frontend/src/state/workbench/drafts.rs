//! Edited texts of this tab: they outlive a walk to another method, not the tab.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shared::subject::{DatasetId, SubjectId};

thread_local! {
    static DRAFTS: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Keeps a subject's edited text; `None` forgets it.
pub(crate) fn keep(dataset: &DatasetId, subject: &SubjectId, text: Option<String>) {
    let key = key(dataset, subject);
    DRAFTS.with_borrow_mut(|drafts| match text {
        Some(text) => drop(drafts.insert(key, text)),
        None => drop(drafts.remove(&key)),
    });
}

/// The kept text of a subject.
pub(crate) fn of(dataset: &DatasetId, subject: &SubjectId) -> Option<String> {
    DRAFTS.with_borrow(|drafts| drafts.get(&key(dataset, subject)).cloned())
}

fn key(dataset: &DatasetId, subject: &SubjectId) -> String {
    format!("{dataset}/{subject}")
}
