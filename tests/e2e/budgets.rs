//! What the page costs. Sizes and counts are held to; times are printed, for they depend on the machine.
//!
//! `cargo test -p tests --features e2e --test e2e budgets -- --nocapture`

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use shared::diff::{MATCHERS, MatcherId};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::{Server, site};
use tests::{say, skipped, workspace};

use crate::gumtree::Goldens;
use crate::identify::real_variants;
use crate::native_wasm::{ask_pairs, ask_worker};
use crate::perturb_all::open_counts;
use crate::support::{Luggage, choose_file, classeval};

/// The same limit as that of `cargo xtask web --release`.
const MAX_TRANSFER: u64 = 450 * 1024;
const MAX_ROWS: usize = 80;
/// The seconds that identifying may take.
const MAX_IDENTIFYING: f64 = 5.0;
/// How many times the native time the worker is to need at most.
const WASM_RATIO: f64 = 3.0;
/// How often both are timed at most before the ratio counts: other work on the machine slows down one of them.
const N_TIMINGS: usize = 4;
/// The cases of the published benchmark.
const N_CASES: usize = 3_683;

/// Notes when the first benchmark can be opened, in milliseconds since the navigation began.
const WATCH_USABLE: &str = "
    new MutationObserver((_, observer) => {
        if (!document.querySelector('article a[href]')) return;
        observer.disconnect();
        requestAnimationFrame(() => { window.usable = performance.now(); });
    }).observe(document, { childList: true, subtree: true });";

/// Types texts into the search field; milliseconds from each keystroke to the list that it asks for.
const TYPE_AND_TIME: &str = "
    const field = document.querySelector('input[type=search]');
    const count = document.querySelector('.subjects__count');
    const times = [];
    return (async () => {
        for (const text of arguments[0]) {
            const before = count.innerText;
            const changed = new Promise((resolve) => {
                const observer = new MutationObserver(() => {
                    if (count.innerText === before) return;
                    observer.disconnect();
                    resolve(performance.now());
                });
                observer.observe(document.body, { childList: true, subtree: true, characterData: true });
            });
            const began = performance.now();
            field.value = text;
            field.dispatchEvent(new InputEvent('input', { bubbles: true }));
            times.push(await changed - began);
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        }
        return times;
    })();";

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// One after the other, or they would disturb each other's times.
#[tokio::test]
async fn budgets() -> Result<()> {
    time_to_usable().await?;
    list_of_ten_thousand().await?;
    if let Some(file) = classeval("times over ClassEval in the page") {
        perturbing(&file).await?;
        main_thread(&file).await?;
        identifying(&file).await?;
    }
    comparing().await?;
    transfer().await
}

async fn transfer() -> Result<()> {
    #[derive(Deserialize)]
    struct Entry {
        name: String,
        bytes: u64,
    }
    let server = Server::start()?;
    journey("budget_transfer", async |page| {
        page.open(&server.url("/")).await?;
        page.find("link", "Browse methods").await?;
        let script = "return (async () => {
            const app = await (await fetch(document.querySelector('script[type=module]').src)).text();
            await (await fetch(app.match(/\\/pkg\\/worker-[^\"]+\\.js/)[0])).text();
            const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
            const bytes = new Map(all.map((it) => [new URL(it.name).pathname, it.encodedBodySize]));
            return [...bytes].map(([name, bytes]) => ({ name, bytes }));
        })();";
        let entries: Vec<Entry> = page.eval(script, &[]).await?;
        let is_code = |name: &str| name == "/" || [".js", ".css", ".wasm"].iter().any(|end| name.ends_with(end));
        let code: Vec<_> = entries.iter().filter(|entry| is_code(&entry.name)).collect();
        let sum: u64 = code.iter().map(|entry| entry.bytes).sum();
        for Entry { name, bytes } in &code {
            say(&format!("  {bytes:>8} B  {name}"));
        }
        say(&format!("transfer, compressed, without data: {:.1} KB", kilobytes(sum)));
        assert!(code.len() >= 5, "html, script, style, module and worker");
        if is_release()? {
            assert!(sum <= MAX_TRANSFER, "{sum} B are more than {MAX_TRANSFER} B");
        } else {
            skipped("the transfer's budget (the page was not built with `cargo xtask web --release`)");
        }
        Ok(())
    })
    .await
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a page has far fewer than 2^52 bytes"
)]
fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0
}

