//! Why a model gave no reply: what failed, why, and what to do next.

use std::time::Duration;

use axum::http::StatusCode;
use shared::llm::{ExchangeKey, ModelId, RequestError};
use thiserror::Error;

/// Why there is no reply.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The request cannot be asked.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// Nobody has this model, and none of its answers is recorded.
    #[error("no model {0}")]
    NoModel(ModelId),
    /// Only recordings answer, and this question has none.
    #[error("this question to {0} is not recorded (key {1})")]
    NotRecorded(ModelId, ExchangeKey),
    /// The provider's key is not set, or something else that it needs.
    #[error("provider {0} cannot be asked: {1}")]
    NotReady(String, String),
    /// The run or the day has spent what it may.
    #[error("the budget of the {0} is spent: {1}")]
    Budget(&'static str, String),
    /// The provider failed too often.
    #[error("provider {0} failed too often and is not asked for a while")]
    CircuitOpen(String, Duration),
    /// The provider does not take this request.
    #[error("provider {0} refused the request ({1}): {2}")]
    Refused(String, StatusCode, String),
    /// The provider does not take this server's key.
    #[error("provider {0} refused this server's key ({1})")]
    KeyRefused(String, StatusCode),
    /// The provider has too much to do.
    #[error("provider {0} has too much to do")]
    Busy(String, Option<Duration>),
    /// The provider failed.
    #[error("provider {0} failed ({1}): {2}")]
    Failed(String, StatusCode, String),
    /// There is no connection to the provider.
    #[error("provider {0} cannot be reached: {1}")]
    Unreachable(String, String),
    /// It took too long.
    #[error("provider {0} took too long: {1}")]
    TimedOut(String, Wait),
    /// The answer ended in the middle.
    #[error("the answer of provider {0} broke off")]
    Cut(String),
    /// The answer is none.
    #[error("the answer of provider {0} is not understood: {1}")]
    NotUnderstood(String, String),
    /// The answer is too large.
    #[error("the answer of provider {0} is larger than {limit} MiB", limit = .1 >> 20)]
    TooLarge(String, usize),
    /// The disk refused.
    #[error("the answer could not be kept or read: {0}")]
    Storage(String),
}

/// What was waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// One of the provider's places.
    Place,
    /// The beginning of the answer.
    FirstByte,
    /// More of the answer.
    Idle,
    /// All of the answer.
    Whole,
}

impl std::fmt::Display for Wait {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Place => "all its places stayed taken",
            Self::FirstByte => "no answer began in time",
            Self::Idle => "the answer stopped coming",
            Self::Whole => "the answer did not end in time",
        })
    }
}

impl LlmError {
    /// What a client of this server is told.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Request(_) => StatusCode::BAD_REQUEST,
            Self::NoModel(_) | Self::NotRecorded(..) => StatusCode::NOT_FOUND,
            Self::Budget(..) | Self::Busy(..) => StatusCode::TOO_MANY_REQUESTS,
            Self::CircuitOpen(..) | Self::NotReady(..) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Refused(_, status, _) => *status,
            Self::KeyRefused(..)
            | Self::Failed(..)
            | Self::Unreachable(..)
            | Self::Cut(_)
            | Self::NotUnderstood(..)
            | Self::TooLarge(..) => StatusCode::BAD_GATEWAY,
            Self::TimedOut(..) => StatusCode::GATEWAY_TIMEOUT,
            Self::Storage(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Request(_) => "invalid_value",
            Self::NoModel(_) => "model_not_found",
            Self::NotRecorded(..) => "not_recorded",
            Self::NotReady(..) => "provider_not_ready",
            Self::Budget(..) => "insufficient_quota",
            Self::CircuitOpen(..) => "circuit_open",
            Self::Refused(..) => "upstream_refused",
            Self::KeyRefused(..) => "upstream_key_refused",
            Self::Busy(..) => "rate_limit_exceeded",
            Self::Failed(..) => "upstream_failed",
            Self::Unreachable(..) => "upstream_unreachable",
            Self::TimedOut(..) => "upstream_timeout",
            Self::Cut(_) => "upstream_cut",
            Self::NotUnderstood(..) => "upstream_not_understood",
            Self::TooLarge(..) => "upstream_too_large",
            Self::Storage(_) => "storage",
        }
    }

    /// The field of the request that is at fault.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Request(e) => Some(e.field()),
            Self::NoModel(_) => Some("model"),
            _ => None,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Request(_) => "change the request",
            Self::NoModel(_) => {
                "list the models, or add it to the file that CTXLAB_PROVIDERS names"
            }
            Self::NotRecorded(..) => {
                "import recordings with `ctxlab recordings import`, or set CTXLAB_LLM_MODE=record"
            }
            Self::NotReady(..) => "set what is missing and start the server again",
            Self::Budget(..) => "raise the budget in the file that CTXLAB_PROVIDERS names, or wait",
            Self::CircuitOpen(..) | Self::Busy(..) => "try again later",
            Self::Refused(..) => "change the request, or ask another model",
            Self::KeyRefused(..) => "give the server another key",
            Self::Failed(..) | Self::Cut(_) | Self::TimedOut(..) => {
                "try again, or ask another model"
            }
            Self::Unreachable(..) => "check the provider's base_url and the network",
            Self::NotUnderstood(..) => {
                "check that the provider's base_url is that of an OpenAI-compatible interface"
            }
            Self::TooLarge(..) => "ask for fewer tokens",
            Self::Storage(_) => "check the rights and the space of the data folder",
        }
    }

    /// When it may be tried again, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::CircuitOpen(_, pause) | Self::Busy(_, Some(pause)) => Some(*pause),
            _ => None,
        }
    }

    /// Whether the same request may get a reply later, and costs nothing twice.
    pub fn is_passing(&self) -> bool {
        // Where it timed out or broke off, the provider may have begun to answer, and to count.
        matches!(
            self,
            Self::Busy(..) | Self::Failed(..) | Self::Unreachable(..)
        )
    }

    /// Whether the provider may have begun to answer, and to count.
    pub(super) fn may_have_cost(&self) -> bool {
        matches!(
            self,
            Self::Cut(_) | Self::NotUnderstood(..) | Self::TooLarge(..) | Self::TimedOut(..)
        )
    }

    /// Whether it speaks against the provider rather than against the request.
    pub(super) fn is_the_provider_s(&self) -> bool {
        matches!(
            self,
            Self::Failed(..)
                | Self::Unreachable(..)
                | Self::TimedOut(..)
                | Self::Cut(_)
                | Self::NotUnderstood(..)
                | Self::TooLarge(..)
        )
    }
}
