//! The address bar and the compared texts follow each other: the matcher in the query, the texts in the hash.

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};
use shared::diff::MatcherId;

use super::texts::{Given, Texts};
use crate::components::toast::use_toasts;
use crate::page::{self, Page};
use crate::platform::{clock, deflate, document};
use crate::reactive::{LocalValue, RwSignal, StoredValue, effect};
use crate::state::diff::link::{MAX_HASH, from_hash, join, split, to_hash};
use crate::worker::client::Latest;

/// The address bar rests this long after the last change: browsers ration the writing of it.
const REST_MS: u32 = 400;

/// The address of what is compared.
#[derive(Clone, Copy)]
pub(super) struct Link {
    texts: Texts,
    pub(super) is_too_long: RwSignal<bool>,
}

/// Why there is no link.
enum NoLink {
    TooLong,
    /// The browser cannot deflate.
    Unable,
}

impl Link {
    /// With the site's origin; an error is a text for the user.
    pub(super) async fn full(self) -> Result<String, String> {
        let given = untrack(|| self.texts.given());
        match relative(&given).await {
            Ok(address) => Ok(format!("{}{address}", document::origin())),
            Err(NoLink::TooLong) => Err(format!(
                "the texts are too long for a link of {} KB; send the files instead",
                MAX_HASH >> 10
            )),
            Err(NoLink::Unable) => Err(
                "this browser cannot deflate texts for a link; use a browser of 2023 or later"
                    .to_owned(),
            ),
        }
    }
}

fn path(matcher: MatcherId) -> String {
    let path = Page::Diff.path();
    if matcher == MatcherId::default() {
        path
    } else {
        format!("{path}?matcher={matcher}")
    }
}

async fn relative(given: &Given) -> Result<String, NoLink> {
    let path = path(given.matcher);
    if given.is_empty() {
        return Ok(path);
    }
    let deflated = deflate::deflate(&join(&given.texts)).await;
    let hash = to_hash(&deflated.ok_or(NoLink::Unable)?).ok_or(NoLink::TooLong)?;
    Ok(format!("{path}#{hash}"))
}

/// Writes every change to the address bar, and takes over what is written there from outside.
pub(super) fn keep(texts: Texts) -> Link {
    let link = Link {
        texts,
        is_too_long: RwSignal::new(false),
    };
    let location = use_location();
    let navigate = use_navigate();
    let toasts = use_toasts();
    let (reading, writing) = (
        LocalValue::new_local(Latest::default()),
        LocalValue::new_local(Latest::default()),
    );
    // The hash that the page wrote or read last: it is not read again.
    let told = StoredValue::new(String::new());
    let again = Trigger::new();
    effect(move || {
        let is_bare = location.query.with(|query| query.get("matcher").is_none())
            && location.hash.with(String::is_empty);
        if is_bare && untrack(|| !texts.is_empty()) {
            // The way here was a link of the site: what is compared stays.
            again.notify();
            return;
        }
        let wanted = location.query.with(|query| query.get("matcher"));
        let wanted = wanted.and_then(|name| name.parse().ok());
        let wanted = wanted.unwrap_or_default();
        if texts.matcher.with_untracked(|matcher| *matcher != wanted) {
            texts.matcher.set(wanted);
        }
        let hash = location.hash.get();
        let hash = hash.trim_start_matches('#').to_owned();
        if hash.is_empty() || told.with_value(|told| *told == hash) {
            return;
        }
        told.set_value(hash.clone());
        let job = async move {
            let joined = deflate::inflate(&from_hash(&hash)?).await?;
            split(&joined)
        };
        let take = move |found: Option<Vec<String>>| match found {
            Some(found) => texts.take_all(found),
            None => toasts.failed("the link holds no texts, or it was cut; ask for it again"),
        };
        reading.with_value(|latest| latest.run(job, take));
    });
    let mut is_first = true;
    effect(move || {
        again.track();
        let given = texts.given();
        if std::mem::take(&mut is_first) {
            return;
        }
        let job = async move {
            clock::rest(REST_MS).await;
            let address = relative(&given).await;
            let path = path(given.matcher);
            Texts::leave(given);
            (address, path)
        };
        let navigate = navigate.clone();
        let write = move |(address, path): (Result<String, NoLink>, String)| {
            link.is_too_long
                .set(matches!(address, Err(NoLink::TooLong)));
            let address = address.unwrap_or(path);
            let hash = address.split_once('#').map_or("", |(_, hash)| hash);
            told.set_value(hash.to_owned());
            navigate(&address, page::in_place());
        };
        writing.with_value(|latest| latest.run(job, write));
    });
    on_cleanup(move || {
        for latest in [reading, writing] {
            latest.try_with_value(Latest::stop);
        }
    });
    link
}
