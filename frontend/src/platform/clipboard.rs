//! The clipboard.

use wasm_bindgen_futures::JsFuture;

/// Copies `text`; an error (a text for the user) when the browser does not allow it.
pub(crate) async fn copy(text: &str) -> Result<(), String> {
    let window = web_sys::window().ok_or("the page has no window")?;
    // Outside secure contexts there is no clipboard, whatever the type says.
    let clipboard =
        js_sys::Reflect::get(&window.navigator(), &"clipboard".into()).unwrap_or_default();
    if clipboard.is_undefined() {
        return Err("the browser allows copying only on https or localhost; select the text and copy it by hand".into());
    }
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .map(drop)
        .map_err(|_refused| {
            "the browser refused to copy; select the text and copy it by hand".to_owned()
        })
}
