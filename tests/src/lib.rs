//! What the tests share: where the specification's data lies, a loud word when it does not, hostile
//! programs, and, with the feature `e2e`, a server and a browser to drive.

#[cfg(feature = "e2e")]
pub mod browser;
pub mod hostile;
#[cfg(feature = "e2e")]
pub mod journey;
#[cfg(feature = "e2e")]
mod process;
#[cfg(feature = "e2e")]
pub mod server;

use std::path::{Path, PathBuf};

/// ClassEval's outputs of real models: whole classes, or classes put together method by method.
pub const MODEL_OUTPUTS: [&str; 5] = [
    "GPT-3.5-Turbo_class_H_greedy",
    "GPT-4-Turbo_class_H_greedy",
    "GPT-4-Turbo_method_C_greedy",
    "Magicoder-S-DS-6.7B_class_H_greedy",
    "deepseek-coder-6.7b-instruct_class_H_greedy",
];

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
    skipped(&format!(
        "{what_is_skipped} (no {path} in the specification's folder)"
    ));
    None
}

/// Prints a figure for whoever runs the tests with `--nocapture`.
#[expect(clippy::print_stdout, reason = "a measured figure is there to be read")]
pub fn say(figure: &str) {
    println!("{figure}");
}

/// Says on a line of its own what was not checked, and why.
#[expect(clippy::print_stderr, reason = "a skipped check has to be seen")]
pub fn skipped(what_and_why: &str) {
    eprintln!("skipped: {what_and_why}");
}
