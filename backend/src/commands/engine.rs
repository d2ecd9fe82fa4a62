//! `ctxlab engine`: what runs tests, and installing it.

use std::io::Write;

use anyhow::{Context as _, Result};
use shared::api::{BROWSER, EngineState};

use super::block_on;
use super::table::table;
use crate::cli::EngineCommand;
use crate::config::Config;
use crate::sandbox::docker::{self, Hosts};
use crate::sandbox::wasm::{self, PACKS, Pack};
use crate::sandbox::{Engines, browser};

pub(super) fn run(command: EngineCommand, config: &Config, out: &mut dyn Write) -> Result<()> {
    match command {
        EngineCommand::List => {
            let head = ["engine", "what", "state"].map(str::to_owned).to_vec();
            let states = block_on(async { Ok(Engines::new(config).states().await) })?;
            let row = |it: EngineState| {
                let state = it
                    .missing
                    .unwrap_or_else(|| format!("ready, {}", it.python));
                vec![it.engine, it.title, state]
            };
            let rows = states.into_iter().map(row).collect();
            write!(out, "{}", table(head, rows, 0..0))?;
        }
        EngineCommand::Install { name, .. } if name == docker::NAME => {
            let hosts = Hosts::new(&config.docker.value);
            block_on(docker::install(&hosts, &mut |step| eprintln!("{step}")))?;
            writeln!(out, "docker is installed")?;
        }
        EngineCommand::Install { name, from } => {
            let cache = &config.engines.value;
            let mut say = |step: &str| eprintln!("{step}");
            if name == BROWSER {
                browser::install(cache, from.as_deref(), &mut say)?;
                writeln!(out, "{BROWSER} is installed; reload the page to use it")?;
                return Ok(());
            }
            let names: Vec<&str> = [docker::NAME]
                .into_iter()
                .chain(PACKS.iter().map(|pack| pack.slug))
                .collect();
            let pack = Pack::named(&name).with_context(|| {
                format!(
                    "there is no engine {name} to install; choose one of {}, {BROWSER}",
                    names.join(", ")
                )
            })?;
            wasm::install(pack, cache, from.as_deref(), &mut say)?;
            writeln!(out, "{} is installed: {}", pack.slug, pack.title)?;
        }
    }
    Ok(())
}
