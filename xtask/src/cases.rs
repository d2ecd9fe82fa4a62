//! The starter benchmark: from the Python files in `static/cases/` to one file in ClassEval's schema.

use anyhow::Result;

/// The benchmark's text; nothing while there are no sources.
#[cfg(feature = "web")]
pub(crate) fn assemble() -> Result<Option<String>> {
    Ok(None)
}

pub(crate) fn run(_check: bool) -> Result<()> {
    Ok(())
}
