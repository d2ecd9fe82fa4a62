//! How providers speak: OpenAI's chat completions, asked strictly and read tolerantly.
//!
//! What is asked has the types of the crate `async-openai`. What is read has none of them: other providers
//! leave fields out, add reasoning, and end replies with words of their own.

use async_openai::types::chat::{
    ChatCompletionRequestAssistantMessage, ChatCompletionRequestAssistantMessageContent,
    ChatCompletionRequestDeveloperMessage, ChatCompletionRequestDeveloperMessageContent,
    ChatCompletionRequestMessage, ChatCompletionRequestSystemMessage,
    ChatCompletionRequestSystemMessageContent, ChatCompletionRequestUserMessage,
    ChatCompletionRequestUserMessageContent, ChatCompletionStreamOptions,
    CreateChatCompletionRequest, StopConfiguration,
};
use serde::Deserialize;
use serde_json::Value;
use shared::llm::{ChatRequest, Message, Piece, Reply, Role, UNLIKELY, Usage};
use shared::logprobs::{Alternative, TokenBytes, TokenLogprob};

use crate::config::{LlmModelConfig, MaxTokens};

/// The end of a reply whose provider does not say why it ended.
pub(super) const NO_WORD: &str = "unknown";
/// The last event of a stream.
pub(super) const DONE: &str = "[DONE]";

/// The request in the provider's words.
#[expect(
    deprecated,
    reason = "most providers know `max_tokens` and `seed` only by these names"
)]
pub(super) fn request(
    asked: &ChatRequest,
    model: &LlmModelConfig,
    field: MaxTokens,
    stream: bool,
) -> CreateChatCompletionRequest {
    let options = &asked.options;
    let (max_tokens, max_completion_tokens) = match field {
        MaxTokens::MaxTokens => (options.max_tokens, None),
        MaxTokens::MaxCompletionTokens => (None, options.max_tokens),
    };
    CreateChatCompletionRequest {
        model: model.id.clone(),
        messages: asked.messages.iter().map(message).collect(),
        temperature: options.temperature.map(narrow),
        top_p: options.top_p.map(narrow),
        max_tokens,
        max_completion_tokens,
        seed: options.seed,
        stop: (!options.stop.is_empty())
            .then(|| StopConfiguration::StringArray(options.stop.clone())),
        n: options.n.and_then(|n| u8::try_from(n).ok()),
        logprobs: options.logprobs.map(|_| true),
        top_logprobs: options.logprobs,
        stream: stream.then_some(true),
        stream_options: stream.then(|| ChatCompletionStreamOptions {
            include_usage: Some(true),
            ..ChatCompletionStreamOptions::default()
        }),
        ..CreateChatCompletionRequest::default()
    }
}

/// The wire's types have single precision; both write the same digits.
#[expect(clippy::cast_possible_truncation, reason = "0 to 2, of a few digits")]
fn narrow(value: f64) -> f32 {
    value as f32
}

fn message(it: &Message) -> ChatCompletionRequestMessage {
    let text = it.text.clone();
    match it.role {
        Role::System => ChatCompletionRequestSystemMessage {
            content: ChatCompletionRequestSystemMessageContent::Text(text),
            ..ChatCompletionRequestSystemMessage::default()
        }
        .into(),
        Role::Developer => ChatCompletionRequestDeveloperMessage {
            content: ChatCompletionRequestDeveloperMessageContent::Text(text),
            ..ChatCompletionRequestDeveloperMessage::default()
        }
        .into(),
        Role::User => ChatCompletionRequestUserMessage {
            content: ChatCompletionRequestUserMessageContent::Text(text),
            ..ChatCompletionRequestUserMessage::default()
        }
        .into(),
        Role::Assistant => ChatCompletionRequestAssistantMessage {
            content: Some(ChatCompletionRequestAssistantMessageContent::Text(text)),
            ..ChatCompletionRequestAssistantMessage::default()
        }
        .into(),
    }
}

/// An answer, or an event of one.
#[derive(Deserialize)]
pub(super) struct WireReply {
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    choices: Option<Vec<WireChoice>>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(default)]
    system_fingerprint: Option<String>,
    /// Some providers fail with a status of success.
    #[serde(default)]
    pub(super) error: Option<Value>,
}

#[derive(Deserialize)]
struct WireChoice {
    #[serde(default)]
    index: Option<u32>,
    #[serde(default, alias = "delta")]
    message: Option<WireMessage>,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    logprobs: Option<WireLogprobs>,
}

#[derive(Default, Deserialize)]
struct WireMessage {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
}

#[derive(Deserialize)]
struct WireLogprobs {
    #[serde(default)]
    content: Option<Vec<WireToken>>,
}

