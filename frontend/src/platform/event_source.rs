//! A stream of events from the server. The browser opens it again when it breaks; the server then tells
//! everything from the beginning.

use js_sys::Reflect;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, EventTarget};

/// What is heard of a stream.
pub(crate) enum Heard {
    /// It begins, maybe not for the first time.
    Open,
    /// It broke, and is opened again.
    Lost,
    /// It broke for good.
    Gone,
    /// The data of an event.
    Data(String),
}

/// A stream; dropping it closes it.
pub(crate) struct Stream {
    source: EventSource,
    _on_event: Closure<dyn FnMut(Event)>,
}

impl Stream {
    /// Opens the stream at `url`, whose events have these names; `None` where the browser cannot.
    pub(crate) fn open(
        url: &str,
        names: &[&str],
        mut tell: impl FnMut(Heard) + 'static,
    ) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let asked = source.clone();
        let on_event = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let data = Reflect::get(&event, &"data".into()).unwrap_or_default();
            tell(match (&*event.type_(), data.as_string()) {
                ("open", _) => Heard::Open,
                (_, Some(data)) => Heard::Data(data),
                _ if asked.ready_state() == EventSource::CLOSED => Heard::Gone,
                _ => Heard::Lost,
            });
        });
        let target: &EventTarget = source.unchecked_ref();
        for name in ["open", "error"].iter().chain(names) {
            let listener = on_event.as_ref().unchecked_ref();
            target
                .add_event_listener_with_callback(name, listener)
                .ok()?;
        }
        Some(Self {
            source,
            _on_event: on_event,
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.source.close();
    }
}
