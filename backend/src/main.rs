//! `ctxlab`: reads the command line, runs a command, says what went wrong.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use backend::cli::{Cli, Command};
use backend::commands::{self, Outcome};
use backend::config::Config;
use clap::Parser as _;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let failure = cli.failure();
    match run(cli) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        // As other tools that compare.
        Ok(Outcome::Different) => ExitCode::from(1),
        // Whoever read the output has seen enough.
        Err(e)
            if e.downcast_ref::<io::Error>()
                .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(e) => match e.downcast::<clap::Error>() {
            Ok(usage) => usage.exit(),
            Err(e) => {
                eprintln!("error: {e:#}");
                ExitCode::from(failure)
            }
        },
    }
}

fn run(mut cli: Cli) -> Result<Outcome> {
    if let Some(Command::Serve(args)) = &cli.command {
        cli.overrides.addr = args.addr;
    }
    let config = Config::load(cli.overrides.clone())?;
    tracing_subscriber::fmt()
        .with_env_filter(config.log.value.filter())
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .init();
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = commands::run(cli, &config, &mut out)?;
    out.flush()?;
    Ok(outcome)
}
