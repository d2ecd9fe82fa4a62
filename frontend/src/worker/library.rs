//! Which benchmarks there are, and getting one ready from wherever it is.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::lock::Mutex;
use shared::api::DatasetCard;
use shared::dataset::{STARTER_LICENSE, STARTER_NAME};
use shared::subject::DatasetId;

use crate::worker::open::{self, Open};
use crate::worker::pace::Pace;
use crate::worker::protocol::{DatasetEntry, DatasetList, Failure, FailureKind, Place};
use crate::worker::remote;
use crate::worker::store::{Kept, Store};

/// How many benchmarks stay in memory besides those that are nowhere else.
const MAX_OPEN: usize = 4;

/// The library, made by the first request that needs it; the others wait for it.
#[derive(Clone, Default)]
pub(crate) struct SharedLibrary(Rc<Mutex<Option<Rc<Library>>>>);

impl SharedLibrary {
    pub(crate) async fn get(&self) -> Rc<Library> {
        let mut made = self.0.lock().await;
        if let Some(library) = &*made {
            return Rc::clone(library);
        }
        let library = Rc::new(Library::new().await);
        *made = Some(Rc::clone(&library));
        library
    }
}

/// All benchmarks of this worker.
pub(crate) struct Library {
    /// `None` where the browser has no store or refuses it.
    store: Option<Store>,
    /// Most recently used last.
    open: RefCell<Vec<Rc<Open>>>,
    /// One benchmark is read at a time, so that two requests for one share the work.
    reading: Mutex<()>,
}

impl Library {
    async fn new() -> Self {
        Self {
            store: Store::open().await.ok(),
            open: RefCell::default(),
            reading: Mutex::new(()),
        }
    }

    /// All benchmarks; opens the starter, so that it is there when the server is gone.
    pub(crate) async fn list(&self, pace: &Pace) -> DatasetList {
        let on_server = remote::cards().await;
        let server_answered = on_server.is_ok();
        let kept = match &self.store {
            Some(store) => store.cards().await.unwrap_or_default(),
            None => Vec::new(),
        };
        let starter = self
            .open(&DatasetId::starter(), pace)
            .await
            .map(|open| open.entry());
        let in_tab = self
            .open
            .borrow()
            .iter()
            .filter(|open| open.place == Place::Tab)
            .map(|o| o.entry())
            .collect();
        let kept = kept
            .into_iter()
            .filter(|kept| kept.place == Place::Browser || !server_answered);
        let kept = kept
            .map(|kept| DatasetEntry {
                card: kept.card,
                place: kept.place,
            })
            .collect();
        let on_server = on_server.unwrap_or_default().into_iter();
        let on_server = on_server
            .map(|card| DatasetEntry {
                card,
                place: Place::Server,
            })
            .collect();
        let all: [Vec<DatasetEntry>; 4] = [starter.into_iter().collect(), in_tab, kept, on_server];
        let mut entries: Vec<DatasetEntry> = Vec::new();
        for entry in all.into_iter().flatten() {
            if !entries.iter().any(|known| known.card.id == entry.card.id) {
                entries.push(entry);
            }
        }
        DatasetList {
            entries,
            server_answered,
        }
    }

    /// Reads a file of the user and keeps it.
    pub(crate) async fn import(
        &self,
        name: &str,
        license: Option<String>,
        file: &[u8],
        pace: &Pace,
    ) -> Result<DatasetEntry, Failure> {
        let mut dataset = open::read(name, file, pace).await?;
        dataset.license = license;
        let card = DatasetCard::from(&dataset);
        let home = if self.keep(card, Place::Browser, file).await {
            Place::Browser
        } else {
            Place::Tab
        };
        Ok(self.remember(Open::new(dataset, home)).entry())
    }

    /// Forgets a benchmark that this browser keeps.
    pub(crate) async fn remove(&self, id: &DatasetId) -> Result<(), Failure> {
        if let Some(store) = &self.store {
            store.remove(id).await.map_err(|e| {
                Failure::new(
                    FailureKind::Broken,
                    format!("the browser did not remove {id} ({e})"),
                )
                .next("close other tabs of this page and try again")
            })?;
        }
        self.open.borrow_mut().retain(|open| open.dataset.id != *id);
        Ok(())
    }

