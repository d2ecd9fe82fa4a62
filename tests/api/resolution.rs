//! `ctxlab resolution` over a benchmark of three methods; cases and samples are written by hand.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::identify::{ADD, ctxlab, report, variant, write};

/// Two cases of one method, as `identify` writes them.
fn cases(folder: &TempDir) -> Vec<Value> {
    let minus = variant("minus", "a", &ADD.replace("+=", "-="));
    let both = ADD.replace("+=", "-=").replace('*', "//");
    write(
        folder,
        "variants.jsonl",
        &[minus, variant("both", "a", &both)],
    );
    let reports = ["minus", "both"].map(|id| report(id, "failed"));
    write(folder, "reports.jsonl", &reports);
    let words = "identify --variants @variants.jsonl --reports @reports.jsonl --cases @cases.jsonl";
    ctxlab(folder, &words.split(' ').collect::<Vec<_>>()).unwrap();
    let cases = fs::read_to_string(folder.path().join("cases.jsonl")).unwrap();
    let cases = cases
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    cases.collect()
}

fn sample(id: &str, case: &Value, model: &str, text: &str) -> Value {
    json!({"id": id, "case": case["id"], "model": model, "text": text})
}

fn resolution(folder: &TempDir, words: &[&str]) -> String {
    let files = [
        "resolution",
        "--cases",
        "@cases.jsonl",
        "--samples",
        "@samples.jsonl",
    ];
    let at = folder.path().display().to_string();
    ctxlab(folder, &[&files, words].concat())
        .unwrap()
        .replace(&at, "")
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let cases = cases(&folder);
    let (minus, both) = (&cases[0], &cases[1]);
    let turned = ADD.replace("price * count", "(count * price)");
    let more = ADD.replace("self.cents +=", "print(price)\n    self.cents +=");
    write(
        &folder,
        "samples.jsonl",
        &[
            sample(
                "right",
                minus,
                "gpt",
                &format!("Here:\n```python\n{ADD}```\n"),
            ),
            sample("prose", minus, "gpt", "The sign is wrong."),
            sample("turned", both, "gpt", &turned),
            sample("more", both, "gpt", &more),
            sample("same", minus, "mini", minus["method"].as_str().unwrap()),
            sample("right", both, "mini", ADD),
            json!({"case": "Till.add-0", "model": "mini", "text": ADD}),
            json!({"case": minus["id"], "text": ADD}),
        ],
    );
    folder
}

