//! The two files: variants, and what their tests said.

use leptos::ev::DragEvent;
use leptos::html;
use leptos::prelude::*;

use crate::components::drop_zone::take_stray_drops;
use crate::platform::files::{self, UserFile};
use crate::reactive::{LocalValue, RwSignal, handler, live};
use crate::state::words;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Variants,
    Reports,
}

/// What is chosen.
#[derive(Clone, Copy)]
pub(super) struct Files {
    held: LocalValue<[Option<UserFile>; 2]>,
    /// Grows with every choice.
    pub(super) choice: RwSignal<u32>,
}

impl Files {
    pub(super) fn new() -> Self {
        Self {
            held: LocalValue::new_local([None, None]),
            choice: RwSignal::new(0),
        }
    }

    pub(super) fn set(self, slot: Slot, file: Option<UserFile>) {
        self.held.update_value(|held| held[slot as usize] = file);
        self.choice.update(|choice| *choice += 1);
    }

    /// The file in a place, followed.
    pub(super) fn get(self, slot: Slot) -> Option<UserFile> {
        self.choice.track();
        self.held.with_value(|held| held[slot as usize].clone())
    }

    /// The variants, then the reports; nothing without variants.
    pub(super) fn all(self) -> Vec<UserFile> {
        let [variants, reports] = self.held.get_value();
        let variants = variants.into_iter();
        variants
            .flat_map(|variants| [Some(variants), reports.clone()])
            .flatten()
            .collect()
    }

    /// Takes one file for a place, or any number for where their names say.
    fn take(self, slot: Slot, files: Vec<UserFile>) {
        let is_one = files.len() == 1;
        for file in files {
            let slot = if is_one { slot } else { slot_of(&file.name()) };
            self.set(slot, Some(file));
        }
    }
}

/// Where a file belongs that is dropped beside both places.
fn slot_of(name: &str) -> Slot {
    if name.to_lowercase().contains("report") {
        Slot::Reports
    } else {
        Slot::Variants
    }
}

#[component]
pub(super) fn FilesView(files: Files) -> impl IntoView {
    take_stray_drops(move |dropped| {
        for file in dropped {
            files.set(slot_of(&file.name()), Some(file));
        }
    });
    view! {
        <div class="identify__files">
            {place(files, Slot::Variants, "Variants", "JSON lines, one filling each")}
            {place(files, Slot::Reports, "Test reports", "JSON lines, one variant’s tests each; without them no variant is a case")}
        </div>
    }
}

/// A place for one file.
fn place(files: Files, slot: Slot, label: &'static str, hint: &'static str) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let lower = label.to_ascii_lowercase();
    let (choose, remove, file_of) = (
        format!("Choose a file… for the {lower}"),
        format!("Remove the {lower}"),
        format!("File of the {lower}"),
    );
    let drop_here = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
            files.take(slot, files::dropped(&event));
        }
    };
    let shown = move || match files.get(slot) {
        None => view! { <span class="muted">{hint}</span> }.into_any(),
        Some(file) => view! {
            <span class="identify__name">{file.name()}</span>
            <span class="muted">{words::size(file.n_bytes())}</span>
            <button
                type="button"
                class="button button--small"
                aria-label=remove.clone()
                on:click=handler(move |_| files.set(slot, None))
            >
                "Remove"
            </button>
        }
        .into_any(),
    };
    view! {
        <div class="drop-zone identify__file" role="group" aria-label=label on:drop=handler(drop_here)>
            <strong>{label}</strong>
            <button
                type="button"
                class="button button--small"
                aria-label=choose
                on:click=handler(move |_| {
                    if let Some(field) = field.get_untracked() {
                        field.click();
                    }
                })
            >
                "Choose a file…"
            </button>
            <span class="identify__chosen" role="status">{live(shown)}</span>
            <input
                node_ref=field
                class="visually-hidden"
                type="file"
                accept=".jsonl,.ndjson,.json,.gz"
                tabindex="-1"
                aria-label=file_of
                on:change=handler(move |event| files.take(slot, files::chosen(&event)))
            />
        </div>
    }
}
