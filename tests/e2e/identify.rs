//! A file of variants: uploaded, counted, looked into, exported as the command line does, given up.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use shared::dataset;
use shared::perturb::{Method, RULES, RuleOptions};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::{Server, ctxlab, site};
use tests::specification;
use thirtyfour::Key;

use crate::keyboard::{tab_to, until_focus};
use crate::native_wasm::ask_worker;
use crate::perturb_all::{saved, watch_downloads};
use crate::support::{Luggage, Record, starter};

const SUBJECT: &str = "AccessMask.merge";

/// A masked text with each place as it was, but one.
fn filled(record: &Record, other: Option<(usize, &str)>) -> String {
    let mut text = record.masked.clone();
    for (at, site) in record.sites.iter().enumerate() {
        let filling = match other {
            Some((other, filling)) if other == at => filling,
            _ => &site.hidden,
        };
        text = text.replacen(&site.placeholder, filling, 1);
    }
    text
}

fn variant(id: &str, generator: &str, text: &str) -> Value {
    json!({
        "schema": 1, "id": id, "subject": SUBJECT, "rule": "operators", "instance": 0,
        "origin": {"model": generator}, "text": text,
    })
}

fn lines(all: &[Value]) -> String {
    let texts: Vec<String> = all.iter().map(Value::to_string).collect();
    texts.join("\n") + "\n"
}

/// Variants of every kind, and reports on two of them.
fn files() -> Result<(String, String)> {
    let records = starter(SUBJECT, "operators", &[])?;
    let record = records.first().context("no instance of the rule")?;
    let last = record.sites.len() - 1;
    let wrong = filled(record, Some((last, "+")));
    let fenced = format!("Here it is:\n```python\n{wrong}\n```\n");
    let mut unknown = variant("nowhere", "m1", "x");
    unknown["subject"] = json!("AccessMask.nothing");
    let variants = [
        variant("wrong", "m1", &wrong),
        variant("again", "m1", &fenced),
        variant("same", "m1", &filled(record, None)),
        variant("open", "m2", &record.masked),
        unknown,
        variant("broken", "m2", "def merge(self, other):\n    return ("),
        variant("untested", "m2", &filled(record, Some((0, "-")))),
    ];
    let report = |of: &str| {
        let tests = [
            json!({"name": "AccessMaskTestMerge.test_permission_given_twice", "outcome": "failed"}),
        ];
        json!({"schema": 1, "variant": of, "tests": tests})
    };
    let reports = [
        report("wrong"),
        report("again"),
        report("wrong"),
        report("gone"),
    ];
    Ok((lines(&variants) + "no JSON\n", lines(&reports)))
}

async fn choose(page: &Browser, of: &str, path: &Path) -> Result<()> {
    let field = page.find("button", &format!("File of the {of}")).await?;
    let path = path.to_str().context("the path is not UTF-8")?;
    Ok(field.send_keys(path).await?)
}

/// The numbers of a row of the funnel.
async fn row(page: &Browser, names: &str) -> Result<Vec<String>> {
    let script = "const row = [...document.querySelectorAll('.funnel__table tr')].find((it) =>
            [...it.children].slice(0, 2).map((cell) => cell.textContent).join(' ').trim() === arguments[0]);
        return row ? [...row.children].slice(2).map((it) => it.textContent) : null";
    page.until(&format!("the row {names}"), script, &[names.into()])
        .await
}

