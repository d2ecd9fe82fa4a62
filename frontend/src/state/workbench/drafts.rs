//! Edited texts of this tab: they outlive a walk to another method, not the tab.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shared::subject::{DatasetId, SubjectId};

thread_local! {
    static DRAFTS: RefCell<BTreeMap<(DatasetId, SubjectId), String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Keeps a subject's edited text; `None` forgets it.
pub(crate) fn keep(dataset: &DatasetId, subject: &SubjectId, text: Option<String>) {
    let key = (dataset.clone(), subject.clone());
    DRAFTS.with_borrow_mut(|drafts| match text {
        Some(text) => drop(drafts.insert(key, text)),
        None => drop(drafts.remove(&key)),
    });
}

/// The kept text of a subject.
pub(crate) fn of(dataset: &DatasetId, subject: &SubjectId) -> Option<String> {
    DRAFTS.with_borrow(|drafts| drafts.get(&(dataset.clone(), subject.clone())).cloned())
}
