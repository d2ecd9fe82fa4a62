//! Tests of a program: run on the server and in the page, looked into, given up, and what is said where
//! they cannot be run.

use anyhow::Result;
use tests::browser::{Browser, Size};
use tests::journey::{folder, journey, journey_of_size};
use tests::server::Server;
use thirtyfour::Key;

use crate::accessibility::nothing_serious;
use crate::keyboard::{tab_to, until_focus};
use crate::pages::prefer;

const METHOD: &str = "AccessMask.merge";
const CODE: &str = "/b/starter/AccessMask.merge?view=code";
/// All places filled, the second not as in the reference: `known <= 0` for `known == 0`.
const VARIANT: &str = "/b/starter/AccessMask.merge?rule=operators&view=variant";
const WASM: &str = "wasm-lite";
const BROWSER: &str = "browser";

/// Writes another text over the method's.
async fn write_over(page: &Browser, text: &str) -> Result<()> {
    page.find("textbox", "The method’s text")
        .await?
        .click()
        .await?;
    page.chord(&[Key::Control], 'a').await?;
    let script = "document.execCommand('insertText', false, arguments[0])";
    page.eval(script, &[text.into()]).await
}

async fn choose_engine(page: &Browser, engine: &str) -> Result<()> {
    page.eval::<()>("document.querySelector('.engines').open = true", &[])
        .await?;
    page.click("radio", engine).await
}

/// A wrong text whose tests fail with two values.
const WRONG: &str = "def merge(self, other):\n    known = other & self.ALL_BITS\n    print('merging', known)\n    self.bits = self.bits + known\n    return self.bits\n";

/// Waits for the verdict; Python takes its time to start on a busy machine.
async fn verdict(page: &Browser, text: &str) -> Result<()> {
    let script = "const it = document.querySelector('.testing__verdict');
        return it !== null && it.textContent.includes(arguments[0])";
    let what = format!("the verdict “{text}”");
    let mut last = Ok(());
    for _ in 0..4 {
        last = page.until_true(&what, script, &[text.into()]).await;
        if last.is_ok() {
            break;
        }
    }
    last
}

#[tokio::test]
async fn a_failing_test_is_opened_and_read() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "running tests in the page")? else {
        return Ok(());
    };
    journey("tests_fail", async |page| {
        page.open(&server.url(CODE)).await?;
        page.click("button", "Run tests").await?;
        verdict(page, "tests pass").await?;
        page.until_text("the reference").await?;
        page.until_text("CPython 3.12.0").await?;

        write_over(page, WRONG).await?;
        page.until_text("another text is shown now").await?;
        page.click("button", "Run tests").await?;
        verdict(page, "of").await?;
        page.until_text("the edited text").await?;
        // The first failure is open, with both values and the lines on the way.
        page.find("group", "The chosen test").await?;
        let values = "return [...document.querySelectorAll('.test-detail__values dt, .test-detail__values pre')].map((it) => it.textContent)";
        let values: Vec<String> = page.eval(values, &[]).await?;
        assert_eq!((&*values[0], &*values[2]), ("Expected", "Actual"), "{values:?}");
        assert_ne!(values[1], values[3]);
        let lines = "return document.querySelector('.test-detail__frames').innerText";
        let lines: String = page.eval(lines, &[]).await?;
        assert!(lines.contains("of the tests") && lines.contains("assert"), "{lines}");
        // What was run is compared, test by test.
        page.until_text("2 programs compared").await?;
        nothing_serious(page, "a failing test").await
    })
    .await
}

#[tokio::test]
async fn an_error_leads_to_its_line() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "lines of errors in the page")? else {
        return Ok(());
    };
    journey("tests_line", async |page| {
        page.open(&server.url(CODE)).await?;
        write_over(page, "def merge(self, other):\n    known = other\n    return self.nothing_here\n").await?;
        page.click("button", "Run tests").await?;
        page.until_text("AttributeError").await?;
        page.click("button", "line 3 of the method").await?;
        let marked = "return [...document.querySelectorAll('.editor .mark--focus')].map((it) => it.textContent).join('')";
        let marked: String = page.until("the line", marked, &[]).await?;
        assert_eq!(marked, "return self.nothing_here");

        write_over(page, "def merge(self, other):\n    return (\n").await?;
        page.click("button", "Run tests").await?;
        verdict(page, "Syntax error").await?;
        write_over(page, "def merge(self, other):\n    import os\n    os._exit(3)\n").await?;
        page.click("button", "Run tests").await?;
        verdict(page, "Killed: the program ended itself with code 3").await
    })
    .await
}

#[tokio::test]
async fn a_variant_is_decided_by_its_tests() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "deciding a variant in the page")? else {
        return Ok(());
    };
    journey("tests_variant", async |page| {
        page.open(&server.url(VARIANT)).await?;
        page.click("button", "Use the author’s plausible filling")
            .await?;
        page.until_text("to fill").await?;
        page.click("button", "Run tests").await?;
        page.until_text("Nothing to run yet").await?;
        page.fill("textbox", "Site 1", "&").await?;
        page.fill("textbox", "Site 2", "==").await?;
        page.until_text("tests: not run yet").await?;
        page.click("button", "Run tests").await?;
        page.until_text("CtxBug: 1 of 3 places differs").await?;
        page.fill("textbox", "Site 3", "|").await?;
        page.fill("textbox", "Site 2", "<=").await?;
        page.until_text("tests: not run yet").await?;
        page.click("button", "Run tests").await?;
        page.until_text("No CtxBug").await
    })
    .await
}

