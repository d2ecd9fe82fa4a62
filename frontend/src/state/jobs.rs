//! Jobs of the server: asked for, listened to, given up.

use futures_channel::mpsc::{self, UnboundedReceiver};
use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use gloo_net::http::{Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::api::{Capabilities, ErrorBody, JobEvent, JobId, JobTaken, paths};

use crate::platform::clock;
use crate::platform::event_source::{Heard, Stream};
use crate::worker::protocol::{Failure, FailureKind};

/// How long an answer may take before the server counts as out of reach.
const PATIENCE_MS: u32 = 4_000;
/// The names of a job's events.
const EVENTS: [&str; 8] = [
    "queued",
    "started",
    "test",
    "reference",
    "done",
    "checked",
    "failed",
    "cancelled",
];
const TOO_MANY_REQUESTS: u16 = 429;
/// The title of a job that the server cannot be asked about.
pub(crate) const LOST: &str = "The server lost this job";

/// What the server can run.
pub(crate) async fn capabilities() -> Result<Capabilities, Failure> {
    let asked = Box::pin(async { answer(Request::get(paths::CAPABILITIES).send().await).await });
    match select(asked, Box::pin(clock::rest(PATIENCE_MS))).await {
        Either::Left((can, _)) => can.map_err(|(_, why)| why),
        Either::Right(_) => Err(offline("it does not answer")),
    }
}

/// Asks for a job at a path, or says in a title and a reason why there is none.
pub(crate) async fn take(
    path: &str,
    request: &impl Serialize,
) -> Result<JobTaken, (&'static str, Failure)> {
    let refused = "The server did not take this";
    let asked = Request::post(path).json(request);
    let asked = asked.map_err(|e| (refused, offline(&e.to_string())))?;
    answer(asked.send().await).await.map_err(|(status, why)| {
        let is_full = status == Some(TOO_MANY_REQUESTS);
        let title = if is_full {
            "The server’s queue is full"
        } else {
            refused
        };
        (title, why)
    })
}

/// Gives a job up. A server that is gone runs nothing.
pub(crate) async fn give_up(id: JobId) {
    drop(Request::delete(&paths::job(&id)).send().await);
}

/// What is heard of a job.
pub(crate) struct Hearing {
    heard: UnboundedReceiver<Heard>,
    _stream: Stream,
}

pub(crate) enum News {
    /// All is told again.
    FromTheBeginning,
    /// The server does not answer; its job goes on.
    Lost,
    Event(JobEvent),
}

impl Hearing {
    pub(crate) fn open(id: &JobId) -> Result<Self, Failure> {
        let (tell, heard) = mpsc::unbounded();
        let tell = move |it| drop(tell.unbounded_send(it));
        let stream = Stream::open(&paths::job_events(id), &EVENTS, tell);
        let stream = stream.ok_or_else(|| offline("the browser opens no stream"))?;
        Ok(Self {
            heard,
            _stream: stream,
        })
    }

    /// What comes next; `None` where the server does not know the job any more.
    pub(crate) async fn next(&mut self) -> Option<Result<News, Failure>> {
        Some(match self.heard.next().await? {
            Heard::Open => Ok(News::FromTheBeginning),
            Heard::Lost => Ok(News::Lost),
            Heard::Gone => return None,
            Heard::Data(data) => serde_json::from_str(&data)
                .map(News::Event)
                .map_err(|e| unexpected(&e.to_string())),
        })
    }
}

/// The value that an answer holds, or its status and why there is none.
async fn answer<T: DeserializeOwned>(
    response: Result<Response, gloo_net::Error>,
) -> Result<T, (Option<u16>, Failure)> {
    let text = text(response).await?;
    serde_json::from_str(&text).map_err(|e| (None, unexpected(&e.to_string())))
}

/// The text of an answer, or its status and why there is none.
pub(crate) async fn text(
    response: Result<Response, gloo_net::Error>,
) -> Result<String, (Option<u16>, Failure)> {
    let response = response.map_err(|e| (None, offline(&e.to_string())))?;
    let status = Some(response.status());
    if response.ok() {
        let text = response.text().await;
        return text.map_err(|e| (status, unexpected(&e.to_string())));
    }
    let why = if let Ok(body) = response.json::<ErrorBody>().await {
        Failure {
            kind: FailureKind::Broken,
            message: body.message,
            next: body.hint,
        }
    } else {
        let message = format!("the server answered {}", response.status());
        Failure::new(FailureKind::Broken, message)
    };
    Err((status, why))
}

fn offline(why: &str) -> Failure {
    let message = format!("the server cannot be reached ({why})");
    Failure::new(FailureKind::Offline, message).next("start it with `ctxlab serve`, then try again")
}

pub(crate) fn unexpected(why: &str) -> Failure {
    let message = format!("the server’s answer cannot be read ({why})");
    Failure::new(FailureKind::Broken, message)
        .next("reload the page: it may be older than the server")
}
