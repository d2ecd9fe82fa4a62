//! One journey: a fresh browser, a body, and a picture of where it failed.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use futures_util::FutureExt as _;

use crate::browser::{Browser, Size, Tools};
use crate::{say, skipped, workspace};

/// Where pictures go.
pub fn folder() -> Result<PathBuf> {
    let folder = workspace().join("target/e2e");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs a journey in a browser with an empty profile. When it fails, `target/e2e/<name>.png` shows the page and
/// the error says what the console said. Skipped, loudly, where there is no browser.
pub async fn journey(name: &str, body: impl AsyncFnOnce(&Browser) -> Result<()>) -> Result<()> {
    journey_of_size(name, Size::LAPTOP, body).await
}

/// The same in a window of this size.
pub async fn journey_of_size(
    name: &str,
    size: Size,
    body: impl AsyncFnOnce(&Browser) -> Result<()>,
) -> Result<()> {
    let Some(tools) = Tools::find() else {
        skipped(&format!(
            "journey {name} (no Chromium and ChromeDriver on the search path)"
        ));
        return Ok(());
    };
    let began = Instant::now();
    let browser = Browser::start(&tools, size).await?;
    let outcome = AssertUnwindSafe(body(&browser)).catch_unwind().await;
    if let Ok(Ok(())) = outcome {
        say(&format!(
            "journey {name}: {:.1} s",
            began.elapsed().as_secs_f64()
        ));
        return Ok(());
    }
    let picture = folder()?.join(format!("{name}.png"));
    let taken = browser.screenshot(&picture).await;
    let console = browser.console().await.unwrap_or_default().join("\n  ");
    let at = browser.address().await.unwrap_or_default();
    let taken = taken.map_or_else(|e| format!("none: {e}"), |()| picture.display().to_string());
    let story = format!("journey {name} failed at {at}\n picture: {taken}\n console:\n  {console}");
    match outcome {
        Ok(result) => result.context(story),
        Err(panic) => {
            #[expect(clippy::print_stderr, reason = "a panic goes on as it is")]
            {
                eprintln!("{story}");
            }
            std::panic::resume_unwind(panic)
        }
    }
}
