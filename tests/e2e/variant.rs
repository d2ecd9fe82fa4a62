//! A variant by the reader: filled in, pasted, judged place by place, linked, exported.

use std::sync::Mutex;

use anyhow::{Context as _, Result};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use tests::workspace;
use thirtyfour::Key;

use crate::keyboard::tab_to;
use crate::support::{Record, starter};

const METHOD: &str = "AccessMask.merge";
const PATH: &str = "/b/starter/AccessMask.merge?rule=operators&view=variant";
const FIELD: &str = "The method, a whole class, or a model’s reply";

/// What is said of each place: sign and word.
async fn states(page: &Browser) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.variant__site-head')].map((it) => it.querySelector('.variant__state')?.innerText.trim() ?? '')";
    page.eval(script, &[]).await
}

async fn until_states(page: &Browser, wanted: &[&str]) -> Result<()> {
    let script = "return [...document.querySelectorAll('.variant__site-head')].map((it) => it.querySelector('.variant__state')?.innerText.trim() ?? '').join('|') === arguments[0]";
    let said = page
        .until_true("the places' states", script, &[wanted.join("|").into()])
        .await;
    let now = states(page).await?;
    said.with_context(|| format!("said is {now:?}, not {wanted:?}"))
}

/// Puts a text into a field as pasting does.
async fn paste(page: &Browser, name: &str, text: &str) -> Result<()> {
    page.find("textbox", name).await?.click().await?;
    page.chord(&[Key::Control], 'a').await?;
    let script = "document.execCommand('insertText', false, arguments[0])";
    page.eval(script, &[text.into()]).await
}

fn all_operators() -> Result<Record> {
    let record = starter(METHOD, "operators", &[])?.pop();
    record.context("the method has no operators")
}

fn class_with(line: &str, other: &str) -> Result<String> {
    let class = std::fs::read_to_string(workspace().join("static/cases/access_mask.py"))?;
    assert!(class.contains(line), "{line}");
    Ok(class.replace(line, other))
}

