//! The page's side of the worker: one async function a question.
//!
//! A [`Call`] that is dropped is cancelled. A worker that dies is replaced; what it was working on
//! fails with [`FailureKind::Broken`], and the page is told.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_channel::oneshot;
use futures_util::future::{LocalBoxFuture, select};
use js_sys::{Array, Object, Reflect};
use shared::api::{SubjectBody, SubjectSummary};
use shared::perturb::{CountsTable, RuleOptions};
use shared::subject::{DatasetId, MethodContext, SubjectId};
use shared::syntax::highlight::Token;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::worker::protocol::{
    DatasetEntry, DatasetList, ExportFormat, Failure, FailureKind, Filter, PerturbView, Progress,
    QueryResult, Reply, Request,
};

/// A failed question, for the user.
pub(crate) type ClientError = Failure;

/// Hears how far a long request is.
pub(crate) type OnProgress = Box<dyn Fn(Progress)>;

thread_local! {
    static LINK: RefCell<Option<Link>> = const { RefCell::new(None) };
}

struct Link {
    url: String,
    /// The compiled module, which a second worker needs again.
    module: JsValue,
    worker: Worker,
    next_id: u32,
    /// A handful at a time.
    pending: Vec<Pending>,
    on_restart: Rc<dyn Fn(String)>,
}

impl Link {
    /// Takes a request out of those that wait for an answer.
    fn take(&mut self, id: u32) -> Option<Pending> {
        let at = self.pending.iter().position(|waiting| waiting.id == id)?;
        Some(self.pending.swap_remove(at))
    }
}

struct Pending {
    id: u32,
    answer: oneshot::Sender<Result<Answer, ClientError>>,
    on_progress: Option<Rc<dyn Fn(Progress)>>,
}

/// A reply and the file beside it.
pub(crate) struct Answer {
    pub(crate) reply: Reply,
    pub(crate) blob: Option<Blob>,
}

/// Starts the worker at `url` on the compiled `module`; `on_restart` hears why one was replaced.
pub(crate) fn connect(
    url: &str,
    module: JsValue,
    on_restart: impl Fn(String) + 'static,
) -> Result<(), JsValue> {
    let worker = launch(url, &module)?;
    let link = Link {
        url: url.to_owned(),
        module,
        worker,
        next_id: 1,
        pending: Vec::new(),
        on_restart: Rc::new(on_restart),
    };
    LINK.set(Some(link));
    Ok(())
}

pub(crate) async fn datasets() -> Result<DatasetList, ClientError> {
    match ask(Request::Datasets).await? {
        Reply::Datasets(list) => Ok(list),
        other => Err(mismatch(&other)),
    }
}

