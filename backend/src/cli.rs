//! What can be asked on the command line.

mod benchmarks;
mod compare;
mod identify;
mod recordings;
mod testing;

use std::net::SocketAddr;

use clap::{Args, Parser, Subcommand};

pub use self::benchmarks::{DatasetCommand, Format, ImportArgs, OneArgs, PerturbArgs};
pub use self::compare::{DiffArgs, DiffFormat};
pub use self::identify::{IdentifyArgs, IdentifyFormat, ResolutionArgs, ResolutionFormat};
pub use self::recordings::RecordingsCommand;
pub use self::testing::{
    EngineCommand, ProtocolArg, RunArgs, SelfcheckArgs, SelfcheckFormat, TestArgs, TestFormat,
};
use crate::config::{Overrides, parse_addr};

/// Bugs that only the context shows: browse benchmarks, hide what depends on the context
#[derive(Debug, Parser)]
#[command(name = "ctxlab", version, arg_required_else_help = true)]
pub struct Cli {
    /// Folders to use.
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the configuration in force and end, as `doctor` does
    #[arg(long)]
    pub check: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the page and the benchmarks
    Serve(ServeArgs),
    /// Import, list, show and remove benchmarks
    #[command(subcommand)]
    Dataset(DatasetCommand),
    /// Hide places of methods by the ten rules
    Perturb(PerturbArgs),
    /// Show what corresponds between two programs, and the edits from one to the other
    Diff(DiffArgs),
    /// Tell which variants are a CtxBug, and why the others are none
    Identify(IdentifyArgs),
    /// Count the bug sites that the replies of models resolve, lens by lens
    Resolution(ResolutionArgs),
    /// Run tests against a class with a method of yours in it
    Test(TestArgs),
    /// Run every class of a benchmark against its own tests, before anything is scored with them
    Selfcheck(SelfcheckArgs),
    /// List what is recorded of models, and pass it on
    #[command(subcommand)]
    Recordings(RecordingsCommand),
    /// Install and list what runs tests
    #[command(subcommand)]
    Engine(EngineCommand),
    /// Print the configuration in force and what is found there
    Doctor,
}

impl Cli {
    /// The exit code of a failure; `diff` has 1 for what differs.
    pub fn failure(&self) -> u8 {
        match self.command {
            Some(Command::Diff(_)) => 2,
            _ => 1,
        }
    }
}

/// How to serve.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Where to listen [env: `CTXLAB_ADDR`; default: 127.0.0.1:7878]
    #[arg(long, value_name = "IP:PORT", value_parser = parse_addr)]
    pub addr: Option<SocketAddr>,
}