async fn time_to_usable() -> Result<()> {
    let server = Server::start()?;
    let mut times = Vec::new();
    for _ in 0..5 {
        journey("budget_usable", async |page| {
            page.cdp(
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": WATCH_USABLE }),
            )
            .await?;
            page.open(&server.url("/")).await?;
            times.push(
                page.until("a benchmark to open", "return window.usable ?? null", &[])
                    .await?,
            );
            Ok(())
        })
        .await?;
    }
    if times.is_empty() {
        return Ok(());
    }
    say(&format!(
        "usable, cold, on loopback: {:.0} ms (median of {}, largest {:.0})",
        middle(times.clone()),
        times.len(),
        largest(&times)
    ));
    Ok(())
}

async fn list_of_ten_thousand() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.benchmark("many.json", 1_000, 10)?;
    journey("budget_list", async |page| {
        page.open(&server.url("/")).await?;
        choose_file(page, &file).await?;
        page.click("link", "Browse its methods").await?;
        page.until_text("10,000 of 10,000 methods").await?;
        let counted = "return ![...document.querySelectorAll('aside')].some((it) => it.innerText.includes('Counting'))";
        page.until_true("the rules counted", counted, &[]).await?;
        let texts = ["shelf1", "shelf12", "shelf123", "shelf12", "shelf1", "shelf", "place_7", "place_7 shelf9", "place_7 shelf99", "place_7 shelf9"];
        let times: Vec<f64> = page.eval(TYPE_AND_TIME, &[json!(texts)]).await?;
        let rows: usize = page.eval("return document.querySelectorAll('[role=row]').length", &[]).await?;
        say(&format!(
            "10,000 rows, keystroke to list: {:.1} ms (median of {}, largest {:.1}); {rows} rows in the document",
            middle(times.clone()),
            times.len(),
            largest(&times),
        ));
        page.fill("searchbox", "Search", "").await?;
        page.until_text("10,000 of 10,000 methods").await?;
        let rows: usize = page.eval("return document.querySelectorAll('[role=row]').length", &[]).await?;
        assert!(rows > 10 && rows <= MAX_ROWS, "{rows} rows in the document");
        Ok(())
    })
    .await
}

/// The only benchmark that this browser keeps.
async fn imported(page: &Browser, server: &Server, file: &Path) -> Result<String> {
    page.open(&server.url("/")).await?;
    choose_file(page, file).await?;
    let link = page.find("link", "Browse its methods").await?;
    let path = link
        .attr("href")
        .await?
        .context("a link without an address")?;
    Ok(path.rsplit('/').next().unwrap_or_default().to_owned())
}

async fn perturbing(file: &Path) -> Result<()> {
    let server = Server::start()?;
    journey("budget_perturbing", async |page| {
        let id = imported(page, &server, file).await?;
        let mut times = Vec::new();
        for _ in 0..3 {
            let all = json!({ "PerturbAll": { "dataset": id, "options": {} } });
            let answers = ask_worker(page, &[json!({ "Open": id }), all]).await?;
            times.push(answers[1].ms);
        }
        say(&format!(
            "ClassEval perturbed in the worker: {:.0} ms (median of 3, largest {:.0})",
            middle(times.clone()),
            largest(&times)
        ));
        Ok(())
    })
    .await
}

async fn identifying(file: &Path) -> Result<()> {
    let Some(variants) = real_variants(file, N_CASES)? else {
        return Ok(());
    };
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let variants = luggage.file("variants.jsonl", variants)?;
    journey("budget_identifying", async |page| {
        let id = imported(page, &server, file).await?;
        page.open(&server.url(&format!("/b/{id}/identify"))).await?;
        let field = page.find("button", "File of the variants").await?;
        field.send_keys(variants.to_string_lossy()).await?;
        let watch = "window.told = new Set(); new MutationObserver(() => {
            const counts = document.querySelector('.progress__counts')?.textContent;
            if (counts) window.told.add(counts);
        }).observe(document.body, { childList: true, subtree: true, characterData: true }); return true";
        let _: bool = page.eval(watch, &[]).await?;
        page.click("button", "Identify").await?;
        page.until_text("of 3,683 variants in").await?;
        let told: usize = page.eval("return window.told.size", &[]).await?;
        let script = "return Number(document.querySelector('.identify__summary').innerText.match(/in ([0-9.]+) s/)[1])";
        let seconds: f64 = page.eval(script, &[]).await?;
        say(&format!(
            "3,683 real replies identified in the worker: {seconds:.1} s, {told} words of progress; wanted are {MAX_IDENTIFYING} s"
        ));
        assert!(told > 3, "{told} words of progress");
        Ok(())
    })
    .await
}