    /// A benchmark, from memory, the browser's store, the site or the server.
    pub(crate) async fn open(&self, id: &DatasetId, pace: &Pace) -> Result<Rc<Open>, Failure> {
        if let Some(open) = self.opened(id) {
            return Ok(open);
        }
        let _one_at_a_time = self.reading.lock().await;
        pace.check()?;
        if let Some(open) = self.opened(id) {
            return Ok(open);
        }
        let found = if id.as_str() == DatasetId::STARTER {
            self.open_starter(pace).await?
        } else if let Some((kept, file)) = self.kept(id).await {
            let dataset = open::read(&kept.card.name, &file, pace).await?;
            Open::new(as_on(kept.card, dataset), kept.place)
        } else {
            self.open_from_server(id, pace).await?
        };
        Ok(self.remember(found))
    }

    async fn open_starter(&self, pace: &Pace) -> Result<Open, Failure> {
        let id = DatasetId::starter();
        let (file, is_new) = match remote::starter().await {
            Ok(file) => (file, true),
            Err(failure) => (self.kept(&id).await.ok_or(failure)?.1, false),
        };
        let mut dataset = open::read(STARTER_NAME, &file, pace).await?;
        dataset.id = id;
        dataset.license = Some(STARTER_LICENSE.to_owned());
        if is_new {
            self.keep(DatasetCard::from(&dataset), Place::Starter, &file)
                .await;
        }
        Ok(Open::new(dataset, Place::Starter))
    }

    async fn open_from_server(&self, id: &DatasetId, pace: &Pace) -> Result<Open, Failure> {
        let card = remote::card(id).await.map_err(|failure| match failure.kind {
            FailureKind::NotFound => {
                Failure::new(FailureKind::NotFound, format!("there is no benchmark {id} here or on the server"))
                    .next("import its file on the Benchmarks page; it may have been imported in another browser")
            }
            _ => failure,
        })?;
        let file = remote::content(id).await?;
        let dataset = open::read(&card.name, &file, pace).await?;
        self.keep(card.clone(), Place::Server, &file).await;
        Ok(Open::new(as_on(card, dataset), Place::Server))
    }

    /// An open benchmark that another request has just used.
    pub(crate) fn opened(&self, id: &DatasetId) -> Option<Rc<Open>> {
        let mut open = self.open.borrow_mut();
        let at = open.iter().position(|open| open.dataset.id == *id)?;
        let found = open.remove(at);
        open.push(Rc::clone(&found));
        Some(found)
    }

    fn remember(&self, opened: Open) -> Rc<Open> {
        let opened = Rc::new(opened);
        let mut open = self.open.borrow_mut();
        open.retain(|other| other.dataset.id != opened.dataset.id);
        open.push(Rc::clone(&opened));
        while open.len() > MAX_OPEN {
            let can_go = |open: &Rc<Open>| !matches!(open.place, Place::Tab | Place::Starter);
            let Some(oldest) = open.iter().position(can_go) else {
                break;
            };
            open.remove(oldest);
        }
        opened
    }

    async fn kept(&self, id: &DatasetId) -> Option<(Kept, Vec<u8>)> {
        self.store.as_ref()?.get(id).await.ok().flatten()
    }

    /// Whether the browser keeps it now; a full disk or a private window is no failure of the request.
    async fn keep(&self, card: DatasetCard, place: Place, file: &[u8]) -> bool {
        let Some(store) = &self.store else {
            return false;
        };
        store.put(&Kept { card, place }, file).await.is_ok()
    }
}

/// The id, name and licence are what the card says, not what the file's name gave.
fn as_on(card: DatasetCard, mut dataset: shared::dataset::Dataset) -> shared::dataset::Dataset {
    dataset.id = card.id;
    dataset.name = card.name;
    dataset.license = card.license;
    dataset
}
