//! Imported benchmarks on disk.
//!
//! ```text
//! <data>/objects/<sha256>.json   a benchmark's file, decompressed, named by its content
//! <data>/datasets/<id>.json      a Manifest: what it is called and what it holds
//! <data>/lock                    held while something changes
//! ```
//!
//! A file appears whole or not at all (written beside its place, flushed, renamed), and an object
//! before its manifest: whoever is interrupted leaves the old state or the new.

pub(crate) mod files;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use shared::api::DatasetCard;
use shared::dataset::{self, ReadError, sha256_hex};
use shared::subject::DatasetId;
use thiserror::Error;

use self::files::{Lock, create_folder, sweep_unfinished, write_whole};

/// The folder of imported benchmarks.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// What an imported benchmark is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of this file.
    pub schema: u8,
    /// When it was imported.
    pub imported_at: Timestamp,
    /// What it holds, so that a list needs no reading of benchmarks.
    pub card: DatasetCard,
}

/// The store's benchmarks, by id, and the manifests that cannot be read.
#[derive(Debug, Default)]
pub struct Contents {
    /// The good ones.
    pub manifests: Vec<Manifest>,
    /// Where a manifest lies and why it cannot be read.
    pub damaged: Vec<(PathBuf, String)>,
}

/// What an import changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was not there.
    Added,
    /// The content was there; its name or licence is new.
    Updated,
    /// It was there just so.
    Unchanged,
}

/// Why the store refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such benchmark.
    #[error("no benchmark {0}; `ctxlab dataset list` shows what there is")]
    NotFound(DatasetId),
    /// A file of the store is not what it was.
    #[error("{path} is damaged ({reason}); import the benchmark again", path = .0.display(), reason = .1)]
    Damaged(PathBuf, String),
    /// Other content has the same id.
    #[error("another benchmark is called {0}; choose another --name")]
    Taken(DatasetId),
    /// The file is no benchmark.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The disk refused.
    #[error("cannot {doing} {}: {source}; check the folder's rights and space, or choose another with --data", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl StoreError {
    fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            doing,
            path: path.to_owned(),
            source,
        }
    }
}

impl Store {
    /// Opens the store in a folder, which need not exist, and clears what an interrupted import left.
    pub fn open(root: impl Into<PathBuf>) -> Self {
        let store = Self { root: root.into() };
        if let Some(_lock) = Lock::try_take(&store.root) {
            store.sweep();
        }
        store
    }

    /// All benchmarks, by id.
    pub fn list(&self) -> Result<Contents, StoreError> {
        let folder = self.datasets();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Contents::default()),
            Err(e) => return Err(StoreError::io("read", &folder)(e)),
        };
        let mut contents = Contents::default();
        for entry in entries {
            let path = entry.map_err(StoreError::io("read", &folder))?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            match read_manifest(&path) {
                Ok(manifest) => contents.manifests.push(manifest),
                Err(StoreError::NotFound(_)) => {} // Removed since the folder was read.
                Err(StoreError::Damaged(path, why)) => contents.damaged.push((path, why)),
                Err(e) => contents.damaged.push((path, e.to_string())),
            }
        }
        contents.manifests.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        contents.damaged.sort();
        Ok(contents)
    }

    /// One benchmark's manifest.
    pub fn manifest(&self, id: &DatasetId) -> Result<Manifest, StoreError> {
        // What no id looks like must not become a path.
        let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !id.as_str().bytes().all(is_id) {
            return Err(StoreError::NotFound(id.clone()));
        }
        read_manifest(&self.manifest_path(id))
    }

    /// A benchmark's file, checked against its hash.
    pub fn content(&self, card: &DatasetCard) -> Result<Vec<u8>, StoreError> {
        let path = self.object_path(&card.sha256);
        let bytes = fs::read(&path).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => {
                StoreError::Damaged(path.clone(), "the file is gone".to_owned())
            }
            _ => StoreError::io("read", &path)(e),
        })?;
        if sha256_hex(&bytes) != card.sha256 {
            return Err(StoreError::Damaged(
                path,
                "the content does not fit its hash".to_owned(),
            ));
        }
        Ok(bytes)
    }

    /// Reads a file (JSON array, JSON lines, either gzip-compressed) and keeps it.
    pub fn import(
        &self,
        name: &str,
        license: Option<String>,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<(Change, Manifest), StoreError> {
        let text = dataset::decompress(bytes)?;
        let mut dataset = dataset::read(name, &text)?;
        dataset.license = license;
        let mut card = DatasetCard::from(&dataset);
        drop(dataset);

        let _lock = Lock::take(&self.root)?;
        let (mut change, mut imported_at) = (Change::Added, now);
        if let Ok(old) = self.manifest(&card.id) {
            if old.card.sha256 != card.sha256 {
                return Err(StoreError::Taken(card.id));
            }
            card.license = card.license.or_else(|| old.card.license.clone());
            change = if old.card == card {
                Change::Unchanged
            } else {
                Change::Updated
            };
            imported_at = old.imported_at;
        }
        let manifest = Manifest {
            schema: 1,
            imported_at,
            card,
        };
        if self.content(&manifest.card).is_err() {
            create_folder(&self.objects())?;
            write_whole(&self.object_path(&manifest.card.sha256), &text)?;
        }
        if change != Change::Unchanged {
            create_folder(&self.datasets())?;
            let text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
            write_whole(&self.manifest_path(&manifest.card.id), &text)?;
        }
        Ok((change, manifest))
    }

    /// Forgets a benchmark, and its file unless another benchmark has the same.
    pub fn remove(&self, id: &DatasetId) -> Result<Manifest, StoreError> {
        self.manifest(id)?;
        let _lock = Lock::take(&self.root)?;
        let manifest = self.manifest(id)?;
        let path = self.manifest_path(id);
        fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        self.sweep();
        Ok(manifest)
    }

    /// Removes unfinished files, and objects that no manifest names. Best effort: what stays does no harm.
    fn sweep(&self) {
        sweep_unfinished(&self.objects());
        sweep_unfinished(&self.datasets());
        let Ok(Contents { manifests, damaged }) = self.list() else {
            return;
        };
        if !damaged.is_empty() {
            return; // A damaged manifest may name any of them.
        }
        let used = |path: &Path| {
            manifests
                .iter()
                .any(|manifest| path == self.object_path(&manifest.card.sha256))
        };
        for entry in fs::read_dir(self.objects()).into_iter().flatten().flatten() {
            if !used(&entry.path()) {
                files::remove_quietly(&entry.path());
            }
        }
    }

    fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    fn datasets(&self) -> PathBuf {
        self.root.join("datasets")
    }

    fn object_path(&self, sha256: &str) -> PathBuf {
        self.objects().join(sha256).with_extension("json")
    }

    fn manifest_path(&self, id: &DatasetId) -> PathBuf {
        self.datasets().join(format!("{id}.json"))
    }
}

/// Reads a manifest and checks that it is the one its name says.
fn read_manifest(path: &Path) -> Result<Manifest, StoreError> {
    let id = DatasetId(
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    );
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(StoreError::NotFound(id)),
        Err(e) => return Err(StoreError::io("read", path)(e)),
    };
    let damaged = |why: String| StoreError::Damaged(path.to_owned(), why);
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
    let is_hash = manifest.card.sha256.len() == 64
        && manifest.card.sha256.bytes().all(|b| b.is_ascii_hexdigit());
    if manifest.schema != 1 {
        return Err(damaged(format!(
            "schema {} is not known to this version",
            manifest.schema
        )));
    }
    if manifest.card.id != id || !is_hash {
        return Err(damaged("it describes another benchmark".to_owned()));
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests;
