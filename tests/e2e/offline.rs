//! The server goes away after the page has loaded; all but its own import still works.

use anyhow::Result;
use serde_json::json;
use shared::perturb::RULES;
use tests::journey::journey;
use tests::server::Server;
use thirtyfour::Key;

use crate::perturb_all::{saved, watch_downloads};
use crate::support::{Luggage, drop_file, starter, until_masked};

#[tokio::test]
async fn everything_works_with_the_server_stopped() -> Result<()> {
    let luggage = Luggage::new()?;
    let on_server = luggage.benchmark("served.json", 2, 3)?;
    let dropped = luggage.benchmark("dropped.json", 3, 3)?;
    let mut server = Server::with_benchmark(&on_server)?;
    let method = "ChessBoard.pawn_steps";
    let constants = starter(method, "constants", &[])?;
    journey("offline", async |page| {
        page.open(&server.url("/")).await?;
        page.click("link", "served").await?;
        page.until_text("6 of 6 methods").await?;
        page.click("link", "Benchmarks").await?;
        page.find("link", "Starter").await?;
        let read_ahead = "const read = performance.getEntriesByType('resource').filter((it) => it.responseEnd > 0);
            return arguments[0].every((slug) => read.some((it) => it.name.endsWith(`/help/${slug}.html`)))";
        let has_part = "return performance.getEntriesByType('resource').some((it) => it.responseEnd > 0 && it.name.includes('/pkg/split_compare-'))";
        page.until_true("the other pages read ahead", has_part, &[]).await?;
        let slugs: Vec<_> = RULES.iter().map(|rule| rule.id.slug()).collect();
        page.until_true("the help pages read ahead", read_ahead, &[json!(slugs)]).await?;
        server.stop();

        page.click("link", "Starter").await?;
        page.until_text("165 of 165 methods").await?;
        page.fill("searchbox", "Search", "pawn_steps").await?;
        page.until_text("1 of 165 methods").await?;
        page.click("link", method).await?;
        page.click("radio", "Constants:").await?;
        until_masked(page, &constants[0].masked).await?;
        page.click("tab", "Code").await?;
        page.find("textbox", "The method’s text").await?.click().await?;
        page.chord(&[Key::Control], Key::End).await?;
        page.write("  # edited").await?;
        page.click("tab", "Masked").await?;
        let edited = "return document.querySelector('.masked-view code')?.textContent.endsWith('  # edited')";
        page.until_true("the edited text masked", edited, &[]).await?;

        page.click("link", "Benchmarks").await?;
        page.until_text("not reachable").await?;
        page.click("link", "served").await?;
        page.until_text("6 of 6 methods").await?;
        page.click("link", "Benchmarks").await?;
        drop_file(page, &dropped).await?;
        page.until_text("dropped.json imported: 3 classes, 9 methods").await?;
        page.click("link", "Browse its methods").await?;
        page.click("link", "Perturb all").await?;
        watch_downloads(page).await?;
        page.click("button", "Perturb all 9 methods").await?;
        page.until_text("instances from 9 methods").await?;
        page.click("button", "Export CSV").await?;
        let csv = saved(page, ".csv").await?;
        assert!(csv.starts_with("class,methods,"), "{csv}");
        page.click("link", "Help").await?;
        page.click("link", "Constants").await?;
        page.find("heading", "What it hides").await?;
        Ok(())
    })
    .await
}
