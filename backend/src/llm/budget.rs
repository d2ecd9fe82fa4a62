//! What may be spent, by a run and by a day: money and tokens.
//!
//! An exchange first holds what it may cost at most, so that many at once spend no more than there is; when it
//! ends, what it did cost is put down in its place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared::api::LlmBudget;
use shared::llm::{ChatRequest, Usage};

use crate::config::{LlmBounds, LlmModelConfig};

/// Tokens, and billionths of a US dollar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cost {
    /// Billionths of a US dollar.
    pub(super) nano_usd: u64,
    /// Tokens, read and written.
    pub(super) tokens: u64,
}

impl Cost {
    fn plus(self, other: Self) -> Self {
        Self {
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            nano_usd: self.nano_usd.saturating_sub(other.nano_usd),
            tokens: self.tokens.saturating_sub(other.tokens),
        }
    }
}

/// What tokens cost; `None` where the model's price is not known.
pub(super) fn price(model: &LlmModelConfig, usage: Usage) -> Option<u64> {
    let price = model.price?;
    // Millionths for a million tokens are millionths of millionths a token: a thousandth of our unit.
    let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
    let sum = of(usage.prompt_tokens, price.input_micro_usd)
        + of(usage.completion_tokens, price.output_micro_usd);
    Some(u64::try_from(sum.div_ceil(1000)).unwrap_or(u64::MAX))
}

/// The most that a request may take, about.
pub(super) fn most(model: &LlmModelConfig, request: &ChatRequest) -> Usage {
    let longest = request.options.max_tokens.unwrap_or(model.max_output);
    Usage {
        prompt_tokens: request.estimated_tokens(),
        completion_tokens: u64::from(longest) * u64::from(request.options.n_choices()),
        is_estimated: true,
        ..Usage::default()
    }
}

/// What a request takes of a model of which nothing is known.
pub(super) fn unbounded(request: &ChatRequest) -> Usage {
    most(&LlmModelConfig::named("", ""), request)
}

/// Cost of tokens, where the price counts for nothing if it is not known.
pub(super) fn cost(model: &LlmModelConfig, usage: Usage) -> Cost {
    Cost {
        nano_usd: price(model, usage).unwrap_or(0),
        tokens: usage.total(),
    }
}

/// What one run, or one day, may spend; shared by its exchanges.
#[derive(Clone, Debug)]
pub struct Purse(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bounds: LlmBounds,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: Cost,
    held: Cost,
}

/// What is held of a purse for one exchange; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Hold {
    purse: Purse,
    held: Cost,
}

impl Purse {
    /// With nothing spent.
    pub fn new(bounds: LlmBounds) -> Self {
        let state = Mutex::default();
        Self(Arc::new(Inner { bounds, state }))
    }

    /// Holds a cost, or says why there is not enough.
    pub(super) fn hold(&self, cost: Cost) -> Result<Hold, String> {
        let mut state = self.lock();
        let all = state.spent.plus(state.held).plus(cost);
        let LlmBounds { nano_usd, tokens } = self.0.bounds;
        if let Some(most) = nano_usd.filter(|most| all.nano_usd > *most) {
            let (spent, next) = (dollars(state.spent.nano_usd), dollars(cost.nano_usd));
            let held = dollars(state.held.nano_usd);
            return Err(format!(
                "{spent} of {} US dollars are spent, {held} are held for what is under way, and this may cost {next}",
                dollars(most)
            ));
        }
        if let Some(most) = tokens.filter(|most| all.tokens > *most) {
            return Err(format!(
                "{} of {most} tokens are spent, {} are held for what is under way, and this may take {}",
                state.spent.tokens, state.held.tokens, cost.tokens
            ));
        }
        state.held = state.held.plus(cost);
        drop(state);
        Ok(Hold {
            purse: self.clone(),
            held: cost,
        })
    }

    /// Puts down what was spent, whatever is held.
    pub(super) fn spend(&self, cost: Cost) {
        let mut state = self.lock();
        state.spent = state.spent.plus(cost);
    }

    /// What is spent, and what may be.
    pub fn state(&self) -> LlmBudget {
        let Cost { nano_usd, tokens } = self.lock().spent;
        LlmBudget {
            nano_usd,
            tokens,
            max_nano_usd: self.0.bounds.nano_usd,
            max_tokens: self.0.bounds.tokens,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = self.purse.lock();
        state.held = state.held.minus(self.held);
    }
}

/// US dollars with six places.
pub fn dollars(nano_usd: u64) -> String {
    let micro = nano_usd.div_ceil(1000);
    format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LlmPrice;

    fn bounds(nano_usd: Option<u64>, tokens: Option<u64>) -> LlmBounds {
        LlmBounds { nano_usd, tokens }
    }

    const fn of(nano_usd: u64, tokens: u64) -> Cost {
        Cost { nano_usd, tokens }
    }

    #[test]
    fn what_is_under_way_counts_until_it_is_settled() {
        let purse = Purse::new(bounds(Some(100), None));
        let first = purse.hold(of(60, 5)).unwrap();
        let why = purse.hold(of(41, 5)).unwrap_err();
        assert!(why.contains("0.000001 are held"), "{why}");
        purse.spend(of(20, 3));
        drop(first);
        assert_eq!((purse.state().nano_usd, purse.state().tokens), (20, 3));
        assert!(purse.hold(of(81, 0)).is_err());
        assert!(purse.hold(of(80, 0)).is_ok());
        let purse = Purse::new(bounds(None, Some(10)));
        assert!(purse.hold(of(u64::MAX, 10)).is_ok());
        assert!(purse.hold(of(0, 11)).unwrap_err().contains("of 10 tokens"));
    }

    #[test]
    fn a_price_is_rounded_up() {
        let mut model = LlmModelConfig::named("m", "m");
        let usage = Usage {
            prompt_tokens: 1_000_000,
            completion_tokens: 1,
            ..Usage::default()
        };
        assert_eq!(price(&model, usage), None);
        model.price = Some(LlmPrice {
            input_micro_usd: 270_000,
            output_micro_usd: 1_100_001,
        });
        // 0.27 dollars, and 1.1 millionths.
        assert_eq!(price(&model, usage), Some(270_000_000 + 1_101));
        assert_eq!(dollars(270_001_101), "0.270002");
    }
}
