//! One provider: whether it can be asked, and asking it again where that may help.

use std::future::Future;
use std::sync::Arc;

use backon::Retryable as _;
use shared::api::LlmProvider;
use tokio::sync::Semaphore;

use super::circuit::{Circuit, Leave};
use super::error::LlmError;
use super::retry;
use super::upstream::Upstream;
use crate::config::LlmProviderConfig;

/// A provider and its state.
pub(super) struct Provider {
    pub(super) config: LlmProviderConfig,
    pub(super) upstream: Result<Upstream, LlmError>,
    circuit: Circuit,
    pub(super) places: Arc<Semaphore>,
}

impl Provider {
    pub(super) fn new(config: LlmProviderConfig) -> Self {
        Self {
            upstream: Upstream::new(config.clone()),
            circuit: Circuit::default(),
            places: Arc::new(Semaphore::new(config.concurrency)),
            config,
        }
    }

    /// What it lacks before it can be asked.
    pub(super) fn missing(&self) -> Option<String> {
        let broken = self.upstream.as_ref().err().map(ToString::to_string);
        self.config.missing().or(broken)
    }

    /// For people.
    pub(super) fn state(&self) -> LlmProvider {
        let concurrency = self.config.concurrency;
        LlmProvider {
            name: self.config.name.clone(),
            host: self.config.host.clone(),
            missing: self.missing(),
            circuit: self.circuit.state(),
            n_under_way: concurrency - self.places.available_permits(),
            concurrency,
        }
    }

    /// Asks, and asks again where that may help. The circuit hears of every failure here; of a success, whoever
    /// has heard all of it.
    pub(super) async fn ask<T, F: Future<Output = Result<T, LlmError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> Result<(T, Leave), LlmError> {
        let once = || async {
            let closed = |pause| LlmError::CircuitOpen(self.config.name.clone(), pause);
            let leave = self.circuit.leave().map_err(closed)?;
            match ask().await {
                Ok(answer) => Ok((answer, leave)),
                Err(e) => {
                    if e.is_the_provider_s() {
                        leave.badly();
                    }
                    Err(e)
                }
            }
        };
        once.retry(retry::policy())
            .sleep(tokio::time::sleep)
            .when(LlmError::is_passing)
            .adjust(retry::pause)
            .notify(|e, pause| {
                let pause_ms = pause.as_millis();
                tracing::info!(pause_ms, "asking again: {e}");
            })
            .await
    }
}
