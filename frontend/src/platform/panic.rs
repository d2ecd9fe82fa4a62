//! The last words of a page that cannot go on.

use wasm_bindgen::JsValue;

/// From now on a panic shows what happened and what to do, instead of a dead page.
pub(crate) fn show_panics() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if show(&text).is_err() {
            leptos::logging::error!("{text}");
        }
    }));
}

fn show(text: &str) -> Result<(), JsValue> {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let note = document.create_element("div")?;
    note.set_class_name("note note--error note--panic");
    note.set_attribute("role", "alert")?;
    let line = |tag: &str, text: &str| -> Result<(), JsValue> {
        let element = document.create_element(tag)?;
        element.set_text_content(Some(text));
        note.append_child(&element).map(drop)
    };
    line("p", "CtxLab stopped: this is a bug.")?;
    line(
        "p",
        "Reload the page to go on; what you imported is kept. Please report the text below.",
    )?;
    line("pre", text)?;
    document
        .body()
        .ok_or(JsValue::NULL)?
        .append_child(&note)
        .map(drop)
}
