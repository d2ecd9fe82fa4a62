//! Which test kills which variant of a method.

use serde::{Deserialize, Serialize};

use crate::perturb::csv_line;
use crate::report::{TestOutcome, TestReport};
use crate::subject::SubjectId;
use crate::variant::VariantId;

/// Tests by variants of one method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KillMatrix {
    /// The method.
    pub subject: SubjectId,
    /// The columns, in the order in which they came.
    pub variants: Vec<VariantId>,
    /// The rows, in the benchmark's order.
    pub rows: Vec<KillRow>,
}

/// A test and what it said of each variant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KillRow {
    /// `TestClass.test_name`.
    pub test: String,
    /// One a variant.
    pub cells: Vec<Cell>,
}

/// What a test said of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// The variant passes it.
    Survives,
    /// The variant does not pass it.
    Kills,
    /// It did not run, or there is no such test in this variant's report: it says nothing.
    Silent,
}

impl Cell {
    /// The name used in files.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Survives => "survives",
            Self::Kills => "kills",
            Self::Silent => "silent",
        }
    }

    /// One sign for a table.
    pub const fn sign(self) -> char {
        match self {
            Self::Survives => '.',
            Self::Kills => 'X',
            Self::Silent => '-',
        }
    }
}

impl KillMatrix {
    /// Nothing has been told of a method.
    pub fn new(subject: SubjectId) -> Self {
        Self {
            subject,
            variants: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Adds a variant's column.
    pub fn add(&mut self, report: &TestReport) {
        for run in &report.tests {
            if self.rows.iter().all(|row| row.test != run.name) {
                self.rows.push(KillRow {
                    test: run.name.clone(),
                    cells: vec![Cell::Silent; self.variants.len()],
                });
            }
        }
        for row in &mut self.rows {
            let run = report.tests.iter().find(|run| run.name == row.test);
            row.cells.push(match run.map(|run| &run.outcome) {
                Some(TestOutcome::Passed) => Cell::Survives,
                Some(TestOutcome::NotRun) | None => Cell::Silent,
                Some(_) => Cell::Kills,
            });
        }
        self.variants.push(report.variant.clone());
    }

    /// How many tests kill a variant.
    pub fn n_killers(&self, variant: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.cells.get(variant));
        cells.filter(|&&cell| cell == Cell::Kills).count()
    }

    /// The head of [`Self::csv`].
    pub fn csv_head() -> String {
        csv_line(
            ["subject", "test", "variant", "cell"]
                .map(str::to_owned)
                .into_iter(),
        )
    }

    /// One line a test and variant.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        for KillRow { test, cells } in &self.rows {
            for (variant, cell) in self.variants.iter().zip(cells) {
                let fields = [&self.subject.0, test, &variant.0, cell.slug()];
                out += &csv_line(fields.map(str::to_owned).into_iter());
            }
        }
        out
    }

    /// A table to read: a row a test, a column a variant, `X` where the test kills it.
    pub fn text(&self) -> String {
        let n_tests = self.rows.len();
        let width = self.rows.iter().map(|row| row.test.chars().count()).max();
        let width = width.unwrap_or(0);
        let row = |KillRow { test, cells }: &KillRow| {
            let signs: String = cells.iter().map(|cell| cell.sign()).collect();
            let n = cells.iter().filter(|&&cell| cell == Cell::Kills).count();
            format!("  {test:width$}  {signs}  kills {n} of {}", cells.len())
        };
        let column = |(at, variant): (usize, &VariantId)| {
            let n = self.n_killers(at);
            format!(
                "  column {}: {variant}, killed by {n} of {n_tests} tests",
                at + 1
            )
        };
        let rows = self.rows.iter().map(row);
        let columns = self.variants.iter().enumerate().map(column);
        let lines = [self.subject.to_string()]
            .into_iter()
            .chain(rows)
            .chain(columns);
        lines.map(|line| line + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, KillMatrix};
    use crate::report::{TestOutcome, TestReport, TestRun};
    use crate::subject::SubjectId;
    use crate::variant::VariantId;

    #[test]
    fn each_variant_is_a_column_and_each_test_a_row() {
        let report = |variant: &str, outcomes: &[(&str, TestOutcome)]| {
            let mut report = TestReport::new(VariantId(variant.to_owned()));
            let runs = outcomes.iter();
            report.tests = runs
                .map(|(name, it)| TestRun::new(name, it.clone()))
                .collect();
            report
        };
        let failed = TestOutcome::Failed {
            message: String::new(),
        };
        let mut matrix = KillMatrix::new(SubjectId("A.m".to_owned()));
        matrix.add(&report(
            "v1",
            &[("T.a", TestOutcome::Passed), ("T.b", failed.clone())],
        ));
        matrix.add(&report(
            "v,2",
            &[("T.a", TestOutcome::TimedOut), ("T.b", TestOutcome::NotRun)],
        ));
        matrix.add(&report("v3", &[("T.c", failed)]));
        let signs = |row: usize| {
            matrix.rows[row]
                .cells
                .iter()
                .map(|it| it.sign())
                .collect::<String>()
        };
        assert_eq!([signs(0), signs(1), signs(2)], [".X-", "X--", "--X"]);
        assert_eq!([0, 1, 2].map(|at| matrix.n_killers(at)), [1, 1, 1]);
        assert_eq!(matrix.rows[2].cells[0], Cell::Silent);
        let csv = matrix.csv();
        assert_eq!(csv.lines().count(), 9);
        assert!(csv.contains("A.m,T.a,\"v,2\",kills\n"), "{csv}");
        assert!(
            matrix.text().contains("T.b  X--  kills 1 of 3\n"),
            "{}",
            matrix.text()
        );
    }
}
