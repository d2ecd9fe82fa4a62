//! Benchmarks that this browser keeps: cards (JSON text) and files (raw bytes), in one `IndexedDB`.

use idb::{Database, DatabaseEvent as _, Factory, ObjectStoreParams, TransactionMode};
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use shared::api::DatasetCard;
use shared::subject::DatasetId;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::worker::protocol::Place;

const NAME: &str = "ctxlab";
const VERSION: u32 = 1;
const CARDS: &str = "cards";
const FILES: &str = "files";

/// A card, and what its file is: imported here, or a copy of what the site or the server has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) card: DatasetCard,
    pub(crate) place: Place,
}

/// The browser's store.
pub(crate) struct Store {
    database: Database,
}

impl Store {
    /// Opens the store, and makes it on the first visit.
    pub(crate) async fn open() -> Result<Self, idb::Error> {
        let mut request = Factory::new()?.open(NAME, Some(VERSION))?;
        request.on_upgrade_needed(|event| {
            let Ok(database) = event.database() else {
                return;
            };
            for name in [CARDS, FILES] {
                // A failure here fails the opening itself, which reports it.
                let _made = database.create_object_store(name, ObjectStoreParams::new());
            }
        });
        Ok(Self {
            database: request.await?,
        })
    }

    /// All cards, by id.
    pub(crate) async fn cards(&self) -> Result<Vec<Kept>, idb::Error> {
        let transaction = self
            .database
            .transaction(&[CARDS], TransactionMode::ReadOnly)?;
        let values = transaction
            .object_store(CARDS)?
            .get_all(None, None)?
            .await?;
        // A card of an older version that no longer reads is left out; its file can be imported again.
        Ok(values
            .iter()
            .filter_map(|value| serde_json::from_str(&value.as_string()?).ok())
            .collect())
    }

    /// The card and file of a benchmark.
    pub(crate) async fn get(&self, id: &DatasetId) -> Result<Option<(Kept, Vec<u8>)>, idb::Error> {
        let transaction = self
            .database
            .transaction(&[CARDS, FILES], TransactionMode::ReadOnly)?;
        let card = transaction.object_store(CARDS)?.get(key(id))?;
        let file = transaction.object_store(FILES)?.get(key(id))?;
        let card = card
            .await?
            .and_then(|value| serde_json::from_str(&value.as_string()?).ok());
        let file = file
            .await?
            .and_then(|value| value.dyn_into::<Uint8Array>().ok());
        Ok(card.zip(file.map(|file| file.to_vec())))
    }

    /// Keeps a benchmark: both parts or neither.
    pub(crate) async fn put(&self, kept: &Kept, file: &[u8]) -> Result<(), idb::Error> {
        let transaction = self
            .database
            .transaction(&[CARDS, FILES], TransactionMode::ReadWrite)?;
        let card = JsValue::from_str(&serde_json::to_string(kept).unwrap_or_default());
        let key = key(&kept.card.id);
        transaction.object_store(CARDS)?.put(&card, Some(&key))?;
        transaction
            .object_store(FILES)?
            .put(&Uint8Array::from(file), Some(&key))?;
        transaction.await.map(drop)
    }

    /// Forgets a benchmark.
    pub(crate) async fn remove(&self, id: &DatasetId) -> Result<(), idb::Error> {
        let transaction = self
            .database
            .transaction(&[CARDS, FILES], TransactionMode::ReadWrite)?;
        transaction.object_store(CARDS)?.delete(key(id))?;
        transaction.object_store(FILES)?.delete(key(id))?;
        transaction.await.map(drop)
    }
}

fn key(id: &DatasetId) -> JsValue {
    JsValue::from_str(id.as_str())
}
