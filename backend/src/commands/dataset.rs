//! `ctxlab dataset`: import, list, show, remove.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use shared::api::DatasetCard;
use shared::dataset::Severity;
use shared::subject::DatasetId;

use super::table::table;
use crate::benchmarks::{Benchmarks, Entry, default_name, read_file};
use crate::cli::{DatasetCommand, ImportArgs, OneArgs};
use crate::config::Config;
use crate::fetch;
use crate::store::Change;

pub(super) fn run(
    command: DatasetCommand,
    config: &Config,
    benchmarks: &Benchmarks,
    out: &mut dyn Write,
) -> Result<()> {
    match command {
        DatasetCommand::Import(args) => import(args, config, benchmarks, out),
        DatasetCommand::List { json } => list(json, benchmarks, out),
        DatasetCommand::Show(args) => show(&args, benchmarks, out),
        DatasetCommand::Remove(args) => remove(&args, benchmarks, out),
    }
}

fn import(
    args: ImportArgs,
    config: &Config,
    benchmarks: &Benchmarks,
    out: &mut dyn Write,
) -> Result<()> {
    let (bytes, name) = if let Some(url) = fetch::url(&args.source)? {
        (
            fetch::fetch(&url, config.download_timeout.value)?,
            default_name(url.path()),
        )
    } else {
        let bytes = read_file(Path::new(&args.source))
            .map_err(|e| anyhow!("cannot read {}: {e}; check the path", args.source))?;
        (bytes, default_name(&args.source))
    };
    let name = args.name.unwrap_or(name);
    ensure!(
        !name.trim().is_empty(),
        "a benchmark needs a name; give one with --name"
    );
    let imported = benchmarks
        .store
        .import(name.trim(), args.license, &bytes, Timestamp::now());
    let (change, manifest) = imported.with_context(|| format!("cannot import {}", args.source))?;
    let entry = Entry::from(manifest);
    if args.json {
        return print_json(out, &json!({ "change": change, "benchmark": entry }));
    }
    let id = &entry.card.id;
    match change {
        Change::Added => writeln!(out, "Imported {} as {id}", args.source)?,
        Change::Updated => writeln!(out, "Already here, now with a new name or licence: {id}")?,
        Change::Unchanged => writeln!(out, "Already here, nothing changed: {id}")?,
    }
    describe(&entry, out)?;
    writeln!(out, "\nNext: ctxlab perturb --dataset {id} --format counts")?;
    Ok(())
}

fn list(json: bool, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let contents = benchmarks.store.list()?;
    let starter = benchmarks
        .starter()
        .and_then(|found| match benchmarks.entry(found) {
            Ok(entry) => Some(entry),
            Err(e) => {
                eprintln!("the starter benchmark is left out: {e}");
                None
            }
        });
    let stored = contents.manifests.into_iter().map(Entry::from);
    let entries: Vec<Entry> = starter.into_iter().chain(stored).collect();
    for (path, why) in &contents.damaged {
        eprintln!(
            "damaged: {} ({why}); import the benchmark again",
            path.display()
        );
    }
    if json {
        let damaged: Vec<_> = contents
            .damaged
            .iter()
            .map(|(path, why)| json!({ "path": path, "reason": why }))
            .collect();
        return print_json(out, &json!({ "items": entries, "damaged": damaged }));
    }
    if entries.is_empty() {
        eprintln!("no benchmarks yet; import one with `ctxlab dataset import FILE`");
        return Ok(());
    }
    let head = [
        "id", "name", "classes", "methods", "tests", "licence", "imported",
    ]
    .map(str::to_owned)
    .to_vec();
    let rows = entries.into_iter().map(|Entry { imported_at, card }| {
        vec![
            card.id.to_string(),
            card.name,
            card.n_classes.to_string(),
            card.n_subjects.to_string(),
            card.n_tests.to_string(),
            card.license.unwrap_or_else(|| "not told".to_owned()),
            imported_at.map_or_else(
                || "with the page".to_owned(),
                |at| at.strftime("%Y-%m-%d").to_string(),
            ),
        ]
    });
    write!(out, "{}", table(head, rows.collect(), 2..5))?;
    Ok(())
}

fn show(args: &OneArgs, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let found = benchmarks.find(&benchmarks.resolve(&args.id)?)?;
    let entry = benchmarks.entry(found)?;
    if args.json {
        return print_json(out, &entry);
    }
    writeln!(out, "{}", entry.card.id)?;
    describe(&entry, out)
}

fn remove(args: &OneArgs, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let id = benchmarks.resolve(&args.id)?;
    ensure!(
        id != DatasetId::starter(),
        "the starter benchmark comes with the page and cannot be removed"
    );
    let removed = benchmarks.store.remove(&id)?;
    if args.json {
        return print_json(out, &json!({ "removed": removed.card.id }));
    }
    writeln!(
        out,
        "Removed {} ({} classes, {} methods)",
        id, removed.card.n_classes, removed.card.n_subjects
    )?;
    Ok(())
}

fn describe(entry: &Entry, out: &mut dyn Write) -> Result<()> {
    let DatasetCard {
        name,
        license,
        sha256,
        n_bytes,
        n_classes,
        n_subjects,
        n_tests,
        ..
    } = &entry.card;
    writeln!(out, "  name       {name}")?;
    writeln!(out, "  classes    {n_classes}")?;
    writeln!(out, "  methods    {n_subjects}")?;
    writeln!(out, "  tests      {n_tests}")?;
    if entry.card.n_showcases > 0 {
        writeln!(out, "  showcases  {}", entry.card.n_showcases)?;
    }
    let libraries: Vec<String> = entry
        .card
        .libraries
        .iter()
        .map(|count| format!("{} ({})", count.library, count.n_subjects))
        .collect();
    writeln!(
        out,
        "  libraries  {}",
        if libraries.is_empty() {
            "none".to_owned()
        } else {
            libraries.join(", ")
        }
    )?;
    writeln!(
        out,
        "  licence    {}",
        license
            .as_deref()
            .unwrap_or("not told; add it with --license")
    )?;
    writeln!(out, "  content    {n_bytes} bytes, sha256 {sha256}")?;
    if let Some(at) = entry.imported_at {
        writeln!(out, "  imported   {}", at.strftime("%Y-%m-%d %H:%M UTC"))?;
    }
    reports(&entry.card, Severity::Rejected, "Left out", out)?;
    reports(&entry.card, Severity::Warning, "Kept, with a warning", out)
}

fn reports(card: &DatasetCard, severity: Severity, title: &str, out: &mut dyn Write) -> Result<()> {
    let reports: Vec<_> = card
        .reports
        .iter()
        .filter(|report| report.severity == severity)
        .collect();
    if reports.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title} ({}):", reports.len())?;
    for report in reports {
        let name = if report.name.is_empty() {
            "without a name"
        } else {
            &report.name
        };
        writeln!(
            out,
            "  record {} ({name}): {}",
            report.record, report.reason
        )?;
    }
    Ok(())
}

fn print_json(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}
