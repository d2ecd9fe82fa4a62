//! Fetching a benchmark from a URL.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use reqwest::{Client, Url};
use shared::dataset::MAX_BYTES;

/// The URL that a text means; nothing when it is a path.
pub fn url(text: &str) -> Result<Option<Url>> {
    let Some((scheme, _)) = text.split_once("://") else {
        return Ok(None);
    };
    ensure!(
        matches!(scheme, "http" | "https"),
        "cannot fetch {text}: only http and https are supported"
    );
    Url::parse(text)
        .map(Some)
        .with_context(|| format!("{text} is no URL"))
}

/// Fetches all of a URL, with a progress bar where standard error is a terminal.
pub fn fetch(url: &Url, timeout: Duration) -> Result<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime
        .block_on(download(url, timeout))
        .with_context(|| format!("cannot fetch {url}"))
}

async fn download(url: &Url, timeout: Duration) -> Result<Vec<u8>> {
    crate::tls::ready();
    let client = Client::builder()
        .timeout(timeout)
        .connect_timeout(timeout.min(Duration::from_secs(15)))
        .user_agent(concat!("ctxlab/", env!("CARGO_PKG_VERSION")))
        .build()?;
    let mut response = match client.get(url.clone()).send().await {
        Ok(response) => response,
        Err(e) if e.is_timeout() => {
            bail!("no answer in time; try again or raise CTXLAB_DOWNLOAD_TIMEOUT_S")
        }
        Err(e) => return Err(e.without_url()).context("check the address and the network"),
    };
    let status = response.status();
    ensure!(
        status.is_success(),
        "the server answered {status}; check the address"
    );
    let too_large = || {
        format!(
            "the file is larger than {} MiB; download and split it",
            MAX_BYTES >> 20
        )
    };
    ensure!(
        response
            .content_length()
            .is_none_or(|length| length <= MAX_BYTES),
        too_large()
    );

    let bar = ProgressBar::new(response.content_length().unwrap_or(0));
    bar.set_style(ProgressStyle::with_template(
        "{bytes} of {total_bytes} ({bytes_per_sec})",
    )?);
    let mut bytes = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .context("the connection broke; try again")?
    {
        bytes.extend_from_slice(&chunk);
        ensure!(bytes.len() as u64 <= MAX_BYTES, too_large());
        bar.set_position(bytes.len() as u64);
    }
    bar.finish_and_clear();
    Ok(bytes)
}
