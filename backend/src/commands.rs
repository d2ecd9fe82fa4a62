//! What the commands do: one file each.

mod dataset;
mod diff;
mod doctor;
mod engine;
mod growing;
mod identify;
mod perturb;
mod recordings;
mod resolution;
mod selfcheck;
mod table;
mod test;
mod xml;

use std::io::Write;

use anyhow::Result;

use crate::benchmarks::Benchmarks;
use crate::cli::{Cli, Command};
use crate::config::Config;
use crate::server;
use crate::state::AppState;
use crate::store::Store;

/// What came out of a command that worked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// What was asked is done.
    Done,
    /// What was compared differs, or what was tested fails.
    Different,
}

/// Does what was asked under a configuration; results go to `out`, notes to standard error.
pub fn run(cli: Cli, config: &Config, out: &mut dyn Write) -> Result<Outcome> {
    let benchmarks = Benchmarks {
        store: Store::open(&config.data.value),
        site: config.site.value.clone(),
    };
    match cli
        .command
        .filter(|_| !cli.check)
        .unwrap_or(Command::Doctor)
    {
        Command::Serve(_) => serve(config, benchmarks, out)?,
        Command::Dataset(command) => dataset::run(command, config, &benchmarks, out)?,
        Command::Perturb(args) => perturb::run(&args, &benchmarks, out)?,
        Command::Diff(args) => return diff::run(&args, out),
        Command::Identify(args) => identify::run(&args, &benchmarks, out)?,
        Command::Resolution(args) => resolution::run(&args, &benchmarks, out)?,
        Command::Test(args) => return test::run(&args, config, &benchmarks, out),
        Command::Selfcheck(args) => return selfcheck::run(&args, config, &benchmarks, out),
        Command::Recordings(command) => recordings::run(command, config, out)?,
        Command::Engine(command) => engine::run(command, config, out)?,
        Command::Doctor => doctor::run(config, &benchmarks, out)?,
    }
    Ok(Outcome::Done)
}

/// Waits for what engines do.
fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(work);
    // A guest that does not end must not keep the process alive.
    runtime.shutdown_background();
    ended
}

fn serve(config: &Config, benchmarks: Benchmarks, out: &mut dyn Write) -> Result<()> {
    if benchmarks.site.is_none() {
        tracing::warn!(
            "no page to serve: build it with `cargo xtask web`, or give its folder with --site"
        );
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(server::serve(
        config.addr.value,
        AppState::new(config, benchmarks),
        out,
    ));
    // A benchmark that is being read must not keep the process alive.
    runtime.shutdown_background();
    ended
}
