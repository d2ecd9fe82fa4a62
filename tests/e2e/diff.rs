//! Two texts compared: edits found, stepped through, lit, linked, too much refused.

use std::sync::Mutex;

use anyhow::Result;
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;

use crate::support::Luggage;

const REFERENCE: &str = "def f(a):\n    b = a + 1\n    log(a)\n    return b\n";
const VARIANT: &str = "def f(a):\n    b = a + 2\n    return b, a\n";
const SUMMARY: &str = "4 edits: 1 insertion, 1 update, 2 deletions";

async fn fill(page: &Browser) -> Result<()> {
    page.fill("textbox", "Reference", REFERENCE).await?;
    page.fill("textbox", "Variant", VARIANT).await?;
    page.until_text(SUMMARY).await
}

/// The marked texts of one kind, in order.
async fn marked(page: &Browser, kind: &str) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll(`.diff-view__table .diff-${arguments[0]}`)]
        .map((it) => it.textContent)";
    page.eval(script, &[kind.into()]).await
}

/// The edits with a current one's number.
async fn current(page: &Browser) -> Result<i64> {
    let script = "return [...document.querySelectorAll('.diff-edits__edit')].findIndex((it) => it.ariaCurrent)";
    page.eval(script, &[]).await
}

#[tokio::test]
async fn two_texts_are_compared_while_they_are_typed() -> Result<()> {
    let server = Server::start()?;
    journey("diff_typed", async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        let updated = marked(page, "update").await?;
        assert_eq!(updated, ["1", "2"]);
        assert!(marked(page, "delete").await?.contains(&"log".to_owned()));

        // Step by step, by keyboard, around the end.
        page.eval::<()>("document.activeElement.blur()", &[]).await?;
        page.press('n').await?;
        assert_eq!(current(page).await?, 0);
        page.press('p').await?;
        assert_eq!(current(page).await?, 3);
        page.until_text("Edit 4 of 4").await?;

        page.click("button", "Unified").await?;
        let signs = "return [...document.querySelectorAll('.diff-view__sign')].some((it) => it.dataset.sign.includes('~'))";
        page.until_true("the unified rows", signs, &[]).await?;

        page.click("button", "Show the trees").await?;
        page.find("treeitem", "module").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_corresponds_lights_up_on_both_sides() -> Result<()> {
    let server = Server::start()?;
    journey("diff_lit", async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        let point = "const run = [...document.querySelectorAll('[id^=diff-a-]')].find((it) => it.textContent === 'b');
            run.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))";
        page.eval::<()>(point, &[]).await?;
        let lit = "const lit = [...document.querySelectorAll('.diff-lit')];
            return lit.length === 2 && lit.every((it) => it.textContent === 'b')";
        page.until_true("two lit names", lit, &[]).await?;
        page.until_text("identifier: ").await
    })
    .await
}

#[tokio::test]
async fn a_link_holds_both_texts_and_the_server_hears_of_neither() -> Result<()> {
    let server = Server::start()?;
    let link = Mutex::new(String::new());
    journey("diff_link_made", async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        let choose = "const it = document.querySelector('#matcher'); it.value = 'stable';
            it.dispatchEvent(new Event('change', { bubbles: true }))";
        page.eval::<()>(choose, &[]).await?;
        let settled =
            "return location.search === '?matcher=stable' && location.hash.startsWith('#d1=')";
        page.until_true("the address to follow", settled, &[])
            .await?;
        page.address()
            .await?
            .clone_into(&mut *link.lock().expect("nobody panicked"));
        Ok(())
    })
    .await?;
    let link = link.into_inner()?;
    if link.is_empty() {
        return Ok(());
    }
    journey("diff_link_opened", async |page| {
        page.open(&link).await?;
        page.until_text(SUMMARY).await?;
        let texts = "return [...document.querySelectorAll('.diff-page__text')].map((it) => it.value)";
        let texts: Vec<String> = page.eval(texts, &[]).await?;
        assert_eq!(texts, [REFERENCE, VARIANT]);
        let asked = "return performance.getEntriesByType('resource').map((it) => it.name).filter((it) => it.includes('d1='))";
        let asked: Vec<String> = page.eval(asked, &[]).await?;
        assert!(asked.is_empty(), "{asked:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_file_that_is_too_long_is_refused() -> Result<()> {
    let server = Server::start()?;
    let luggage = Luggage::new()?;
    let long = luggage.file("long.py", "x = 1\n".repeat(100_000))?;
    let short = luggage.file("short.py", REFERENCE)?;
    journey("diff_too_long", async |page| {
        page.open(&server.url("/diff")).await?;
        page.fill("textbox", "Variant", VARIANT).await?;
        let field = page.find("button", "File of the reference").await?;
        field.send_keys(long.to_string_lossy()).await?;
        page.until_text("long.py has 600 KB").await?;
        field.send_keys(short.to_string_lossy()).await?;
        page.until_text(SUMMARY).await?;
        Ok(())
    })
    .await
}