#[tokio::test]
async fn a_file_is_counted_looked_into_and_exported_as_the_command_line_does() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let (variants, reports) = files()?;
    let variants = luggage.file("variants.jsonl", variants)?;
    let reports = luggage.file("reports.jsonl", reports)?;
    journey("identify", async |page| {
        page.open(&server.url("/b/starter")).await?;
        page.click("link", "Identify variants").await?;
        choose(page, "variants", &variants).await?;
        choose(page, "test reports", &reports).await?;
        watch_downloads(page).await?;
        page.click("button", "Identify").await?;
        page.until_text("1 case of 6 variants").await?;
        page.until_text("(matcher simple)").await?;
        assert_eq!(
            row(page, "m1 R4 Operators").await?,
            ["3", "3", "2", "2", "1", "0"]
        );
        assert_eq!(
            row(page, "m2 R4 Operators").await?,
            ["3", "1", "1", "0", "0", "1"]
        );
        assert_eq!(row(page, "All").await?, ["6", "4", "3", "2", "1", "1"]);
        page.eval::<()>("document.querySelector('.reports summary').click()", &[])
            .await?;
        page.until_text("Line 5 of variants.jsonl: No method AccessMask.nothing in this benchmark")
            .await?;
        page.until_text("One report is on no variant of the file: gone")
            .await?;

        // From a number to its variants, to one of them, to its method.
        page.click("button", "2 of 6 failing: all").await?;
        page.until_text("2 of 6 variants").await?;
        page.click("row", "again").await?;
        page.find("heading", "again: duplicate").await?;
        page.until_text("the same program as wrong").await?;
        page.until_text("in a fenced block").await?;
        page.click("button", "Previous variant").await?;
        page.find("heading", "wrong: case").await?;
        page.until_text("2 edits: 1 insertion, 1 deletion").await?;
        page.until_text("no counterpart").await?;
        let link = page.find("link", SUBJECT).await?.attr("href").await?;
        assert_eq!(
            link.as_deref(),
            Some("/b/starter/AccessMask.merge?rule=operators")
        );

        for (button, ending, args) in [
            ("Export decisions", "decisions.jsonl", ["--format", "jsonl"]),
            ("Export cases", "cases.jsonl", ["--cases", "-"]),
        ] {
            page.click("button", button).await?;
            let text = saved(page, ending).await?;
            assert_eq!(
                text,
                native(&luggage, &variants, &reports, args)?,
                "{button}"
            );
        }
        page.click("button", "Export funnel").await?;
        let csv = saved(page, "funnel.csv").await?;
        assert!(
            csv.ends_with("\nALL,all,6,4,3,2,1,1,simple,accept\n"),
            "{csv}"
        );

        // Another choice is another result, and says so.
        page.click("button", "Show all").await?;
        page.click("checkbox", "Strict").await?;
        page.until_text("have changed since").await?;
        page.click("button", "Identify again").await?;
        page.until_text("(matcher simple, strict)").await
    })
    .await
}

/// What the command line prints, or writes as cases.
fn native(luggage: &Luggage, variants: &Path, reports: &Path, args: [&str; 2]) -> Result<String> {
    let cases = luggage.file("cases.jsonl", "")?;
    let site = site()?;
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .context("the path is not UTF-8")
    };
    let [site, variants, reports, cases] =
        [text(&site)?, text(variants)?, text(reports)?, text(&cases)?];
    let wants_cases = args[0] == "--cases";
    let args = [args[0], if wants_cases { &cases } else { args[1] }];
    let files = ["--variants", &variants, "--reports", &reports];
    let start = ["identify", "--dataset", "starter", "--site", &site];
    let printed = ctxlab(&[&start[..], &files, &args].concat())?;
    let found = if wants_cases {
        std::fs::read(&cases)?
    } else {
        printed
    };
    // The page knows no folder.
    let folder = variants.trim_end_matches("variants.jsonl");
    Ok(String::from_utf8(found)?.replace(folder, ""))
}

#[tokio::test]
async fn keyboard_alone_leads_to_a_variant_and_back() -> Result<()> {
    let server = Server::start()?;
    journey("identify_keyboard", async |page| {
        page.open(&server.url("/b/starter")).await?;
        page.find("row", "AccessMask").await?;
        page.chord(&[Key::Control], 'k').await?;
        page.find("combobox", "").await?;
        page.write("identify variants of").await?;
        page.press(Key::Enter).await?;
        page.find("button", "Try an example").await?;
        tab_to(page, "button", "Try an example").await?;
        page.press(Key::Enter).await?;
        page.until_text("33 cases of 99 variants").await?;
        tab_to(page, "button", "33 of 99 unique: all").await?;
        page.press(Key::Enter).await?;
        page.until_text("33 of 99 variants").await?;
        until_focus(page, "row", "note-1-plausible").await?;
        page.press(Key::Down).await?;
        until_focus(page, "row", "note-2-plausible").await?;
        page.press(Key::Enter).await?;
        until_focus(page, "heading", "note-2-plausible: case").await?;
        page.find("button", "Next edit").await?;
        page.press('n').await?;
        page.until_text("Edit 1 of").await?;
        page.press(Key::Escape).await?;
        until_focus(page, "row", "note-2-plausible").await?;
        page.press('/').await?;
        until_focus(page, "searchbox", "Search").await?;
        page.write("no such words").await?;
        page.until_text("0 of 99 variants").await?;
        page.press(Key::Escape).await?;
        page.until_text("165 of 165 methods").await
    })
    .await
}

