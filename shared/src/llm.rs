//! Asking a language model: what is asked, what it replies, and both together as a record.
//!
//! A request names the model as the field does, not as a provider does, so that a record of one provider's
//! answer is one of another's, too. Its [`key`](ChatRequest::key) is what a recording is found by.

mod record;
mod reply;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::record::{Exchange, MAX_RECORD_BYTES};
pub use self::reply::{Choice, Piece, Reply, UNLIKELY, Usage};
use crate::dataset::sha256_hex;
use crate::subject::id_type;
use crate::variant::{BASELINE, BaselineId};

id_type! {
    /// Who is asked, by the name that tables have: a language model, or `baseline:…`.
    ModelId
}

impl ModelId {
    /// Whether it is no language model at all.
    pub fn is_baseline(&self) -> bool {
        self.0.starts_with(BASELINE)
    }
}

impl From<BaselineId> for ModelId {
    fn from(baseline: BaselineId) -> Self {
        Self(baseline.name().to_owned())
    }
}

id_type! {
    /// What a recording is found by: the SHA-256 of a request, in hexadecimal.
    ExchangeKey
}

/// How long a model's name may be: as a folder's name it takes up to three times as much.
pub const MAX_MODEL_BYTES: usize = 80;
/// How many bytes of messages a request may hold.
pub const MAX_PROMPT_BYTES: usize = 4 << 20;
/// How many messages a request may hold.
pub const MAX_MESSAGES: usize = 1000;
/// How many replies may be asked for at once.
pub const MAX_CHOICES: u32 = 128;
/// How many alternatives of a token may be asked for.
pub const MAX_TOP_LOGPROBS: u8 = 20;
/// How many texts may end a reply.
pub const MAX_STOPS: usize = 16;

/// One question to a model.
// The order of the fields is that of the bytes that are hashed: a change loses every recording.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChatRequest {
    /// Who is asked.
    pub model: ModelId,
    /// What is said, from the first to the last.
    pub messages: Vec<Message>,
    /// How to choose tokens.
    #[serde(default)]
    pub options: SamplingOptions,
    /// Which of several samples of the same question: 0 is the first. The model never sees it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sample: u32,
}

/// A part of a conversation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    #[serde(rename = "content")]
    pub text: String,
}

/// Who says something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Whoever sets the rules.
    System,
    /// The same, in the words of newer models.
    Developer,
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// Its word on the wire.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// How tokens are chosen. What is absent is the provider's choice.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SamplingOptions {
    /// 0 to 2; 0 takes the most probable token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// 0 to 1; only the most probable tokens that have this much together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens of a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// For replies that can be repeated, where the provider keeps to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts that end a reply and are not part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// How many replies; absent: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Each token's probability, with so many alternatives; absent: none of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<u8>,
}

impl SamplingOptions {
    /// How many replies are asked for.
    pub fn n_choices(&self) -> u32 {
        self.n.unwrap_or(1)
    }
}

/// Why a request cannot be asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A field is out of its bounds.
    #[error("{0} must be {1}")]
    Bounds(&'static str, String),
}

impl RequestError {
    /// The field, as the wire has it.
    pub fn field(&self) -> &'static str {
        let Self::Bounds(field, _) = self;
        field
    }
}

impl ChatRequest {
    /// Whether every field is within its bounds.
    pub fn check(&self) -> Result<(), RequestError> {
        let SamplingOptions {
            temperature,
            top_p,
            max_tokens,
            stop,
            n,
            logprobs,
            ..
        } = &self.options;
        let within = |value: &Option<f64>, most: f64| {
            value.is_none_or(|value| (0.0..=most).contains(&value))
        };
        let n_bytes: usize = self.messages.iter().map(|it| it.text.len()).sum();
        let stops_fit = stop.len() <= MAX_STOPS && stop.iter().all(|it| !it.is_empty());
        for (fits, field, bounds) in [
            (
                !self.model.0.is_empty() && self.model.0.len() <= MAX_MODEL_BYTES,
                "model",
                format!("1 to {MAX_MODEL_BYTES} bytes"),
            ),
            (
                (1..=MAX_MESSAGES).contains(&self.messages.len()),
                "messages",
                format!("1 to {MAX_MESSAGES} messages"),
            ),
            (
                n_bytes <= MAX_PROMPT_BYTES,
                "messages",
                format!("at most {} MiB together", MAX_PROMPT_BYTES >> 20),
            ),
            (within(temperature, 2.0), "temperature", "0 to 2".to_owned()),
            (within(top_p, 1.0), "top_p", "0 to 1".to_owned()),
            (*max_tokens != Some(0), "max_tokens", "1 or more".to_owned()),
            (
                n.is_none_or(|n| (1..=MAX_CHOICES).contains(&n)),
                "n",
                format!("1 to {MAX_CHOICES}"),
            ),
            (
                logprobs.is_none_or(|top| top <= MAX_TOP_LOGPROBS),
                "top_logprobs",
                format!("0 to {MAX_TOP_LOGPROBS}"),
            ),
            (
                stops_fit,
                "stop",
                format!("at most {MAX_STOPS} texts, none empty"),
            ),
        ] {
            if !fits {
                return Err(RequestError::Bounds(field, bounds));
            }
        }
        Ok(())
    }

    /// What a recording of it is found by.
    pub fn key(&self) -> ExchangeKey {
        // A value of these types has a JSON form.
        let text = serde_json::to_vec(self).unwrap_or_default();
        ExchangeKey(sha256_hex(&text))
    }

    /// How many tokens the messages are, about: a token of code is 3 bytes or more, a message adds a few.
    pub fn estimated_tokens(&self) -> u64 {
        let of = |message: &Message| (message.text.len() as u64).div_ceil(3) + 8;
        self.messages.iter().map(of).sum()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests;