#[test]
fn rates_stand_with_their_lens_their_n_and_their_interval() {
    let folder = folder();
    let document: Value =
        serde_json::from_str(&resolution(&folder, &["--format", "json"])).unwrap();
    assert_eq!(
        [
            &document["schema"],
            &document["n_cases"],
            &document["n_sites"]
        ],
        [1, 2, 3]
    );
    assert_eq!(document["sites_by"], json!(["simple"]));
    assert_eq!(document["stamp"]["sha256"].as_str().unwrap().len(), 64);
    let models = document["models"].as_array().unwrap();
    let numbers = |model: &Value| {
        ["n_samples", "n_without_method", "n_cases"].map(|name| model[name].as_u64().unwrap())
    };
    assert_eq!(
        models.iter().map(numbers).collect::<Vec<_>>(),
        [[4, 1, 2], [1, 0, 1]]
    );
    let rates = |model: &Value| -> Vec<(String, u64, u64)> {
        let rates = model["rates"].as_array().unwrap().iter();
        rates
            .map(|rate| {
                let n = |name: &str| rate[name].as_u64().unwrap();
                let lens = rate["lens"].as_str().unwrap().to_owned();
                (lens, n("n_resolved"), n("n_sites"))
            })
            .collect()
    };
    let found = [
        ("simple", 4),
        ("classic", 5),
        ("hybrid", 5),
        ("stable", 4),
        ("path", 2),
        ("normalized", 3),
    ];
    let of_six = found.map(|(lens, n)| (lens.to_owned(), n, 6));
    assert_eq!(rates(&models[0]), of_six);
    let interval = models[0]["rates"][0]["interval"].as_array().unwrap();
    let interval: Vec<f64> = interval
        .iter()
        .map(|bound| bound.as_f64().unwrap())
        .collect();
    assert!((interval[0] - 0.3000).abs() < 1e-4 && (interval[1] - 0.9032).abs() < 1e-4);
    let without: Vec<&Value> = models[1]["cases_without_sample"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert_eq!(
        (without.len(), &models[1]["rates"][0]["n_resolved"]),
        (1, &json!(0))
    );
    assert_eq!(document["unchanged"][0]["n_resolved"], 0);
    let first = &models[0]["disagreements"][0];
    assert_eq!(
        [&first["sample"], &first["site"], &first["correct"]],
        [&json!("turned"), &json!(1), &json!("*")]
    );
    let bad = document["bad_lines"].as_array().unwrap();
    let bad: Vec<(u64, &str)> = bad
        .iter()
        .map(|bad| {
            (
                bad["line"].as_u64().unwrap(),
                bad["error"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        bad.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
        [6, 7, 8]
    );
    assert!(bad[0].1.contains("the id right is line 1's"), "{bad:?}");
    assert!(bad[1].1.contains("no usable case Till.add-0"), "{bad:?}");
    assert!(
        bad[2]
            .1
            .contains("expected a JSON object with case, model and text"),
        "{bad:?}"
    );
}

#[test]
fn the_text_says_what_json_says() {
    let folder = folder();
    let snapshots = tests::workspace().join("tests/fixtures/api");
    insta::with_settings!({
        snapshot_path => snapshots,
        omit_expression => true,
        prepend_module_to_snapshot => false,
    }, {
        insta::assert_snapshot!("resolution", resolution(&folder, &[]));
    });
}

#[test]
fn each_sample_has_a_line_and_each_of_its_sites_all_lenses() {
    let folder = folder();
    let out = resolution(&folder, &["--format", "jsonl"]);
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (samples, bad): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line["error"].is_null());
    assert_eq!((samples.len(), bad.len()), (6, 3));
    let models = &samples[5]["summary"]["models"];
    assert_eq!(
        models[1]["cases_without_sample"].as_array().unwrap().len(),
        1
    );
    let prose = samples[1];
    assert_eq!(
        (&prose["sample"], &prose["has_method"]),
        (&json!("prose"), &json!(false))
    );
    let lenses = prose["sites"][0]["lenses"].as_array().unwrap();
    assert!(lenses.len() == 6 && lenses.iter().all(|lens| lens["resolved"] == false));
    let same = &samples[4]["sites"][0];
    assert_eq!([&same["correct"], &same["wrong"]], ["+=", "-="]);
    assert_eq!(samples[4]["sites_by"], "simple");
}

#[test]
fn a_case_is_found_again_or_is_told() {
    let folder = folder();
    let cases = cases(&folder);
    let (mut edited, mut moved, mut gone) = (cases[0].clone(), cases[0].clone(), cases[0].clone());
    edited["method"] = json!(edited["method"].as_str().unwrap().replace("price", "cost"));
    moved["sites"][0]["site"] = json!(1);
    gone["instance"] = json!(3);
    let right = {
        let mut right = cases[0].clone();
        right["method"] = json!(ADD);
        right
    };
    let all = [
        edited,
        moved,
        gone,
        right,
        cases[1].clone(),
        cases[1].clone(),
        json!({"schema": 2}),
    ];
    write(&folder, "cases.jsonl", &all);
    let out = resolution(&folder, &[]);
    for (line, why) in [
        (1, "its method is that of Till.add-"),
        (
            2,
            "its bug sites by simple are 0 (changed `+=` to `-=`), and not 1",
        ),
        (3, "has 1 instances of operators"),
        (
            4,
            "its method is no case by simple (identical at all places (2))",
        ),
        (6, "is there before"),
        (7, "no case (missing field"),
    ] {
        let begins = format!("bad line      {line} of /cases.jsonl: ");
        let said = out.lines().find(|line| line.starts_with(&begins));
        assert!(said.is_some_and(|said| said.contains(why)), "{line}: {out}");
    }
    assert!(
        out.contains("\n1 case with 2 bug sites (by simple)\n"),
        "{out}"
    );
    let by_classic = resolution(&folder, &["--matcher", "classic"]);
    assert!(by_classic.contains("(by classic)"), "{by_classic}");
}
