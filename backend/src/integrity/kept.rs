//! What checks have found: `<data>/integrity/<content>/`, a file an engine and protocol.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use shared::api::EngineState;
use shared::dataset::sha256_hex;
use shared::integrity::Integrity;
use shared::report::Protocol;

use crate::store::files::write_whole;

/// The folder.
pub(crate) struct Kept(PathBuf);

/// What a finding holds for: another content, interpreter or protocol may give another.
pub(crate) struct Key<'a> {
    /// The benchmark's hash.
    pub(crate) sha256: &'a str,
    /// What ran its references.
    pub(crate) engine: &'a EngineState,
    /// Which tests had to pass.
    pub(crate) protocol: Protocol,
}

impl Kept {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Keeps what was found, as `ctxlab selfcheck --format jsonl` prints it.
    pub(crate) fn keep(&self, key: &Key<'_>, found: &[Integrity]) -> Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let lines: String = found.iter().map(Integrity::json_line).collect();
        write_whole(&path, lines.as_bytes())?;
        Ok(())
    }

    /// What was found last; `None` where nothing was checked.
    pub(crate) fn read(&self, key: &Key<'_>) -> Result<Option<Vec<u8>>> {
        let path = self.path(key);
        match fs::read(&path) {
            Ok(lines) => Ok(Some(lines)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn path(&self, key: &Key<'_>) -> PathBuf {
        let EngineState {
            engine,
            python,
            libraries,
            ..
        } = key.engine;
        let mut interpreter = sha256_hex(format!("{python} {}", libraries.join(" ")).as_bytes());
        interpreter.truncate(12);
        let protocol = match key.protocol {
            Protocol::Published => "published",
            Protocol::Corrected => "corrected",
        };
        let file = format!("{engine}-{interpreter}-{protocol}.jsonl");
        self.0.join(key.sha256).join(file)
    }
}
