//! A visitor finds the starter benchmark, narrows its methods down and opens one.

use anyhow::Result;
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;

/// What `37 of 165 methods` counts.
async fn counts(page: &Browser) -> Result<(usize, usize)> {
    let script = "const found = document.querySelector('.subjects__count')?.innerText.replaceAll(',', '').match(/(\\d+) of (\\d+)/);
        return found ? [Number(found[1]), Number(found[2])] : null";
    page.until("how many methods are kept", script, &[]).await
}

async fn until_kept(page: &Browser, n: usize) -> Result<()> {
    let script = "return document.querySelector('.subjects__count')?.innerText.replaceAll(',', '').startsWith(`${arguments[0]} of `)";
    page.until_true(&format!("{n} methods kept"), script, &[n.into()])
        .await?;
    Ok(())
}

/// Switches a facet's value on or off; how many methods it said it would keep.
async fn toggle_facet(page: &Browser, value: &str) -> Result<usize> {
    let script = "const all = [...document.querySelectorAll('aside label')].filter((label) => label.checkVisibility());
        const label = all.find((label) => label.querySelector('.facet__label').innerText === arguments[0]);
        const n = Number(label?.querySelector('.facet__count').innerText.replaceAll(',', '') || NaN);
        return Number.isNaN(n) ? null : n";
    let n = page
        .until(&format!("the facet {value}"), script, &[value.into()])
        .await?;
    page.click("checkbox", value).await?;
    Ok(n)
}

#[tokio::test]
async fn browse() -> Result<()> {
    let server = Server::start()?;
    journey("browse", async |page| {
        page.open(&server.url("/")).await?;
        page.find("heading", "Benchmarks").await?;
        let card = page.find("article", "").await?.text().await?;
        let card = card.split_whitespace().collect::<Vec<_>>().join(" ");
        for count in ["26 classes", "165 methods", "showcases"] {
            let (n, what) = count.split_once(' ').unwrap_or(("", count));
            assert!(card.contains(what) && card.contains(n), "{count} in {card}");
        }

        page.click("link", "Browse methods").await?;
        until_kept(page, 165).await?;
        assert_eq!(counts(page).await?, (165, 165));

        let n_class = toggle_facet(page, "ChessBoard").await?;
        until_kept(page, n_class).await?;
        assert!(
            n_class > 1 && n_class < 165,
            "{n_class} methods of one class"
        );
        let n_both = toggle_facet(page, "3. Constants").await?;
        until_kept(page, n_both).await?;
        assert!(n_both <= n_class, "{n_both} of {n_class}");
        let rows = "return [...document.querySelectorAll('[role=row] a')].map((a) => a.innerText)";
        let rows: Vec<String> = page.eval(rows, &[]).await?;
        assert_eq!(rows.len(), n_both, "{rows:?}");
        assert!(
            rows.iter().all(|row| row.starts_with("ChessBoard.")),
            "{rows:?}"
        );

        page.fill("searchbox", "Search", "pawn_steps").await?;
        page.until_text("ChessBoard.pawn_steps").await?;
        until_kept(page, 1).await?;
        let told = "const told = new URLSearchParams(location.search);
            return told.get('class') === 'ChessBoard' && told.get('rule') === 'constants' && told.get('q') === 'pawn_steps'";
        page.until_true("the address to follow", told, &[]).await?;

        page.click("link", "ChessBoard.pawn_steps").await?;
        page.find("heading", "ChessBoard.pawn_steps").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_found_says_so_and_filters_are_dropped() -> Result<()> {
    let server = Server::start()?;
    journey("nothing_found", async |page| {
        page.open(&server.url("/b/starter?q=zzzzzz")).await?;
        page.fill("searchbox", "Search", "no such word anywhere")
            .await?;
        until_kept(page, 0).await?;
        page.until_text("No method has all of this").await?;
        page.click("button", "Clear all").await?;
        until_kept(page, 165).await?;
        Ok(())
    })
    .await
}
