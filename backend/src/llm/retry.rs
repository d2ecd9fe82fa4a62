//! When to ask a provider again: a few times, with growing pauses of random length, or when it says.

use std::time::Duration;

use backon::ExponentialBuilder;

use super::error::LlmError;

/// The longest that an exchange waits because a provider asks for it; with a longer pause it fails at once, and
/// whoever asked is told the pause.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The pauses where the provider says nothing. The crate `backon` draws them at random, so that exchanges that
/// failed together do not come back together.
pub(super) const fn policy() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(250))
        .with_max_delay(Duration::from_secs(15))
        .with_max_times(3)
        .with_jitter()
}

/// The pause before the next try, or none: `proposed` unless the provider asked for a longer one.
pub(super) fn pause(e: &LlmError, proposed: Option<Duration>) -> Option<Duration> {
    let proposed = proposed?;
    match e.retry_after() {
        None => Some(proposed),
        // A pause of nothing is an answer, too.
        Some(asked) if asked <= LONGEST_WAIT => Some(asked),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use backon::Retryable as _;
    use tokio::time::Instant;

    use super::*;

    /// When it was tried, in milliseconds from the start.
    async fn tried(fails: impl Fn(usize) -> Option<LlmError>) -> (Vec<u128>, bool) {
        let start = Instant::now();
        let at = RefCell::new(Vec::new());
        let once = || async {
            at.borrow_mut().push(start.elapsed().as_millis());
            fails(at.borrow().len()).map_or(Ok(()), Err)
        };
        let done = once
            .retry(policy())
            .sleep(tokio::time::sleep)
            .when(LlmError::is_passing)
            .adjust(pause)
            .await;
        (at.into_inner(), done.is_ok())
    }

    fn busy(seconds: Option<u64>) -> LlmError {
        LlmError::Busy("p".to_owned(), seconds.map(Duration::from_secs))
    }

    #[tokio::test(start_paused = true)]
    async fn the_provider_s_pause_is_kept() {
        let (at, done) = tried(|n| (n < 3).then(|| busy(Some(7)))).await;
        assert_eq!((at, done), (vec![0, 7000, 14_000], true));
        let (at, done) = tried(|_| Some(busy(Some(61)))).await;
        assert_eq!((at, done), (vec![0], false));
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_within_bounds_and_end() {
        let (at, done) = tried(|_| Some(busy(None))).await;
        assert!(!done);
        let pauses: Vec<u128> = at.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(pauses.len(), 3);
        for (pause, base) in pauses.iter().zip([250, 500, 1000]) {
            // A timer's step is a millisecond.
            assert!((base..=2 * base + 2).contains(pause), "{pauses:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_have_cost_is_not_asked_again() {
        let (at, _) = tried(|_| Some(LlmError::Cut("p".to_owned()))).await;
        assert_eq!(at.len(), 1);
    }
}
