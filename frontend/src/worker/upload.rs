//! The file of an import, read and unpacked by the browser: it has inflating built in, which the page then need not load.

use js_sys::Uint8Array;
use shared::dataset::{MAX_BYTES, ReadError, is_gzip};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader, ReadableStreamReadResult, ReadableWritablePair};

use crate::platform::deflate::DecompressionStream;
use crate::worker::protocol::{Failure, FailureKind};

#[expect(clippy::cast_precision_loss, reason = "the limit is far below 2^53")]
const MOST: f64 = MAX_BYTES as f64;

/// The text of a file that may be gzip-compressed, at most [`MAX_BYTES`] of it.
pub(crate) async fn text_of(file: &Blob) -> Result<Vec<u8>, Failure> {
    let head = file.slice_with_i32_and_i32(0, 2).map_err(unreadable)?;
    if is_gzip(&bytes_of(&head).await?) {
        return unpack(file).await;
    }
    if file.size() > MOST {
        return Err(refused(ReadError::TooLarge));
    }
    bytes_of(file).await
}

async fn bytes_of(file: &Blob) -> Result<Vec<u8>, Failure> {
    let buffer = JsFuture::from(file.array_buffer()).await;
    Ok(Uint8Array::new(&buffer.map_err(unreadable)?).to_vec())
}

async fn unpack(file: &Blob) -> Result<Vec<u8>, Failure> {
    let damaged = |why: JsValue| {
        let why = js_sys::Object::from(why).to_string();
        refused(ReadError::Gzip(why.into()))
    };
    let inflate = DecompressionStream::new("gzip").map_err(|_missing| {
        Failure::new(
            FailureKind::Invalid,
            "this browser cannot unpack gzip-compressed files",
        )
        .next("unpack the file first, or use a browser of 2023 or later")
    })?;
    let packed = file.stream();
    let text = packed.pipe_through(inflate.unchecked_ref::<ReadableWritablePair>());
    let reader = ReadableStreamDefaultReader::new(&text).map_err(damaged)?;
    let mut all = Vec::new();
    loop {
        let step = JsFuture::from(reader.read()).await.map_err(damaged)?;
        let step: ReadableStreamReadResult = step.unchecked_into();
        if step.get_done() == Some(true) {
            return Ok(all);
        }
        let part: Uint8Array = step.get_value().unchecked_into();
        if all.len() as u64 + u64::from(part.length()) > MAX_BYTES {
            // It ends by itself with the last reference to it; there is nobody to hear how.
            let _stopped = reader.cancel();
            return Err(refused(ReadError::TooLarge));
        }
        all.extend(part.to_vec());
    }
}

/// Says why a file is no benchmark, and what to do.
pub(crate) fn refused(why: ReadError) -> Failure {
    Failure::new(FailureKind::Invalid, why.to_string())
        .next("choose a file in ClassEval's schema: JSON, JSON lines, or either as .gz")
}

fn unreadable(_why: JsValue) -> Failure {
    Failure::new(FailureKind::Broken, "the browser could not read the file")
        .next("check that it still exists and is not open elsewhere, then choose it again")
}
