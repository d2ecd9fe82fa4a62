//! Time since the page or worker started.

use js_sys::{Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

/// Milliseconds, monotonic; the same call in page and worker.
pub(crate) fn now_ms() -> f64 {
    thread_local! {
        static PERFORMANCE: Option<web_sys::Performance> =
            Reflect::get(&js_sys::global(), &JsValue::from_str("performance")).ok().and_then(|p| p.dyn_into().ok());
    }
    PERFORMANCE.with(|performance| {
        performance
            .as_ref()
            .map_or_else(js_sys::Date::now, web_sys::Performance::now)
    })
}

/// Ends after so many milliseconds.
pub(crate) async fn rest(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// Lets what waits have its turn. A timer of no length would do it too, and costs four milliseconds each time.
pub(crate) async fn turn() {
    let Ok(channel) = MessageChannel::new() else {
        return;
    };
    let turn = Promise::new(&mut |come, _| {
        channel.port1().set_onmessage(Some(&come));
        drop(channel.port2().post_message(&JsValue::NULL));
    });
    drop(JsFuture::from(turn).await);
}
