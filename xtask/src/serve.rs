//! `cargo xtask serve`: set-up, page, server, and then the server takes this process's place.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::step::step;
use crate::toolchain::{self, Job};

/// How to serve.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The port on this machine
    #[arg(long, default_value_t = 7878)]
    port: u16,
    /// Build page and server optimized
    #[arg(long)]
    release: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    toolchain::ensure(if options.release {
        &Job::RELEASE_SITE
    } else {
        &Job::SITE
    })?;
    println!("Building the page (minutes the first time, seconds later)");
    crate::again_with(
        "web",
        if options.release {
            &["web", "--release"]
        } else {
            &["web"]
        },
    )?;
    step("compile the server", || {
        let mut args = vec!["build", "--quiet", "--package", "backend"];
        args.extend(options.release.then_some("--release"));
        duct::cmd(toolchain::cargo(), args)
            .run()
            .context("the server does not compile")
    })?;
    let server = Path::new("target")
        .join(if options.release { "release" } else { "debug" })
        .join("ctxlab");
    let address = format!("127.0.0.1:{}", options.port);
    become_program(&cmd_line(&server, &address))
}

fn cmd_line(server: &Path, address: &str) -> Vec<String> {
    let server = server.display().to_string();
    [&server, "serve", "--addr", address, "--site", "target/site"]
        .map(str::to_owned)
        .to_vec()
}

/// Gives this process to the server, so that an interrupt or a stop reaches it directly.
#[cfg(unix)]
fn become_program(words: &[String]) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    let error = std::process::Command::new(&words[0])
        .args(&words[1..])
        .exec();
    Err(error).with_context(|| format!("cannot start {}", words[0]))
}

#[cfg(not(unix))]
fn become_program(words: &[String]) -> Result<()> {
    duct::cmd(&words[0], &words[1..]).run()?;
    Ok(())
}
