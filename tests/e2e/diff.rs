//! Texts compared, two, three or a file of pairs: edits found, stepped through, lit, linked, too much refused.

use std::sync::Mutex;

use anyhow::Result;
use serde_json::json;
use shared::diff::{PairOptions, pair_line};
use tests::browser::{Browser, Size};
use tests::journey::{journey, journey_of_size};
use tests::server::{Server, ctxlab};
use thirtyfour::Key;

use crate::perturb_all::{saved, watch_downloads};
use crate::support::Luggage;

const REFERENCE: &str = "def f(a):\n    b = a + 1\n    log(a)\n    return b\n";
const VARIANT: &str = "def f(a):\n    b = a + 2\n    return b, a\n";
const ANSWER: &str = "def f(a):\n    b = a + 1\n    log(b)\n    print(a)\n    return b\n";
const SUMMARY_OF_THREE: &str = "Variant: 4 edits (1 insertion, 1 update, 2 deletions); Answer: 2 edits (1 insertion, 1 update)";
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

async fn fill_three(page: &Browser) -> Result<()> {
    fill(page).await?;
    page.click("button", "Add a third text").await?;
    page.fill("textbox", "Answer", ANSWER).await?;
    page.until_text(SUMMARY_OF_THREE).await
}

/// What the fields hold.
async fn texts(page: &Browser) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.diff-page__text')].map((it) => it.value)";
    page.eval(script, &[]).await
}

/// The titles of the columns.
async fn columns(page: &Browser) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.diff-view__table th')]
        .map((it) => it.firstChild.textContent)";
    page.eval(script, &[]).await
}

/// The number of the current edit, from 0.
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
        fill_three(page).await?;
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
        page.until_text(SUMMARY_OF_THREE).await?;
        assert_eq!(texts(page).await?, [REFERENCE, VARIANT, ANSWER]);
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

