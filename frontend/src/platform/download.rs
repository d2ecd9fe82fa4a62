//! Files for the user.

use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Saves `text` as the file `name`.
pub(crate) fn text(name: &str, text: &str) -> Result<(), String> {
    let options = BlobPropertyBag::new();
    options.set_type("text/plain;charset=utf-8");
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    Blob::new_with_str_sequence_and_options(&parts, &options)
        .and_then(|made| save(name, &made))
        .map_err(|_why| refused(name))
}

/// Saves a `Blob` of the worker as the file `name`.
pub(crate) fn blob(name: &str, blob: &Blob) -> Result<(), String> {
    save(name, blob).map_err(|_why| refused(name))
}

fn refused(name: &str) -> String {
    format!("the browser refused to save {name}; allow downloads for this page and try again")
}

fn save(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let url = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The click has started the download; a minute later the bytes can go.
    gloo_timers::callback::Timeout::new(60_000, move || drop(Url::revoke_object_url(&url)))
        .forget();
    Ok(())
}
