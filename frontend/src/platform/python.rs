//! Python in a worker of its own (`static/python.js`), which runs one program and is thrown away.

use std::cell::RefCell;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use js_sys::{Array, Object, Reflect, Uint8Array, WebAssembly};
use shared::api::paths;
use shared::report::{Limits, Surroundings};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Event, MessageEvent, Response, Worker, WorkerOptions, WorkerType};

use crate::platform::document;
use crate::worker::protocol::{Failure, FailureKind};

/// What a Python tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    /// It can run a program; what it is.
    Ready(String),
    /// Bytes on its standard output.
    Output(Vec<u8>),
    /// Bytes on its standard error.
    Errors(Vec<u8>),
    /// So many bytes of errors were not kept.
    Dropped(u64),
    /// The program ended with this code.
    Exit(i32),
    /// The interpreter broke.
    Fault(String),
    /// It wanted more memory than it may have, and did not go on without.
    OutOfMemory,
    /// It printed more than it may.
    Flood,
    /// Python could not be started.
    Failed(String),
}

/// The interpreter's files, fetched and compiled once.
#[derive(Clone)]
struct Files {
    module: JsValue,
    library: JsValue,
}

thread_local! {
    static FILES: RefCell<Option<Files>> = const { RefCell::new(None) };
}

/// Whether the page has the interpreter's files.
pub(crate) fn is_loaded() -> bool {
    FILES.with_borrow(Option::is_some)
}

/// Fetches and compiles the interpreter, where that has not been done.
pub(crate) async fn load() -> Result<(), Failure> {
    if is_loaded() {
        return Ok(());
    }
    let files = async {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let fetch = |name: &str| window.fetch_with_str(&format!("{}/{name}", paths::PAGE_ENGINE));
        let (module, library) = (fetch("pyodide.asm.wasm"), fetch("python_stdlib.zip"));
        let module = JsFuture::from(WebAssembly::compile_streaming(&module)).await?;
        let library: Response = JsFuture::from(library).await?.dyn_into()?;
        let library = JsFuture::from(library.blob()?).await?;
        // The second may be an answer that says that there is none.
        let is_there = library.unchecked_ref::<Blob>().size() > 1e6;
        let files = is_there.then_some(Files { module, library });
        files.ok_or(JsValue::from("its library is not there"))
    };
    let files = files.await.map_err(|why| {
        let why = words(&why);
        let message = format!("the browser’s Python could not be loaded ({why})");
        Failure::new(FailureKind::Offline, message)
            .next("install it with `ctxlab engine install browser`, and start the server with `ctxlab serve`")
    })?;
    FILES.set(Some(files));
    Ok(())
}

/// A Python; dropping it ends it, whatever it does.
pub(crate) struct Python {
    worker: Worker,
    told: mpsc::UnboundedReceiver<Told>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

impl Python {
    /// Starts one in these bounds; it tells when it is ready. The files have to be loaded.
    pub(crate) fn start(limits: &Limits, surroundings: &Surroundings) -> Result<Self, Failure> {
        let failed = |why: String| Failure::new(FailureKind::Broken, why);
        let files = FILES.with_borrow(Clone::clone);
        let files = files.ok_or_else(|| failed("the browser’s Python is not loaded".to_owned()))?;
        let url = document::href("python-worker").unwrap_or_default();
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&url, &options).map_err(|why| failed(words(&why)))?;
        let (tell, told) = mpsc::unbounded();
        let hear = tell.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(it) = read(&event.data()) {
                // Nobody may listen any more.
                drop(hear.unbounded_send(it));
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            let why = Reflect::get(&event, &"message".into()).unwrap_or_default();
            let why = why.as_string();
            let why = why.unwrap_or_else(|| "its script could not be loaded".to_owned());
            drop(tell.unbounded_send(Told::Failed(why)));
        });
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let bounds = object(&[
            ("memory_mib", limits.memory_mib.into()),
            ("output_kib", limits.output_kib.into()),
            ("disk_mib", limits.disk_mib.into()),
            ("files", limits.files.into()),
        ]);
        let parts = object(&[
            (
                "base",
                format!("{}{}/", document::origin(), paths::PAGE_ENGINE).into(),
            ),
            ("module", files.module),
            ("library", files.library),
            ("limits", bounds),
            ("hashSeed", surroundings.hash_seed.into()),
        ]);
        worker
            .post_message(&parts)
            .map_err(|why| failed(words(&why)))?;
        Ok(Self {
            worker,
            told,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// Runs a program, which reads `input`.
    pub(crate) fn run(&self, harness: &str, input: &str) {
        let program = object(&[("harness", harness.into()), ("input", input.into())]);
        // Texts can be sent.
        drop(self.worker.post_message(&program));
    }

    /// What it tells next.
    pub(crate) async fn next(&mut self) -> Told {
        // The closures hold the senders, and live as long.
        let told = self.told.next().await;
        told.unwrap_or_else(|| Told::Failed("it fell silent".to_owned()))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// A random word, in hexadecimal digits.
pub(crate) fn nonce() -> Option<String> {
    let bytes = Uint8Array::new_with_length(16);
    let crypto = web_sys::window()?.crypto().ok()?;
    crypto
        .get_random_values_with_array_buffer_view(&bytes)
        .ok()?;
    let digits = bytes.to_vec().into_iter().map(|byte| format!("{byte:02x}"));
    Some(digits.collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and codes are small whole numbers"
)]
fn read(message: &JsValue) -> Option<Told> {
    let field = Object::keys(message.unchecked_ref::<Object>()).get(0);
    let value = Reflect::get(message, &field).ok()?;
    let text = || value.as_string().unwrap_or_default();
    let bytes = || value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec);
    let number = || value.as_f64().unwrap_or_default();
    Some(match field.as_string()?.as_str() {
        "ready" => Told::Ready(text()),
        "output" => Told::Output(bytes()?),
        "errors" => Told::Errors(bytes()?),
        "dropped" => Told::Dropped(number() as u64),
        "exit" => Told::Exit(number() as i32),
        "fault" => Told::Fault(text()),
        "outOfMemory" => Told::OutOfMemory,
        "flood" => Told::Flood,
        "failed" => Told::Failed(text()),
        _ => return None,
    })
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let pairs = fields
        .iter()
        .map(|(name, value)| Array::of2(&(*name).into(), value));
    let pairs: Array = pairs.collect();
    Object::from_entries(&pairs).map_or(JsValue::NULL, Into::into)
}

/// A JavaScript error in words.
fn words(why: &JsValue) -> String {
    let said = Reflect::get(why, &"message".into()).unwrap_or_default();
    let said = said.as_string().or_else(|| why.as_string());
    said.unwrap_or_else(|| "the browser does not say why".to_owned())
}
