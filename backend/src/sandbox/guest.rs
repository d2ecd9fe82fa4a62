//! A running guest, as every engine gives it.

use tokio::io::AsyncRead;
use tokio::sync::oneshot;

/// An isolated Python that runs. Dropping it ends it.
pub struct Guest {
    /// What it writes to standard output: the harness's lines.
    pub output: Box<dyn AsyncRead + Send + Unpin>,
    /// What it writes to standard error: all that the program prints.
    pub errors: Box<dyn AsyncRead + Send + Unpin>,
    /// How it ended, when nothing of it runs any more; closed without a word where it was stopped.
    pub exit: oneshot::Receiver<Exit>,
    /// Dropped to end it.
    pub stop: oneshot::Sender<()>,
}

/// How a guest ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// It wanted more memory than it may have, and did not go on without.
    OutOfMemory,
    /// It was ended by a fault or a signal.
    Fault(String),
    /// The engine failed: it says nothing about the program.
    Failed(String),
    /// The place is gone with all that ran in it: it says nothing about the program, which may run elsewhere.
    Lost(String),
}
