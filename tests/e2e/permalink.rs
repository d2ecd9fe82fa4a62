//! A link shows somebody else the same view.

use std::sync::Mutex;

use anyhow::Result;
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use thirtyfour::By;

use crate::support::{masked_text, starter, until_masked};

const METHOD: &str = "ChessBoard.pawn_steps";

/// What a reader sees of the view: chosen rule, tabs, site, texts.
async fn view(page: &Browser) -> Result<Vec<String>> {
    let script = "
        const chosen = [...document.querySelectorAll('[role=tab][aria-selected=true]')].map((tab) => tab.innerText);
        const radios = [...document.querySelectorAll('input:checked')].map((it) => it.computedName);
        const at = document.querySelector('.workbench__stepper')?.innerText;
        const revealed = [...document.querySelectorAll('.masked-view .site')].map((site) => site.dataset.hidden ?? '-');
        const options = [...document.querySelectorAll('select')].map((it) => it.value);
        return at ? [...chosen, ...radios, at, ...revealed, ...options] : null";
    page.until("the workbench", script, &[]).await
}

#[tokio::test]
async fn a_view_is_restored_in_another_browser() -> Result<()> {
    let server = Server::start()?;
    let link = Mutex::new(None);
    let constants = starter(METHOD, "constants", &[])?;
    let last = constants.len();
    assert!(last > 1, "the method has to have several instances");
    journey("permalink_made", async |page| {
        page.open(&server.url(&format!("/b/starter/{METHOD}"))).await?;
        page.click("radio", "Constants:").await?;
        page.click("radio", &format!("{last} of {last}")).await?;
        until_masked(page, &constants[last - 1].masked).await?;
        page.press('n').await?;
        page.click("tab", "Tests").await?;
        page.press('x').await?;
        let settled = "return ['rule=constants', 'site=2', 'tab=tests', 'reveal=1'].every((part) => location.search.includes(part))";
        page.until_true("the address to follow", settled, &[]).await?;
        let seen = (page.address().await?, view(page).await?, masked_text(page).await?);
        link.lock().expect("nobody panicked").replace(seen);
        Ok(())
    })
    .await?;
    let Some((address, seen, masked)) = link.into_inner()? else {
        return Ok(());
    };
    journey("permalink_opened", async |page| {
        page.open(&address).await?;
        until_masked(page, &masked).await?;
        assert_eq!(view(page).await?, seen);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn options_and_edits_travel_with_the_link() -> Result<()> {
    let server = Server::start()?;
    let link = Mutex::new(None);
    let together = starter(METHOD, "constants", &["constants.unit=method"])?;
    let n_constants = together[0].sites.len();
    journey("permalink_edited", async |page| {
        let path = format!("/b/starter/{METHOD}?rule=constants&view=code");
        page.open(&server.url(&path)).await?;
        page.click("tab", "Options").await?;
        let choices = page.find("combobox", "What one instance is").await?;
        let all_together = choices.find(By::Css("option[value=method]")).await?;
        all_together.click().await?;
        page.find("textbox", "The method’s text")
            .await?
            .click()
            .await?;
        page.write("# mine ").await?;
        page.click("tab", "Masked").await?;
        page.until_true(
            "the address to follow",
            "return location.hash.length > 3 && location.search.includes('o.constants.unit=method') && !location.search.includes('view=code')",
            &[],
        )
        .await?;
        let seen = (page.address().await?, masked_text(page).await?);
        let n_masks = seen.1.matches("<INFILL>").count();
        assert!(seen.1.contains("# mine") && n_masks == n_constants, "{}", seen.1);
        link.lock().expect("nobody panicked").replace(seen);
        Ok(())
    })
    .await?;
    let Some((address, masked)) = link.into_inner()? else {
        return Ok(());
    };
    journey("permalink_edited_opened", async |page| {
        page.open(&address).await?;
        until_masked(page, &masked).await?;
        page.until_text("Edited").await
    })
    .await
}

#[tokio::test]
async fn a_filtered_list_is_restored() -> Result<()> {
    let server = Server::start()?;
    journey("permalink_list", async |page| {
        page.open(&server.url("/b/starter?class=ChessBoard&rule=constants&q=pawn_steps"))
            .await?;
        page.until_text("1 of 165 methods").await?;
        let text = "return document.querySelector('input[type=search]').value";
        assert_eq!(page.eval::<String>(text, &[]).await?, "pawn_steps");
        Ok(())
    })
    .await
}
