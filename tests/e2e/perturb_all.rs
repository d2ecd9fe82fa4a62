//! A whole benchmark under the ten rules: table, files, cancel.

use std::path::Path;

use anyhow::{Context as _, Result};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::{Server, ctxlab};
use tests::specification;

use crate::support::{Luggage, choose_file, classeval};

/// Keeps the text of every file that the page saves.
const WATCH_DOWNLOADS: &str = "
    window.saved = {};
    const make = URL.createObjectURL;
    const blobs = new Map();
    URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
    addEventListener('click', (event) => {
        const link = event.target.closest?.('a[download]');
        if (!link) return;
        event.preventDefault();
        blobs.get(link.href).text().then((text) => { window.saved[link.download] = text; });
    }, true);
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
        if (this.download && !this.isConnected) this.dispatchEvent(new Event('click'));
        const blob = blobs.get(this.href);
        if (this.download && blob) { blob.text().then((text) => { window.saved[this.download] = text; }); return; }
        click.call(this);
    };";

/// The text of the one file whose name ends so.
pub(crate) async fn saved(page: &Browser, ending: &str) -> Result<String> {
    let script = "return Object.entries(window.saved).find(([name]) => name.endsWith(arguments[0]))?.[1] ?? null";
    page.until(&format!("a saved file {ending}"), script, &[ending.into()])
        .await
}

/// Imports a file, and goes to its benchmark's counts.
pub(crate) async fn open_counts(page: &Browser, server: &Server, file: &Path) -> Result<()> {
    page.open(&server.url("/")).await?;
    choose_file(page, file).await?;
    page.click("link", "Browse its methods").await?;
    page.click("link", "Perturb all").await
}

pub(crate) async fn watch_downloads(page: &Browser) -> Result<()> {
    let _: Option<bool> = page.eval(WATCH_DOWNLOADS, &[]).await?;
    Ok(())
}

/// What the command line prints for a benchmark file.
fn native(file: &Path, format: &str) -> Result<String> {
    let file = file.to_str().context("the path is not UTF-8")?;
    Ok(String::from_utf8(ctxlab(&[
        "perturb",
        "--dataset",
        file,
        "--format",
        format,
    ])?)?)
}

#[tokio::test]
async fn classeval_is_counted_and_exported_as_the_command_line_does() -> Result<()> {
    let what = "ClassEval's counts and files in the page";
    let (Some(file), Some(counts)) = (classeval(what), specification("spec/rule_counts.csv", what))
    else {
        return Ok(());
    };
    let server = Server::start()?;
    journey("perturb_all", async |page| {
        open_counts(page, &server, &file).await?;
        watch_downloads(page).await?;
        page.click("button", "Perturb all 410 methods").await?;
        page.until_text("3,528 instances from 410 methods").await?;
        let total = "return document.querySelector('tfoot td:last-child').innerText";
        assert_eq!(page.eval::<String>(total, &[]).await?, "3,528");

        page.click("button", "Export CSV").await?;
        let csv = saved(page, ".csv").await?;
        assert!(
            csv == std::fs::read_to_string(counts)?,
            "the page's counts are not the specification's"
        );
        assert!(
            csv == native(&file, "csv")?,
            "the page's counts are not the command line's"
        );
        page.click("button", "Export JSONL").await?;
        let jsonl = saved(page, ".jsonl").await?;
        assert_eq!(jsonl.lines().count(), 3_528);
        let same = jsonl == native(&file, "jsonl")?;
        assert!(same, "the page's perturbations are not the command line's");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_generated_benchmark_is_exported_as_the_command_line_does() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.benchmark("shelves.json", 5, 4)?;
    journey("perturb_all_generated", async |page| {
        open_counts(page, &server, &file).await?;
        watch_downloads(page).await?;
        page.click("button", "Perturb all 20 methods").await?;
        page.until_text("instances from 20 methods").await?;
        for format in ["csv", "jsonl"] {
            page.click("button", &format!("Export {}", format.to_uppercase()))
                .await?;
            let text = saved(page, &format!(".{format}")).await?;
            assert!(text.lines().count() > 5, "{text}");
            assert_eq!(text, native(&file, format)?);
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn cancel_stops_and_the_page_stays_usable() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.benchmark("many.json", 1_000, 10)?;
    journey("perturb_all_cancel", async |page| {
        open_counts(page, &server, &file).await?;
        page.click("button", "Perturb all 10,000 methods").await?;
        page.find("progressbar", "").await?;
        let moving = "return /[1-9][0-9,]* of 10,000 methods/.test(document.body.innerText)";
        page.until_true("some methods perturbed", moving, &[])
            .await?;
        page.click("button", "Cancel").await?;
        page.until_text("Cancelled after").await?;
        let done =
            "const found = document.body.innerText.match(/Cancelled after ([0-9,]+) of 10,000/);
            return found ? Number(found[1].replaceAll(',', '')) : null";
        let done: usize = page.until("how many were done", done, &[]).await?;
        assert!(done < 10_000, "cancelled after all {done}");
        // The worker answers others at once: it does not go on with what was cancelled.
        page.click("link", "Benchmarks").await?;
        page.click("link", "Starter").await?;
        page.until_text("165 of 165 methods").await?;
        Ok(())
    })
    .await
}
