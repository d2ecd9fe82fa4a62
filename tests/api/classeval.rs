//! The commands over ClassEval itself.

use backend::cli::Cli;
use backend::commands;
use backend::config::Config;
use clap::Parser as _;
use tempfile::TempDir;

/// Runs a command line over a data folder and gives what it prints.
fn ctxlab(data: &TempDir, words: &[&str]) -> String {
    let cli = Cli::try_parse_from([&["ctxlab"], words].concat()).unwrap();
    let config = Config::for_tests(data.path().to_owned(), None).unwrap();
    let mut out = Vec::new();
    commands::run(cli, &config, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn it_is_imported_reported_and_counted() {
    let skipped = "3 checks of ClassEval by the command line";
    let (Some(file), Some(counts)) = (
        tests::specification("data/classeval/ClassEval_data.json", skipped),
        tests::specification("spec/rule_counts.csv", skipped),
    ) else {
        return;
    };
    let data = TempDir::new().unwrap();
    let report = ctxlab(
        &data,
        &[
            "dataset",
            "import",
            file.to_str().unwrap(),
            "--license",
            "CC BY-NC 4.0",
        ],
    );
    for line in [
        "classes    100\n",
        "methods    410\n",
        "licence    CC BY-NC 4.0\n",
        "Kept, with a warning (3):\n",
    ] {
        assert!(report.contains(line), "no {line:?} in:\n{report}");
    }
    assert!(!report.contains("Left out"), "{report}");

    let csv = ctxlab(
        &data,
        &["perturb", "--dataset", "classeval", "--format", "csv"],
    );
    assert_eq!(csv, std::fs::read_to_string(counts).unwrap());

    let lines = ctxlab(&data, &["perturb", "--dataset", "classeval"]);
    assert_eq!(lines.lines().count(), 3528);
}
