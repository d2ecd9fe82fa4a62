//! A file of reports that grows while jobs run, and is gone on with after a stop.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use anyhow::{Context as _, Result};
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use shared::report::TestReport;

use crate::commands::identify::for_each_line;

/// How many reports were added, and how many of them pass.
#[derive(Default)]
pub(super) struct Added {
    pub(super) tested: usize,
    pub(super) passing: usize,
}

/// Goes through the reports of a file; lines that are none are skipped.
pub(super) fn for_each(path: &Path, mut each: impl FnMut(TestReport)) -> Result<()> {
    for_each_line(path, |_, line| {
        if let Some(report) = line.ok().and_then(|it| TestReport::from_json_line(it).ok()) {
            each(report);
        }
        Ok(())
    })
}

/// What has a report in a file already.
pub(super) fn known(path: &Path) -> Result<BTreeSet<String>> {
    let mut known = BTreeSet::new();
    if path.exists() {
        for_each(path, |report| {
            known.insert(report.variant.0);
        })?;
    }
    Ok(known)
}

/// Runs jobs, some at a time, and adds each report to a file when it is there.
pub(super) async fn add<T>(
    path: &Path,
    at_once: Option<NonZeroUsize>,
    jobs: Vec<T>,
    one: impl AsyncFn(T) -> Result<TestReport>,
) -> Result<Added> {
    let mut file = to_go_on(path)
        .with_context(|| format!("cannot write {}; check the folder", path.display()))?;
    let at_once = at_once.or_else(|| available_parallelism().ok());
    let bar = ProgressBar::new(jobs.len() as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {per_sec}, {eta} left")?;
    bar.set_style(style);
    let running = futures_util::stream::iter(jobs.into_iter().map(|job| one(job)));
    let mut running = running.buffered(at_once.map_or(1, NonZeroUsize::get));
    let mut added = Added::default();
    while let Some(report) = running.next().await {
        let report = report?;
        file.write_all(report.json_line().as_bytes())?;
        file.flush()?;
        added.tested += 1;
        added.passing += usize::from(report.broken().next().is_none());
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(added)
}

/// A file to add lines to. A line that was cut when its writer was killed stays alone: what follows is whole.
fn to_go_on(path: &Path) -> io::Result<File> {
    let mut file = File::options()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::to_go_on;

    #[test]
    fn a_line_that_was_cut_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports.jsonl");
        for (before, after) in [("", "new\n"), ("old\n", "old\nnew\n"), ("cu", "cu\nnew\n")] {
            fs::write(&path, before).unwrap();
            to_go_on(&path).unwrap().write_all(b"new\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after, "{before:?}");
        }
    }
}
