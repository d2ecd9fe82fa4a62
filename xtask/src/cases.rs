//! The starter benchmark: from the Python files in `static/cases/` to one file in the schema of `ClassEval`.

mod check;
mod record;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use shared::subject::Showcase;

use self::record::ClassRecord;
use crate::step::step;

const SOURCES: &str = "static/cases";
/// Where the assembled file is left for the command line and for a look.
const ASSEMBLED: &str = "target/cases/starter.json";

/// Assembles the benchmark and checks it; with `tests`, runs its Python tests too.
pub(crate) fn run(tests: bool) -> Result<()> {
    let records = step("assemble the benchmark", records)?;
    ensure!(!records.is_empty(), "no Python files in {SOURCES}");
    let json = json(&records)?;
    fs::create_dir_all("target/cases")?;
    fs::write(ASSEMBLED, &json)?;
    let dataset = step("check its content", || check::content(&json))?;
    if tests {
        let sources = classes()?;
        step("run its examples", || check::examples(&sources))?;
        step("run its tests", || check::tests(&dataset))?;
    }
    Ok(())
}

/// The benchmark's file; nothing while there are no sources.
#[cfg(feature = "web")]
pub(crate) fn assemble() -> Result<Option<String>> {
    let records = records()?;
    if records.is_empty() {
        Ok(None)
    } else {
        json(&records).map(Some)
    }
}

fn json(records: &[ClassRecord]) -> Result<String> {
    Ok(serde_json::to_string_pretty(records)? + "\n")
}

/// One record for each pair of files, in the order of their names.
fn records() -> Result<Vec<ClassRecord>> {
    let mut showcases = Vec::new();
    for path in files("json", |stem| stem.starts_with("showcases"))? {
        let text = fs::read_to_string(&path)?;
        let some: Vec<Showcase> =
            serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        showcases.extend(some);
    }
    let mut records = Vec::new();
    for path in classes()? {
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .context("a file has a name")?
            .to_owned();
        let source = fs::read_to_string(&path)?;
        let test = path.with_file_name(format!("{stem}_test.py"));
        let test = fs::read_to_string(&test).with_context(|| format!("no {}", test.display()))?;
        let record =
            ClassRecord::assemble(records.len() + 1, &stem, &source, &test, &mut showcases);
        records.push(record.with_context(|| format!("in {}", path.display()))?);
    }
    let left: Vec<_> = showcases
        .iter()
        .map(|showcase| showcase.subject.as_str())
        .collect();
    ensure!(
        left.is_empty(),
        "showcases of no class: {}",
        left.join(", ")
    );
    Ok(records)
}

/// The files that hold the benchmark's classes.
fn classes() -> Result<Vec<PathBuf>> {
    files("py", |stem| !stem.ends_with("_test"))
}

/// The files of the folder with that extension whose stem fits, sorted; none while there is no folder.
fn files(extension: &str, fits: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    if !Path::new(SOURCES).is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(SOURCES)? {
        let path = entry?.path();
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        if path.extension().is_some_and(|it| it == extension) && fits(stem) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
