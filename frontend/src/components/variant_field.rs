//! A text field of a variant: as many lines as it has, and what is too long is not taken.

use std::sync::Arc;

use leptos::ev::{Event, FocusEvent, KeyboardEvent};
use leptos::html::Textarea;
use leptos::prelude::*;

use crate::components::variant_editor::Writing;
use crate::reactive::{attr, handler};
use crate::state::workbench::variant::Draft;

/// The most lines that a field shows at once.
const MAX_ROWS: usize = 16;

type Read = Arc<dyn Fn(&Draft) -> String + Send + Sync>;
type Change = Arc<dyn Fn(&mut Draft, String) + Send + Sync>;

#[component]
pub(crate) fn VariantField(
    /// What is written.
    writing: Writing,
    /// Its id.
    id: String,
    /// The id of its label.
    label: String,
    /// The id of what is said of it.
    #[prop(optional)]
    said: Option<String>,
    /// What an empty one shows.
    #[prop(optional)]
    placeholder: String,
    /// The fewest lines that it shows.
    rows: usize,
    /// What of the draft it shows.
    value: Read,
    /// What a text that was typed changes.
    change: Change,
    /// Called when it gets the focus.
    #[prop(into, optional)]
    on_focus: Option<Callback<()>>,
) -> impl IntoView {
    let field = NodeRef::<Textarea>::new();
    let shown = move || writing.draft.with(|draft| value(draft));
    let input = {
        let shown = shown.clone();
        move |event: Event| {
            let text = event_target_value(&event);
            let is_taken = writing.take(text.len(), |draft| change(draft, text));
            if let Some(field) = field.get_untracked().filter(|_| !is_taken) {
                field.set_value(&untrack(&shown));
            }
        }
    };
    let n_lines = {
        let shown = shown.clone();
        move || (1 + shown().matches('\n').count()).clamp(rows, MAX_ROWS)
    };
    let focus = move |_: FocusEvent| {
        if let Some(on_focus) = on_focus {
            on_focus.run(());
        }
    };
    // Elsewhere Escape goes up a level; here it leaves the field, so that keys alone do something again.
    let keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            if let Some(field) = field.get_untracked() {
                drop(field.blur());
            }
        }
    };
    view! {
        <textarea
            node_ref=field
            id=id
            class="variant__field"
            aria-labelledby=label
            aria-describedby=said
            placeholder=placeholder
            rows=attr(move || n_lines().to_string())
            wrap="off"
            spellcheck="false"
            autocapitalize="off"
            autocomplete="off"
            prop:value=attr(shown)
            on:focus=handler(focus)
            on:keydown=handler(keydown)
            on:input=handler(input)
        ></textarea>
    }
}