#[tokio::test]
async fn cancel_stops_and_the_page_stays_usable() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let records = starter(SUBJECT, "operators", &[])?;
    let text = filled(&records[0], None);
    let all: Vec<Value> = (0..20_000)
        .map(|n| variant(&format!("v{n}"), "m", &text))
        .collect();
    let file = luggage.file("many.jsonl", lines(&all))?;
    journey("identify_cancel", async |page| {
        page.open(&server.url("/b/starter/identify")).await?;
        choose(page, "variants", &file).await?;
        page.click("button", "Identify").await?;
        let moving = "return /[1-9][0-9,]* of 20,000 lines/.test(document.body.innerText)";
        page.until_true("some lines read", moving, &[]).await?;
        page.click("button", "Cancel").await?;
        page.until_text("Cancelled after").await?;
        let done =
            "const found = document.body.innerText.match(/Cancelled after ([0-9,]+) of 20,000/);
            return found ? Number(found[1].replaceAll(',', '')) : null";
        let done: usize = page.until("how many were done", done, &[]).await?;
        assert!(done < 20_000, "cancelled after all {done}");
        page.click("button", "Try an example").await?;
        page.until_text("33 cases of 99 variants").await
    })
    .await
}

#[tokio::test]
async fn a_file_of_something_else_says_why_line_by_line() -> Result<()> {
    let (server, luggage) = (Server::start()?, Luggage::new()?);
    let file = luggage.file("notes.txt", b"first\n\n{\"schema\": 7}\n\"\xff\"\n")?;
    journey("identify_bad_lines", async |page| {
        page.open(&server.url("/b/starter/identify")).await?;
        choose(page, "variants", &file).await?;
        page.click("button", "Identify").await?;
        page.until_text("0 cases of 0 variants").await?;
        page.until_text("3 lines cannot be used").await?;
        page.until_text("Line 1 of notes.txt: No variant").await?;
        page.until_text("expected a JSON object with schema, subject")
            .await?;
        page.until_text("Line 4 of notes.txt: No UTF-8 text")
            .await?;
        assert!(page.all("region", "Funnel").await?.is_empty());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_worker_that_was_started_again_says_that_the_variants_are_gone() -> Result<()> {
    let server = Server::start()?;
    journey("identify_gone", async |page| {
        page.open(&server.url("/")).await?;
        let question = json!({"Identified": {"run": 1, "n": 0}}).to_string();
        let refused = ask_worker(page, &[json!({ "Compare": question })]).await;
        let why = format!("{:#}", refused.err().context("it was answered")?);
        assert!(why.contains("identify them once more"), "{why}");
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
struct Output {
    class_name: String,
    predict: Vec<String>,
}

/// So many lines of variants: the replies of real models, as fillings of perturbations of the methods in them.
pub(crate) fn real_variants(classeval: &Path, n: usize) -> Result<Option<String>> {
    let dataset = dataset::read("ClassEval", &std::fs::read(classeval)?)?;
    let mut replies = Vec::new();
    for name in tests::MODEL_OUTPUTS {
        let path = format!("data/classeval/{name}.json");
        let Some(path) = specification(&path, "the time that variants take") else {
            return Ok(None);
        };
        let outputs: Vec<Output> = serde_json::from_slice(&std::fs::read(path)?)?;
        replies.extend(outputs.into_iter().map(|output| (name, output)));
    }
    let options = RuleOptions::default();
    let mut fillings = Vec::new();
    for (subject, context) in dataset.with_contexts() {
        let method = Method::analyze(&subject.source, context);
        let class = &dataset.class_of(subject).name;
        let perturbed = RULES
            .iter()
            .flat_map(|rule| method.apply(rule.id, &options).perturbations);
        for perturbation in perturbed {
            let own = replies
                .iter()
                .filter(|(_, reply)| reply.class_name == *class);
            for (generator, reply) in own {
                fillings.push(json!({
                    "schema": 1, "subject": subject.id, "rule": perturbation.rule, "instance": perturbation.instance,
                    "origin": {"model": generator}, "text": reply.predict.first(),
                }));
            }
        }
    }
    // Every fifth or so, so that all methods and rules are among them.
    let step = (fillings.len() / n).max(1);
    let chosen: Vec<Value> = fillings.into_iter().step_by(step).take(n).collect();
    Ok(Some(lines(&chosen)))
}
