//! Which of the identified variants are listed.

use shared::identify::{FunnelRow, STAGES};
use shared::perturb::RuleId;

use crate::worker::compare::batch::protocol::DecisionRow;

/// A column of the funnel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// What passes a stage, from 0.
    Stage(usize),
    /// What differs and has no test report.
    Untested,
}

/// What is asked for; `None` is everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct VariantFilter {
    pub(crate) generator: Option<String>,
    pub(crate) rule: Option<RuleId>,
    pub(crate) column: Option<Column>,
    /// A decision's name.
    pub(crate) decision: Option<String>,
    /// Words that must all occur; case is ignored.
    pub(crate) text: String,
}

impl Column {
    pub(crate) const ALL: [Self; 6] = [
        Self::Stage(0),
        Self::Stage(1),
        Self::Stage(2),
        Self::Stage(3),
        Self::Stage(4),
        Self::Untested,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stage(at) => STAGES.get(at).copied().unwrap_or_default(),
            Self::Untested => "untested",
        }
    }

    /// Who is in it.
    pub(crate) const fn help(self) -> &'static str {
        match self {
            Self::Stage(0) => "all variants",
            Self::Stage(1) => "the reply has the method, and it is valid Python",
            Self::Stage(2) => "and a hidden place differs from the reference",
            Self::Stage(3) => "and it loads and fails a test",
            Self::Stage(_) => "and no earlier variant is the same program: the cases",
            Self::Untested => "differs, and there is no test report yet",
        }
    }

    pub(crate) fn n(self, row: &FunnelRow) -> usize {
        let n = match self {
            Self::Stage(at) => row.stages().get(at).copied().unwrap_or_default(),
            Self::Untested => row.n_candidates,
        };
        n as usize
    }

    fn holds(self, row: &DecisionRow) -> bool {
        match self {
            Self::Stage(at) => row.n_stages > at,
            Self::Untested => row.decision == "candidate",
        }
    }
}

impl VariantFilter {
    /// The places of the variants that are asked for, in the file's order.
    pub(crate) fn rows(&self, all: &[DecisionRow]) -> Vec<u32> {
        let decision = self.decision.as_deref();
        let wanted = |row: &DecisionRow| decision.is_none_or(|it| it == row.decision);
        let rows = self.but_decision(all);
        rows.filter(|(_, row)| wanted(row))
            .map(|(at, _)| at)
            .collect()
    }

    /// How many variants there would be of each decision, the most frequent first.
    pub(crate) fn decisions(&self, all: &[DecisionRow]) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for (_, row) in self.but_decision(all) {
            match counts.iter_mut().find(|(name, _)| *name == row.decision) {
                Some((_, n)) => *n += 1,
                None => counts.push((row.decision.clone(), 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }

    fn but_decision<'a>(
        &'a self,
        all: &'a [DecisionRow],
    ) -> impl Iterator<Item = (u32, &'a DecisionRow)> {
        let text = self.text.to_lowercase();
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let wanted = move |row: &DecisionRow| {
            let generator = self.generator.as_ref();
            generator.is_none_or(|it| *it == row.generator)
                && self.rule.is_none_or(|it| it == row.rule)
                && self.column.is_none_or(|it| it.holds(row))
                && has_all(row, &words)
        };
        (0..).zip(all).filter(move |(_, row)| wanted(row))
    }
}

fn has_all(row: &DecisionRow, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let text = [&row.id, &row.subject.0, &row.generator, &row.why].map(|text| text.to_lowercase());
    words
        .iter()
        .all(|word| text.iter().any(|text| text.contains(word)))
}

/// A decision's name for people: `syntax error`.
pub(crate) fn words(decision: &str) -> String {
    match decision {
        "candidate" => "not tested yet".to_owned(),
        other => other.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use shared::subject::SubjectId;

    use super::*;

    fn row(
        id: &str,
        generator: &str,
        rule: RuleId,
        decision: &str,
        n_stages: usize,
    ) -> DecisionRow {
        DecisionRow {
            id: id.to_owned(),
            subject: SubjectId("Box.size".to_owned()),
            rule,
            instance: 0,
            generator: generator.to_owned(),
            decision: decision.to_owned(),
            why: format!("because of {id}"),
            n_stages,
        }
    }

    fn all() -> Vec<DecisionRow> {
        vec![
            row("Anna", "m", RuleId::Operators, "case", 5),
            row("Bert", "m", RuleId::Constants, "syntax_error", 1),
            row("Carl", "n", RuleId::Operators, "candidate", 3),
            row("Dora", "n", RuleId::Operators, "case", 5),
        ]
    }

    fn check(filter: &VariantFilter, rows: &[u32]) {
        assert_eq!(filter.rows(&all()), rows, "{filter:?}");
    }

    #[test]
    fn a_number_of_the_funnel_lists_what_it_counts() {
        let everything = VariantFilter::default();
        check(&everything, &[0, 1, 2, 3]);
        let of = |generator: &str, column| VariantFilter {
            generator: Some(generator.to_owned()),
            column: Some(column),
            ..VariantFilter::default()
        };
        check(&of("m", Column::Stage(1)), &[0]);
        check(&of("n", Column::Stage(2)), &[2, 3]);
        check(&of("n", Column::Stage(4)), &[3]);
        check(&of("n", Column::Untested), &[2]);
        let rule = Some(RuleId::Constants);
        check(&VariantFilter { rule, ..everything }, &[1]);
    }

    #[test]
    fn decisions_are_counted_beside_the_other_filters() {
        let filter = VariantFilter {
            decision: Some("case".to_owned()),
            text: "box BECAUSE".to_owned(),
            ..VariantFilter::default()
        };
        check(&filter, &[0, 3]);
        let counts = filter.decisions(&all());
        let counts: Vec<(&str, usize)> = counts.iter().map(|(it, n)| (it.as_str(), *n)).collect();
        assert_eq!(counts, [("case", 2), ("candidate", 1), ("syntax_error", 1)]);
        let text = "box dora nobody".to_owned();
        check(&VariantFilter { text, ..filter }, &[]);
    }
}
