//! All computing, beside the page's thread: requests go in, replies come out.

pub(crate) mod protocol;

pub(crate) mod client;

pub(crate) mod compare;

mod entry;

mod library;
mod open;
mod pace;
mod query;
mod remote;
mod store;
mod upload;

pub(crate) use self::entry::start;

use web_sys::Blob;

use self::protocol::{Failure, FailureKind};

/// A file for the page, of these texts.
fn blob(parts: Vec<String>) -> Result<Blob, Failure> {
    let parts: js_sys::Array = parts.into_iter().map(wasm_bindgen::JsValue::from).collect();
    Blob::new_with_str_sequence(&parts).map_err(|_why| {
        Failure::new(
            FailureKind::Broken,
            "the browser has no room for the export; free some memory",
        )
    })
}
