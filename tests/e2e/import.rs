//! A file is dropped on the page and becomes a benchmark of this browser.

use std::io::Write as _;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;

use crate::support::{Luggage, choose_file, class, classeval, drop_file};

async fn until_imported(page: &Browser, name: &str) -> Result<()> {
    page.until_text(&format!("{name} imported: ")).await
}

#[tokio::test]
async fn drop_survives_a_reload() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.benchmark("shelves.json", 3, 4)?;
    journey("import_drop", async |page| {
        page.open(&server.url("/")).await?;
        drop_file(page, &file).await?;
        page.until_text("shelves.json imported: 3 classes, 12 methods, 0 tests.")
            .await?;
        page.reload().await?;
        page.click("link", "shelves").await?;
        page.until_text("12 of 12 methods").await?;
        page.click("link", "Shelf0.place_0").await?;
        page.find("heading", "Shelf0.place_0").await?;

        page.open(&server.url("/")).await?;
        page.click("button", "Remove shelves").await?;
        page.click("button", "Remove").await?;
        page.until_text("shelves removed from this browser").await?;
        page.reload().await?;
        page.find("link", "Browse methods").await?;
        assert!(
            page.all("link", "shelves").await?.is_empty(),
            "removed, but still listed"
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_browser_unpacks_compressed_files() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let plain = std::fs::read(luggage.benchmark("shelves.json", 3, 4)?)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&plain)?;
    let packed = encoder.finish()?;
    let whole = luggage.file("packed.json.gz", &packed)?;
    let half = luggage.file("half.json.gz", &packed[..packed.len() / 2])?;
    journey("import_compressed", async |page| {
        page.open(&server.url("/")).await?;
        drop_file(page, &half).await?;
        page.until_text("half.json.gz was not imported.").await?;
        page.until_text("gzip-compressed but damaged").await?;
        page.fill("textbox", "Licence", "CC-BY-4.0").await?;
        drop_file(page, &whole).await?;
        page.until_text("packed.json.gz imported: 3 classes, 12 methods, 0 tests.")
            .await?;
        page.reload().await?;
        page.until_text("CC-BY-4.0 · ").await?;
        page.click("link", "packed").await?;
        page.until_text("12 of 12 methods").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn classeval_is_read_with_its_oddities() -> Result<()> {
    let Some(file) = classeval("import of ClassEval in the page") else {
        return Ok(());
    };
    let server = Server::start()?;
    journey("import_classeval", async |page| {
        page.open(&server.url("/")).await?;
        choose_file(page, &file).await?;
        page.until_text("ClassEval_data.json imported: 100 classes, 410 methods").await?;
        page.until_text("3 notes on records: 3 kept with a warning").await?;
        let reasons = "return [...document.querySelectorAll('.note .reports__item')].map((it) => it.innerText)";
        let reasons: Vec<String> = page.eval(reasons, &[]).await?;
        assert_eq!(reasons.len(), 3, "{reasons:?}");
        let all_skeletons = reasons.iter().all(|it| it.contains("is no valid Python"));
        assert!(all_skeletons, "{reasons:?}");
        page.reload().await?;
        page.click("link", "ClassEval_data").await?;
        page.until_text("410 of 410 methods").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn bad_records_are_named_and_good_ones_kept() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let mut broken = class(1, 2);
    broken["solution_code"] = json!("class Shelf1:\n    def (\n");
    let mut partial = class(2, 2);
    partial
        .as_object_mut()
        .expect("a record is an object")
        .remove("solution_code");
    let lines = [
        class(0, 2).to_string(),
        broken.to_string(),
        partial.to_string(),
        "{ no json".to_owned(),
    ];
    let file = luggage.file("mixed.jsonl", lines.join("\n"))?;
    journey("import_bad_records", async |page| {
        page.open(&server.url("/")).await?;
        drop_file(page, &file).await?;
        until_imported(page, "mixed.jsonl").await?;
        page.until_text("1 class, 2 methods").await?;
        for reason in ["is no valid Python", "missing field", "the line is no JSON"] {
            page.until_text(reason).await?;
        }
        page.click("link", "Browse its methods").await?;
        page.until_text("2 of 2 methods").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_wrong_file_is_refused_with_its_reason() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let text = luggage.file("notes.json", "hello, this is no benchmark\n")?;
    let empty = luggage.file("empty.json", "")?;
    let other = luggage.file("other.json", "[{\"a\": 1}, {\"a\": 2}]")?;
    journey("import_wrong_file", async |page| {
        page.open(&server.url("/")).await?;
        for (file, name, reason) in [
            (&text, "notes.json", "no JSON"),
            (&empty, "empty.json", "holds no records"),
            (&other, "other.json", "None of the 2 records can be used"),
        ] {
            drop_file(page, file).await?;
            page.until_text(&format!("{name} was not imported."))
                .await?;
            page.until_text(reason).await?;
        }
        let one = "return document.querySelectorAll('article').length === 1";
        page.until_true("only the starter benchmark listed", one, &[])
            .await?;
        Ok(())
    })
    .await
}
