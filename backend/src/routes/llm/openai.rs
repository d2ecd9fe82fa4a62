//! OpenAI's words for requests, replies, chunks and errors.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shared::api::{LlmModel, LlmStatus};
use shared::llm::{
    ChatRequest, Choice, ExchangeKey, Message, ModelId, Piece, Role, SamplingOptions, Usage,
};
use shared::logprobs::{TokenBytes, TokenLogprob};

use crate::error::ApiError;
use crate::llm::Answer;

/// Fields that change nothing in a reply's text, and so are not looked at.
const WITHOUT_EFFECT: [&str; 7] = [
    "user",
    "store",
    "metadata",
    "service_tier",
    "safety_identifier",
    "prompt_cache_key",
    "parallel_tool_calls",
];

/// A request as clients send it.
#[derive(Deserialize)]
pub(super) struct Question {
    model: String,
    messages: Vec<Turn>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    seed: Option<i64>,
    stop: Option<Stop>,
    n: Option<u32>,
    logprobs: Option<bool>,
    top_logprobs: Option<u8>,
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    /// CtxLab's own: which of several samples of the same question.
    sample: Option<u32>,
    /// What would change the reply and is not known here must not be lost in silence.
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Turn {
    role: Role,
    content: Option<Content>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stop {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

impl Question {
    /// What is asked, and how it is delivered: `None` as a whole, else as a stream, with or without a last chunk
    /// that tells what it took.
    pub(super) fn checked(self) -> Result<(ChatRequest, Option<bool>), ApiError> {
        let strange = self
            .others
            .iter()
            .find(|(name, value)| !value.is_null() && !WITHOUT_EFFECT.contains(&name.as_str()));
        if let Some((name, _)) = strange {
            return Err(ApiError::Body(format!("{name} is not supported here")));
        }
        let messages = self.messages.into_iter().map(Turn::checked);
        let request = ChatRequest {
            model: ModelId(self.model),
            messages: messages.collect::<Result<_, _>>()?,
            options: SamplingOptions {
                temperature: self.temperature,
                top_p: self.top_p,
                max_tokens: self.max_completion_tokens.or(self.max_tokens),
                seed: self.seed,
                stop: match self.stop {
                    None => Vec::new(),
                    Some(Stop::One(text)) => vec![text],
                    Some(Stop::Many(texts)) => texts,
                },
                n: self.n.filter(|n| *n != 1),
                logprobs: match (self.logprobs, self.top_logprobs) {
                    (Some(true), top) => Some(top.unwrap_or(0)),
                    (_, None | Some(0)) => None,
                    _ => {
                        let why = "top_logprobs needs logprobs to be true";
                        return Err(ApiError::Body(why.to_owned()));
                    }
                },
            },
            sample: self.sample.unwrap_or(0),
        };
        let with_usage = self.stream_options.and_then(|it| it.include_usage);
        let delivery = (self.stream == Some(true)).then(|| with_usage == Some(true));
        Ok((request, delivery))
    }
}

impl Turn {
    fn checked(self) -> Result<Message, ApiError> {
        let text = match self.content {
            None => String::new(),
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => {
                let text = |part: Part| match (part.kind.as_str(), part.text) {
                    ("text", Some(text)) => Ok(text),
                    (kind, _) => Err(ApiError::Body(format!(
                        "a message's part of type {kind} is not supported here"
                    ))),
                };
                parts.into_iter().map(text).collect::<Result<String, _>>()?
            }
        };
        let role = self.role;
        Ok(Message { role, text })
    }
}

/// The list of models.
pub(super) fn models(status: &LlmStatus) -> Value {
    let mut names: Vec<&ModelId> = Vec::new();
    let mut data = Vec::new();
    for it in &status.models {
        // Of several providers' the first is asked.
        if !names.contains(&&it.name) {
            names.push(&it.name);
            data.push(model(it));
        }
    }
    json!({"object": "list", "data": data})
}

/// One model.
pub(super) fn model(it: &LlmModel) -> Value {
    let owner = it.provider.as_deref().unwrap_or("recordings");
    json!({"id": it.name, "object": "model", "created": 0, "owned_by": owner})
}

/// A whole reply.
pub(super) fn completion(answer: &Answer) -> Value {
    let exchange = &answer.exchange;
    let reply = &exchange.reply;
    let mut body = head(&exchange.key, &exchange.request.model, "chat.completion");
    let created: Option<jiff::Timestamp> = exchange.asked_at.parse().ok();
    let choices: Vec<Value> = reply.choices.iter().map(choice).collect();
    body.insert(
        "created".to_owned(),
        created.map_or(0, jiff::Timestamp::as_second).into(),
    );
    body.insert("choices".to_owned(), choices.into());
    body.insert("usage".to_owned(), reply.usage.map_or(Value::Null, usage));
    body.insert("system_fingerprint".to_owned(), json!(reply.fingerprint));
    body.insert("ctxlab".to_owned(), provenance(answer));
    Value::Object(body)
}

fn choice(it: &Choice) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    message.insert("content".to_owned(), it.text.clone().into());
    message.insert("refusal".to_owned(), Value::Null);
    if let Some(reasoning) = &it.reasoning {
        message.insert("reasoning_content".to_owned(), reasoning.clone().into());
    }
    json!({
        "index": it.index,
        "message": message,
        "finish_reason": it.finish,
        "logprobs": it.logprobs.as_deref().map(logprobs),
    })
}

fn logprobs(tokens: &[TokenLogprob]) -> Value {
    // Of a token that ends within a character the text is only a picture; the bytes are exact.
    let words = |it: &TokenBytes, logprob: f64| {
        let token = String::from_utf8_lossy(&it.0);
        json!({"token": token, "logprob": logprob, "bytes": it.0})
    };
    let token = |it: &TokenLogprob| {
        let top = it.top.iter().map(|it| words(&it.token, it.logprob));
        let top: Vec<Value> = top.collect();
        let mut token = words(&it.token, it.logprob);
        token["top_logprobs"] = top.into();
        token
    };
    json!({"content": tokens.iter().map(token).collect::<Vec<_>>(), "refusal": null})
}

fn usage(it: Usage) -> Value {
    json!({
        "prompt_tokens": it.prompt_tokens,
        "completion_tokens": it.completion_tokens,
        "total_tokens": it.total(),
        "prompt_tokens_details": {"cached_tokens": it.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": it.reasoning_tokens},
    })
}

/// What OpenAI's interface has no word for: where the reply is from, and what it cost.
fn provenance(answer: &Answer) -> Value {
    let exchange = &answer.exchange;
    json!({
        "source": answer.source,
        "key": exchange.key,
        "provider": exchange.provider,
        "asked_at": exchange.asked_at,
        "duration_ms": exchange.duration_ms,
        "cost_nano_usd": exchange.cost_nano_usd,
        "is_estimated": exchange.reply.usage.is_some_and(|it| it.is_estimated),
    })
}

fn head(key: &ExchangeKey, model: &ModelId, object: &str) -> Map<String, Value> {
    let id = format!("chatcmpl-{}", key.as_str().get(..24).unwrap_or_default());
    let mut body = Map::new();
    body.insert("id".to_owned(), id.into());
    body.insert("object".to_owned(), object.into());
    body.insert("model".to_owned(), model.as_str().into());
    body
}

/// The chunks of one stream.
pub(super) struct Chunks {
    head: Map<String, Value>,
    with_usage: bool,
    /// The choices that have begun: a first chunk says who speaks.
    begun: Vec<u32>,
}

impl Chunks {
    pub(super) fn new(asked: &ChatRequest, with_usage: bool) -> Self {
        let mut head = head(&asked.key(), &asked.model, "chat.completion.chunk");
        let now = jiff::Timestamp::now().as_second();
        head.insert("created".to_owned(), now.into());
        let begun = Vec::new();
        Self {
            head,
            with_usage,
            begun,
        }
    }

    /// The data of a piece's event.
    pub(super) fn piece(&mut self, piece: Piece) -> Vec<String> {
        let mut delta = Map::new();
        if !self.begun.contains(&piece.index) {
            self.begun.push(piece.index);
            delta.insert("role".to_owned(), "assistant".into());
            delta.insert("content".to_owned(), "".into());
        }
        if !piece.text.is_empty() {
            delta.insert("content".to_owned(), piece.text.into());
        }
        if !piece.reasoning.is_empty() {
            delta.insert("reasoning_content".to_owned(), piece.reasoning.into());
        }
        let tokens = (!piece.logprobs.is_empty()).then(|| logprobs(&piece.logprobs));
        let choice = json!({
            "index": piece.index,
            "delta": delta,
            "finish_reason": piece.finish,
            "logprobs": tokens,
        });
        vec![self.chunk(&[("choices", json!([choice]))])]
    }

    /// The data of the last events.
    pub(super) fn done(&mut self, answer: &Answer) -> Vec<String> {
        let mut said = Vec::new();
        if self.with_usage {
            let took = answer.exchange.reply.usage.map_or(Value::Null, usage);
            said.push(self.chunk(&[
                ("choices", json!([])),
                ("usage", took),
                ("ctxlab", provenance(answer)),
            ]));
        }
        said.push("[DONE]".to_owned());
        said
    }

    fn chunk(&self, fields: &[(&str, Value)]) -> String {
        let mut body = self.head.clone();
        for (name, value) in fields {
            body.insert((*name).to_owned(), value.clone());
        }
        Value::Object(body).to_string()
    }
}

/// A refusal, as OpenAI's clients read it.
pub(crate) fn error_body(refusal: &ApiError) -> Value {
    let status = refusal.status();
    let (code, param) = match refusal {
        ApiError::Llm(e) => (e.code(), e.field()),
        ApiError::NoToken(_) => ("invalid_api_key", None),
        ApiError::TooOften(_) => ("rate_limit_exceeded", None),
        ApiError::Body(_) => ("invalid_value", None),
        _ => (refusal.code().slug(), None),
    };
    let kind = match status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::TOO_MANY_REQUESTS if code == "insufficient_quota" => "insufficient_quota",
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        status if status.is_client_error() => "invalid_request_error",
        _ => "server_error",
    };
    let message = match refusal.hint() {
        Some(hint) if !matches!(refusal, ApiError::Body(_)) => {
            format!("{}; {hint}", refusal.message())
        }
        _ => refusal.message(),
    };
    json!({"error": {"message": message, "type": kind, "param": param, "code": code}})
}
