//! What the tests share: where the specification's data lies, and a loud word when it does not.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of the specification's data: `../shared` beside the workspace, or `CTXLAB_SHARED`. When it
/// is absent, says which checks are skipped and gives `None`.
pub fn specification(path: &str, what_is_skipped: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CTXLAB_SHARED")
        .map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let file = root.join(path);
    if file.exists() {
        return Some(file);
    }
    #[expect(clippy::print_stderr, reason = "a skipped check has to be seen")]
    {
        eprintln!("skipped: {what_is_skipped} (no {path} in the specification's folder)");
    }
    None
}
