//! `ctxlab perturb`.

use std::io::Read as _;
use std::process::Stdio;

use serde_json::Value;

use super::support::{Ctxlab, TWO_CLASSES};

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_benchmark_a_file_and_a_beginning_give_the_same_perturbations() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    ctxlab.run(&["dataset", "import", &file]).good();
    let by_file = ctxlab.run(&["perturb", "--dataset", &file]).good();
    assert_eq!(ctxlab.run(&["perturb", "--dataset", "two"]).good(), by_file);
    let all = lines(&by_file);
    let first = &all[0];
    assert_eq!(
        (&first["schema"], &first["subject"], &first["rule"]),
        (&1.into(), &"Till.add".into(), &1.into())
    );
    assert!(
        first["masked"]
            .as_str()
            .unwrap()
            .starts_with("def add(self, <INFILL>):")
    );
    assert!(
        first["stamp"]["dataset"]
            .as_str()
            .unwrap()
            .starts_with("two-")
    );
    assert_eq!(first["stamp"]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn rules_are_chosen_by_slug_or_number_and_once_each() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    let rules = |words: &[&str]| -> Vec<u64> {
        let out = ctxlab
            .run(&[&["perturb", "--dataset", &file], words].concat())
            .good();
        let mut rules: Vec<u64> = lines(&out)
            .iter()
            .map(|line| line["rule"].as_u64().unwrap())
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    };
    assert_eq!(
        rules(&["--rule", "R6", "--rule", "parameters", "--rule", "6"]),
        [1, 6]
    );
    let counts = ctxlab
        .run(&[
            "perturb",
            "--dataset",
            &file,
            "--rule",
            "1",
            "--format",
            "csv",
        ])
        .good();
    assert_eq!(
        counts,
        "class,methods,R1,R2,R3,R4,R5,R6,R7,R8,R9,R10,total\n\
         Till,2,2,0,0,0,0,0,0,0,0,0,2\n\
         Shelf,1,1,0,0,0,0,0,0,0,0,0,1\n\
         ALL,3,3,0,0,0,0,0,0,0,0,0,3\n"
    );
}

#[test]
fn help_names_every_rule_and_option() {
    let help = Ctxlab::new().run(&["perturb", "--help"]).good();
    for name in [
        "third_party (10): ",
        "constants.types = any of integer,float",
        "returns.count = any|valued|each [default: any]",
    ] {
        assert!(help.contains(name), "no {name:?} in {help}");
    }
}

#[test]
fn counts_are_an_aligned_table() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    let table = ctxlab
        .run(&["perturb", "--dataset", &file, "--format", "counts"])
        .good();
    let ends: Vec<usize> = table.lines().take(4).map(str::len).collect();
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
    assert!(
        table.contains("\nALL") && table.contains("R10 third_party"),
        "{table}"
    );
}

#[test]
fn options_are_named_in_full_or_by_a_single_rule() {
    let ctxlab = Ctxlab::new();
    let method = ctxlab.file("m.py", "def f(self, a=1):\n    return a + 1.5 + 2\n");
    let sites = |words: &[&str]| {
        let out = ctxlab
            .run(
                &[
                    &["perturb", "--source", &method, "--rule", "constants"],
                    words,
                ]
                .concat(),
            )
            .good();
        lines(&out).len()
    };
    assert_eq!(sites(&[]), 2);
    assert_eq!(sites(&["--option", "types=float"]), 1);
    assert_eq!(sites(&["--option", "constants.types=float"]), 1);

    for (words, reason) in [
        (&["--option", "constants.types"][..], "has no `=`"),
        (
            &["--option", "types=words"],
            "cannot be words; choose integer",
        ),
        (&["--option", "none=1"], "no option constants.none"),
        (&["--rule", "11"], "no rule 11; choose 1 to 10"),
        (
            &["--context", "m.py", "--dataset", "x"],
            "cannot be used with",
        ),
    ] {
        let error = ctxlab
            .run(
                &[
                    &["perturb", "--source", &method, "--rule", "constants"],
                    words,
                ]
                .concat(),
            )
            .bad(2);
        assert!(error.contains(reason), "{error}");
    }
    assert!(ctxlab.run(&["perturb"]).bad(2).contains("--dataset"));
}

#[test]
fn one_text_comes_from_a_file_or_standard_input_with_its_context() {
    let ctxlab = Ctxlab::new();
    let text = "def close(self):\n    return date.today()\n";
    let method = ctxlab.file("close.py", text);
    let context = ctxlab.file(
        "context.json",
        r#"{"class_name": "Till", "imports": ["from datetime import date"]}"#,
    );
    let words = [
        "perturb",
        "--source",
        &method,
        "--context",
        &context,
        "--rule",
        "library_calls",
    ];
    let by_file = ctxlab.run(&words).good();
    assert_eq!(lines(&by_file)[0]["sites"][0]["hidden"], "date.today()");
    let by_input = ctxlab.run_with_input(
        &[
            "perturb",
            "--source",
            "-",
            "--context",
            &context,
            "--rule",
            "7",
        ],
        text,
    );
    assert_eq!(by_input.good(), by_file);

    // Without its context the name is no library's.
    let run = ctxlab.run(&["perturb", "--source", &method, "--rule", "library_calls"]);
    assert!(run.err.contains("no rule hides anything in"), "{}", run.err);
    assert_eq!(run.good(), "");

    for broken in [
        "[]",
        "{",
        r#"{"classname": "Till"}"#,
        r#"{"imports": "re"}"#,
    ] {
        let context = ctxlab.file("broken.json", broken);
        let error = ctxlab
            .run(&["perturb", "--source", &method, "--context", &context])
            .bad(1);
        assert!(
            error.contains("broken.json is no context") && error.contains("class_name"),
            "{error}"
        );
    }
    assert!(
        ctxlab
            .run(&["perturb", "--source", "none.py"])
            .bad(1)
            .contains("none.py")
    );
}

#[test]
fn an_unknown_benchmark_is_refused_with_the_known_ones() {
    let ctxlab = Ctxlab::new();
    let error = ctxlab.run(&["perturb", "--dataset", "starter"]).bad(1);
    assert!(
        error.contains("\"starter\"") && error.contains("ctxlab dataset import"),
        "{error}"
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let ctxlab = Ctxlab::new();
    let record: Vec<Value> = serde_json::from_str(TWO_CLASSES).unwrap();
    let one = record[0].to_string();
    let many: Vec<String> = (0..200)
        .map(|i| one.replace("Till", &format!("Till{i}")))
        .collect();
    let file = ctxlab.file("many.json", format!("[{}]", many.join(",")));
    let mut command = ctxlab.command(&["perturb", "--dataset", &file]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    drop(child.stdout.take());
    let end = child.wait_with_output().unwrap();
    assert_eq!(
        (
            end.status.code(),
            String::from_utf8(end.stderr).unwrap().as_str()
        ),
        (Some(0), "")
    );
}
