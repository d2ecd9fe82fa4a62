//! `ctxlab recordings`: what is recorded of models, and bundles of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::json;
use shared::llm::{Exchange, ModelId};

use super::table::table;
use crate::cli::RecordingsCommand;
use crate::config::Config;
use crate::llm::Recordings;

pub(super) fn run(command: RecordingsCommand, config: &Config, out: &mut dyn Write) -> Result<()> {
    let recordings = Recordings::of(&config.data.value);
    match command {
        RecordingsCommand::List { json } => list(&recordings, json, out),
        RecordingsCommand::Export { file, model } => {
            let model = model.map(ModelId);
            let all = recordings.all(model.as_ref())?;
            let n = if file.as_os_str() == "-" {
                write(all, out)?
            } else {
                export(all, &file).with_context(|| format!("cannot write {}", file.display()))?
            };
            eprintln!("{n} recordings written");
            Ok(())
        }
        RecordingsCommand::Import { file } => import(&recordings, &file, out),
    }
}

fn list(recordings: &Recordings, json: bool, out: &mut dyn Write) -> Result<()> {
    let models = recordings.models()?;
    if json {
        let model = |(name, n): &(ModelId, usize)| json!({"model": name, "n_recorded": n});
        let models: Vec<_> = models.iter().map(model).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&models)?)?;
        return Ok(());
    }
    if models.is_empty() {
        writeln!(
            out,
            "nothing is recorded; `ctxlab recordings import` takes in a bundle"
        )?;
        return Ok(());
    }
    let head = ["model", "recordings"].map(str::to_owned).to_vec();
    let row = |(name, n): (ModelId, usize)| vec![name.0, n.to_string()];
    let rows = models.into_iter().map(row).collect();
    write!(out, "{}", table(head, rows, 1..2))?;
    Ok(())
}

/// Writes beside the place and moves into it: whoever is interrupted leaves no half bundle.
fn export(all: impl Iterator<Item = Exchange>, path: &Path) -> Result<usize> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    let is_packed = path.extension().is_some_and(|it| it == "gz");
    let n = if is_packed {
        let mut packer = GzEncoder::new(BufWriter::new(&file), Compression::best());
        let n = write(all, &mut packer)?;
        packer.finish()?.flush()?;
        n
    } else {
        let mut plain = BufWriter::new(&file);
        let n = write(all, &mut plain)?;
        plain.flush()?;
        n
    };
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(n)
}

fn write(all: impl Iterator<Item = Exchange>, out: &mut dyn Write) -> Result<usize> {
    let mut n = 0;
    for it in all {
        writeln!(out, "{}", it.json_line())?;
        n += 1;
    }
    Ok(n)
}

fn import(recordings: &Recordings, path: &Path, out: &mut dyn Write) -> Result<()> {
    let bundle: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        Box::new(BufReader::new(file))
    };
    let imported = recordings
        .import(unpacked(bundle)?)
        .with_context(|| format!("cannot import {}", path.display()))?;
    for (number, why) in &imported.refused {
        eprintln!("line {number}: {why}");
    }
    let n_refused = imported.refused.len();
    writeln!(
        out,
        "{} recordings imported, {} were there already, {n_refused} lines refused",
        imported.n_new, imported.n_known
    )?;
    if imported.n_new + imported.n_known == 0 && n_refused > 0 {
        bail!("{} is no bundle of recordings", path.display());
    }
    Ok(())
}

/// The lines, whether they are compressed or not.
fn unpacked(mut bundle: Box<dyn BufRead>) -> Result<Box<dyn BufRead>> {
    let is_packed = bundle.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed {
        Box::new(BufReader::new(MultiGzDecoder::new(bundle)))
    } else {
        bundle
    })
}
