//! `ctxlab`: reads the command line, runs a command, says what went wrong.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use backend::cli::{Cli, Command};
use backend::commands;
use backend::config::Config;
use clap::Parser as _;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
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
                ExitCode::FAILURE
            }
        },
    }
}

fn run(mut cli: Cli) -> Result<()> {
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
    commands::run(cli, &config, &mut out)?;
    out.flush()?;
    Ok(())
}