/// A release build of the command line, which alone is as fast as a user's.
fn released() -> Option<PathBuf> {
    let program = workspace().join("target/release/ctxlab");
    if program.exists() {
        return Some(program);
    }
    skipped(
        "native times (no release build of the command line: cargo build --release -p backend)",
    );
    None
}

/// Milliseconds that the command line needs for a file of pairs.
fn native_ms(program: &Path, pairs: &Path, matcher: MatcherId) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(["diff", "--matcher", matcher.slug(), "--pairs"]);
    let began = Instant::now();
    let output = command.arg(pairs).output()?;
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(ms)
}

/// The goldens' pairs by each matcher, parsed and written, in the worker and natively; then as many methods as the
/// published benchmark has cases.
async fn comparing() -> Result<()> {
    let goldens = Goldens::all()?;
    if goldens.is_empty() {
        return Ok(());
    }
    let lines = |family: Option<&str>| -> Vec<String> {
        goldens
            .iter()
            .flat_map(|golden| golden.lines(family))
            .collect()
    };
    let (all, methods) = (lines(None), lines(Some("ce-method")));
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.file("pairs.jsonl", all.join("\n"))?;
    let program = released();
    let is_release = is_release()?;
    journey("budget_comparing", async |page| {
        page.open(&server.url("/diff")).await?;
        for matcher in MATCHERS.iter().map(|matcher| matcher.id) {
            let (mut wasm, mut native) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..N_TIMINGS {
                // The first answer also loads the part.
                let answers = ask_pairs(page, &all.join("\n"), matcher, false, 4).await?;
                wasm = answers.iter().skip(1).map(|answer| answer.ms).fold(wasm, f64::min);
                let Some(program) = &program else { break };
                for _ in 0..3 {
                    native = native.min(native_ms(program, &file, matcher)?);
                }
                if !is_release || wasm <= WASM_RATIO * native {
                    break;
                }
            }
            let said = format!("{} pairs by {matcher}: {wasm:.0} ms in the worker", all.len());
            if program.is_none() {
                say(&said);
                continue;
            }
            let ratio = wasm / native;
            say(&format!("{said}, {native:.0} ms natively: {ratio:.1} times as much"));
            assert!(!is_release || ratio <= WASM_RATIO, "{matcher}: {ratio:.2} times the native time");
        }
        if !is_release {
            skipped("a fair comparison of Wasm and native (the page was not built with `cargo xtask web --release`)");
        }
        if !methods.is_empty() {
            let lines: Vec<&str> = methods.iter().cycle().take(N_CASES).map(String::as_str).collect();
            let answers = ask_pairs(page, &lines.join("\n"), MatcherId::default(), false, 1).await?;
            let n = answers[0].file.as_deref().map_or(0, |file| file.lines().count());
            assert_eq!(n, N_CASES);
            say(&format!(
                "{N_CASES} pairs of methods in a new worker: {:.0} ms, progress told {} times",
                answers[0].ms, answers[0].n_progress
            ));
        }
        Ok(())
    })
    .await
}

/// Whether the page was built as it is shipped.
fn is_release() -> Result<bool> {
    let build: Value = serde_json::from_slice(&std::fs::read(site()?.join("build.json"))?)?;
    Ok(build["effort"] == "release")
}

async fn main_thread(file: &Path) -> Result<()> {
    let server = Server::start()?;
    journey("budget_main_thread", async |page| {
        open_counts(page, &server, file).await?;
        page.find("button", "Perturb all 410 methods").await?;
        let watch = "window.long = []; new PerformanceObserver((list) => window.long.push(...list.getEntries().map((it) => it.duration)))
            .observe({ type: 'longtask' }); return true";
        let _: bool = page.eval(watch, &[]).await?;
        page.click("button", "Perturb all 410 methods").await?;
        page.until_text("3,528 instances").await?;
        let long = "return new Promise((resolve) => setTimeout(() => resolve(window.long), 500))";
        let long: Vec<f64> = page.eval(long, &[]).await?;
        say(&format!("main thread while all of ClassEval is perturbed: {} tasks over 50 ms, longest {:.0} ms", long.len(), largest(&long)));
        Ok(())
    })
    .await
}
