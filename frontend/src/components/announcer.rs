//! What a screen reader is told without moving the focus.

use leptos::prelude::*;

use crate::reactive::{RwSignal, live};

/// Says things politely, one at a time.
#[derive(Clone, Copy)]
pub(crate) struct Announcer(RwSignal<String>);

impl Announcer {
    pub(crate) fn provide() -> Self {
        let announcer = Self(RwSignal::new(String::new()));
        provide_context(announcer);
        announcer
    }

    pub(crate) fn say(self, text: impl Into<String>) {
        let mut text = text.into();
        // The same text again is read again only if the node changes.
        if self.0.with_untracked(|last| *last == text) {
            text.push('\u{a0}');
        }
        self.0.set(text);
    }
}

/// The page's announcer.
pub(crate) fn use_announcer() -> Announcer {
    expect_context()
}

#[component]
pub(crate) fn LiveRegion(
    /// Who speaks.
    announcer: Announcer,
) -> impl IntoView {
    view! { <div class="visually-hidden" role="status" aria-live="polite">{live(move || announcer.0.get())}</div> }
}
