//! What answers requests: recordings, providers, or the first and then the second, by the mode in force.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use shared::api::{LlmMode, LlmSource};
use shared::llm::{ChatRequest, Exchange, ExchangeKey, ModelId};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::timeout;

use super::budget::{self, Purse};
use super::error::{LlmError, Wait};
use super::ledger::Ledger;
use super::provider::Provider;
use super::recordings::Recordings;
use super::telling::{hear, told_again};
use super::ticket::Ticket;
use super::{Answer, AnswerStream, Call, Estimate, Llm};
use crate::config::{Config, LlmBounds, LlmConfig, LlmModelConfig};

/// The gateway to all models; cheap to clone.
#[derive(Clone)]
pub struct Gateway(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) mode: LlmMode,
    /// Why it is that mode, where nobody chose it.
    pub(super) why: Option<String>,
    pub(super) providers: Vec<Provider>,
    pub(super) recordings: Recordings,
    pub(super) ledger: Ledger,
    pub(super) run: LlmBounds,
    /// The questions that are being asked: who has the same one waits for its recording.
    asked: Mutex<BTreeMap<ExchangeKey, Weak<AsyncMutex<()>>>>,
}

/// What a request came to before anything is sent.
enum Prepared {
    Recorded(Box<Exchange>),
    Live(Box<Ticket>),
}

impl Gateway {
    /// The one that a configuration describes.
    pub fn new(config: &Config) -> Self {
        let mode = config.llm_mode.value;
        Self::over(&config.data.value, config.providers.value.clone(), mode)
    }

    fn over(data: &Path, config: LlmConfig, chosen: Option<LlmMode>) -> Self {
        let LlmConfig {
            providers,
            day,
            run,
        } = config;
        let providers: Vec<Provider> = providers.into_iter().map(Provider::new).collect();
        let can_ask = providers.iter().any(|it| it.missing().is_none());
        let (mode, why) = match chosen {
            Some(mode) => (mode, None),
            None if can_ask => (LlmMode::Record, None),
            None if providers.is_empty() => (
                LlmMode::Replay,
                Some("no provider is configured (CTXLAB_PROVIDERS names their file)".to_owned()),
            ),
            None => (
                LlmMode::Replay,
                Some("no configured provider has its key".to_owned()),
            ),
        };
        Self(Arc::new(Inner {
            mode,
            why,
            providers,
            recordings: Recordings::of(data),
            ledger: Ledger::new(data.join("llm/spent"), day),
            run,
            asked: Mutex::default(),
        }))
    }

    /// What a run may spend, with nothing spent.
    pub fn run(&self) -> Purse {
        Purse::new(self.0.run)
    }

    async fn prepare(&self, call: Call) -> Result<Prepared, LlmError> {
        let Call { request, run } = call;
        request.check()?;
        let mode = self.0.mode;
        if mode != LlmMode::Live
            && let Some(exchange) = self.recorded(&request).await?
        {
            return Ok(Prepared::Recorded(exchange));
        }
        let (provider, model) = match self.find(&request.model) {
            found if mode != LlmMode::Replay => found?,
            found => {
                let is_known = !matches!(found, Err(LlmError::NoModel(_)));
                return Err(self.not_recorded(&request, is_known).await);
            }
        };
        let key = request.key();
        let mut turn = None;
        if mode == LlmMode::Record {
            turn = Some(self.turn(&key).await);
            if let Some(exchange) = self.recorded(&request).await? {
                return Ok(Prepared::Recorded(exchange));
            }
        }
        let gateway = self.clone();
        let asked_at = Timestamp::now();
        let day = blocking(move || gateway.0.ledger.purse(asked_at)).await?;
        let most = budget::cost(&model, budget::most(&model, &request));
        let mut holds = Vec::new();
        for (what, purse) in [("day", Some(&day)), ("run", run.as_ref())] {
            if let Some(purse) = purse {
                let hold = purse.hold(most);
                holds.push(hold.map_err(|why| LlmError::Budget(what, why))?);
            }
        }
        let config = &self.0.providers[provider].config;
        let place = self.0.providers[provider].places.clone().acquire_owned();
        let Ok(Ok(place)) = timeout(config.timeouts.whole, place).await else {
            return Err(LlmError::TimedOut(config.name.clone(), Wait::Place));
        };
        Ok(Prepared::Live(Box::new(Ticket::new(
            self.0.clone(),
            provider,
            (request, key, model),
            run,
            (holds, place, turn),
        ))))
    }

