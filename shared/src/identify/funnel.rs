//! How many variants are left after each step (CtxBugGen, Fig. 5).

use serde::{Deserialize, Serialize};

use crate::identify::{Decision, IdentifyOptions, NotCase};
use crate::perturb::{RuleId, csv_line};
use crate::variant::VariantOrigin;

/// The stages, in order.
pub const STAGES: [&str; 5] = ["generated", "parsed", "differing", "failing", "unique"];

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

impl Decision {
    /// How many of the [`STAGES`] a variant passes.
    pub const fn n_stages(&self) -> usize {
        match self {
            Self::Case(_) => 5,
            Self::Candidate => 3,
            Self::NotCase(why) => match why {
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
        }
    }
}

impl FunnelRow {
    /// One for each of the [`STAGES`].
    pub const fn stages(&self) -> [u32; 5] {
        [
            self.n_generated,
            self.n_parsed,
            self.n_differing,
            self.n_failing,
            self.n_unique,
        ]
    }

    fn add(&mut self, decision: &Decision) {
        let columns = [
            &mut self.n_generated,
            &mut self.n_parsed,
            &mut self.n_differing,
            &mut self.n_failing,
            &mut self.n_unique,
        ];
        for column in columns.into_iter().take(decision.n_stages()) {
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

    /// All rows, each generator's with its sum below, and the sum of everything last.
    pub fn with_totals(&self) -> Vec<FunnelRow> {
        let mut rows = Vec::new();
        for generator in self.generators() {
            let own = self.rows.iter().filter(|row| row.generator == generator);
            rows.extend(own.cloned());
            rows.push(self.total(Some(generator)));
        }
        rows.push(self.total(None));
        rows
    }

    /// Comma-separated: a line a row of [`Funnel::with_totals`], and how the nodes were matched and what else
    /// might differ.
    pub fn csv(&self, options: IdentifyOptions) -> String {
        let head = ["generator", "rule"].iter().chain(&STAGES);
        let head = head.chain(&["untested", "matcher", "outside"]);
        let mut out = csv_line(head.map(|name| (*name).to_owned()));
        let (matcher, outside) = (options.matcher.slug(), options.outside.slug());
        for row in self.with_totals() {
            let rule = row.rule.map_or("all", RuleId::slug);
            let numbers = row.stages().into_iter().chain([row.n_candidates]);
            let numbers = numbers.map(|n| n.to_string());
            let names = [row.generator.clone(), rule.to_owned()].into_iter();
            let how = [matcher.to_owned(), outside.to_owned()];
            out += &csv_line(names.chain(numbers).chain(how));
        }
        out
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
