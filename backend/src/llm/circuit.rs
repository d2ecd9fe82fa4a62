//! Whether a provider is asked at all: after some failures in a row it is left alone for a while, then one
//! exchange finds out whether it is back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shared::api::LlmCircuit;
use tokio::time::Instant;

/// So many failures in a row open it.
const MOST_FAILURES: u32 = 5;
/// How long it is open the first time; twice as long each time that the provider is still not back.
const PAUSE: Duration = Duration::from_secs(15);
/// The longest that it is open.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// Of one provider.
#[derive(Clone, Default)]
pub(super) struct Circuit(Arc<Mutex<State>>);

#[derive(Clone, Copy, Default)]
struct State {
    n_failures: u32,
    /// Until when nothing is asked.
    open_until: Option<Instant>,
    pause: Duration,
    /// An exchange finds out whether the provider is back.
    is_probing: bool,
}

/// Leave to ask once. Dropped without a word, it says nothing about the provider.
pub(super) struct Leave {
    circuit: Circuit,
    is_probe: bool,
}

impl Circuit {
    /// Leave to ask, or how long there is none.
    pub(super) fn leave(&self) -> Result<Leave, Duration> {
        let mut state = self.lock();
        let mut is_probe = false;
        if let Some(until) = state.open_until {
            let left = until.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                return Err(left);
            }
            if state.is_probing {
                return Err(Duration::from_secs(1));
            }
            state.is_probing = true;
            is_probe = true;
        }
        let circuit = self.clone();
        Ok(Leave { circuit, is_probe })
    }

    /// For people.
    pub(super) fn state(&self) -> LlmCircuit {
        let state = *self.lock();
        let Some(until) = state.open_until else {
            let n_failures = state.n_failures;
            return LlmCircuit::Closed { n_failures };
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return LlmCircuit::HalfOpen;
        }
        let retry_in_s = (left + Duration::from_millis(999)).as_secs();
        LlmCircuit::Open { retry_in_s }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leave {
    /// The provider did what a provider should.
    pub(super) fn well(self) {
        *self.circuit.lock() = State::default();
    }

    /// It failed.
    pub(super) fn badly(self) {
        let mut state = self.circuit.lock();
        state.n_failures += 1;
        if self.is_probe || state.n_failures >= MOST_FAILURES {
            let longer = (state.pause * 2).clamp(PAUSE, LONGEST_PAUSE);
            // What was under way when it opened makes it no longer.
            if self.is_probe || state.open_until.is_none() {
                state.pause = longer;
                state.open_until = Some(Instant::now() + longer);
            }
        }
    }
}

impl Drop for Leave {
    fn drop(&mut self) {
        if self.is_probe {
            self.circuit.lock().is_probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn fail(circuit: &Circuit, n: u32) {
        for _ in 0..n {
            circuit.leave().ok().unwrap().badly();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_and_closes_after_a_success() {
        let circuit = Circuit::default();
        fail(&circuit, MOST_FAILURES - 1);
        circuit.leave().ok().unwrap().well();
        fail(&circuit, MOST_FAILURES - 1);
        assert_eq!(circuit.state(), LlmCircuit::Closed { n_failures: 4 });
        fail(&circuit, 1);
        assert_eq!(circuit.state(), LlmCircuit::Open { retry_in_s: 15 });
        assert_eq!(circuit.leave().err(), Some(PAUSE));
        advance(PAUSE).await;
        assert_eq!(circuit.state(), LlmCircuit::HalfOpen);
        let probe = circuit.leave().ok().unwrap();
        // One is enough.
        assert!(circuit.leave().is_err());
        probe.badly();
        assert_eq!(circuit.leave().err(), Some(PAUSE * 2));
        advance(PAUSE * 2).await;
        // Given up: it says nothing, and another may find out.
        drop(circuit.leave().ok().unwrap());
        circuit.leave().ok().unwrap().well();
        assert_eq!(circuit.state(), LlmCircuit::Closed { n_failures: 0 });
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_under_way_makes_the_pause_no_longer() {
        let circuit = Circuit::default();
        let late: Vec<_> = (0..9).map(|_| circuit.leave().ok().unwrap()).collect();
        late.into_iter().for_each(Leave::badly);
        assert_eq!(circuit.leave().err(), Some(PAUSE));
    }
}
