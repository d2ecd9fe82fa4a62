//! One exchange under way: what it holds, and how it is put down when it ends, however it ends.

use std::sync::Arc;

use jiff::Timestamp;
use shared::api::LlmSource;
use shared::llm::{ChatRequest, Exchange, ExchangeKey, Piece, Reply, Usage};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};
use tokio::time::Instant;

use super::Answer;
use super::budget::{self, Hold, Purse};
use super::error::LlmError;
use super::gateway::Inner;
use super::ledger::Spent;
use crate::config::LlmModelConfig;

/// An exchange that may be sent. Dropped after that without an end, it is counted by what was heard.
pub(super) struct Ticket {
    gateway: Arc<Inner>,
    pub(super) provider: usize,
    pub(super) request: ChatRequest,
    key: ExchangeKey,
    pub(super) model: LlmModelConfig,
    run: Option<Purse>,
    asked_at: Timestamp,
    started: Instant,
    /// How many bytes of reply were heard.
    n_heard: usize,
    /// What it may have cost is not put down yet.
    is_open: bool,
    /// Given back after that.
    _held: (Vec<Hold>, OwnedSemaphorePermit, Option<OwnedMutexGuard<()>>),
}

impl Ticket {
    pub(super) fn new(
        gateway: Arc<Inner>,
        provider: usize,
        (request, key, model): (ChatRequest, ExchangeKey, LlmModelConfig),
        run: Option<Purse>,
        held: (Vec<Hold>, OwnedSemaphorePermit, Option<OwnedMutexGuard<()>>),
    ) -> Self {
        Self {
            gateway,
            provider,
            request,
            key,
            model,
            run,
            asked_at: Timestamp::now(),
            started: Instant::now(),
            n_heard: 0,
            is_open: false,
            _held: held,
        }
    }

    /// From now on it may cost something.
    pub(super) fn sent(&mut self) {
        self.is_open = true;
    }

    pub(super) fn hear(&mut self, piece: &Piece) {
        self.n_heard += piece.text.len() + piece.reasoning.len();
    }

    /// There is no reply.
    pub(super) fn fail(mut self: Box<Self>, e: LlmError) -> LlmError {
        if !e.may_have_cost() {
            self.is_open = false;
        }
        e
    }

    /// The reply came whole: it is kept, then put down. Whoever is killed in between has a reply that was not
    /// counted, and none that is lost.
    pub(super) async fn finish(mut self: Box<Self>, mut reply: Reply) -> Answer {
        let usage = reply.usage.unwrap_or_else(|| {
            let heard = |it: &shared::llm::Choice| {
                it.text.len() + it.reasoning.as_ref().map_or(0, String::len)
            };
            self.estimate(reply.choices.iter().map(heard).sum())
        });
        reply.usage = Some(usage);
        let exchange = Exchange {
            schema: Exchange::SCHEMA,
            key: self.key.clone(),
            request: self.request.clone(),
            reply,
            provider: self.gateway.provider(self.provider).config.name.clone(),
            asked_at: self.asked_at.to_string(),
            duration_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            cost_nano_usd: budget::price(&self.model, usage),
        };
        let kept = exchange.clone();
        let work = move || {
            if let Err(e) = self.gateway.recordings.keep(&kept) {
                tracing::error!("a reply could not be recorded: {e:#}");
            }
            self.put_down(usage, true);
        };
        if tokio::task::spawn_blocking(work).await.is_err() {
            tracing::error!("a reply could not be recorded: the task ended early");
        }
        Answer {
            exchange,
            source: LlmSource::Live,
        }
    }

    /// Tokens, where the provider does not say.
    fn estimate(&self, n_bytes: usize) -> Usage {
        Usage {
            prompt_tokens: self.request.estimated_tokens(),
            completion_tokens: (n_bytes as u64).div_ceil(3),
            is_estimated: true,
            ..Usage::default()
        }
    }

    fn put_down(&mut self, usage: Usage, is_whole: bool) {
        self.is_open = false;
        let cost = budget::cost(&self.model, usage);
        if let Some(run) = &self.run {
            run.spend(cost);
        }
        let spent = Spent {
            at: Timestamp::now(),
            provider: self.gateway.provider(self.provider).config.name.clone(),
            model: self.request.model.clone(),
            key: self.key.clone(),
            usage,
            nano_usd: cost.nano_usd,
            is_whole,
        };
        if let Err(e) = self.gateway.ledger.add(&spent) {
            tracing::error!("what an exchange cost could not be put down: {e}");
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_open {
            let usage = self.estimate(self.n_heard);
            self.put_down(usage, false);
        }
    }
}
