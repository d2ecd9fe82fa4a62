//! One provider over HTTP: asks once, within bounds, and says what went wrong.
//!
//! No redirect is followed, so that only the configured host is ever asked. A connection ends when the answer
//! is dropped: that is how an exchange is given up.

use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream::{self, StreamExt as _};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, redirect};
use serde_json::Value;
use shared::llm::{ChatRequest, Reply};
use tokio::time::{Instant, timeout, timeout_at};

use super::error::{LlmError, Wait};
use super::events::{Events, Heard, Hearing};
use super::redact;
use super::wire::{self, Aside, WireReply};
use crate::config::{LlmModelConfig, LlmProviderConfig};

/// How large an answer may be.
pub(super) const MAX_REPLY_BYTES: usize = 32 << 20;
/// How much of an error's body is looked at.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// The longest pause that a provider may ask for; with a longer one it is told at once.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// A provider that can be asked.
pub(super) struct Upstream {
    http: Client,
    config: LlmProviderConfig,
}

impl Upstream {
    /// Opens no connection yet.
    pub(super) fn new(config: LlmProviderConfig) -> Result<Self, LlmError> {
        crate::tls::ready();
        let mut http = Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(config.timeouts.connect)
            .user_agent(concat!("ctxlab/", env!("CARGO_PKG_VERSION")));
        if config.is_local() {
            http = http.no_proxy();
        }
        let http = http
            .build()
            .map_err(|e| LlmError::NotReady(config.name.clone(), e.to_string()))?;
        Ok(Self { http, config })
    }

    /// A whole answer.
    pub(super) async fn ask(
        &self,
        asked: &ChatRequest,
        model: &LlmModelConfig,
    ) -> Result<Reply, LlmError> {
        let body = self.send(asked, model, false).await?;
        if !body.is_json() {
            return Err(self.wrong_type(&body));
        }
        let bytes = body.read(MAX_REPLY_BYTES).await?;
        self.whole(&bytes)
    }

    /// An answer as it comes; it has begun well when this is back.
    pub(super) async fn listen(
        &self,
        asked: &ChatRequest,
        model: &LlmModelConfig,
    ) -> Result<Hearing, LlmError> {
        let body = self.send(asked, model, true).await?;
        if body.is_json() {
            // It does not stream.
            let reply = self.whole(&body.read(MAX_REPLY_BYTES).await?)?;
            let pieces = reply.pieces().into_iter().map(Heard::Piece);
            let aside = Aside {
                model: Some(reply.model),
                fingerprint: reply.fingerprint,
                usage: reply.usage,
                changed: Vec::new(),
            };
            let heard: Vec<_> = pieces.chain([Heard::End(aside)]).map(Ok).collect();
            return Ok(stream::iter(heard).boxed());
        }
        if !body.content_type().starts_with("text/event-stream") {
            return Err(self.wrong_type(&body));
        }
        Ok(Events::new(body, self.config.clone()).hearing())
    }

