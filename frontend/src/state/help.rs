//! The help pages: fetched while the page has nothing else to do, so that they are there without the server.

use std::collections::BTreeMap;
use std::time::Duration;

use gloo_net::http::Request;
use leptos::prelude::*;
use serde::Deserialize;
use shared::perturb::RULES;

use crate::reactive::{RwSignal, StoredValue};
use crate::worker::protocol::{Failure, FailureKind};

/// How long after the start the pages are fetched.
const DELAY: Duration = Duration::from_millis(1_500);
const INDEX: &str = "/help/index.json";

/// A help page in the index.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct HelpEntry {
    pub(crate) slug: String,
    pub(crate) title: String,
}

/// The pages fetched so far.
#[derive(Clone, Copy)]
pub(crate) struct HelpShelf {
    index: RwSignal<Option<Vec<HelpEntry>>>,
    /// HTML made by the build from our own Markdown, by slug.
    pages: StoredValue<BTreeMap<String, String>>,
}

impl HelpShelf {
    pub(crate) fn provide() -> Self {
        let shelf = Self {
            index: RwSignal::new(None),
            pages: StoredValue::default(),
        };
        provide_context(shelf);
        set_timeout(move || leptos::task::spawn_local(shelf.fill()), DELAY);
        shelf
    }

    /// What there is, in the order to read it: concepts, then the rules by number.
    pub(crate) async fn index(self) -> Result<Vec<HelpEntry>, Failure> {
        if let Some(index) = self.index.get_untracked() {
            return Ok(index);
        }
        let mut index: Vec<HelpEntry> =
            serde_json::from_str(&fetch(INDEX).await?).map_err(|e| {
                Failure::new(
                    FailureKind::Broken,
                    format!("the list of help pages cannot be read ({e})"),
                )
                .next("reload the page")
            })?;
        index.sort_by_key(|entry| place(&entry.slug));
        self.index.set(Some(index.clone()));
        Ok(index)
    }

    /// The HTML of one page.
    pub(crate) async fn page(self, slug: String) -> Result<String, Failure> {
        if let Some(html) = self.pages.with_value(|pages| pages.get(&slug).cloned()) {
            return Ok(html);
        }
        if !self.index().await?.iter().any(|entry| entry.slug == slug) {
            return Err(Failure::new(
                FailureKind::NotFound,
                format!("there is no help page {slug}"),
            )
            .next("choose one from the list"));
        }
        let html = fetch(&format!("/help/{slug}.html")).await?;
        self.pages
            .update_value(|pages| drop(pages.insert(slug, html.clone())));
        Ok(html)
    }

    async fn fill(self) {
        for entry in self.index().await.unwrap_or_default() {
            // A page that cannot be had now is fetched again, and reported, when it is opened.
            let _fetched = self.page(entry.slug).await;
        }
    }
}

/// The shelf of this page.
pub(crate) fn use_help() -> HelpShelf {
    expect_context()
}

/// The number of the rule that a page is about; `None` for concepts.
pub(crate) fn rule_number(slug: &str) -> Option<u8> {
    RULES
        .iter()
        .find(|rule| rule.id.slug() == slug)
        .map(|rule| rule.id.number())
}

fn place(slug: &str) -> (bool, u8, usize) {
    // What a newcomer needs first.
    const FIRST: [&str; 3] = ["ctxbug", "rules", "benchmarks"];
    let at = FIRST
        .iter()
        .position(|first| *first == slug)
        .unwrap_or(FIRST.len());
    let number = rule_number(slug);
    (number.is_some(), number.unwrap_or_default(), at)
}

async fn fetch(url: &str) -> Result<String, Failure> {
    let failed = |why: String| {
        Failure::new(
            FailureKind::Offline,
            format!("the help page cannot be fetched ({why})"),
        )
        .next("start the server with `ctxlab serve` and try again")
    };
    let response = Request::get(url)
        .send()
        .await
        .map_err(|e| failed(e.to_string()))?;
    if !response.ok() {
        return Err(failed(format!("the server answered {}", response.status())));
    }
    response.text().await.map_err(|e| failed(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn concepts_come_before_rules_and_rules_by_number() {
        let mut slugs = [
            "third_party",
            "keyboard",
            "parameters",
            "ctxbug",
            "conditions",
        ];
        slugs.sort_by_key(|slug| place(slug));
        assert_eq!(
            slugs,
            [
                "ctxbug",
                "keyboard",
                "parameters",
                "conditions",
                "third_party"
            ]
        );
    }
}
