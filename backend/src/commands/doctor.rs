//! `ctxlab doctor`: the configuration in force, and what is found there.

use std::io::Write;

use anyhow::Result;
use shared::report::Limits;

use super::block_on;
use super::table::table;
use crate::benchmarks::Benchmarks;
use crate::config::Config;
use crate::sandbox::Engines;

pub(super) fn run(config: &Config, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let head = ["setting", "value", "set by"].map(str::to_owned).to_vec();
    let rows = config
        .lines()
        .into_iter()
        .map(|(name, value, origin)| vec![name.to_owned(), value, origin.to_string()]);
    write!(
        out,
        "ctxlab {}\n\n{}\n",
        env!("CARGO_PKG_VERSION"),
        table(head, rows.collect(), 0..0)
    )?;

    let contents = benchmarks.store.list()?;
    writeln!(out, "imported benchmarks: {}", contents.manifests.len())?;
    for (path, why) in contents.damaged {
        writeln!(
            out,
            "damaged: {} ({why}); import the benchmark again",
            path.display()
        )?;
    }
    let page = match &benchmarks.site {
        None => "none; build it with `cargo xtask web`, or give its folder with --site".to_owned(),
        Some(site) => format!(
            "build {}",
            if site.id().is_empty() {
                "unknown".to_owned()
            } else {
                site.id()
            }
        ),
    };
    writeln!(out, "page: {page}")?;
    let starter = if benchmarks.starter().is_some() {
        "present"
    } else {
        "absent; it comes with the page"
    };
    writeln!(out, "starter benchmark: {starter}")?;
    let Limits {
        class_ms,
        memory_mib,
        output_kib,
        disk_mib,
        files,
        ..
    } = Limits::default();
    writeln!(
        out,
        "a program may use: {} s a test class, {memory_mib} MiB of memory, {disk_mib} MiB in {files} files; \
            {output_kib} KiB of its output are kept",
        class_ms / 1000
    )?;
    for it in block_on(async { Ok(Engines::new(config).states().await) })? {
        let state = match it.missing {
            Some(why) => format!("not ready; {why}"),
            None => format!("ready, {}", it.python),
        };
        writeln!(out, "engine {}: {state}", it.engine)?;
        if !it.libraries.is_empty() {
            writeln!(out, "    has {}", it.libraries.join(", "))?;
        }
        if it.gpus > 0 {
            writeln!(
                out,
                "    gives a program up to {} graphics processors",
                it.gpus
            )?;
        }
        for gap in &it.gaps {
            writeln!(out, "    does not bound or keep: {gap}")?;
        }
    }
    Ok(())
}
