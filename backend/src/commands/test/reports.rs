//! A file of reports.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use shared::report::TestReport;

use crate::commands::identify::for_each_line;

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