#[derive(Deserialize)]
struct WireToken {
    token: String,
    #[serde(default)]
    logprob: Option<f64>,
    #[serde(default)]
    bytes: Option<Vec<u8>>,
    #[serde(default)]
    top_logprobs: Option<Vec<WireToken>>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    prompt_tokens_details: Option<WireDetails>,
    #[serde(default)]
    completion_tokens_details: Option<WireDetails>,
    /// DeepSeek's word for it.
    #[serde(default)]
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct WireDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
    #[serde(default)]
    reasoning_tokens: Option<u64>,
}

/// What an event of a stream says beside its pieces.
#[derive(Default)]
pub(super) struct Aside {
    pub(super) model: Option<String>,
    pub(super) fingerprint: Option<String>,
    pub(super) usage: Option<Usage>,
    /// The choices whose text was changed: their tokens no longer make it up.
    pub(super) changed: Vec<u32>,
}

impl Aside {
    /// What a later event says counts.
    pub(super) fn take_in(&mut self, later: Self) {
        self.model = later.model.or(self.model.take());
        self.fingerprint = later.fingerprint.or(self.fingerprint.take());
        self.usage = later.usage.or(self.usage);
    }

    /// Adds it to the reply that the pieces made.
    pub(super) fn complete(self, reply: &mut Reply) {
        reply.model = self.model.unwrap_or_default();
        reply.fingerprint = self.fingerprint;
        reply.usage = self.usage;
        for choice in &mut reply.choices {
            if self.changed.contains(&choice.index) {
                choice.logprobs = None;
            }
        }
    }
}

impl WireReply {
    /// The parts of an event.
    pub(super) fn parts(self) -> (Vec<Piece>, Aside) {
        let aside = Aside {
            model: self.model,
            fingerprint: self.system_fingerprint,
            usage: self.usage.map(Usage::from),
            changed: Vec::new(),
        };
        let choices = self.choices.unwrap_or_default();
        (choices.into_iter().map(Piece::from).collect(), aside)
    }

    /// A whole answer; `None` where it has no reply.
    pub(super) fn whole(self) -> Option<Reply> {
        let (pieces, aside) = self.parts();
        let mut reply = Reply::default();
        for piece in pieces {
            reply.add(piece);
        }
        for choice in &mut reply.choices {
            choice.finish.get_or_insert_with(|| NO_WORD.to_owned());
        }
        aside.complete(&mut reply);
        (!reply.choices.is_empty()).then_some(reply)
    }
}

impl From<WireChoice> for Piece {
    fn from(it: WireChoice) -> Self {
        let message = it.message.unwrap_or_default();
        let tokens = it.logprobs.and_then(|it| it.content).unwrap_or_default();
        Self {
            index: it.index.unwrap_or(0),
            text: message.content.or(message.refusal).unwrap_or_default(),
            reasoning: message
                .reasoning_content
                .or(message.reasoning)
                .unwrap_or_default(),
            logprobs: tokens.into_iter().map(TokenLogprob::from).collect(),
            finish: it.finish_reason.filter(|word| !word.is_empty()),
        }
    }
}

impl WireToken {
    fn bytes(self) -> TokenBytes {
        TokenBytes(self.bytes.unwrap_or_else(|| self.token.into_bytes()))
    }
}

impl From<WireToken> for TokenLogprob {
    fn from(mut it: WireToken) -> Self {
        let top = it.top_logprobs.take().unwrap_or_default();
        let top = top.into_iter().map(|it| Alternative {
            logprob: it.logprob.unwrap_or(UNLIKELY),
            token: it.bytes(),
        });
        Self {
            top: top.collect(),
            logprob: it.logprob.unwrap_or(UNLIKELY),
            token: it.bytes(),
        }
    }
}

impl From<WireUsage> for Usage {
    fn from(it: WireUsage) -> Self {
        let cached = it.prompt_tokens_details.and_then(|it| it.cached_tokens);
        let thought = it.completion_tokens_details;
        Self {
            prompt_tokens: it.prompt_tokens,
            completion_tokens: it.completion_tokens,
            cached_tokens: cached.or(it.prompt_cache_hit_tokens).unwrap_or(0),
            reasoning_tokens: thought.and_then(|it| it.reasoning_tokens).unwrap_or(0),
            is_estimated: false,
        }
    }
}

/// The words of an error: OpenAI's `error.message`, or what others have in its place.
pub(super) fn error_words(body: &Value) -> Option<&str> {
    let error = body.get("error").unwrap_or(body);
    let words = ["message", "detail", "error_msg", "msg"];
    words
        .iter()
        .find_map(|word| error.get(*word))
        .unwrap_or(error)
        .as_str()
}

#[cfg(test)]
mod tests;
