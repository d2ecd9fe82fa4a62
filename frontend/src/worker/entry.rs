//! The worker's side: one message in, one match, one message out.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use shared::perturb::{Method, RULES, RuleOptions};
use shared::syntax::{highlight, parse_python};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

use crate::worker::compare::{self, Desk};
use crate::worker::library::SharedLibrary;
use crate::worker::pace::Pace;
use crate::worker::protocol::{ExportFormat, Failure, FailureKind, PerturbView, Reply, Request};
use crate::worker::{blob, upload};

/// Requests in work, for cancelling.
type InWork = Rc<RefCell<Vec<(u32, Rc<Cell<bool>>)>>>;

/// Listens to the page from now on.
pub(crate) fn start() {
    std::panic::set_hook(Box::new(|info| {
        send(&scope(), [("died", JsValue::from_str(&info.to_string()))]);
    }));
    let in_work = InWork::default();
    let library = SharedLibrary::default();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Some(id) = number(&data, "cancel") {
            if let Some((_, cancelled)) = in_work.borrow().iter().find(|(it, _)| *it == id) {
                cancelled.set(true);
            }
            return;
        }
        let Some(id) = number(&data, "id") else {
            return;
        };
        let cancelled = Rc::new(Cell::new(false));
        in_work.borrow_mut().push((id, Rc::clone(&cancelled)));
        let (in_work, library) = (Rc::clone(&in_work), library.clone());
        spawn_local(async move {
            let pace = Pace::new(cancelled, move |progress| {
                send(&scope(), [("id", id.into()), ("progress", json(&progress))]);
            });
            let id_field = ("id", JsValue::from(id));
            match answer(&data, library, pace).await {
                Ok((reply, Some(blob))) => send(
                    &scope(),
                    [id_field, ("reply", json(&reply)), ("blob", blob.into())],
                ),
                Ok((reply, None)) => send(&scope(), [id_field, ("reply", json(&reply))]),
                Err(failure) => send(&scope(), [id_field, ("error", json(&failure))]),
            }
            in_work.borrow_mut().retain(|(it, _)| *it != id);
        });
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

async fn answer(
    data: &JsValue,
    library: SharedLibrary,
    pace: Pace,
) -> Result<(Reply, Option<Blob>), Failure> {
    let request = field(data, "request").as_string().unwrap_or_default();
    let request: Request = serde_json::from_str(&request).map_err(|e| {
        Failure::new(
            FailureKind::Invalid,
            format!("the worker does not understand the request ({e})"),
        )
    })?;
    let reply = match request {
        Request::Perturb {
            source,
            context,
            options,
        } => Reply::Perturbed(perturb(&source, &context, &options)),
        Request::Highlight(source) => {
            Reply::Highlighted(highlight::tokens(&parse_python(&source).tree))
        }
        Request::Compare(question) => {
            let files = files_of(data);
            let desk = Desk {
                files,
                library,
                pace,
            };
            let (text, blob) = compare::answer(question, desk).await?.await?;
            return Ok((Reply::Compared(text), blob));
        }
        Request::Datasets => Reply::Datasets(library.get().await.list(&pace).await),
        Request::Import { name, license } => {
            let file = files_of(data).into_iter().next().ok_or_else(no_file)?;
            let file = upload::text_of(&file).await?;
            Reply::Imported(
                library
                    .get()
                    .await
                    .import(&name, license, &file, &pace)
                    .await?,
            )
        }
        Request::Remove(id) => {
            library.get().await.remove(&id).await?;
            Reply::Removed
        }
        Request::Open(id) => Reply::Opened(library.get().await.open(&id, &pace).await?.entry()),
        Request::Index(id) => Reply::Index(library.get().await.open(&id, &pace).await?.index()),
        Request::RuleCounts(id) => {
            let counts = library
                .get()
                .await
                .open(&id, &pace)
                .await?
                .rule_counts(&pace)
                .await?;
            Reply::RuleCounts(counts.to_vec())
        }
        Request::Query { dataset, filter } => {
            let open = library.get().await.open(&dataset, &pace).await?;
            let counts = open.known_counts();
            Reply::Rows(
                open.rows
                    .query(&filter, counts.as_ref().map(|counts| counts.as_slice())),
            )
        }
        Request::Subject { dataset, subject } => Reply::Subject(Box::new(
            library
                .get()
                .await
                .open(&dataset, &pace)
                .await?
                .subject(&subject)?,
        )),
        Request::PerturbAll { dataset, options } => {
            let open = library.get().await.open(&dataset, &pace).await?;
            Reply::PerturbedAll(open.counts_table(&options, &pace).await?)
        }
        Request::Export {
            dataset,
            options,
            format,
        } => {
            let open = library.get().await.open(&dataset, &pace).await?;
            let (parts, ending) = match format {
                ExportFormat::Jsonl => (
                    open.json_lines(&options, &pace).await?,
                    "perturbations.jsonl",
                ),
                ExportFormat::Csv => (
                    vec![open.counts_table(&options, &pace).await?.csv(&options)],
                    "counts.csv",
                ),
            };
            return Ok((
                Reply::Exported(format!("{dataset}-{ending}")),
                Some(blob(parts)?),
            ));
        }
    };
    Ok((reply, None))
}

/// All ten rules over one text.
fn perturb(
    source: &str,
    context: &shared::subject::MethodContext,
    options: &RuleOptions,
) -> PerturbView {
    let method = Method::analyze(source, context);
    PerturbView {
        tokens: highlight::tokens(method.tree()),
        errors: method.errors().to_vec(),
        outcomes: RULES
            .iter()
            .map(|rule| method.apply(rule.id, options))
            .collect(),
    }
}

fn no_file() -> Failure {
    Failure::new(FailureKind::Invalid, "no file came with the import")
}

/// The files that came with a request.
fn files_of(data: &JsValue) -> Vec<Blob> {
    let files = field(data, "files").dyn_into::<Array>();
    let files = files.into_iter().flat_map(|files| files.to_vec());
    files.filter_map(|file| file.dyn_into().ok()).collect()
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn send<const N: usize>(scope: &DedicatedWorkerGlobalScope, fields: [(&str, JsValue); N]) {
    let message = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object cannot fail, and everything sent here can be cloned.
        let _set = Reflect::set(&message, &name.into(), &value);
    }
    let _sent = scope.post_message(&message);
}

fn json(value: &impl Serialize) -> JsValue {
    JsValue::from(serde_json::to_string(value).unwrap_or_default())
}

fn field(data: &JsValue, name: &str) -> JsValue {
    Reflect::get(data, &name.into()).unwrap_or_default()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ids are the page's own small numbers"
)]
fn number(data: &JsValue, name: &str) -> Option<u32> {
    field(data, name).as_f64().map(|number| number as u32)
}
