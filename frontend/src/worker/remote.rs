//! What comes over HTTP: the starter benchmark from the site, the others from the server.

use futures_util::future::{Either, select};
use gloo_net::http::{Request, Response};
use gloo_timers::future::TimeoutFuture;
use shared::api::{DatasetCard, ErrorBody, Listing, paths};
use shared::subject::DatasetId;

use crate::worker::protocol::{Failure, FailureKind};

/// How long a list may take before the server counts as out of reach.
const PATIENCE_MS: u32 = 4_000;

/// The starter benchmark's file.
pub(crate) async fn starter() -> Result<Vec<u8>, Failure> {
    bytes(paths::STARTER).await
}

/// The cards of all benchmarks on the server.
pub(crate) async fn cards() -> Result<Vec<DatasetCard>, Failure> {
    let mut cards = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let url = format!("{}?offset={offset}", paths::DATASETS);
        let page = Box::pin(get(&url));
        let Either::Left((page, _)) = select(page, TimeoutFuture::new(PATIENCE_MS)).await else {
            return Err(offline("it does not answer"));
        };
        let page: Listing<DatasetCard> = page?.json().await.map_err(|e| unexpected(&url, &e))?;
        cards.extend(page.items);
        next = page.next.filter(|&next| next > offset);
    }
    Ok(cards)
}

/// The card of one benchmark on the server.
pub(crate) async fn card(id: &DatasetId) -> Result<DatasetCard, Failure> {
    let url = paths::dataset(id);
    get(&url)
        .await?
        .json()
        .await
        .map_err(|e| unexpected(&url, &e))
}

/// The file of one benchmark on the server.
pub(crate) async fn content(id: &DatasetId) -> Result<Vec<u8>, Failure> {
    bytes(&paths::content(id)).await
}

async fn bytes(url: &str) -> Result<Vec<u8>, Failure> {
    get(url)
        .await?
        .binary()
        .await
        .map_err(|e| unexpected(url, &e))
}

async fn get(url: &str) -> Result<Response, Failure> {
    let response = Request::get(url)
        .send()
        .await
        .map_err(|e| offline(&e.to_string()))?;
    if response.ok() {
        return Ok(response);
    }
    let status = response.status();
    let kind = if status == 404 {
        FailureKind::NotFound
    } else {
        FailureKind::Broken
    };
    Err(match response.json::<ErrorBody>().await {
        Ok(body) => Failure {
            kind,
            message: body.message,
            next: body.hint,
        },
        Err(_) => Failure::new(kind, format!("the server answered {status} to {url}")),
    })
}

fn offline(why: &str) -> Failure {
    Failure::new(
        FailureKind::Offline,
        format!("the server cannot be reached ({why})"),
    )
    .next("start it with `ctxlab serve`, then try again; what this browser keeps works without it")
}

fn unexpected(url: &str, why: &gloo_net::Error) -> Failure {
    Failure::new(
        FailureKind::Broken,
        format!("the answer to {url} cannot be read ({why})"),
    )
    .next("reload the page: it may be older than the server")
}
