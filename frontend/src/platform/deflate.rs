//! Deflating and inflating: the browser has both built in, which the page then need not load.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableWritablePair, Response};

#[wasm_bindgen]
extern "C" {
    type CompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;

    /// Unpacks what runs through it.
    pub(crate) type DecompressionStream;

    #[wasm_bindgen(constructor, catch)]
    pub(crate) fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

const FORMAT: &str = "deflate-raw";

/// The bytes of a text, deflated; `None` where the browser cannot.
pub(crate) async fn deflate(text: &str) -> Option<Vec<u8>> {
    let stream = CompressionStream::new(FORMAT).ok()?;
    through(text.as_bytes(), stream.unchecked_ref()).await
}

/// The text that was deflated; `None` for anything else, or where the browser cannot.
pub(crate) async fn inflate(deflated: &[u8]) -> Option<String> {
    let stream = DecompressionStream::new(FORMAT).ok()?;
    String::from_utf8(through(deflated, stream.unchecked_ref()).await?).ok()
}

async fn through(bytes: &[u8], stream: &ReadableWritablePair) -> Option<Vec<u8>> {
    let parts = js_sys::Array::of1(&Uint8Array::from(bytes));
    let source = Blob::new_with_u8_array_sequence(&parts).ok()?.stream();
    let result = source.pipe_through(stream);
    let response = Response::new_with_opt_readable_stream(Some(&result)).ok()?;
    let buffer = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
