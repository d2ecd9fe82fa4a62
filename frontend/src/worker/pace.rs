//! Long jobs in short slices, so that a cancellation or a short request gets in between.

use std::cell::Cell;
use std::rc::Rc;

use crate::platform::clock;
use crate::worker::protocol::{Failure, FailureKind, Progress};

/// The longest that a job may hold the worker.
const SLICE_MS: f64 = 25.0;
/// The shortest time between two words of progress.
const PROGRESS_MS: f64 = 100.0;

/// How a job takes its time: it calls [`Pace::breathe`] between its steps.
pub(crate) struct Pace {
    slice_began_ms: Cell<f64>,
    told_ms: Cell<f64>,
    cancelled: Rc<Cell<bool>>,
    tell: Box<dyn Fn(Progress)>,
}

impl Pace {
    /// `cancelled` is set from outside; `tell` passes progress on.
    pub(crate) fn new(cancelled: Rc<Cell<bool>>, tell: impl Fn(Progress) + 'static) -> Self {
        let now = clock::now_ms();
        Self {
            slice_began_ms: Cell::new(now),
            told_ms: Cell::new(now),
            cancelled,
            tell: Box::new(tell),
        }
    }

    /// Lets others run when the slice is used up; an error when the job was given up.
    pub(crate) async fn breathe(&self, done: usize, of: usize) -> Result<(), Failure> {
        let now = clock::now_ms();
        if now - self.slice_began_ms.get() < SLICE_MS {
            return Ok(());
        }
        if now - self.told_ms.get() >= PROGRESS_MS {
            self.told_ms.set(now);
            (self.tell)(Progress { done, of });
        }
        clock::turn().await;
        self.slice_began_ms.set(clock::now_ms());
        self.check()
    }

    /// An error when the job was given up.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.cancelled.get() {
            Err(Failure::new(FailureKind::Cancelled, "cancelled"))
        } else {
            Ok(())
        }
    }
}
