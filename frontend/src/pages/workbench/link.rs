//! The address bar and the workbench follow each other.

use std::time::Duration;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

use crate::page::{self, Page};
use crate::platform::document;
use crate::reactive::{StoredValue, effect};
use crate::state::workbench::Workbench;
use crate::state::workbench::link::{TooLong, ViewState, Written};

/// The address bar rests this long after the last change: browsers ration the writing of it.
const REST: Duration = Duration::from_millis(250);

/// A page's address with a view of it.
pub(super) fn address(page: &Page, view: &ViewState) -> String {
    let query = view.to_string();
    if query.is_empty() {
        page.path()
    } else {
        format!("{}?{query}", page.path())
    }
}

/// The view and what is written, as the address bar tells.
pub(super) fn read() -> (ViewState, Written) {
    let location = use_location();
    untrack(|| {
        (
            of_query(&location.search.get()),
            location.hash.with(|hash| Written::from_hash(hash)),
        )
    })
}

fn of_query(query: &str) -> ViewState {
    let pairs = query
        .trim_start_matches('?')
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    let decoded: Vec<(String, String)> = pairs
        .map(|(name, value)| (decode(name), decode(value)))
        .collect();
    ViewState::from_query(
        decoded
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    )
}

fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

/// The address of the shown view.
#[derive(Clone, Copy)]
pub(super) struct Address {
    bench: Workbench,
    page: StoredValue<Page>,
}

impl Address {
    /// With the site's origin; an error for the user when what is written does not fit a link.
    pub(super) fn full(self) -> Result<String, String> {
        let hash = untrack(|| self.written()).hash().map_err(|TooLong| {
            "what you wrote is too long for a link; download it as a file instead".to_owned()
        })?;
        Ok(format!(
            "{}{}",
            document::origin(),
            untrack(|| self.relative(hash))
        ))
    }

    fn written(self) -> Written {
        let is_edited = self.bench.is_edited.get();
        Written {
            edit: is_edited.then(|| self.bench.source.get()),
            variant: self.bench.desk().variant.get(),
        }
    }

    fn relative(self, hash: Option<String>) -> String {
        let address = self
            .page
            .with_value(|page| self.bench.view.with(|view| address(page, view)));
        hash.map_or_else(|| address.clone(), |hash| format!("{address}#{hash}"))
    }
}

/// Writes every change to the address bar, and takes over what is written there from outside.
pub(super) fn keep(bench: Workbench) -> Address {
    let page = bench
        .body
        .with_value(|body| Page::Workbench(body.dataset.clone(), body.subject.id.clone()));
    let address = Address {
        bench,
        page: StoredValue::new(page),
    };
    let location = use_location();
    let navigate = use_navigate();
    let own_path = StoredValue::new(location.pathname.get_untracked());
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        timer.try_update_value(|timer| timer.take().map(|timer| timer.clear()));
    };
    let told = StoredValue::new(read());

    let pathname = location.pathname;
    let is_here = move || own_path.with_value(|own| pathname.with_untracked(|path| path == own));
    let mut is_first = true;
    effect(move || {
        // What does not fit a link is kept by the page alone.
        let written = address.written();
        let hash = written.hash().ok().flatten();
        let kept = hash.as_ref().map(|_| written).unwrap_or_default();
        let now = (bench.view.get(), kept);
        let href = address.relative(hash);
        stop();
        if std::mem::take(&mut is_first) {
            return;
        }
        let navigate = navigate.clone();
        let write = move || {
            if is_here() {
                told.set_value(now.clone());
                navigate(&href, page::in_place());
            }
        };
        timer.set_value(set_timeout_with_handle(write, REST).ok());
    });
    effect(move || {
        let found = (
            location.search.with(|query| of_query(query)),
            location.hash.with(|hash| Written::from_hash(hash)),
        );
        if !is_here() || told.with_value(|told| *told == found) {
            return;
        }
        told.set_value(found.clone());
        bench.view.set(found.0);
        match found.1.edit {
            Some(text) => bench.source.set(text),
            None => bench.reset(),
        }
        if found.1.variant.is_some() {
            bench.desk().variant.set(found.1.variant);
        }
    });
    on_cleanup(stop);
    address
}
