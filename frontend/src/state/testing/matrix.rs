//! Which test breaks which program, of all that were run of a subject.

use std::sync::Arc;

use shared::report::{TestOutcome, TestRun};

use super::{ProgramKind, Tested};

/// The most programs that are remembered; the reference is not given up.
const MOST: usize = 12;

/// Remembers a program; its earlier report is replaced.
pub(crate) fn keep(all: &mut Vec<Arc<Tested>>, tested: &Arc<Tested>) {
    let is_same = |it: &&mut Arc<Tested>| it.program.code == tested.program.code;
    if let Some(before) = all.iter_mut().find(is_same) {
        *before = Arc::clone(tested);
        return;
    }
    if all.len() >= MOST {
        let oldest = all.iter().position(|it| it.program.code.is_some());
        all.remove(oldest.unwrap_or_default());
    }
    all.push(Arc::clone(tested));
}

/// Tests by programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Matrix {
    /// What each column is.
    pub(crate) programs: Vec<String>,
    /// Tests that break a program, those that break most of them first.
    pub(crate) rows: Vec<Row>,
    /// How many tests break none.
    pub(crate) n_harmless: usize,
}

/// A test, and what became of it in each program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) test: String,
    pub(crate) n_broken: usize,
    pub(crate) cells: Vec<Option<TestOutcome>>,
}

/// The matrix of some programs; `None` where there is nothing to compare.
pub(crate) fn matrix(all: &[Arc<Tested>]) -> Option<Matrix> {
    let first = all.first().filter(|_| all.len() > 1)?;
    let mut counts = [0; 4];
    let programs = all.iter().map(|it| {
        let (at, word) = match it.program.kind {
            ProgramKind::Reference => return "reference".to_owned(),
            ProgramKind::Edit => (1, "edit"),
            ProgramKind::Variant => (2, "variant"),
            ProgramKind::Filling => (3, "filling"),
        };
        counts[at] += 1;
        format!("{word} {}", counts[at])
    });
    let programs = programs.collect();
    let tests = first.prepared.job.classes.iter().flat_map(|it| &it.tests);
    let row = |test: &String| {
        let of = |it: &Arc<Tested>| {
            let found = it.report.tests.iter().find(|run| run.name == *test);
            found.map(|run: &TestRun| run.outcome.clone())
        };
        let cells: Vec<Option<TestOutcome>> = all.iter().map(of).collect();
        let is_broken = |cell: &&Option<TestOutcome>| **cell != Some(TestOutcome::Passed);
        Row {
            test: test.clone(),
            n_broken: cells.iter().filter(is_broken).count(),
            cells,
        }
    };
    let (mut rows, harmless): (Vec<Row>, Vec<Row>) =
        tests.map(row).partition(|row| row.n_broken > 0);
    rows.sort_by_key(|row| std::cmp::Reverse(row.n_broken));
    Some(Matrix {
        programs,
        rows,
        n_harmless: harmless.len(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shared::harness::{TestClass, TestJob};
    use shared::report::{Limits, Protocol, Surroundings, TestOutcome, TestReport, TestRun};
    use shared::variant::VariantId;

    use super::{keep, matrix};
    use crate::state::testing::{Program, ProgramKind, Tested};
    use crate::worker::compare::protocol::Prepared;

    const TESTS: [&str; 3] = ["T.test_a", "T.test_b", "T.test_c"];

    fn tested(kind: ProgramKind, code: Option<&str>, broken: &[&str]) -> Arc<Tested> {
        let variant = VariantId("v".to_owned());
        let mut report = TestReport::new(variant.clone());
        for name in TESTS {
            let outcome = if broken.contains(&name) {
                TestOutcome::TimedOut
            } else {
                TestOutcome::Passed
            };
            report.tests.push(TestRun::new(name, outcome));
        }
        let job = TestJob {
            variant,
            module: String::new(),
            tests: String::new(),
            classes: vec![TestClass {
                name: "T".to_owned(),
                tests: TESTS.map(str::to_owned).to_vec(),
                limit_ms: 1000,
                relation: None,
            }],
            protocol: Protocol::default(),
            limits: Limits::default(),
            surroundings: Surroundings::default(),
        };
        Arc::new(Tested {
            program: Program {
                kind,
                code: code.map(str::to_owned),
            },
            prepared: Arc::new(Prepared { job, method: 1..2 }),
            report,
        })
    }

    #[test]
    fn who_breaks_most_comes_first() {
        let mut all = Vec::new();
        keep(&mut all, &tested(ProgramKind::Reference, None, &[]));
        assert_eq!(matrix(&all), None);
        keep(
            &mut all,
            &tested(ProgramKind::Variant, Some("x"), &[TESTS[0]]),
        );
        keep(
            &mut all,
            &tested(ProgramKind::Variant, Some("y"), &[TESTS[1]]),
        );
        // The same program again takes its own place.
        keep(
            &mut all,
            &tested(ProgramKind::Variant, Some("x"), &TESTS[..2]),
        );
        let found = matrix(&all).unwrap();
        assert_eq!(found.programs, ["reference", "variant 1", "variant 2"]);
        let rows: Vec<(&str, usize)> = found
            .rows
            .iter()
            .map(|row| (&*row.test, row.n_broken))
            .collect();
        assert_eq!(rows, [(TESTS[1], 2), (TESTS[0], 1)]);
        assert_eq!(found.n_harmless, 1);
    }

    #[test]
    fn the_reference_is_not_given_up() {
        let mut all = Vec::new();
        keep(&mut all, &tested(ProgramKind::Reference, None, &[]));
        for n in 0..40 {
            keep(
                &mut all,
                &tested(ProgramKind::Edit, Some(&n.to_string()), &[]),
            );
        }
        assert_eq!(all.len(), super::MOST);
        assert_eq!(all[0].program.kind, ProgramKind::Reference);
    }
}
