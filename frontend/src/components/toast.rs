//! Short notes at the page's edge: what was done, or what failed and what to do.

use std::time::Duration;

use leptos::prelude::*;

use crate::reactive::{RwSignal, StoredValue, handler};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToastKind {
    Done,
    Failed,
}

#[derive(Clone)]
struct Toast {
    id: u32,
    kind: ToastKind,
    text: String,
}

/// How long a note stays; a failure stays until it is closed.
const STAYS: Duration = Duration::from_secs(5);

/// The notes on show.
#[derive(Clone, Copy)]
pub(crate) struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next_id: StoredValue<u32>,
}

impl Toasts {
    pub(crate) fn provide() -> Self {
        let toasts = Self {
            shown: RwSignal::default(),
            next_id: StoredValue::new(0),
        };
        provide_context(toasts);
        toasts
    }

    /// Says what was done.
    pub(crate) fn done(self, text: impl Into<String>) {
        let id = self.push(ToastKind::Done, text.into());
        set_timeout(move || self.close(id), STAYS);
    }

    /// Says what failed, why, and what to do.
    pub(crate) fn failed(self, text: impl Into<String>) {
        self.push(ToastKind::Failed, text.into());
    }

    fn push(self, kind: ToastKind, text: String) -> u32 {
        let id = self.next_id.get_value();
        self.next_id.set_value(id + 1);
        self.shown.update(|shown| {
            shown.retain(|toast| toast.text != text);
            shown.push(Toast { id, kind, text });
        });
        id
    }

    fn close(self, id: u32) {
        self.shown
            .update(|shown| shown.retain(|toast| toast.id != id));
    }
}

/// The page's notes.
pub(crate) fn use_toasts() -> Toasts {
    expect_context()
}

#[component]
pub(crate) fn ToastList(
    /// The notes.
    toasts: Toasts,
) -> impl IntoView {
    view! {
        <div class="toasts" role="status" aria-live="polite">
            <For each=move || toasts.shown.get() key=|toast| toast.id let:toast>
                <div class="toast" class:toast--failed=toast.kind == ToastKind::Failed>
                    <p class="toast__text">{sentence(&toast.text)}</p>
                    <button
                        type="button"
                        class="button button--icon"
                        aria-label="Close this note"
                        on:click=handler(move |_| toasts.close(toast.id))
                    >
                        "×"
                    </button>
                </div>
            </For>
        </div>
    }
}

/// A message of a lower layer (lower case, no final stop) as a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let mut text = message.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn messages_become_sentences() {
        assert_eq!(sentence("the file is empty"), "The file is empty.");
        assert_eq!(sentence("Done."), "Done.");
    }
}