#[tokio::test]
async fn an_endless_loop_is_given_up_by_keyboard_alone() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "giving up an endless loop")? else {
        return Ok(());
    };
    journey("tests_cancelled", async |page| {
        page.open(&server.url(CODE)).await?;
        write_over(
            page,
            "def merge(self, other):\n    while True:\n        pass\n",
        )
        .await?;
        page.press(Key::Escape).await?;
        page.press(Key::Tab).await?;
        page.press('t').await?;
        page.until_text("Testing the edited text").await?;
        page.press(Key::Escape).await?;
        page.until_text("Cancelled;").await?;
        // The server's place is free again. In the masked view Tab leads past the text.
        page.open(&server.url("/b/starter/AccessMask.merge"))
            .await?;
        page.find("button", "Next site").await?;
        page.press('t').await?;
        verdict(page, "tests pass").await?;
        tab_to(page, "button", "test_").await?;
        let first = page.focus().await?.1;
        page.press(Key::Down).await?;
        until_focus(page, "button", "test_").await?;
        assert_ne!(page.focus().await?.1, first);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_cannot_run_says_what_to_do() -> Result<()> {
    let mut server = Server::start()?;
    journey("tests_no_engine", async |page| {
        page.open(&server.url(CODE)).await?;
        page.click("button", "Run tests").await?;
        page.until_text("No engine is ready").await?;
        page.until_text("ctxlab engine install wasm-lite").await?;
        page.until_text("ctxlab engine install browser").await?;
        page.until_text("this says nothing about the code").await?;
        let disabled =
            "return [...document.querySelectorAll('.engines input')].every((it) => it.disabled)";
        page.until_true("engines that cannot be chosen", disabled, &[])
            .await?;
        server.stop();
        page.click("button", "Try again").await?;
        page.until_text("No engine can be reached").await?;
        page.until_text("ctxlab serve").await?;
        page.find("heading", METHOD).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_page_runs_tests_with_the_server_stopped() -> Result<()> {
    let Some(mut server) = Server::with_engines(&[WASM, BROWSER], "tests without a server")? else {
        return Ok(());
    };
    journey("tests_browser", async |page| {
        page.open(&server.url(CODE)).await?;
        page.click("button", "Run tests").await?;
        verdict(page, "tests pass").await?;
        choose_engine(page, BROWSER).await?;
        page.click("button", "Run tests").await?;
        page.until_text("Loading Python into this browser, once")
            .await?;
        verdict(page, "tests pass").await?;
        page.until_text("Pyodide 314.0.7 / CPython 3.14.2").await?;
        server.stop();

        write_over(
            page,
            "def merge(self, other):\n    return self.nothing_here\n",
        )
        .await?;
        page.click("button", "Run tests").await?;
        page.until_text("AttributeError").await?;
        write_over(
            page,
            "def merge(self, other):\n    while True:\n        pass\n",
        )
        .await?;
        page.click("button", "Run tests").await?;
        page.until_text("Testing the edited text").await?;
        page.click("button", "Cancel").await?;
        page.until_text("Cancelled;").await?;
        page.click("button", "Reset").await?;
        page.click("button", "Run tests").await?;
        verdict(page, "tests pass").await
    })
    .await
}

/// A failing test at a size, in both themes: a picture, and nothing that scrolls sideways.
async fn look(name: &str, size: Size) -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "pictures of failing tests")? else {
        return Ok(());
    };
    let shots = folder()?.join("shots");
    std::fs::create_dir_all(&shots)?;
    journey_of_size(&format!("tests_{name}"), size, async |page| {
        page.open(&server.url(CODE)).await?;
        write_over(page, WRONG).await?;
        page.click("button", "Run tests").await?;
        verdict(page, "tests fail").await?;
        for theme in ["light", "dark"] {
            prefer(page, theme).await?;
            let file = shots.join(format!("tests-{name}-{theme}.png"));
            page.screenshot(&file).await?;
        }
        let over = "const it = document.scrollingElement; return [it.scrollWidth - innerWidth, it.scrollHeight - innerHeight]";
        let (wider, higher): (i64, i64) = page.eval(over, &[]).await?;
        assert!(wider <= 0, "wider than the window by {wider} px");
        // Only a narrow window scrolls as a whole.
        assert!(name.starts_with("390") || higher <= 0, "higher by {higher} px");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_laptop_shows_a_failing_test() -> Result<()> {
    look("1440x900", Size::LAPTOP).await
}

#[tokio::test]
async fn a_projector_shows_a_failing_test() -> Result<()> {
    look("1280x720", Size::PROJECTOR).await
}

#[tokio::test]
async fn a_phone_shows_a_failing_test() -> Result<()> {
    look("390x844", Size::PHONE).await
}