/// Reads and keeps a `File` of the user.
pub(crate) async fn import(
    name: String,
    license: Option<String>,
    file: Blob,
    on_progress: OnProgress,
) -> Result<DatasetEntry, ClientError> {
    match call_with(
        Request::Import { name, license },
        &[file],
        Some(on_progress),
    )
    .await?
    .reply
    {
        Reply::Imported(entry) => Ok(entry),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn remove(id: DatasetId) -> Result<(), ClientError> {
    match ask(Request::Remove(id)).await? {
        Reply::Removed => Ok(()),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn open(
    id: DatasetId,
    on_progress: OnProgress,
) -> Result<DatasetEntry, ClientError> {
    match call_with(Request::Open(id), &[], Some(on_progress))
        .await?
        .reply
    {
        Reply::Opened(entry) => Ok(entry),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn index(id: DatasetId) -> Result<Vec<SubjectSummary>, ClientError> {
    match ask(Request::Index(id)).await? {
        Reply::Index(rows) => Ok(rows),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn rule_counts(
    id: DatasetId,
    on_progress: OnProgress,
) -> Result<Vec<[u16; 10]>, ClientError> {
    match call_with(Request::RuleCounts(id), &[], Some(on_progress))
        .await?
        .reply
    {
        Reply::RuleCounts(counts) => Ok(counts),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn query(dataset: DatasetId, filter: Filter) -> Result<QueryResult, ClientError> {
    match ask(Request::Query { dataset, filter }).await? {
        Reply::Rows(rows) => Ok(rows),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn subject(
    dataset: DatasetId,
    subject: SubjectId,
) -> Result<SubjectBody, ClientError> {
    match ask(Request::Subject { dataset, subject }).await? {
        Reply::Subject(body) => Ok(*body),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn perturb(
    source: String,
    context: MethodContext,
    options: RuleOptions,
) -> Result<PerturbView, ClientError> {
    match ask(Request::Perturb {
        source,
        context,
        options,
    })
    .await?
    {
        Reply::Perturbed(view) => Ok(view),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn highlight(source: String) -> Result<Vec<Token>, ClientError> {
    match ask(Request::Highlight(source)).await? {
        Reply::Highlighted(tokens) => Ok(tokens),
        other => Err(mismatch(&other)),
    }
}

/// Puts a question of a part, as JSON; [`compare::client`](super::compare::client) has a function for each.
pub(crate) async fn compare(
    question: String,
    files: &[Blob],
    on_progress: Option<OnProgress>,
) -> Result<(String, Option<Blob>), ClientError> {
    let answer = call_with(Request::Compare(question), files, on_progress).await?;
    match answer.reply {
        Reply::Compared(text) => Ok((text, answer.blob)),
        other => Err(mismatch(&other)),
    }
}

pub(crate) async fn perturb_all(
    dataset: DatasetId,
    options: RuleOptions,
    on_progress: OnProgress,
) -> Result<CountsTable, ClientError> {
    match call_with(
        Request::PerturbAll { dataset, options },
        &[],
        Some(on_progress),
    )
    .await?
    .reply
    {
        Reply::PerturbedAll(table) => Ok(table),
        other => Err(mismatch(&other)),
    }
}

/// The file's name and bytes.
pub(crate) async fn export(
    dataset: DatasetId,
    options: RuleOptions,
    format: ExportFormat,
    on_progress: OnProgress,
) -> Result<(String, Blob), ClientError> {
    let answer = call_with(
        Request::Export {
            dataset,
            options,
            format,
        },
        &[],
        Some(on_progress),
    )
    .await?;
    match answer {
        Answer {
            reply: Reply::Exported(name),
            blob: Some(blob),
        } => Ok((name, blob)),
        other => Err(mismatch(&other.reply)),
    }
}

async fn ask(request: Request) -> Result<Reply, ClientError> {
    call_with(request, &[], None)
        .await
        .map(|answer| answer.reply)
}

/// A request on its way; dropping it cancels it.
pub(crate) struct Call {
    id: u32,
    answer: oneshot::Receiver<Result<Answer, ClientError>>,
}

fn call_with(request: Request, files: &[Blob], on_progress: Option<OnProgress>) -> Call {
    let (sender, answer) = oneshot::channel();
    let id = LINK.with_borrow_mut(|link| {
        // Without a link the sender is dropped, and the call fails as a dead worker's does.
        let Some(link) = link else { return 0 };
        let id = link.next_id;
        link.next_id += 1;
        let text = serde_json::to_string(&request).unwrap_or_default();
        let mut fields = vec![("id", JsValue::from(id)), ("request", JsValue::from(text))];
        if !files.is_empty() {
            let files: Array = files.iter().collect();
            fields.push(("files", files.into()));
        }
        link.pending.push(Pending {
            id,
            answer: sender,
            on_progress: on_progress.map(Rc::from),
        });
        post(&link.worker, &fields);
        id
    });
    Call { id, answer }
}

impl Future for Call {
    type Output = Result<Answer, ClientError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer)
            .poll(cx)
            .map(|answer| answer.unwrap_or_else(|_gone| Err(dead())))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        LINK.with_borrow_mut(|link| {
            let Some(link) = link else { return };
            if link.take(self.id).is_some() {
                post(&link.worker, &[("cancel", JsValue::from(self.id))]);
            }
        });
    }
}

/// Runs only the newest of a series of futures: starting one drops the one before, which cancels its calls.
#[derive(Clone, Default)]
pub(crate) struct Latest {
    stop: Rc<Cell<Option<oneshot::Sender<()>>>>,
}

impl Latest {
    /// Runs `job` unless a newer one starts; its value goes to `then`.
    pub(crate) fn run<T: 'static>(
        &self,
        job: impl Future<Output = T> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        self.run_boxed(Box::pin(async move { then(job.await) }));
    }

    fn run_boxed(&self, job: LocalBoxFuture<'static, ()>) {
        let (stop, stopped) = oneshot::channel::<()>();
        // Dropping the sender before tells the older job to stop.
        self.stop.set(Some(stop));
        wasm_bindgen_futures::spawn_local(async move {
            drop(select(job, stopped).await);
        });
    }

    /// Drops what is running.
    pub(crate) fn stop(&self) {
        self.stop.set(None);
    }
}

fn launch(url: &str, module: &JsValue) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(url, &options)?;
    let on_message =
        Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| receive(&event.data()));
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let on_error = Closure::<dyn Fn(Event)>::new(|event: Event| {
        let message = Reflect::get(&event, &"message".into())
            .unwrap_or_default()
            .as_string();
        replace(message.unwrap_or_else(|| "its script could not be loaded".to_owned()));
    });
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    on_error.forget();
    worker.post_message(module)?;
    Ok(worker)
}

fn receive(data: &JsValue) {
    let text = |name: &str| {
        Reflect::get(data, &name.into())
            .unwrap_or_default()
            .as_string()
    };
    if let Some(why) = text("died") {
        return replace(why);
    }
    let Some(id) = id_of(data) else { return };
    if let Some(progress) = text("progress").and_then(|text| serde_json::from_str(&text).ok()) {
        let listener = LINK.with_borrow(|link| {
            link.as_ref()?
                .pending
                .iter()
                .find(|it| it.id == id)?
                .on_progress
                .clone()
        });
        if let Some(listener) = listener {
            listener(progress);
        }
        return;
    }
    let pending = LINK.with_borrow_mut(|link| link.as_mut()?.take(id));
    let Some(Pending { answer, .. }) = pending else {
        return;
    };
    let outcome = match (text("reply"), text("error")) {
        (Some(reply), _) => serde_json::from_str(&reply)
            .map_err(|e| unreadable(&e))
            .map(|reply| Answer {
                reply,
                blob: Reflect::get(data, &"blob".into())
                    .unwrap_or_default()
                    .dyn_into()
                    .ok(),
            }),
        (None, Some(error)) => Err(serde_json::from_str(&error).unwrap_or_else(|e| unreadable(&e))),
        (None, None) => return,
    };
    // The receiver is gone when nobody waits any more.
    let _delivered = answer.send(outcome);
}

/// Puts a new worker in the place of a dead one; what the old one owed fails.
fn replace(why: String) {
    let on_restart = LINK.with_borrow_mut(|link| {
        let link = link.as_mut()?;
        link.worker.terminate();
        link.worker = launch(&link.url, &link.module).ok()?;
        // Dropping the senders fails the calls; done last, for a waiting task may run at once.
        Some((
            std::mem::take(&mut link.pending),
            Rc::clone(&link.on_restart),
        ))
    });
    if let Some((owed, on_restart)) = on_restart {
        drop(owed);
        on_restart(why);
    }
}

fn post(worker: &Worker, fields: &[(&str, JsValue)]) {
    let message = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object cannot fail, and everything sent here can be cloned.
        let _set = Reflect::set(&message, &(*name).into(), value);
    }
    let _sent = worker.post_message(&message);
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the ids are our own small numbers"
)]
fn id_of(data: &JsValue) -> Option<u32> {
    Reflect::get(data, &"id".into())
        .unwrap_or_default()
        .as_f64()
        .map(|id| id as u32)
}

fn dead() -> ClientError {
    Failure::new(FailureKind::Broken, "the background worker stopped")
        .next("it was started again: try once more")
}

pub(super) fn unreadable(why: &serde_json::Error) -> ClientError {
    Failure::new(
        FailureKind::Broken,
        format!("the worker's answer cannot be read ({why})"),
    )
    .next("reload the page")
}

pub(super) fn no_file() -> ClientError {
    Failure::new(FailureKind::Broken, "the worker's file is missing").next("reload the page")
}

fn mismatch(reply: &Reply) -> ClientError {
    debug_assert!(false, "unexpected reply {reply:?}");
    Failure::new(FailureKind::Broken, "the worker answered another question")
        .next("reload the page")
}
