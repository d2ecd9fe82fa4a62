//! One timed line of output for each step of a command.

use std::io::{Write as _, stdout};
use std::time::Instant;

use anyhow::{Context as _, Result};

/// Does `work` and prints how long it took.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let done = work().with_context(|| format!("step `{name}` failed"))?;
    println!("{name:<28} {:>7.2} s", start.elapsed().as_secs_f64());
    stdout().flush()?;
    Ok(done)
}
