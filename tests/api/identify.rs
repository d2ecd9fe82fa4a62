//! `ctxlab identify` over a benchmark of three methods; the variants are written by hand.

use std::fs;

use backend::cli::Cli;
use backend::commands;
use backend::config::Config;
use clap::Parser as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::TWO_CLASSES;

pub(crate) const ADD: &str =
    "def add(self, price, count=1):\n    self.cents += price * count\n    return self.cents\n";

/// Runs `identify` over files of a folder.
fn identify(folder: &TempDir, words: &[&str]) -> Result<String, String> {
    let all = [&["identify", "--variants", "@variants.jsonl"], words].concat();
    ctxlab(folder, &all)
}

/// Runs a command over the benchmark and files of a folder, which are written `@name`.
pub(crate) fn ctxlab(folder: &TempDir, words: &[&str]) -> Result<String, String> {
    let place = |name: &str| folder.path().join(name).display().to_string();
    let benchmark = place("two.json");
    fs::write(&benchmark, TWO_CLASSES).unwrap();
    let mut all = vec!["ctxlab", words[0], "--dataset", &benchmark];
    let words: Vec<String> = words
        .iter()
        .map(|word| {
            word.strip_prefix('@')
                .map_or_else(|| (*word).to_owned(), place)
        })
        .collect();
    all.extend(words.iter().skip(1).map(String::as_str));
    let cli = Cli::try_parse_from(all).map_err(|e| e.to_string())?;
    let config = Config::for_tests(folder.path().join("data"), None).unwrap();
    let mut out = Vec::new();
    commands::run(cli, &config, &mut out).map_err(|e| format!("{e:#}"))?;
    Ok(String::from_utf8(out).unwrap())
}

pub(crate) fn variant(id: &str, generator: &str, text: &str) -> Value {
    json!({
        "schema": 1, "id": id, "subject": "Till.add", "rule": "operators", "instance": 0,
        "origin": {"model": generator}, "text": text,
    })
}

pub(crate) fn report(variant: &str, outcome: &str) -> Value {
    let tests = [json!({"name": "TillTestAdd.test_one", "outcome": outcome})];
    json!({"schema": 1, "variant": variant, "tests": tests})
}

pub(crate) fn write(folder: &TempDir, name: &str, lines: &[Value]) {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(folder.path().join(name), lines.join("\n")).unwrap();
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let minus = ADD.replace("+=", "-=");
    let variants = [
        variant("same", "a", ADD),
        variant("minus", "a", &format!("Here:\n```python\n{minus}```\n")),
        variant(
            "again",
            "b",
            &minus.replace("price * count", "(count * price)"),
        ),
        variant(
            "right",
            "b",
            &ADD.replace("price * count", "price ** count"),
        ),
        variant("prose", "b", "I would use `+=`."),
        variant(
            "later",
            "b",
            &minus.replace("price * count", "price / count + 1"),
        ),
        json!({"schema": 1, "subject": "Till.open", "rule": 4, "instance": 0, "origin": "human", "text": ""}),
        json!({"schema": 1, "subject": "Till.add", "rule": 4, "instance": 7, "origin": "human", "text": ""}),
        variant("same", "a", ADD),
        json!("no variant"),
    ];
    write(&folder, "variants.jsonl", &variants);
    let reports = [
        report("minus", "failed"),
        report("again", "errored"),
        report("right", "passed"),
        report("minus", "passed"),
    ];
    write(&folder, "reports.jsonl", &reports);
    folder
}

