//! What the user has selected.

use js_sys::Array;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{DataTransfer, Event, Node};

#[wasm_bindgen]
extern "C" {
    type Ranges;

    #[wasm_bindgen(method, js_name = getRangeAt)]
    fn range(this: &Ranges, at: u32) -> Range;

    type Range;

    #[wasm_bindgen(method, js_name = cloneContents)]
    fn contents(this: &Range) -> Fragment;

    type Fragment;

    #[wasm_bindgen(method, js_name = querySelectorAll)]
    fn all(this: &Fragment, selector: &str) -> JsValue;

    type CopyEvent;

    #[wasm_bindgen(method, getter, js_name = clipboardData)]
    fn data(this: &CopyEvent) -> Option<DataTransfer>;
}

/// Puts what is selected of the elements that match on the clipboard, a line each, and nothing else.
pub(crate) fn copy_only(event: &Event, selector: &str) {
    let data = event.unchecked_ref::<CopyEvent>().data();
    if let (Some(text), Some(data)) = (selected(selector), data)
        && data.set_data("text/plain", &text).is_ok()
    {
        event.prevent_default();
    }
}

fn selected(selector: &str) -> Option<String> {
    let selection = web_sys::window()?.get_selection().ok().flatten()?;
    let mut lines = Vec::new();
    for at in 0..selection.range_count() {
        let part = selection.unchecked_ref::<Ranges>().range(at).contents();
        let found = Array::from(&part.all(selector));
        if found.length() == 0 {
            // All within one of them.
            lines.push(part.unchecked_ref::<Node>().text_content()?);
        }
        let found = found.iter().filter_map(|it| it.dyn_into::<Node>().ok());
        lines.extend(found.filter_map(|it| it.text_content()));
    }
    Some(lines.join("\n")).filter(|text| !text.is_empty())
}
