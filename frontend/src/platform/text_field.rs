//! Editing a text field so that the browser's own undo knows of it.

use std::ops::Range;

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlDocument, HtmlTextAreaElement};

use crate::state::workbench::keystroke::{Change, utf16_offset};

/// The selection, in UTF-16 units.
pub(crate) fn selection(field: &HtmlTextAreaElement) -> Range<usize> {
    let at = |offset: Result<Option<u32>, _>| offset.ok().flatten().unwrap_or_default() as usize;
    at(field.selection_start())..at(field.selection_end())
}

/// Applies a change as if it were typed.
pub(crate) fn apply(field: &HtmlTextAreaElement, text: &str, change: &Change) {
    let replace = utf16_offset(text, change.replace.start)..utf16_offset(text, change.replace.end);
    select(field, &replace);
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(document) = document.and_then(|document| document.dyn_into::<HtmlDocument>().ok()) {
        let (command, value) = if change.with.is_empty() {
            ("delete", "")
        } else {
            ("insertText", change.with.as_str())
        };
        let done = document.exec_command_with_show_ui_and_value(command, false, value);
        debug_assert!(done.is_ok(), "{command} is a known command");
    }
    let now = field.value();
    select(
        field,
        &(utf16_offset(&now, change.select.start)..utf16_offset(&now, change.select.end)),
    );
}

fn select(field: &HtmlTextAreaElement, range: &Range<usize>) {
    let unit = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let done = field.set_selection_range(unit(range.start), unit(range.end));
    debug_assert!(done.is_ok(), "a text field has a selection");
}
