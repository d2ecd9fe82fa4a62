//! Which references can judge: checked in the page, with what is left out and why.

use std::fs;

use anyhow::Result;
use serde_json::{Value, json};
use tests::browser::{Browser, Size};
use tests::journey::{folder, journey, journey_of_size};
use tests::server::Server;
use thirtyfour::Key;

use crate::accessibility::nothing_serious;
use crate::keyboard::tab_to;
use crate::pages::prefer;

const WASM: &str = "wasm-lite";
const PAGE: &str = "/b/starter/references";

/// Waits for the end of a check; engines take their time on a busy machine.
async fn found(page: &Browser, text: &str) -> Result<()> {
    let script = "const it = document.querySelector('.references__summary');
        return it !== null && it.textContent.includes(arguments[0])";
    let what = format!("the summary “{text}”");
    let mut last = Ok(());
    for _ in 0..20 {
        last = page.until_true(&what, script, &[text.into()]).await;
        if last.is_ok() {
            break;
        }
    }
    last
}

#[tokio::test]
async fn the_starter_is_clean_and_stays_so() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "checking references in the page")? else {
        return Ok(());
    };
    journey("references_clean", async |page| {
        page.open(&server.url("/")).await?;
        page.click("link", "Check references…").await?;
        page.until_text("Nothing was checked yet").await?;
        tab_to(page, "button", "Check 26 references").await?;
        page.press(Key::Enter).await?;
        page.until_text("of 26 references").await?;
        // Who leaves and comes back finds it going on.
        page.open(&server.url(PAGE)).await?;
        page.until_text("of 26 references").await?;
        found(page, "26 of 26 references are clean; none is left out").await?;
        nothing_serious(page, "clean references").await?;
        // It is not run again to be shown.
        page.open(&server.url(PAGE)).await?;
        found(page, "26 of 26 references are clean").await?;
        page.until_text("CPython 3.12.0").await
    })
    .await
}

#[tokio::test]
async fn a_check_is_given_up() -> Result<()> {
    let Some(server) = Server::with_engines(&[WASM], "giving up a check of references")? else {
        return Ok(());
    };
    journey("references_cancelled", async |page| {
        page.open(&server.url(PAGE)).await?;
        page.click("button", "Check 26 references").await?;
        page.until_text("of 26 references").await?;
        page.click("button", "Cancel").await?;
        page.until_text("Cancelled after").await?;
        page.until_text("Nothing was checked yet").await?;
        page.open(&server.url(PAGE)).await?;
        page.until_text("Nothing was checked yet").await
    })
    .await
}

/// A class of the starter's schema whose one test is this.
fn class(name: &str, imports: &str, test: &str) -> Value {
    let code = format!(
        "{imports}class {name}:\n    def one(self):\n        \"\"\"\n        Gives one.\n        \"\"\"\n        return 1\n"
    );
    let test = format!(
        "import unittest\nimport time\n\n\nclass {name}TestOne(unittest.TestCase):\n    def test_one(self):\n        {test}\n"
    );
    json!({
        "task_id": name,
        "class_name": name,
        "class_constructor": format!("class {name}:\n"),
        "class_description": "",
        "fields": [],
        "import_statement": imports.lines().collect::<Vec<_>>(),
        "skeleton": code,
        "solution_code": code,
        "test": test,
        "test_classes": [format!("{name}TestOne")],
        "methods_info": [{
            "method_name": "one",
            "method_description": "def one(self):\n    \"\"\"\n    Gives one.\n    \"\"\"\n",
            "solution_code": "def one(self):\n        return 1",
            "test_class": format!("{name}TestOne"),
            "test_code": test,
            "dependencies": {
                "Standalone": true,
                "lib_dependencies": [],
                "field_dependencies": [],
                "method_dependencies": [],
            },
        }],
    })
}

fn flawed() -> String {
    json!([
        class("Sound", "", "self.assertEqual(Sound().one(), 1)"),
        class("Wrong", "", "self.assertEqual(Wrong().one(), 2)"),
        class(
            "Dated",
            "",
            "self.assertEqual((Dated().one(), time.gmtime().tm_year), (1, 2023))"
        ),
        class(
            "Bound",
            "import nowhere_at_all\n",
            "self.assertEqual(Bound().one(), 1)"
        ),
    ])
    .to_string()
}

/// A benchmark with three flawed references, checked; then `look`.
async fn checked(
    name: &str,
    size: Size,
    look: impl AsyncFnOnce(&Browser) -> Result<()>,
) -> Result<()> {
    let file = tempfile::Builder::new().suffix(".json").tempfile()?;
    fs::write(file.path(), flawed())?;
    let why = "checking flawed references in the page";
    let Some(server) = Server::with_engines_and_benchmark(&[WASM], file.path(), why)? else {
        return Ok(());
    };
    journey_of_size(&format!("references_{name}"), size, async |page| {
        page.open(&server.url("/")).await?;
        let at = "return [...document.querySelectorAll('a[href$=\"/references\"]')].map((it) => it.getAttribute('href')).find((it) => !it.includes('starter'))";
        let at: String = page.until("the imported benchmark", at, &[]).await?;
        page.open(&server.url(&at)).await?;
        page.click("button", "Check 4 references").await?;
        found(
            page,
            "1 of 4 references are clean; 3 left out: 1 needs a module, 1 is environment-bound, 1 fails its own tests",
        )
        .await?;
        look(page).await
    })
    .await
}

#[tokio::test]
async fn flawed_references_are_left_out_with_reason_and_remedy() -> Result<()> {
    checked("flawed", Size::LAPTOP, async |page| {
        page.until_text("There is no module nowhere_at_all").await?;
        page.until_text("this server has none").await?;
        page.until_text("It passes with the frozen clock").await?;
        let rows = "return [...document.querySelectorAll('.references__table tbody th')].map((it) => it.textContent)";
        let names: Vec<String> = page.eval(rows, &[]).await?;
        assert_eq!(names, ["Wrong", "Dated", "Bound"]);
        page.click("button", "needs a module 1").await?;
        let names: Vec<String> = page.eval(rows, &[]).await?;
        assert_eq!(names, ["Bound"]);
        page.click("button", "all 4").await?;
        let names: Vec<String> = page.eval(rows, &[]).await?;
        assert_eq!(names.len(), 4);
        nothing_serious(page, "flawed references").await
    })
    .await
}

/// What is left out at a size, in both themes: a picture, and nothing that scrolls sideways.
async fn look(name: &str, size: Size) -> Result<()> {
    let shots = folder()?.join("shots");
    fs::create_dir_all(&shots)?;
    checked(name, size, async |page| {
        for theme in ["light", "dark"] {
            prefer(page, theme).await?;
            let file = shots.join(format!("references-{name}-{theme}.png"));
            page.screenshot(&file).await?;
        }
        let over = "return document.scrollingElement.scrollWidth - innerWidth";
        let over: i64 = page.eval(over, &[]).await?;
        assert!(over <= 0, "wider than the window by {over} px");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_laptop_shows_what_is_left_out() -> Result<()> {
    look("1440x900", Size::LAPTOP).await
}

#[tokio::test]
async fn a_projector_shows_what_is_left_out() -> Result<()> {
    look("1280x720", Size::PROJECTOR).await
}

#[tokio::test]
async fn a_phone_shows_what_is_left_out() -> Result<()> {
    look("390x844", Size::PHONE).await
}
