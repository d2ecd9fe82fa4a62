//! The interpreter: where its files lie, and what it finds in a sandbox.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokio::process::Command;

/// Asks an interpreter where its files lie.
const WHERE: &str = "import json, sys; \
    print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, list(sys.version_info[:2])]))";
/// Runs in a sandbox, in the place of the harness.
pub(super) const LOOK_AROUND: &str = include_str!("look_around.py");
/// What a supervisor needs.
const OLDEST: (u32, u32) = (3, 9);

/// A Python of this machine.
pub(super) struct Interpreter {
    pub(super) executable: PathBuf,
    /// The folders that hold it and its libraries.
    pub(super) folders: Vec<PathBuf>,
}

impl Interpreter {
    /// Looks at the interpreter of that name or path.
    pub(super) async fn of(python: &Path) -> Result<Self, String> {
        let shown = python.display();
        let next = "install Python 3, or set CTXLAB_PYTHON";
        let told = Command::new(python)
            .args(["-I", "-c", WHERE])
            .output()
            .await;
        let told = told.map_err(|e| format!("cannot run {shown} ({e}); {next}"))?;
        let told: Result<(PathBuf, PathBuf, PathBuf, (u32, u32)), _> =
            serde_json::from_slice(&told.stdout);
        let (executable, prefix, base_prefix, version) =
            told.map_err(|e| format!("{shown} is no Python that works ({e}); {next}"))?;
        if version < OLDEST {
            let (major, minor) = version;
            return Err(format!(
                "{shown} is Python {major}.{minor}, which is too old; {next}"
            ));
        }
        let mut folders = vec![prefix];
        if !folders.contains(&base_prefix) {
            folders.push(base_prefix);
        }
        folders.retain(|folder| !folder.starts_with("/usr"));
        if folders.iter().any(|folder| folder.starts_with("/tmp")) {
            return Err(format!(
                "{shown} lies under /tmp, where a sandbox has a folder of its own; move it, or set \
                    CTXLAB_PYTHON to another"
            ));
        }
        Ok(Self {
            executable,
            folders,
        })
    }
}

/// What an interpreter finds in a sandbox.
#[derive(Default, Deserialize)]
pub(super) struct Found {
    implementation: String,
    version: String,
    year: u32,
    /// What beside Python's own library is there, with versions.
    pub(super) libraries: Vec<String>,
}

impl Found {
    pub(super) fn read(told: &str, said: &str) -> Result<Self, String> {
        let said = said.lines().last().unwrap_or_default();
        serde_json::from_str(told)
            .map_err(|e| format!("Python does not work in a sandbox of bubblewrap's: {said} ({e})"))
    }

    /// As reports say it.
    pub(super) fn python(&self) -> String {
        format!("{} {}", self.implementation, self.version)
    }

    pub(super) fn has_fixed_clock(&self) -> bool {
        self.year == 2023
    }
}
