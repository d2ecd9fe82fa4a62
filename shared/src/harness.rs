//! Running test classes: what a guest is given, what it tells, and the report that comes of it.
//!
//! A guest is a Python, isolated by whoever starts it, that runs [`HARNESS`]. The [`Listener`] of a job
//! writes the harness's input, hears its lines, and says which test classes another guest has to run when
//! one hung. It reads no clock and starts nothing: the server's engines and the page's use the same one.

mod job;
mod listener;
mod test_module;

pub use self::job::{Allowance, TestClass, TestJob};
pub use self::listener::{Ended, Heard, Listener};
pub(crate) use self::test_module::TestModule;

/// The program that a guest runs; its own text says what it reads and writes.
pub const HARNESS: &str = include_str!("harness/run_tests.py");

#[cfg(test)]
mod tests;
