//! Hostile programs on a real engine, each beside a harmless neighbour.

use std::fs;

use shared::report::Verdict;
use tests::hostile::{self, PATIENT, TIGHT, attack, expected_of, is_expected};

use crate::engines::{Tested, open};
use crate::leftovers::leftovers;
use crate::support::run;

const GOOD: &str = "def attack():\n    return 'fine'\n";

pub(crate) async fn every_attack_is_contained(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let engine = opened.engine.as_ref();
    let paths = hostile::programs().unwrap();
    assert!(paths.len() >= 40, "only {} programs", paths.len());
    let mut wrong = Vec::new();
    for path in &paths {
        let program = fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        let expected = expected_of(&program, tested.name);
        let before = leftovers();
        // A loaded machine must not be taken for a program that hangs.
        let may_hang = expected.starts_with("timeout") || expected == "any_break";
        let limits = if may_hang { TIGHT } else { PATIENT };
        let (job, neighbour) = (
            attack(&name, &program, limits),
            attack("good", GOOD, PATIENT),
        );
        let (report, beside) = tokio::join!(run(engine, &job), run(engine, &neighbour));
        assert_eq!(beside.verdict(), Verdict::Pass, "beside {name}: {beside:?}");
        let most = TIGHT.output_kib as usize * 1024 * 3 + 16;
        assert!(
            report.output.text.len() <= most,
            "{name} kept {}",
            report.output.text.len()
        );
        let left: Vec<String> = leftovers().difference(&before).cloned().collect();
        if !left.is_empty() {
            wrong.push(format!("{name}: left {}", left.join(", ")));
        }
        if !is_expected(expected, &report) {
            let run = &report.tests[0];
            let why = &run.raised;
            wrong.push(format!(
                "{name}: wanted {expected}, got {:?} {:?} {why:?}",
                report.verdict(),
                run.outcome
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    tests::say(&format!(
        "{}: {} hostile programs contained",
        tested.name,
        paths.len()
    ));
}
