//! `cargo xtask …`: everything one does with the repository, on a machine that has only Rust.
#![expect(
    clippy::print_stdout,
    reason = "a command-line tool talks on standard output"
)]

#[cfg(feature = "cases")]
mod cases;
mod serve;
mod step;
mod test;
mod tidy;
mod toolchain;
#[cfg(feature = "web")]
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;

/// Builds, serves, checks and tests CtxLab.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Build the page and the server, and serve on this machine
    Serve(serve::Options),
    /// Check and test everything, as continuous integration does
    Test(test::Options),
    /// Build the page into target/site
    Web {
        /// Optimize the module, compress fully, and hold the size budget
        #[arg(long)]
        release: bool,
    },
    /// Check the rules of the house that no compiler knows
    Tidy,
    /// Say what is present and what is missing for building and testing
    Doctor,
    /// Assemble and check the starter benchmark
    Cases {
        /// Run its examples and tests too, which needs Python
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    if let Err(error) = run() {
        // The chain of reasons; where in this program they arose helps nobody.
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run() -> Result<()> {
    std::env::set_current_dir(root()?).context("cannot enter the repository's root")?;
    match Command::parse() {
        Command::Serve(options) => serve::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Web { release } => web(release),
        Command::Tidy => tidy::run(),
        Command::Doctor => toolchain::doctor(),
        Command::Cases { check } => cases(check),
    }
}

/// The repository's root: the folder above this crate.
fn root() -> Result<PathBuf> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("run me as `cargo xtask`")?;
    let mut root = PathBuf::from(manifest);
    root.pop();
    Ok(root)
}

#[cfg(feature = "web")]
fn web(release: bool) -> Result<()> {
    web::build(if release {
        web::Effort::Release
    } else {
        web::Effort::Quick
    })
}

#[cfg(not(feature = "web"))]
fn web(release: bool) -> Result<()> {
    toolchain::ensure(if release {
        &toolchain::Job::RELEASE_SITE
    } else {
        &toolchain::Job::SITE
    })?;
    again_with(
        "web",
        if release {
            &["web", "--release"]
        } else {
            &["web"]
        },
    )
}

#[cfg(feature = "cases")]
fn cases(check: bool) -> Result<()> {
    cases::run(check)
}

#[cfg(not(feature = "cases"))]
fn cases(check: bool) -> Result<()> {
    again_with(
        "cases",
        if check {
            &["cases", "--check"]
        } else {
            &["cases"]
        },
    )
}

/// Runs this program once more, compiled with a feature that costs too much for every command to carry.
pub(crate) fn again_with(feature: &str, args: &[&str]) -> Result<()> {
    let mut words = vec![
        "run",
        "--quiet",
        "--package",
        "xtask",
        "--features",
        feature,
        "--",
    ];
    words.extend(args);
    let output = duct::cmd(toolchain::cargo(), words).unchecked().run()?;
    if output.status.success() {
        return Ok(());
    }
    // The inner run has said what went wrong.
    std::process::exit(output.status.code().unwrap_or(1));
}
