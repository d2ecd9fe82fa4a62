//! Files that appear whole or not at all, and the lock over them.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::StoreError;

/// How an unfinished file's name starts.
const UNFINISHED: &str = ".unfinished-";

/// Held while the store changes; released on drop, and by the system when the process ends.
pub(super) struct Lock(#[expect(dead_code, reason = "it is kept open, not read")] File);

impl Lock {
    /// Waits for the lock; makes the store's folder.
    pub(super) fn take(root: &Path) -> Result<Self, StoreError> {
        create_folder(root)?;
        let path = root.join("lock");
        let lock = open(&path).and_then(|file| file.lock().map(|()| file));
        lock.map(Self).map_err(StoreError::io("lock", &path))
    }

    /// Takes the lock if the store exists, can be changed, and nobody holds it.
    pub(super) fn try_take(root: &Path) -> Option<Self> {
        let file = open(&root.join("lock")).ok()?;
        file.try_lock().ok().map(|()| Self(file))
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

pub(super) fn create_folder(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(StoreError::io("create", path))
}

/// Writes beside the place, flushes to the disk, and moves into the place.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(path);
    let write = || {
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)?;
        sync_folder(folder)
    };
    write().map_err(StoreError::io("write", path))
}

/// Makes a rename in the folder survive a loss of power.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems' form can fail")]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes what interrupted writers left in a folder.
pub(crate) fn sweep_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            remove_quietly(&entry.path());
        }
    }
}

pub(crate) fn remove_quietly(path: &Path) {
    if let Err(e) = fs::remove_file(path) {
        tracing::debug!("cannot remove {}: {e}", path.display());
    }
}
