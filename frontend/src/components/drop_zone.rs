//! Where files are dropped or chosen; a drop anywhere on the page counts.

use leptos::ev::{self, DragEvent};
use leptos::html;
use leptos::prelude::*;

use crate::platform::files::{self, UserFile};
use crate::reactive::{RwSignal, attr, handler};

#[component]
pub(crate) fn DropZone(
    /// The file endings to choose from: `.json,.gz`.
    accept: &'static str,
    /// Takes the files.
    on_files: UnsyncCallback<Vec<UserFile>>,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    // Entering a child leaves its parent, so the depth says whether the pointer is over the page.
    let depth = RwSignal::new(0_i32);
    let enter = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
            depth.update(|depth| *depth += 1);
        }
    };
    let leave = move |event: DragEvent| {
        if files::holds_files(&event) {
            depth.update(|depth| *depth = (*depth - 1).max(0));
        }
    };
    let over = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
        }
    };
    let take = move |event: DragEvent| {
        event.prevent_default();
        depth.set(0);
        on_files.run(files::dropped(&event));
    };
    let listeners = [
        window_event_listener(ev::dragenter, enter),
        window_event_listener(ev::dragleave, leave),
        window_event_listener(ev::dragover, over),
        window_event_listener(ev::drop, take),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    view! {
        <div class="drop-zone" class:drop-zone--over=attr(move || { depth.get() > 0 })>
            <p class="drop-zone__text">
                "Drop a ClassEval file here, or "
                <button
                    type="button"
                    class="button button--link"
                    on:click=handler(move |_| {
                        if let Some(field) = field.get() {
                            field.click();
                        }
                    })
                >
                    "choose a file…"
                </button>
            </p>
            <p class="drop-zone__hint">
                "JSON or JSON lines, also as .gz. It is read and kept in this browser and sent nowhere."
            </p>
            <input
                node_ref=field
                class="visually-hidden"
                type="file"
                multiple
                accept=accept
                tabindex="-1"
                aria-label="Benchmark file"
                on:change=handler(move |event| on_files.run(files::chosen(&event)))
            />
        </div>
    }
}

/// Takes files that are dropped beside the places for them, where they would replace the page.
pub(crate) fn take_stray_drops(take: impl Fn(Vec<UserFile>) + 'static) {
    let over = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
        }
    };
    let drop_here = move |event: DragEvent| {
        if files::holds_files(&event) && !event.default_prevented() {
            event.prevent_default();
            take(files::dropped(&event));
        }
    };
    let listeners = [
        window_event_listener(ev::dragover, over),
        window_event_listener(ev::drop, drop_here),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
}