#[tokio::test]
async fn three_texts_stand_beside_each_other() -> Result<()> {
    let server = Server::start()?;
    journey("diff_three", async |page| {
        page.open(&server.url("/diff")).await?;
        fill_three(page).await?;
        assert_eq!(columns(page).await?, ["Reference", "Variant", "Answer"]);

        // A line of the reference tells both others' edits, and which is whose.
        let signs = "return [...document.querySelectorAll('.diff-view__table tbody tr')]
            .map((row) => [...row.querySelectorAll('.diff-view__sign')].map((it) => it.dataset.sign).join('|'))";
        let signs: Vec<String> = page.eval(signs, &[]).await?;
        assert_eq!(signs, ["|||", "~||~|", "|||+", "-|~|+|~", "-|||"]);
        let above = "return [...document.querySelectorAll('[id^=diff-a-]')]
            .filter((it) => it.closest('.diff-above')).map((it) => it.textContent)";
        assert_eq!(page.eval::<Vec<String>>(above, &[]).await?, ["log"]);

        // A node lights what corresponds in both others.
        let point = "const run = [...document.querySelectorAll('[id^=diff-b-]')].find((it) => it.textContent === 'return');
            run.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))";
        page.eval::<()>(point, &[]).await?;
        let lit = "const lit = new Set([...document.querySelectorAll('.diff-lit')].map((it) => it.id.split('-')[1]));
            return [...lit].sort().join('') === 'abc'";
        page.until_true("a lit place in each text", lit, &[]).await?;

        // By keyboard through the edits of both, around the end.
        page.eval::<()>("document.activeElement.blur()", &[]).await?;
        page.press('p').await?;
        page.until_text("Edit 6 of 6, the answer").await?;
        page.press('n').await?;
        page.until_text("Edit 1 of 6, the variant").await?;
        assert_eq!(current(page).await?, 0);

        page.click("button", "Unified").await?;
        page.until_text(SUMMARY).await?;
        assert_eq!(columns(page).await?, ["Reference and the variant"]);
        page.click("button", "Split").await?;
        let answer = page.find("group", "Beside the reference").await?;
        answer.find(thirtyfour::By::XPath(".//button[.='Answer']")).await?.click().await?;
        page.until_text("2 edits: 1 insertion, 1 update").await?;
        assert_eq!(columns(page).await?, ["Reference", "Answer"]);
        page.click("button", "All three").await?;
        page.until_text(SUMMARY_OF_THREE).await?;

        page.click("button", "Show the trees").await?;
        page.find("tree", "Tree of the answer").await?;
        page.click("button", "Remove the answer").await?;
        page.until_text(SUMMARY).await?;
        assert_eq!(texts(page).await?, [REFERENCE, VARIANT]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_narrow_window_shows_two_of_three() -> Result<()> {
    let server = Server::start()?;
    journey_of_size("diff_three_narrow", Size::PHONE, async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        page.click("button", "Add a third text").await?;
        page.fill("textbox", "Answer", ANSWER).await?;
        page.find("group", "Beside the reference").await?;
        page.click("button", "Split").await?;
        let two = "return document.querySelectorAll('.diff-view__table th').length === 2";
        page.until_true("two columns", two, &[]).await?;
        page.resize(Size::LAPTOP).await?;
        let three = "return document.querySelectorAll('.diff-view__table th').length === 3";
        page.until_true("three columns", three, &[]).await
    })
    .await
}

#[tokio::test]
async fn an_opened_fold_stays_open_while_a_text_is_typed() -> Result<()> {
    let server = Server::start()?;
    let long: Vec<String> = (0..30).map(|n| format!("x{n} = {n}\n")).collect();
    let long = long.concat();
    let folds = "return document.querySelectorAll('.diff-view__fold').length";
    journey("diff_fold", async |page| {
        page.open(&server.url("/diff")).await?;
        let fill = "for (const [id, text] of arguments[0]) {
            const it = document.getElementById(id);
            it.value = text;
            it.dispatchEvent(new Event('input', { bubbles: true }));
        }";
        let texts = json!([
            ["text-a", &long],
            ["text-b", long.replace("x15 = 15", "x15 = 0")]
        ]);
        page.eval::<()>(fill, &[texts]).await?;
        page.until_text("1 edit: 1 update").await?;
        assert_eq!(page.eval::<usize>(folds, &[]).await?, 2);
        page.click("button", "Show 12 unchanged lines").await?;
        page.until_true("one fold less", &format!("{folds} === 1"), &[])
            .await?;
        // In the opened part, which thereby parts.
        let typed = long
            .replace("x15 = 15", "x15 = 0")
            .replace("x4 = 4", "y = 4");
        page.eval::<()>(fill, &[json!([["text-b", typed]])]).await?;
        page.until_text("2 edits: 2 updates").await?;
        assert_eq!(page.eval::<usize>(folds, &[]).await?, 1);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_is_compared_outlives_the_way_through_the_site() -> Result<()> {
    let server = Server::start()?;
    let settled = "return location.hash.startsWith('#d1=')";
    journey("diff_way_back", async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        page.until_true("the address to follow", settled, &[])
            .await?;
        page.click("link", "Diff").await?;
        page.until_true("the address to come back", settled, &[])
            .await?;
        page.click("link", "Help").await?;
        page.find("heading", "The ten rules").await?;
        page.click("link", "Diff").await?;
        page.until_text(SUMMARY).await?;
        page.until_true("the address to come back", settled, &[])
            .await?;
        assert_eq!(texts(page).await?, [REFERENCE, VARIANT]);
        page.click("button", "Clear").await?;
        page.until_true("an empty address", "return location.hash === ''", &[])
            .await
    })
    .await
}

#[tokio::test]
async fn a_selection_is_copied_from_the_column_where_it_began() -> Result<()> {
    let server = Server::start()?;
    journey("diff_copy", async |page| {
        page.open(&server.url("/diff")).await?;
        fill(page).await?;
        let copy = "const [column] = arguments;
            const cells = [...document.querySelectorAll('.diff-view__code')];
            const own = cells.find((it) => it.dataset.column === column);
            own.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
            return new Promise((resolve) => requestAnimationFrame(() => {
                const others = cells.filter((it) => it.dataset.column !== column);
                getSelection().selectAllChildren(document.querySelector('.diff-view__table tbody'));
                const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
                own.dispatchEvent(event);
                resolve([
                    event.clipboardData.getData('text/plain'),
                    others.every((it) => getComputedStyle(it).userSelect === 'none'),
                ]);
            }))";
        for (column, text) in [("a", REFERENCE), ("b", VARIANT)] {
            let (copied, is_apart): (String, bool) = page.eval(copy, &[column.into()]).await?;
            assert_eq!(copied, text.trim_end());
            assert!(is_apart, "the other column can be selected from {column}");
        }
        Ok(())
    })
    .await
}

/// A line of a file of pairs.
fn pair(id: usize, a: &str, b: &str) -> String {
    json!({ "id": id, "a": a, "b": b }).to_string()
}

#[tokio::test]
async fn a_file_of_pairs_is_compared_as_on_the_command_line() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let mut lines = vec![
        pair(1, REFERENCE, VARIANT),
        pair(2, REFERENCE, ANSWER),
        pair(3, "", "x = 1\n"),
    ];
    let good = luggage.file("pairs.jsonl", lines.join("\n"))?;
    lines.insert(1, "{\"id\": 7}".to_owned());
    let bad = luggage.file("some_bad.jsonl", lines.join("\n"))?;
    journey("diff_pairs", async |page| {
        page.open(&server.url("/diff")).await?;
        watch_downloads(page).await?;
        let field = page.find("button", "File of the reference").await?;
        field.send_keys(good.to_string_lossy()).await?;
        page.click("button", "Compare all pairs").await?;
        page.until_text("pairs.jsonl: 3 pairs compared by simple")
            .await?;
        page.click("button", "Download the JSON lines").await?;
        let file = saved(page, "pairs-simple.jsonl").await?;
        let native = ctxlab(&["diff", "--pairs", &good.to_string_lossy()])?;
        assert_eq!(file, String::from_utf8(native)?);

        field.send_keys(bad.to_string_lossy()).await?;
        page.until_text("some_bad.jsonl,").await?;
        page.click("button", "Compare all pairs").await?;
        page.until_text("3 pairs compared, 1 line is no pair")
            .await?;
        page.click("button", "Download the JSON lines").await?;
        let file = saved(page, "some_bad-simple.jsonl").await?;
        let native = lines
            .iter()
            .zip(1..)
            .filter_map(|(line, number)| pair_line(line, number, &PairOptions::default()));
        let native: Vec<String> = native.map(|line| line.unwrap_or_else(|bad| bad)).collect();
        assert_eq!(file.lines().collect::<Vec<_>>(), native);
        page.click("button", "Close").await?;
        page.until_true(
            "the panel closed",
            "return !document.querySelector('.diff-page__pairs')",
            &[],
        )
        .await
    })
    .await
}

#[tokio::test]
async fn comparing_pairs_can_be_given_up() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let line = pair(1, &REFERENCE.repeat(20), &VARIANT.repeat(20));
    let file = luggage.file("many.jsonl", vec![line; 5_000].join("\n"))?;
    journey("diff_pairs_cancel", async |page| {
        page.open(&server.url("/diff")).await?;
        let field = page.find("button", "File of the reference").await?;
        field.send_keys(file.to_string_lossy()).await?;
        page.find("button", "Compare all pairs").await?;
        page.eval::<()>(
            "document.querySelector('.diff-page__pairs button').focus()",
            &[],
        )
        .await?;
        page.press(Key::Enter).await?;
        page.find("progressbar", "Comparing many.jsonl").await?;
        let moving = "return /[1-9][0-9,]* of 5,000 lines/.test(document.body.innerText)";
        page.until_true("some pairs compared", moving, &[]).await?;
        page.click("button", "Cancel").await?;
        page.until_text("many.jsonl: cancelled after").await?;
        // The worker does not go on with what was given up.
        fill(page).await
    })
    .await
}