#[tokio::test]
async fn places_are_filled_and_judged_one_by_one() -> Result<()> {
    let server = Server::start()?;
    let record = all_operators()?;
    let hidden: Vec<&str> = record
        .sites
        .iter()
        .map(|site| site.hidden.as_str())
        .collect();
    assert_eq!(hidden, ["&", "==", "|"]);
    journey("variant_filled", async |page| {
        page.open(&server.url(PATH)).await?;
        page.until_text("3 places to fill").await?;
        until_states(page, &["…to fill"; 3]).await?;
        page.fill("textbox", "Site 1", "&").await?;
        page.until_text("The filled place is as the reference; 2 places to fill")
            .await?;
        page.fill("textbox", "Site 2", "<=").await?;
        until_states(page, &["=as the reference", "≠changed", "…to fill"]).await?;
        page.fill("textbox", "Site 3", "| (").await?;
        page.until_text("Syntax error in line").await?;

        // The author's line takes the place of what is no Python.
        page.click("button", "Use the author’s plausible filling")
            .await?;
        page.until_text("2 of 3 places differ; tests: not run yet")
            .await?;
        until_states(page, &["=as the reference", "≠changed", "−deleted"]).await?;
        let code = "return document.querySelector('.masked-view code').textContent";
        let code: String = page.eval(code, &[]).await?;
        assert!(
            code.contains("self.bits + known") && code.contains("known <= 0"),
            "{code}"
        );

        // What stood there stays hidden until it is asked for.
        let told = "return document.querySelector('.variant__texts').innerText";
        let told: String = page.eval(told, &[]).await?;
        assert!(told.contains("hidden"), "{told}");
        assert!(page.all("region", "Diff").await?.is_empty());
        page.click("button", "Show the reference").await?;
        page.find("button", "Next edit").await?;
        page.until_text("3 edits").await?;
        page.eval::<()>("document.activeElement.blur()", &[])
            .await?;
        page.press('n').await?;
        page.until_text("Edit 1 of 3").await?;
        page.press('x').await?;
        let gone = "return document.querySelector('.diff-view') === null";
        page.until_true("the reference to be hidden", gone, &[])
            .await?;
        page.press('n').await?;
        page.until_text("Site 1 of 3").await?;

        page.fill("textbox", "Site 2", "==").await?;
        page.fill("textbox", "Site 3", "|").await?;
        page.until_text("Identical at all 3 places: no CtxBug")
            .await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_pasted_reply_is_read() -> Result<()> {
    let server = Server::start()?;
    let class = class_with(
        "known = other & self.ALL_BITS",
        "known = other | self.ALL_BITS",
    )?;
    let reply = format!(
        "Sure! This is the class:\n\n```python\nimport os\n{class}```\n\nIt keeps the flags.\n"
    );
    journey("variant_pasted", async |page| {
        page.open(&server.url(PATH)).await?;
        page.fill("textbox", "Site 1", "+").await?;
        page.click("button", "Write the text").await?;
        // The fields are carried over.
        let carried = "return document.querySelector('#variant-text').value.includes('other + self.ALL_BITS')";
        page.until_true("the filled text", carried, &[]).await?;
        paste(page, FIELD, &reply).await?;
        page.until_text("1 of 3 places differs; tests: not run yet").await?;
        until_states(page, &["−deleted", "=as the reference", "=as the reference"]).await?;
        page.until_text("found in a fenced block, in its class").await?;
        page.until_text("stay out: import os").await?;

        paste(page, FIELD, &reply.replace("return self.bits\n", "return self.bits or 0\n")).await?;
        page.until_text("outside the masked places").await?;
        paste(page, FIELD, "def merge(self, other):\n    known = other & (\n").await?;
        page.until_text("Syntax error in line").await?;
        paste(page, FIELD, "def merge(self, other):\n    known = other <INFILL> 1\n").await?;
        page.until_text("<INFILL> was left in line 2").await?;
        paste(page, FIELD, "I would rather not.").await?;
        page.until_text("No method merge in the reply").await?;
        until_states(page, &[""; 3]).await?;

        // Both ways keep what was typed, also over a walk to another rule.
        page.click("button", "Fill the sites").await?;
        page.until_text("The filled place differs; 2 places to fill").await?;
        page.eval::<()>("document.activeElement.blur()", &[]).await?;
        page.press('3').await?;
        page.until_text("1 place to fill").await?;
        page.press('4').await?;
        page.until_text("The filled place differs; 2 places to fill").await?;
        page.click("button", "Write the text").await?;
        page.until_text("No method merge in the reply").await?;
        page.click("button", "Back to the filled sites").await?;
        page.until_text("The filled place differs; 2 places to fill").await
    })
    .await
}

#[tokio::test]
async fn a_link_holds_the_variant() -> Result<()> {
    let server = Server::start()?;
    let link = Mutex::new(String::new());
    journey("variant_link_made", async |page| {
        page.open(&server.url(PATH)).await?;
        page.fill("textbox", "Site 1", "|").await?;
        page.fill("textbox", "Site 2", "!=").await?;
        page.fill("textbox", "Site 3", "|").await?;
        page.until_text("2 of 3 places differ").await?;
        let settled = "return location.hash.startsWith('#v1=') && location.hash.length > 40";
        page.until_true("the address to follow", settled, &[]).await?;
        let still = "return new Promise((resolve) => { const before = location.href; setTimeout(() => resolve(before === location.href), 400); })";
        page.until_true("the address to rest", still, &[]).await?;
        page.address().await?.clone_into(&mut *link.lock().expect("nobody panicked"));

        // Elsewhere the variant is no part of the address.
        page.click("tab", "Masked").await?;
        page.until_true("a short address", "return location.hash === ''", &[]).await?;
        page.click("tab", "Variant").await?;
        page.until_text("2 of 3 places differ").await
    })
    .await?;
    let link = link.into_inner()?;
    if link.is_empty() {
        return Ok(());
    }
    journey("variant_link_opened", async |page| {
        page.open(&link).await?;
        page.until_text("2 of 3 places differ; tests: not run yet")
            .await?;
        let fields =
            "return [...document.querySelectorAll('.variant__field')].map((it) => it.value)";
        let fields: Vec<String> = page.eval(fields, &[]).await?;
        assert_eq!(fields, ["|", "!=", "|"]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_variant_is_written_by_keyboard_alone() -> Result<()> {
    let server = Server::start()?;
    journey("variant_keyboard", async |page| {
        page.open(&server.url(PATH)).await?;
        page.find("textbox", "Site 1").await?;
        tab_to(page, "textbox", "Site 1").await?;
        // A letter in a field is a letter.
        page.write("n").await?;
        tab_to(page, "textbox", "Site 2").await?;
        page.write("==").await?;
        tab_to(page, "textbox", "Site 3").await?;
        page.write("|").await?;
        page.press(Key::Enter).await?;
        let rows = "return [...document.querySelectorAll('.variant__field')].map((it) => it.rows)";
        let rows: Vec<u32> = page.eval(rows, &[]).await?;
        assert_eq!(rows, [1, 1, 2]);
        page.until_text("Syntax error in line").await?;
        // A screen reader is told once the typing rests.
        let said = "return [...document.querySelectorAll('[aria-live=polite]')].some((it) => it.textContent.startsWith('Syntax error'))";
        page.until_true("the verdict said", said, &[]).await?;
        page.press(Key::Escape).await?;
        page.press('n').await?;
        page.until_text("Site 1 of 3").await
    })
    .await
}
