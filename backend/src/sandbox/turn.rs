//! Who runs at a time in this process: many guests beside each other, or one alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

static TURNS: RwLock<()> = RwLock::const_new(());
static BEGUN: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// A guest's right to run, until it is dropped.
pub(super) struct Turn {
    /// How many began before it.
    number: usize,
    /// Whether they had ended.
    began_alone: bool,
    _right: Right,
}

#[expect(dead_code, reason = "held, not looked at")]
enum Right {
    Shared(RwLockReadGuard<'static, ()>),
    Alone(RwLockWriteGuard<'static, ()>),
}

impl Turn {
    pub(super) async fn beside_others() -> Self {
        Self::begin(Right::Shared(TURNS.read().await))
    }

    /// Waits until nothing runs; nothing begins until it is dropped.
    pub(super) async fn alone() -> Self {
        Self::begin(Right::Alone(TURNS.write().await))
    }

    fn begin(right: Right) -> Self {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        Self {
            number,
            began_alone: ENDED.load(Ordering::Relaxed) == number,
            _right: right,
        }
    }

    /// Whether nothing else has run since it began.
    pub(super) fn was_alone(&self) -> bool {
        self.began_alone && BEGUN.load(Ordering::Relaxed) == self.number + 1
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Turn;

    // One test: turns are the whole process's.
    #[tokio::test]
    async fn a_turn_knows_whether_it_was_alone() {
        let first = Turn::beside_others().await;
        assert!(first.was_alone());
        let second = Turn::beside_others().await;
        assert!(!first.was_alone() && !second.was_alone());
        let third = tokio::spawn(Turn::alone());
        tokio::task::yield_now().await;
        assert!(!third.is_finished(), "two others run");
        drop((first, second));
        assert!(third.await.unwrap().was_alone());
    }
}
