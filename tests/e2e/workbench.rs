//! A method under the rules: masked, stepped through, revealed, explained, edited.

use anyhow::{Context as _, Result};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use thirtyfour::Key;

use crate::support::{starter, until_masked};

const METHOD: &str = "ChessBoard.pawn_steps";

async fn source(page: &Browser) -> Result<String> {
    page.until(
        "the editor",
        "return document.querySelector('#method-text')?.value ?? null",
        &[],
    )
    .await
}

async fn until_source(page: &Browser, wanted: &str) -> Result<()> {
    let script = "return document.querySelector('#method-text')?.value === arguments[0]";
    let followed = page
        .until_true("the edited text", script, &[wanted.into()])
        .await;
    let now = source(page).await?;
    followed.with_context(|| format!("the text is {now:?}, not {wanted:?}"))
}

#[tokio::test]
async fn sites_are_stepped_through_revealed_and_explained() -> Result<()> {
    let server = Server::start()?;
    let constants = starter(METHOD, "constants", &[])?;
    assert!(
        constants.len() > 1,
        "the method has to have several instances"
    );
    journey("workbench_sites", async |page| {
        page.open(&server.url(&format!("/b/starter/{METHOD}"))).await?;
        let rule = format!("Constants: {} instances", constants.len());
        page.click("radio", &rule).await?;
        until_masked(page, &constants[0].masked).await?;

        let most = constants.iter().enumerate().max_by_key(|(_, record)| record.sites.len());
        let (at, record) = most.expect("there is an instance");
        let n = record.sites.len();
        page.click("radio", &format!("{} of {}", at + 1, constants.len())).await?;
        until_masked(page, &record.masked).await?;
        page.until_text(&format!("Site 1 of {n}")).await?;
        page.press('n').await?;
        page.until_text(&format!("Site 2 of {n}")).await?;
        page.press('p').await?;
        page.press('p').await?;
        page.until_text(&format!("Site {n} of {n}")).await?;

        page.click("button", "Reveal site 1").await?;
        let hidden = &record.sites[0].hidden;
        let shown = "return document.querySelector('.masked-view .site')?.dataset.hidden ?? null";
        let revealed: String = page.until("the revealed text", shown, &[]).await?;
        assert_eq!(&revealed, hidden);
        page.press('x').await?;
        let all = "const sites = [...document.querySelectorAll('.masked-view .site')];
            return sites.every((site) => site.dataset.hidden !== undefined) && sites.map((site) => site.dataset.hidden)";
        let all: Vec<String> = page.until("all revealed texts", all, &[]).await?;
        let hidden: Vec<_> = record.sites.iter().map(|site| site.hidden.clone()).collect();
        assert_eq!(all, hidden);
        // What is drawn over the masks is not in the text.
        until_masked(page, &record.masked).await?;

        page.click("tab", "Why").await?;
        page.until_text("masked in instance").await?;
        let rows: usize = page.eval("return document.querySelectorAll('.why-list__row').length", &[]).await?;
        let n_sites: usize = constants.iter().map(|record| record.sites.len()).sum();
        assert!(rows >= n_sites, "{rows} reasons for {n_sites} masked places");

        page.click("tab", "Several rules").await?;
        page.click("checkbox", "Operators").await?;
        let rules = "return [...new Set([...document.querySelectorAll('.masked-view .site')].map((it) => it.dataset.rule))].length > 1";
        page.until_true("sites of two rules", rules, &[]).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn edits_are_followed_and_reset() -> Result<()> {
    let server = Server::start()?;
    journey("workbench_edit", async |page| {
        page.open(&server.url(&format!("/b/starter/{METHOD}?rule=constants&view=code"))).await?;
        let original = source(page).await?;
        let field = page.find("textbox", "The method’s text").await?;
        field.click().await?;
        page.chord(&[Key::Control], Key::End).await?;
        page.press(Key::Enter).await?;
        // After a return the block ends; back in, a new block opens and is indented by itself.
        page.press(Key::Tab).await?;
        page.write("if steps:").await?;
        page.press(Key::Enter).await?;
        page.write("return 12345").await?;
        let edited = source(page).await?;
        let added = edited.strip_prefix(original.trim_end()).unwrap_or_default();
        let indents: Vec<usize> = added.lines().skip(1).map(|line| line.len() - line.trim_start().len()).collect();
        assert_eq!(indents.len(), 2, "{added:?}");
        assert_eq!(indents[1], indents[0] + 4, "{added:?}");

        page.press(Key::Home).await?;
        page.press(Key::Tab).await?;
        until_source(page, &edited.replace("    return 12345", "        return 12345")).await?;
        page.chord(&[Key::Shift], Key::Tab).await?;
        until_source(page, &edited).await?;
        page.chord(&[Key::Control], 'z').await?;
        until_source(page, &edited.replace("    return 12345", "        return 12345")).await?;
        page.chord(&[Key::Control, Key::Shift], 'z').await?;
        until_source(page, &edited).await?;

        page.click("tab", "Masked").await?;
        let masked = "return document.querySelector('.masked-view code')?.textContent.includes('if steps:') && !document.querySelector('.masked-view code').textContent.includes('12345')";
        page.until_true("the new constant masked", masked, &[]).await?;

        page.click("tab", "Code").await?;
        page.find("textbox", "The method’s text").await?.click().await?;
        page.chord(&[Key::Control], Key::End).await?;
        page.press(Key::Enter).await?;
        page.write("x = (").await?;
        page.until_text("no valid Python").await?;
        let error = "return document.querySelector('.editor .mark--error') !== null";
        page.until_true("the error marked in the text", error, &[]).await?;

        page.click("button", "Reset").await?;
        until_source(page, &original).await?;
        page.click("tab", "Masked").await?;
        let constants = starter(METHOD, "constants", &[])?;
        until_masked(page, &constants[0].masked).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_showcase_is_thought_through() -> Result<()> {
    let server = Server::start()?;
    journey("workbench_showcase", async |page| {
        page.open(&server.url("/b/starter/AccessMask.merge?view=showcase"))
            .await?;
        page.until_text("What would you write in the masked place?")
            .await?;
        page.click("button", "Show plausible filling").await?;
        page.until_text("known = ").await?;
        page.click("button", "Reveal why").await?;
        page.until_text("Decided by return 1 << position").await?;
        Ok(())
    })
    .await
}