    /// Who has a model: the first that can be asked.
    fn find(&self, name: &ModelId) -> Result<(usize, LlmModelConfig), LlmError> {
        let mut last = LlmError::NoModel(name.clone());
        for (i, provider) in self.0.providers.iter().enumerate() {
            let models = &provider.config.models;
            let Some(model) = models.iter().find(|it| it.name == *name) else {
                continue;
            };
            match provider.missing() {
                None => return Ok((i, model.clone())),
                Some(why) => last = LlmError::NotReady(provider.config.name.clone(), why),
            }
        }
        Err(last)
    }

    async fn recorded(&self, request: &ChatRequest) -> Result<Option<Box<Exchange>>, LlmError> {
        let gateway = self.clone();
        let request = request.clone();
        let found = blocking(move || gateway.0.recordings.find(&request)).await?;
        Ok(found.map(Box::new))
    }

    async fn not_recorded(&self, request: &ChatRequest, is_known: bool) -> LlmError {
        let gateway = self.clone();
        let name = request.model.clone();
        let recorded = blocking(move || gateway.0.recordings.models()).await;
        let recorded = recorded.unwrap_or_default();
        if is_known || recorded.iter().any(|(known, _)| *known == name) {
            LlmError::NotRecorded(name, request.key())
        } else {
            LlmError::NoModel(name)
        }
    }

    /// Waits while the same question is being asked.
    async fn turn(&self, key: &ExchangeKey) -> OwnedMutexGuard<()> {
        let lock = {
            let mut asked = self.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.retain(|_, lock| lock.strong_count() > 0);
            let known = asked.get(key).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let lock = Arc::new(AsyncMutex::new(()));
                asked.insert(key.clone(), Arc::downgrade(&lock));
                lock
            })
        };
        lock.lock_owned().await
    }

    async fn complete(&self, call: Call) -> Result<Answer, LlmError> {
        let mut ticket = match self.prepare(call).await? {
            Prepared::Recorded(exchange) => return Ok(Answer::replayed(*exchange)),
            Prepared::Live(ticket) => ticket,
        };
        let provider = &self.0.providers[ticket.provider];
        let upstream = provider.upstream.as_ref().map_err(LlmError::clone)?;
        ticket.sent();
        let asked = provider
            .ask(|| upstream.ask(&ticket.request, &ticket.model))
            .await;
        match asked {
            Ok((reply, leave)) => {
                leave.well();
                Ok(ticket.finish(reply).await)
            }
            Err(e) => Err(ticket.fail(e)),
        }
    }

    async fn stream(&self, call: Call) -> Result<AnswerStream, LlmError> {
        let mut ticket = match self.prepare(call).await? {
            Prepared::Recorded(exchange) => return Ok(told_again(*exchange)),
            Prepared::Live(ticket) => ticket,
        };
        let provider = &self.0.providers[ticket.provider];
        let upstream = provider.upstream.as_ref().map_err(LlmError::clone)?;
        ticket.sent();
        let asked = provider
            .ask(|| upstream.listen(&ticket.request, &ticket.model))
            .await;
        match asked {
            Ok((hearing, leave)) => Ok(hear(hearing, leave, ticket)),
            Err(e) => Err(ticket.fail(e)),
        }
    }
}

impl Llm for Gateway {
    fn complete(&self, call: Call) -> BoxFuture<'_, Result<Answer, LlmError>> {
        Box::pin(Self::complete(self, call))
    }

    fn stream(&self, call: Call) -> BoxFuture<'_, Result<AnswerStream, LlmError>> {
        Box::pin(Self::stream(self, call))
    }

    fn estimate(&self, request: &ChatRequest) -> Estimate {
        let is_recorded = matches!(self.0.recordings.find(request), Ok(Some(_)));
        let (usage, nano_usd) = match self.find(&request.model) {
            Ok((_, model)) => {
                let usage = budget::most(&model, request);
                (usage, budget::price(&model, usage))
            }
            Err(_) => (budget::unbounded(request), None),
        };
        let is_free = is_recorded && self.0.mode != LlmMode::Live;
        Estimate {
            usage,
            nano_usd: if is_free { Some(0) } else { nano_usd },
            is_recorded,
        }
    }
}

impl Inner {
    pub(super) fn provider(&self, i: usize) -> &Provider {
        &self.providers[i]
    }
}

impl Answer {
    pub(super) fn replayed(exchange: Exchange) -> Self {
        let source = LlmSource::Replayed;
        Self { exchange, source }
    }
}

/// Work on the disk, beside the exchanges.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, LlmError> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.map_err(|e| LlmError::Storage(e.to_string()))?;
    done.map_err(|e| LlmError::Storage(e.to_string()))
}
