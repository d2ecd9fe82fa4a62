//! Asking language models: recordings, providers, and what stands between them.
//!
//! ```text
//! routes, commands ── Call ──> Gateway ── recorded? ──> Recordings
//!                                 │ no: budget, place, circuit, retry
//!                                 v
//!                              Upstream ── HTTP ──> a configured host
//!                                 │ redacted
//!                                 v
//!                     Answer: kept, put down in the Ledger, passed on
//! ```
//!
//! In reading order: this file (the trait), `gateway` (who answers), `ticket` (one exchange under way),
//! `provider` (`circuit`, `retry`), `upstream`, `events` and `wire` (HTTP and its words), `telling` (streams),
//! `redact` and `secret` (keys), `budget` and `ledger` (what may be and was spent), `recordings`, `status`,
//! `access` (who may ask), `error`.

mod access;
mod budget;
mod circuit;
mod error;
mod events;
mod gateway;
mod ledger;
mod provider;
mod recordings;
mod redact;
mod retry;
mod secret;
mod status;
mod telling;
mod ticket;
mod upstream;
mod wire;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use shared::api::LlmSource;
use shared::llm::{ChatRequest, Exchange, Piece, Usage};

pub(crate) use self::access::Access;
pub use self::budget::{Purse, dollars};
pub use self::error::{LlmError, Wait};
pub use self::gateway::Gateway;
pub use self::recordings::{Imported, Recordings};
pub use self::secret::{MASK, Secret};

/// What answers a conversation.
pub trait Llm: Send + Sync {
    /// The whole answer. Dropping the future gives the exchange up.
    fn complete(&self, call: Call) -> BoxFuture<'_, Result<Answer, LlmError>>;

    /// The answer as it comes. Dropping the stream gives the exchange up.
    fn stream(&self, call: Call) -> BoxFuture<'_, Result<AnswerStream, LlmError>>;

    /// What a request takes at most, before it is asked.
    fn estimate(&self, request: &ChatRequest) -> Estimate;
}

/// A request, and for whom it is.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is asked.
    pub request: ChatRequest,
    /// What the run may spend that it belongs to; absent: only the day's budget counts.
    pub run: Option<Purse>,
}

impl From<ChatRequest> for Call {
    fn from(request: ChatRequest) -> Self {
        let run = None;
        Self { request, run }
    }
}

/// A reply, with what is known of how it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The exchange, as it is recorded.
    pub exchange: Exchange,
    /// Whether it was recorded before.
    pub source: LlmSource,
}

/// An answer as it comes: pieces, then one [`Event::Done`]; or an error, and nothing after it.
pub type AnswerStream = BoxStream<'static, Result<Event, LlmError>>;

/// What is heard of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A piece of a reply.
    Piece(Piece),
    /// The last: all pieces came, and this is what they make.
    Done(Box<Answer>),
}

/// What a request takes at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// Tokens, about.
    pub usage: Usage,
    /// Billionths of a US dollar; absent where the price is not known.
    pub nano_usd: Option<u64>,
    /// Whether the answer is recorded.
    pub is_recorded: bool,
}
