//! An exchange with a model as it is kept: a JSON line.

use serde::{Deserialize, Serialize};

use super::{ChatRequest, ExchangeKey, Reply};
use crate::variant::{LineError, SCHEMA, check_schema};

/// How long a line may be.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// A question and its reply, as they were.
///
/// As a JSON line (schema 1): `schema`, `key` (of the request), `request` (`model`, `messages`, `options`,
/// `sample`), `reply` (`model`, `choices`, `usage`, `fingerprint`), `provider`, `asked_at`, `duration_ms`,
/// `cost_nano_usd` (may be absent). Other fields are ignored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The format's version.
    pub schema: u8,
    /// What it is found by.
    pub key: ExchangeKey,
    /// What was asked.
    pub request: ChatRequest,
    /// What came back.
    pub reply: Reply,
    /// Who was asked for it, by the name that the configuration gives.
    pub provider: String,
    /// When, as RFC 3339 has it.
    pub asked_at: String,
    /// How long it took.
    pub duration_ms: u64,
    /// What it cost, in billionths of a US dollar; absent where the model's price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_nano_usd: Option<u64>,
}

impl Exchange {
    /// Reads a line. Its key is computed again: a line under another's key would answer for it.
    pub fn from_json_line(line: &str) -> Result<Self, LineError> {
        let wrong = |why: String| {
            let fields = "schema, key, request, reply, provider, asked_at and duration_ms";
            LineError::Format("recording", why, fields)
        };
        let read: Self = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
        check_schema(read.schema)?;
        read.request.check().map_err(|e| wrong(e.to_string()))?;
        let key = read.request.key();
        if key != read.key {
            return Err(wrong(format!("its request has the key {key}")));
        }
        if !read.reply.is_whole() {
            return Err(wrong("its reply has no end".to_owned()));
        }
        Ok(read)
    }

    /// The line, without its end.
    pub fn json_line(&self) -> String {
        // A value of these types has a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The format's version that is written.
    pub const SCHEMA: u8 = SCHEMA;
}
