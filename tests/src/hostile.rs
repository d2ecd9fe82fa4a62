//! Programs that try to get out, to stay, or to win by cheating, for every engine alike.
//!
//! Each file of `fixtures/hostile` says in its first line what has to come of it: `# expect: timeout`, or where
//! it differs by engine `# expect: timeout; docker: killed`. `HOST_USERS` in it stands for the text of this
//! machine's list of users: a container has a list of its own, which is nobody's secret.

use std::path::PathBuf;

use shared::harness::{TestClass, TestJob};
use shared::report::{Limits, Protocol, Surroundings, TestOutcome, TestReport, Verdict};
use shared::variant::VariantId;

use crate::workspace;

/// The programs, by name.
pub fn programs() -> std::io::Result<Vec<PathBuf>> {
    let folder = std::fs::read_dir(workspace().join("tests/fixtures/hostile"))?;
    let mut paths = folder
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Limits that a test reaches soon.
pub const TIGHT: Limits = Limits {
    class_ms: 3000,
    memory_mib: 128,
    output_kib: 64,
    disk_mib: 8,
    files: 200,
    gpus: 0,
};

/// The same, but with time enough on a loaded machine.
pub const PATIENT: Limits = Limits {
    class_ms: 30_000,
    ..TIGHT
};

/// A program whose `attack()` has to give `"fine"`, and nothing else.
///
/// # Panics
/// Where this machine has no list of users.
pub fn attack(name: &str, program: &str, limits: Limits) -> TestJob {
    let tests = "import unittest\n\
        class T(unittest.TestCase):\n    \
            def test_attack(self):\n        \
                self.assertEqual(attack(), 'fine')\n";
    TestJob {
        variant: VariantId(name.to_owned()),
        module: program.replace("HOST_USERS", &host_users()),
        tests: tests.to_owned(),
        classes: vec![TestClass {
            name: "T".to_owned(),
            tests: vec!["T.test_attack".to_owned()],
            limit_ms: limits.class_ms,
            relation: None,
        }],
        protocol: Protocol::Corrected,
        limits,
        surroundings: Surroundings::default(),
    }
}

/// This machine's list of users, as a text in Python.
fn host_users() -> String {
    let text = std::fs::read_to_string("/etc/passwd").expect("a list of users");
    assert!(!text.is_empty(), "nobody uses this machine");
    format!("{text:?}")
}

/// Whether a report is what the first line of a program wants.
///
/// # Panics
/// On a word that is no expectation.
pub fn is_expected(expected: &str, report: &TestReport) -> bool {
    let verdict = report.verdict();
    let said = match report.tests.first().map(|run| &run.outcome) {
        Some(TestOutcome::Failed { message } | TestOutcome::Errored { message }) => {
            message.as_str()
        }
        _ => "",
    };
    match expected {
        "pass" => verdict == Verdict::Pass,
        "pass_with_output" => verdict == Verdict::Pass && !report.output.is_empty(),
        "fail" => verdict == Verdict::Fail,
        "timeout" => verdict == Verdict::Timeout,
        "timeout_or_output" => matches!(verdict, Verdict::Timeout | Verdict::OutputLimit),
        "out_of_memory" => verdict == Verdict::OutOfMemory,
        // A request that is larger than an address can be is refused before memory is asked for.
        "no_room" => matches!(verdict, Verdict::OutOfMemory) || said.contains("OverflowError"),
        "killed" => verdict == Verdict::Killed,
        "disk_full" => verdict == Verdict::Fail && said.contains("No space left"),
        "any_break" => verdict != Verdict::Pass,
        other => panic!("{other:?} is no expectation"),
    }
}

/// What a program's first line wants of an engine.
pub fn expected_of<'a>(program: &'a str, engine: &str) -> &'a str {
    let line = program.lines().next().unwrap_or_default();
    let line = line.strip_prefix("# expect: ").unwrap_or_default();
    let mut parts = line.split("; ");
    let usual = parts.next().unwrap_or_default();
    let mut own = parts.filter_map(|part| part.split_once(": "));
    own.find(|(of, _)| *of == engine)
        .map_or(usual, |(_, expected)| expected)
}