    async fn send(
        &self,
        asked: &ChatRequest,
        model: &LlmModelConfig,
        stream: bool,
    ) -> Result<Body, LlmError> {
        let LlmProviderConfig {
            name,
            base_url,
            key,
            timeouts,
            max_tokens,
            ..
        } = &self.config;
        let not_sent = |why: String| LlmError::Unreachable(name.clone(), why);
        let request = wire::request(asked, model, *max_tokens, stream);
        let request = serde_json::to_vec(&request).map_err(|e| not_sent(e.to_string()))?;
        let accept = if stream {
            "text/event-stream"
        } else {
            "application/json"
        };
        let mut call = self
            .http
            .post(format!(
                "{}/chat/completions",
                base_url.trim_end_matches('/')
            ))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, accept)
            .body(request);
        if let Some(key) = key {
            let value = HeaderValue::try_from(format!("Bearer {}", key.expose()));
            let mut value = value.map_err(|_e| not_sent("its key fits no header".to_owned()))?;
            value.set_sensitive(true);
            call = call.header(AUTHORIZATION, value);
        }
        let deadline = Instant::now() + timeouts.whole;
        let Ok(sent) = timeout(timeouts.first_byte, call.send()).await else {
            return Err(LlmError::TimedOut(name.clone(), Wait::FirstByte));
        };
        let response = sent.map_err(|e| not_sent(root_cause(&e)))?;
        let body = Body {
            response,
            provider: name.clone(),
            idle: timeouts.idle,
            deadline,
            n_bytes: 0,
        };
        if body.response.status() == StatusCode::OK {
            return Ok(body);
        }
        Err(self.refusal(body).await)
    }

    /// What an answer that is no success says. Its own words are passed on only without the key.
    async fn refusal(&self, body: Body) -> LlmError {
        let provider = self.config.name.clone();
        let status = body.response.status();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return LlmError::KeyRefused(provider, status);
            }
            StatusCode::TOO_MANY_REQUESTS => {
                return LlmError::Busy(provider, retry_after(&body.response));
            }
            _ => {}
        }
        let said = body.read(MAX_ERROR_BYTES).await.ok();
        let said = said.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let words = said.as_ref().and_then(wire::error_words);
        let words = words.unwrap_or("it does not say why");
        let words = redact::message(words, self.config.key.as_ref());
        if status.is_client_error() {
            LlmError::Refused(provider, status, words)
        } else if status.is_server_error() {
            LlmError::Failed(provider, status, words)
        } else {
            LlmError::NotUnderstood(provider, format!("its status is {status}"))
        }
    }

    fn whole(&self, bytes: &[u8]) -> Result<Reply, LlmError> {
        let read = read(bytes, &self.config)?;
        let reply = read.whole().ok_or_else(|| {
            LlmError::NotUnderstood(self.config.name.clone(), "it has no choices".to_owned())
        })?;
        Ok(redact::whole(reply, self.config.key.clone()))
    }

    fn wrong_type(&self, body: &Body) -> LlmError {
        let found = redact::message(body.content_type(), self.config.key.as_ref());
        let why = format!("its content type is {found:?}");
        LlmError::NotUnderstood(self.config.name.clone(), why)
    }
}

/// Reads JSON, and the error that may be in it.
pub(super) fn read(bytes: &[u8], config: &LlmProviderConfig) -> Result<WireReply, LlmError> {
    let name = || config.name.clone();
    let read: WireReply = serde_json::from_slice(bytes).map_err(|e| {
        // The message of a wrong type may quote the text; a place does not.
        let why = format!(
            "no JSON of a chat completion, line {} column {}",
            e.line(),
            e.column()
        );
        LlmError::NotUnderstood(name(), why)
    })?;
    match &read.error {
        None | Some(Value::Null) => Ok(read),
        Some(error) => {
            let words = wire::error_words(error).unwrap_or("it does not say why");
            let words = redact::message(words, config.key.as_ref());
            Err(LlmError::Failed(name(), StatusCode::OK, words))
        }
    }
}

/// An answer's body, in bounds.
pub(super) struct Body {
    response: Response,
    provider: String,
    idle: Duration,
    deadline: Instant,
    n_bytes: usize,
}

impl Body {
    fn content_type(&self) -> &str {
        let value = self.response.headers().get(CONTENT_TYPE);
        value.and_then(|it| it.to_str().ok()).unwrap_or("none")
    }

    fn is_json(&self) -> bool {
        self.content_type().starts_with("application/json")
    }

    async fn read(mut self, most: usize) -> Result<Vec<u8>, LlmError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk(most).await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// What comes next, in all at most so many bytes.
    pub(super) async fn chunk(&mut self, most: usize) -> Result<Option<Bytes>, LlmError> {
        let next = timeout(self.idle, self.response.chunk());
        let Ok(next) = timeout_at(self.deadline, next).await else {
            return Err(LlmError::TimedOut(self.provider.clone(), Wait::Whole));
        };
        let chunk = match next {
            Err(_) => return Err(LlmError::TimedOut(self.provider.clone(), Wait::Idle)),
            Ok(Err(_)) => return Err(LlmError::Cut(self.provider.clone())),
            Ok(Ok(chunk)) => chunk,
        };
        self.n_bytes += chunk.as_ref().map_or(0, Bytes::len);
        if self.n_bytes > most {
            return Err(LlmError::TooLarge(self.provider.clone(), most));
        }
        Ok(chunk)
    }
}

/// The pause that a provider asks for: seconds, or a date.
fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    let pause = if let Ok(seconds) = text.trim().parse() {
        Duration::from_secs(seconds)
    } else {
        let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
        let pause = at.duration_since(jiff::Timestamp::now());
        pause.try_into().unwrap_or(Duration::ZERO)
    };
    Some(pause.min(MAX_RETRY_AFTER))
}

/// What the system said, without what libraries put around it.
fn root_cause(e: &reqwest::Error) -> String {
    let first: &dyn std::error::Error = e;
    let last = std::iter::successors(Some(first), |e| e.source()).last();
    last.map_or_else(String::new, ToString::to_string)
}
