//! The list of benchmarks, shared by the Benchmarks page, the header and the palette.

use leptos::prelude::*;

use crate::reactive::{LocalValue, RwSignal};
use crate::worker::client::{self, ClientError, Latest};
use crate::worker::protocol::DatasetList;

/// The benchmarks that can be opened.
#[derive(Clone, Copy)]
pub(crate) struct Catalog {
    /// `None` until the worker has answered.
    pub(crate) list: RwSignal<Option<Result<DatasetList, ClientError>>>,
    latest: LocalValue<Latest>,
}

impl Catalog {
    pub(crate) fn provide() -> Self {
        let catalog = Self {
            list: RwSignal::new(None),
            latest: LocalValue::new_local(Latest::default()),
        };
        provide_context(catalog);
        catalog
    }

    /// Asks again; the old list stays until the answer is there.
    pub(crate) fn refresh(self) {
        self.latest.with_value(|latest| {
            latest.run(client::datasets(), move |list| self.list.set(Some(list)));
        });
    }

    /// Whether the server is known to be out of reach.
    pub(crate) fn is_offline(self) -> bool {
        self.list
            .with(|list| matches!(list, Some(Ok(list)) if !list.server_answered))
    }
}

/// The page's catalog.
pub(crate) fn use_catalog() -> Catalog {
    expect_context()
}
