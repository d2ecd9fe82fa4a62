//! The benchmarks at hand: the starter that comes with the page, and what was imported.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use shared::api::{DatasetCard, paths};
use shared::dataset::{self, Dataset, MAX_BYTES, ReadError, STARTER_LICENSE, STARTER_NAME};
use shared::subject::DatasetId;
use thiserror::Error;

use crate::site::Site;
use crate::store::{Manifest, Store, StoreError};

/// All benchmarks that this program can name.
#[derive(Clone, Debug)]
pub struct Benchmarks {
    /// Imported ones.
    pub store: Store,
    /// Where the starter is.
    pub site: Option<Site>,
}

/// A benchmark that was found, not yet read.
#[derive(Debug)]
pub enum Found {
    /// The one of the page.
    Starter(Cow<'static, [u8]>),
    /// An imported one.
    Stored(Manifest),
}

/// A line of a list.
#[derive(Debug, Serialize)]
pub struct Entry {
    /// When it was imported; absent for the starter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<Timestamp>,
    /// What it holds.
    #[serde(flatten)]
    pub card: DatasetCard,
}

impl From<Manifest> for Entry {
    fn from(manifest: Manifest) -> Self {
        Self {
            imported_at: Some(manifest.imported_at),
            card: manifest.card,
        }
    }
}

/// Why no benchmark was found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// Nothing has such a name.
    #[error("no benchmark and no file {0:?}; known: {1}")]
    Unknown(String, String),
    /// Several begin so.
    #[error("{0:?} begins {1}; write more of it")]
    Ambiguous(String, String),
    /// It cannot be read.
    #[error("{0}: {1}")]
    File(String, ReadError),
    /// The system refused.
    #[error("cannot read {0}: {1}; check the path")]
    Io(String, std::io::Error),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Benchmarks {
    /// The benchmark of exactly that id.
    pub fn find(&self, id: &DatasetId) -> Result<Found, StoreError> {
        if *id == DatasetId::starter() {
            let bytes = self
                .site
                .as_ref()
                .and_then(|site| site.read(paths::STARTER.trim_start_matches('/')));
            return bytes
                .map(Found::Starter)
                .ok_or_else(|| StoreError::NotFound(id.clone()));
        }
        self.store.manifest(id).map(Found::Stored)
    }

    /// The starter, where there is a page.
    pub fn starter(&self) -> Option<Found> {
        self.find(&DatasetId::starter()).ok()
    }

    /// A found benchmark's file.
    pub fn content<'a>(&self, found: &'a Found) -> Result<Cow<'a, [u8]>, StoreError> {
        match found {
            Found::Starter(bytes) => Ok(Cow::Borrowed(bytes)),
            Found::Stored(manifest) => self.store.content(&manifest.card).map(Cow::Owned),
        }
    }

    /// Reads a found benchmark.
    pub fn read(&self, found: &Found) -> Result<Dataset, StoreError> {
        let bytes = self.content(found)?;
        Ok(match found {
            Found::Starter(_) => {
                let mut dataset = dataset::read(STARTER_NAME, &bytes)?;
                dataset.id = DatasetId::starter();
                dataset.license = Some(STARTER_LICENSE.to_owned());
                dataset
            }
            Found::Stored(manifest) => {
                let mut dataset = dataset::read(&manifest.card.name, &bytes)?;
                dataset.license.clone_from(&manifest.card.license);
                dataset
            }
        })
    }

    /// A found benchmark's line.
    pub fn entry(&self, found: Found) -> Result<Entry, StoreError> {
        match found {
            Found::Stored(manifest) => Ok(manifest.into()),
            starter @ Found::Starter(_) => Ok(Entry {
                imported_at: None,
                card: DatasetCard::from(&self.read(&starter)?),
            }),
        }
    }

    /// Reads what someone named: an id, a file, or the beginning of an id that no other begins with.
    pub fn open(&self, named: &str) -> Result<Dataset, FindError> {
        if Path::new(named).is_file() {
            let bytes =
                read_file(Path::new(named)).map_err(|e| FindError::Io(named.to_owned(), e))?;
            return dataset::read(&default_name(named), &bytes)
                .map_err(|e| FindError::File(named.to_owned(), e));
        }
        let id = self.resolve(named)?;
        Ok(self.read(&self.find(&id)?)?)
    }

    /// The id that someone named in full or by its beginning.
    pub fn resolve(&self, named: &str) -> Result<DatasetId, FindError> {
        let mut ids: Vec<DatasetId> = self
            .starter()
            .map(|_| DatasetId::starter())
            .into_iter()
            .collect();
        ids.extend(
            self.store
                .list()?
                .manifests
                .into_iter()
                .map(|manifest| manifest.card.id),
        );
        let wanted = named.to_lowercase();
        if let Some(id) = ids.iter().find(|id| id.as_str() == wanted) {
            return Ok(id.clone());
        }
        let joined = |ids: &[&DatasetId]| {
            ids.iter()
                .map(|id| id.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let begun: Vec<&DatasetId> = ids
            .iter()
            .filter(|id| id.as_str().starts_with(&wanted))
            .collect();
        match begun.as_slice() {
            [id] => Ok((*id).clone()),
            [] if ids.is_empty() => Err(FindError::Unknown(
                named.to_owned(),
                "none; import one with `ctxlab dataset import`".to_owned(),
            )),
            [] => Err(FindError::Unknown(
                named.to_owned(),
                joined(&ids.iter().collect::<Vec<_>>()),
            )),
            several => Err(FindError::Ambiguous(named.to_owned(), joined(several))),
        }
    }
}

/// A file's bytes; of a file that is too large no more than shows that.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a benchmark is called when nobody says: its file's name without what tells the format.
pub fn default_name(path: &str) -> String {
    let name = path
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    [".jsonl", ".ndjson", ".json"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
        .to_owned()
}
