//! `ctxlab diff`: what it prints, in each format, and what it refuses.

use std::fs;

use backend::cli::Cli;
use backend::commands::{self, Outcome};
use backend::config::Config;
use clap::Parser as _;
use serde_json::{Value, json};
use tempfile::TempDir;

const A: &str = "def f(a):\n    return a\n";
const B: &str = "def f(b):\n    print(\"<&>\")\n    return b\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs a command line in which a word that begins with `@` is a file of the folder.
fn run(folder: &TempDir, words: &[&str]) -> Result<(Outcome, String), String> {
    let place = |word: &&str| match word.strip_prefix('@') {
        Some(name) => folder.path().join(name).display().to_string(),
        None => (*word).to_owned(),
    };
    let words = [&["diff", "--color", "never"], words].concat();
    let words = ["ctxlab".to_owned()]
        .into_iter()
        .chain(words.iter().map(place));
    let cli = Cli::try_parse_from(words).map_err(|e| e.to_string())?;
    let config = Config::for_tests(folder.path().join("data"), None).unwrap();
    let mut out = Vec::new();
    let outcome = commands::run(cli, &config, &mut out).map_err(|e| format!("{e:#}"))?;
    Ok((outcome, String::from_utf8(out).unwrap()))
}

#[test]
fn edits_are_lines_to_read() {
    let files = folder(&[("a.py", A), ("b.py", B)]);
    let (outcome, text) = run(&files, &["@a.py", "@b.py"]).unwrap();
    assert_eq!(outcome, Outcome::Different);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "~ update      1:7  identifier  a -> b",
            "+ insert      2:5  expression_statement  print(\"<&>\")  into block, child 0",
            "~ update     2:12  identifier  a -> b",
            "3 edits; 8 nodes correspond, of 8 and 13 (matcher simple)",
        ]
    );
    assert_eq!(
        run(&files, &["@a.py", "@a.py"]),
        Ok((Outcome::Done, String::new()))
    );
}

#[test]
fn json_is_gumtrees_with_indexes_beside() {
    let files = folder(&[("a.py", A), ("b.py", B)]);
    let (_, text) = run(&files, &["@a.py", "@b.py", "--format", "json"]).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["matches"].as_array().unwrap().len(), 8);
    assert_eq!(
        found["matches"][0],
        json!({"src": "module [0,23]", "dest": "module [0,40]", "nodes": [0, 0], "by": "roots"})
    );
    assert_eq!(
        found["actions"],
        json!([
            {
                "action": "update-node",
                "tree": "identifier: a [6,7]",
                "label": "b",
                "edit": ["update-node", "s4", "b"],
            },
            {
                "action": "insert-tree",
                "tree": "expression_statement [14,26]",
                "parent": "block [14,39]",
                "at": 0,
                "edit": ["insert-tree", "d6", "s5", 0],
            },
            {
                "action": "update-node",
                "tree": "identifier: a [21,22]",
                "label": "b",
                "edit": ["update-node", "s7", "b"],
            },
        ])
    );
}

#[test]
fn xml_is_gumtrees_and_keeps_every_character() {
    let lines = "def f():\n    \"\"\"One\ttab\n    & two <lines>\"\"\"\n";
    let files = folder(&[("a.py", "def f():\n    \"\"\"Doc\"\"\"\n"), ("b.py", lines)]);
    let (_, text) = run(&files, &["@a.py", "@b.py", "--format", "xml"]).unwrap();
    let label = "&quot;&quot;&quot;One&#9;tab&#10;    &amp; two &lt;lines&gt;&quot;&quot;&quot;";
    let update = format!(
        "<update-node tree=\"string: &quot;&quot;&quot;Doc&quot;&quot;&quot; [13,22]\" label=\"{label}\"/>"
    );
    assert!(text.contains(&update), "no {update} in {text}");
    assert!(
        text.contains("<match src=\"module [0,23]\" dest=\"module [0,45]\"/>"),
        "{text}"
    );
}

