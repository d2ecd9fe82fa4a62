//! The CtxLab page: a Leptos app and its worker, in one Wasm module.
//!
//! In reading order: `page` (the addresses), `app` (shell and routes), `pages` (one file each),
//! `components` (what pages are made of), `state` (plain values and signals), `worker` (all computing),
//! `platform` (the browser's facilities).

#![expect(
    unreachable_pub,
    reason = "the component macro writes `pub` on the builders of props"
)]

mod app;
mod components;
mod page;
mod pages;
mod platform;
mod reactive;
mod state;
mod worker;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the page, with a worker at `worker_url` that runs the same compiled `module`.
#[wasm_bindgen]
pub fn start_app(worker_url: &str, module: JsValue) {
    app::start(worker_url, module);
}

/// Makes this worker answer the page.
#[wasm_bindgen]
pub fn start_worker() {
    worker::start();
}
