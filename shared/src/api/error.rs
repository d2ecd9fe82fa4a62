//! What a refused request answers.

use serde::{Deserialize, Serialize};

/// The body of every answer that is not a success.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    /// What kind of refusal.
    pub code: ErrorCode,
    /// What failed and why; lower case, no final stop.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// For finding the request in the server's log.
    pub request_id: String,
}

/// The kinds of refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// There is no such thing.
    NotFound,
    /// The request is malformed.
    Invalid,
    /// The server failed; the request may be good.
    Internal,
}

impl ErrorCode {
    /// Its word on the wire.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Invalid => "invalid",
            Self::Internal => "internal",
        }
    }
}