#[test]
fn folders_are_compared_file_by_file() {
    let files = folder(&[
        ("old/same.py", A),
        ("new/same.py", "def f( a, ):\n    return (a)\n"),
        ("old/in/changed.py", A),
        ("new/in/changed.py", B),
        ("old/gone.py", A),
        ("new/come.py", A),
        ("new/notes.txt", ""),
    ]);
    let (outcome, text) = run(&files, &["@old", "@new", "--format", "json"]).unwrap();
    assert_eq!(outcome, Outcome::Different);
    let found: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<_> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| &file["path"])
        .collect();
    assert_eq!(names, ["come.py", "gone.py", "in/changed.py", "same.py"]);
    assert_eq!(found["files"][0]["only_in"], "dest");
    assert_eq!(found["files"][1]["only_in"], "src");
    let (_, text) = run(&files, &["@old", "@new", "--matcher", "stable"]).unwrap();
    assert!(text.contains("only in the source: gone.py"), "{text}");
}

#[test]
fn pairs_of_texts_are_one_line_each() {
    let pair = |id: &str, a: &str, b: &str| json!({"id": id, "a": a, "b": b}).to_string() + "\n";
    let lines = [pair("x", "a = 1\n", "b = 1\n"), pair("y", A, A)].join("\n");
    let files = folder(&[("pairs.jsonl", &lines), ("broken.jsonl", "{\"id\": 1}\n")]);
    let pairs = |words: &[&str]| {
        let place = |name: &str| files.path().join(name).display().to_string();
        let cli = Cli::try_parse_from(
            [
                &["ctxlab", "diff", "--pairs", &place(words[0])],
                &words[1..],
            ]
            .concat(),
        );
        let config = Config::for_tests(files.path().join("data"), None).unwrap();
        let mut out = Vec::new();
        commands::run(cli.unwrap(), &config, &mut out)
            .map(|outcome| (outcome, String::from_utf8(out).unwrap()))
            .map_err(|e| format!("{e:#}"))
    };
    let (outcome, text) = pairs(&["pairs.jsonl", "--matcher", "classic"]).unwrap();
    assert_eq!(outcome, Outcome::Done);
    let found: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        found[0],
        json!({
            "id": "x",
            "matcher": "classic",
            "mappings": [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]],
            "script": [["update-node", "s3", "b"]],
            "script_chawathe": [["update-node", "s3", "b"]],
        })
    );
    assert_eq!((found.len(), &found[1]["script"]), (2, &json!([])));
    let (outcome, text) = pairs(&["pairs.jsonl", "--with-trees"]).unwrap();
    assert_eq!(outcome, Outcome::Done);
    let found: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(found["trees"][1][3], json!(["identifier", 0, 0, 1, "b"]));
}

#[test]
fn a_line_that_is_no_pair_is_answered_and_the_rest_compared() {
    let good = json!({"id": 7, "a": "a\n", "b": "b\n"}).to_string();
    let files = folder(&[("pairs.jsonl", &format!("{{\"id\": 1}}\n\n{good}\n"))]);
    let path = files.path().join("pairs.jsonl").display().to_string();
    let cli = Cli::try_parse_from(["ctxlab", "diff", "--pairs", &path]).unwrap();
    let config = Config::for_tests(files.path().join("data"), None).unwrap();
    let mut out = Vec::new();
    let why = commands::run(cli, &config, &mut out).unwrap_err();
    assert!(why.to_string().contains("1 lines of"), "{why:#}");
    let found: Vec<Value> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found[0]["line"], 1);
    let error = found[0]["error"].as_str().unwrap();
    assert!(error.contains("id, a and b"), "{error}");
    assert_eq!((found.len(), &found[1]["id"]), (2, &json!(7)));
}

#[test]
fn refusals_name_the_input_and_the_next_step() {
    let files = folder(&[("a.py", A), ("old/a.py", A)]);
    fs::write(files.path().join("binary.py"), b"\xff\xfe").unwrap();
    for (words, said) in [
        (&["@a.py", "@none.py"][..], "none.py: No such file"),
        (&["@a.py", "@binary.py"], "UTF-8"),
        (&["@a.py", "@old"], "two files or two folders"),
        (
            &["@a.py", "@a.py", "--matcher", "best"],
            "choose simple, classic, hybrid or stable",
        ),
        (&["-", "-"], "only one of the two"),
        (&["@a.py"], "<B>"),
    ] {
        let why = run(&files, words).unwrap_err();
        assert!(why.contains(said), "{words:?}: {why}");
    }
}