#[test]
fn each_variant_has_its_decision_and_what_is_left_is_counted() {
    let folder = folder();
    let words = ["--reports", "@reports.jsonl", "--cases", "@cases.jsonl"];
    let out = identify(&folder, &words).unwrap();
    let at = folder.path().display().to_string();
    let out = out.replace(&at, "");
    let lines: Vec<&str> = out.lines().collect();
    let begins: Vec<&str> = lines
        .iter()
        .take(11)
        .map(|line| line.split(':').next().unwrap_or_default())
        .collect();
    assert_eq!(
        begins,
        [
            "bad line      4 of /reports.jsonl",
            "identical     same  Till.add  operators 0  a",
            "case          minus  Till.add  operators 0  a",
            "duplicate     again  Till.add  operators 0  b",
            "passes_tests  right  Till.add  operators 0  b",
            "no_method     prose  Till.add  operators 0  b",
            "candidate     later  Till.add  operators 0  b",
            "bad line      7 of /variants.jsonl",
            "bad line      8 of /variants.jsonl",
            "bad line      9 of /variants.jsonl",
            "bad line      10 of /variants.jsonl",
        ],
        "{out}"
    );
    assert!(
        lines[2].contains("1 of 2 places differ; breaks TillTestAdd.test_one"),
        "{out}"
    );
    assert!(
        lines[7].contains("no method Till.open in this benchmark"),
        "{out}"
    );
    assert!(lines[8].contains("has 1 instances of operators"), "{out}");
    assert!(lines[9].contains("the id same is line 1's"), "{out}");
    assert!(
        lines[10].contains("expected a JSON object with schema, subject"),
        "{out}"
    );
    let numbers = |name: &str| -> Vec<Vec<&str>> {
        let rows = lines.iter().filter(|line| line.starts_with(name));
        rows.map(|row| row.split_whitespace().skip(1).collect())
            .collect()
    };
    assert_eq!(
        numbers("a "),
        [
            vec!["R4", "operators", "2", "2", "1", "1", "1", "0"],
            vec!["all", "2", "2", "1", "1", "1", "0"]
        ],
        "{out}"
    );
    assert_eq!(
        numbers("ALL "),
        [["all", "6", "5", "4", "2", "1", "1"]],
        "{out}"
    );
    assert_eq!(lines.last(), Some(&"(matcher simple)"));
    let cases = fs::read_to_string(folder.path().join("cases.jsonl")).unwrap();
    let cases: Vec<Value> = cases
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(cases.len(), 1);
    let case = &cases[0];
    assert_eq!(
        (&case["schema"], &case["variant"], &case["matcher"]),
        (&json!(1), &json!("minus"), &json!("simple"))
    );
    assert_eq!(case["origin"], json!({"model": "a"}));
    assert_eq!(case["sites"][0]["correct"], "+=");
    assert_eq!(case["broken_tests"], json!(["TillTestAdd.test_one"]));
    assert_eq!(case["stamp"]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn json_lines_say_the_same_and_strict_refuses_more() {
    let folder = folder();
    let lines = |words: &[&str]| -> Vec<Value> {
        let out = identify(&folder, words).unwrap();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let of = |lines: &[Value], id: &str| -> Value {
        let mut found = lines.iter().filter(|line| line["variant"] == id);
        found.next().unwrap().clone()
    };
    let all = lines(&["--format", "jsonl"]);
    let later = of(&all, "later");
    assert_eq!(
        (&later["decision"], &later["matcher"]),
        (&json!("candidate"), &json!("simple"))
    );
    assert_eq!(later["sites"].as_array().unwrap().len(), 2);
    let bad: Vec<&Value> = all
        .iter()
        .filter(|line| line["error"].is_string())
        .collect();
    assert_eq!((bad.len(), &bad[0]["line"]), (4, &json!(7)));
    assert_eq!(all.last().unwrap()["funnel"][0]["n_generated"], 2);
    let other = ADD
        .replace("+=", "-=")
        .replace("return self.cents", "return 0");
    write(
        &folder,
        "variants.jsonl",
        &[variant("elsewhere", "a", &other)],
    );
    assert_eq!(
        of(&lines(&["--format", "jsonl"]), "elsewhere")["decision"],
        "candidate"
    );
    let strict = lines(&["--format", "jsonl", "--strict", "--matcher", "classic"]);
    let refused = of(&strict, "elsewhere");
    assert_eq!(refused["decision"], "outside_edits");
    assert_eq!(
        (
            &refused["matcher"],
            refused["outside"].as_array().unwrap().len()
        ),
        (&json!("classic"), 1)
    );
}

#[test]
fn imports_of_a_reply_are_put_in_where_that_is_asked_for_and_the_output_says_so() {
    let folder = TempDir::new().unwrap();
    let minus = ADD.replace("+=", "-=");
    let reply = format!("import os\nfrom datetime import date, time\n\n{minus}");
    write(&folder, "variants.jsonl", &[variant("minus", "a", &reply)]);
    write(&folder, "reports.jsonl", &[report("minus", "failed")]);
    let words = ["--with-imports", "--format", "jsonl"];
    let line = |words: &[&str]| -> Value {
        let out = identify(&folder, words).unwrap();
        serde_json::from_str(out.lines().next().unwrap()).unwrap()
    };
    let imported = json!(["import os", "from datetime import time"]);
    let spliced = line(&words);
    assert_eq!(
        [&spliced["imports"], &spliced["imported"]],
        [&json!("splice"), &imported]
    );
    let ignored = line(&words[1..]);
    assert_eq!(
        [&ignored["imports"], &ignored["imported"]],
        [&json!("ignore"), &json!([])]
    );
    let words = [
        "--with-imports",
        "--reports",
        "@reports.jsonl",
        "--cases",
        "@cases.jsonl",
    ];
    let out = identify(&folder, &words).unwrap();
    assert!(
        out.contains("1 of 2 places differ, with import os; from datetime import time; breaks"),
        "{out}"
    );
    assert!(
        out.ends_with("(matcher simple; replies' imports in the modules' heads)\n"),
        "{out}"
    );
    let case = fs::read_to_string(folder.path().join("cases.jsonl")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&case).unwrap()["imported"],
        imported
    );
}

#[test]
fn a_line_of_perturb_with_a_reply_is_a_variant() {
    let folder = folder();
    let file = folder.path().join("two.json").display().to_string();
    fs::write(&file, TWO_CLASSES).unwrap();
    let cli = Cli::try_parse_from(["ctxlab", "perturb", "--dataset", &file]).unwrap();
    let config = Config::for_tests(folder.path().join("data"), None).unwrap();
    let mut out = Vec::new();
    commands::run(cli, &config, &mut out).unwrap();
    let mut lines = Vec::new();
    for line in String::from_utf8(out).unwrap().lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["origin"] = json!("human");
        line["text"] = line["masked"].clone();
        lines.push(line);
    }
    write(&folder, "variants.jsonl", &lines);
    let out = identify(&folder, &[]).unwrap();
    assert!(!out.contains("bad line"), "{out}");
    let n_unfilled = out
        .lines()
        .filter(|line| line.starts_with("unfilled"))
        .count();
    assert_eq!(n_unfilled, lines.len(), "{out}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = TempDir::new().unwrap();
    let why = identify(&folder, &[]).unwrap_err();
    assert!(why.contains("variants.jsonl: No such file"), "{why}");
}
