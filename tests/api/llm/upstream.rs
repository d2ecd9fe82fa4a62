//! A provider on this machine that does as it is told: the one fake of these tests, for no real provider can be
//! made to fail on demand.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// How it answers one request.
pub(crate) enum Act {
    /// With a status, a content type, more headers, and a body.
    Say(u16, &'static str, Vec<(&'static str, String)>, Vec<u8>),
    /// Never.
    Hang,
    /// With these events, each a line of JSON, and then as it ends.
    Stream(Vec<String>, End),
    /// When it is let go, with this text.
    Wait(oneshot::Receiver<()>, &'static str),
}

/// How a stream ends.
pub(crate) enum End {
    /// With `[DONE]`.
    Done,
    /// It just ends.
    Eof,
    /// Not at all; the sender is dropped when nobody listens any more.
    Never(mpsc::Sender<()>),
}

pub(crate) struct Upstream {
    /// What to write into the configuration.
    pub(crate) base_url: String,
    script: Script,
}

#[derive(Clone, Default)]
struct Script(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    acts: VecDeque<Act>,
    heard: Vec<(HeaderMap, Value)>,
}

impl Upstream {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let script = Script::default();
        let app = Router::new()
            .route("/v1/chat/completions", post(answer))
            .with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base_url, script }
    }

    /// Appends to what it does.
    pub(crate) fn then(&self, act: Act) -> &Self {
        self.script.0.lock().unwrap().acts.push_back(act);
        self
    }

    /// The requests that came.
    pub(crate) fn heard(&self) -> Vec<(HeaderMap, Value)> {
        self.script.0.lock().unwrap().heard.clone()
    }

    pub(crate) fn n_heard(&self) -> usize {
        self.script.0.lock().unwrap().heard.len()
    }
}

impl Act {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::Say(
            status,
            "application/json",
            Vec::new(),
            body.to_string().into(),
        )
    }

    /// A reply with a token a character, and what it took.
    pub(crate) fn reply(text: &str) -> Self {
        let tokens: Vec<Value> = text.chars().map(|c| token(&c.to_string())).collect();
        Self::json(
            200,
            &json!({
                "id": "x", "object": "chat.completion", "created": 1, "model": "vendor/small-1",
                "choices": [{
                    "index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text, "reasoning_content": "hm"},
                    "logprobs": {"content": tokens, "refusal": null},
                }],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
                "system_fingerprint": "fp",
            }),
        )
    }

    /// The same as events, in two pieces.
    pub(crate) fn stream(first: &str, second: &str) -> Self {
        Self::Stream(
            vec![
                delta(json!({"role": "assistant", "content": ""}), Value::Null),
                delta(json!({"content": first}), Value::Null),
                delta(json!({"content": second}), Value::Null),
                delta(json!({}), "stop".into()),
                json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
                    .to_string(),
            ],
            End::Done,
        )
    }
}

pub(crate) fn token(text: &str) -> Value {
    let top = json!([{"token": text, "logprob": -0.1, "bytes": text.as_bytes()}]);
    json!({"token": text, "logprob": -0.1, "bytes": text.as_bytes(), "top_logprobs": top})
}

pub(crate) fn delta(delta: Value, finish: Value) -> String {
    let text = delta["content"].as_str().unwrap_or_default();
    let tokens = (!text.is_empty()).then(|| json!({"content": [token(text)]}));
    json!({
        "model": "vendor/small-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": tokens}],
    })
    .to_string()
}

async fn answer(State(script): State<Script>, headers: HeaderMap, body: Bytes) -> Response {
    let act = {
        let mut script = script.0.lock().unwrap();
        let asked = serde_json::from_slice(&body).unwrap_or(Value::Null);
        script.heard.push((headers, asked));
        script.acts.pop_front()
    };
    let respond = |status: u16, kind: &str| {
        let status = StatusCode::from_u16(status).unwrap();
        Response::builder()
            .status(status)
            .header(header::CONTENT_TYPE, kind)
    };
    match act {
        None => respond(500, "text/plain").body("nothing is left to do".into()),
        Some(Act::Hang) => std::future::pending().await,
        Some(Act::Wait(go, text)) => {
            go.await.unwrap();
            let Act::Say(_, _, _, body) = Act::reply(text) else {
                unreachable!()
            };
            respond(200, "application/json").body(body.into())
        }
        Some(Act::Say(status, kind, more, body)) => {
            let mut response = respond(status, kind);
            for (name, value) in more {
                response = response.header(name, value);
            }
            response.body(body.into())
        }
        Some(Act::Stream(events, end)) => {
            let events = events.into_iter().map(|it| format!("data: {it}\n\n"));
            let last = match &end {
                End::Done => vec!["data: [DONE]\n\n".to_owned()],
                End::Eof | End::Never(_) => Vec::new(),
            };
            let events = stream::iter(events.chain(last).map(Ok::<_, Infallible>));
            let body = match end {
                End::Never(held) => Body::from_stream(events.chain(stream::once(async move {
                    let _held = held;
                    std::future::pending().await
                }))),
                _ => Body::from_stream(events),
            };
            respond(200, "text/event-stream").body(body)
        }
    }
    .unwrap()
}
