//! How many variants are left after each step (CtxBugGen, Fig. 5).

use serde::{Deserialize, Serialize};

use crate::identify::{Decision, NotCase};
use crate::perturb::RuleId;
use crate::variant::VariantOrigin;

/// Variants per generator and rule.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Funnel {
    /// By generator as they came, then by rule.
    pub rows: Vec<FunnelRow>,
}

/// What is left of some variants after each step. From `generated` to `unique` each number holds the
/// next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FunnelRow {
    /// The generator's name; `ALL` in a sum over generators.
    pub generator: String,
    /// The rule; absent in a sum over rules.
    pub rule: Option<RuleId>,
    /// All variants.
    pub n_generated: u32,
    /// With a method that is valid Python and does something.
    pub n_parsed: u32,
    /// And that differs in a masked place (and, where that is asked for, nowhere else).
    pub n_differing: u32,
    /// And that loads and fails a test.
    pub n_failing: u32,
    /// And that is no repetition: the cases.
    pub n_unique: u32,
    /// Differing, new and without a test report.
    pub n_candidates: u32,
}

impl FunnelRow {
    fn add(&mut self, decision: &Decision) {
        let steps = match decision {
            Decision::Case(_) => 5,
            Decision::Candidate => 3,
            Decision::NotCase(why) => match why {
                NotCase::Empty
                | NotCase::NoMethod { .. }
                | NotCase::Unfilled { .. }
                | NotCase::SyntaxError { .. } => 1,
                NotCase::Identical { .. } | NotCase::OutsideEdits { .. } => 2,
                NotCase::DoesNotLoad { .. }
                | NotCase::PassesTests { .. }
                | NotCase::Duplicate { tested: false, .. } => 3,
                NotCase::Duplicate { tested: true, .. } => 4,
            },
        };
        let columns = [
            &mut self.n_generated,
            &mut self.n_parsed,
            &mut self.n_differing,
            &mut self.n_failing,
            &mut self.n_unique,
        ];
        for column in columns.into_iter().take(steps) {
            *column += 1;
        }
        self.n_candidates += u32::from(*decision == Decision::Candidate);
    }

    fn add_row(&mut self, other: &Self) {
        self.n_generated += other.n_generated;
        self.n_parsed += other.n_parsed;
        self.n_differing += other.n_differing;
        self.n_failing += other.n_failing;
        self.n_unique += other.n_unique;
        self.n_candidates += other.n_candidates;
    }
}

impl Funnel {
    /// Counts a variant.
    pub fn add(&mut self, origin: &VariantOrigin, rule: RuleId, decision: &Decision) {
        let generator = origin.generator();
        let same = |row: &FunnelRow| row.generator == generator;
        // After the generator's rows of lower rules.
        let before = |row: &FunnelRow| same(row) && row.rule < Some(rule);
        let after_lower = self.rows.iter().rposition(before).map(|at| at + 1);
        let first = || self.rows.iter().position(same);
        let at = after_lower.or_else(first).unwrap_or(self.rows.len());
        let is_there = self
            .rows
            .get(at)
            .is_some_and(|row| same(row) && row.rule == Some(rule));
        if !is_there {
            let row = FunnelRow {
                generator: generator.to_owned(),
                rule: Some(rule),
                ..FunnelRow::default()
            };
            self.rows.insert(at, row);
        }
        self.rows[at].add(decision);
    }

    /// The sum over a generator's rules; over everything for `None`.
    pub fn total(&self, generator: Option<&str>) -> FunnelRow {
        let mut total = FunnelRow {
            generator: generator.unwrap_or("ALL").to_owned(),
            ..FunnelRow::default()
        };
        for row in &self.rows {
            if generator.is_none_or(|generator| generator == row.generator) {
                total.add_row(row);
            }
        }
        total
    }

    /// The generators in the rows' order.
    pub fn generators(&self) -> Vec<&str> {
        let mut generators: Vec<&str> = Vec::new();
        for row in &self.rows {
            if generators.last() != Some(&row.generator.as_str()) {
                generators.push(&row.generator);
            }
        }
        generators
    }
}
