//! Perturbations as files: the same bytes from the command line and from the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::perturb::{Method, Perturbation, PerturbedSite, RULES, RuleId, RuleOptions};
use crate::subject::{DatasetId, MethodContext, SubjectId};

/// Where a result comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// The product's version.
    pub ctxlab: String,
    /// The benchmark; absent for a single text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<DatasetId>,
    /// SHA-256 of the benchmark's content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Stamp {
    /// The stamp of this version over a benchmark (id and SHA-256), or over a single text.
    pub fn new(dataset: Option<(DatasetId, String)>) -> Self {
        let (dataset, sha256) = dataset.unzip();
        Self {
            ctxlab: env!("CARGO_PKG_VERSION").to_owned(),
            dataset,
            sha256,
        }
    }
}

/// One perturbation as one JSON line (schema 1).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PerturbationRecord {
    /// The schema's version.
    pub schema: u8,
    /// The subject; absent for a single text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectId>,
    /// The rule's number, 1 to 10.
    pub rule: u8,
    /// The rule's slug.
    pub slug: RuleId,
    /// Which instance of the rule in the method, from 0.
    pub instance: u32,
    /// What sets the instance apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The rule's whole option set.
    pub options: BTreeMap<String, String>,
    /// The hidden places: byte ranges of the method's own text.
    pub sites: Vec<PerturbedSite>,
    /// The method's text with placeholders.
    pub masked: String,
    /// Where it comes from.
    pub stamp: Stamp,
}

impl PerturbationRecord {
    /// The record of one perturbation of a text.
    pub fn new(
        subject: Option<&SubjectId>,
        source: &str,
        of: Perturbation,
        options: &RuleOptions,
        stamp: &Stamp,
    ) -> Self {
        let masked = of.masked(source);
        Self {
            masked,
            schema: 1,
            subject: subject.cloned(),
            rule: of.rule.number(),
            slug: of.rule,
            instance: of.instance,
            label: of.label,
            options: options.of(of.rule),
            sites: of.sites,
            stamp: stamp.clone(),
        }
    }

    /// The record as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// Instances per class and rule.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountsTable {
    /// One a class, in the benchmark's order.
    pub rows: Vec<CountsRow>,
}

/// One class of a [`CountsTable`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountsRow {
    /// The class's name.
    pub class: String,
    /// Its methods.
    pub n_methods: usize,
    /// Instances of rules 1 to 10.
    pub n_instances: [usize; 10],
}

impl CountsRow {
    /// Instances of all rules.
    pub fn total(&self) -> usize {
        self.n_instances.iter().sum()
    }
}

impl CountsTable {
    /// Counts a method and what all ten rules give in it.
    pub fn count(
        &mut self,
        class: &str,
        source: &str,
        context: &MethodContext,
        options: &RuleOptions,
    ) {
        self.add_method(class);
        let method = Method::analyze(source, context);
        for rule in &RULES {
            let n = method.apply(rule.id, options).perturbations.len();
            self.add(class, rule.id, n);
        }
    }

    /// Counts one method.
    pub fn add_method(&mut self, class: &str) {
        self.row(class).n_methods += 1;
    }

    /// Counts instances of a rule in a class.
    pub fn add(&mut self, class: &str, rule: RuleId, n: usize) {
        self.row(class).n_instances[usize::from(rule.number() - 1)] += n;
    }

    fn row(&mut self, class: &str) -> &mut CountsRow {
        // A benchmark's methods come class by class, so the last row is nearly always the one.
        let at = self
            .rows
            .iter()
            .rposition(|row| row.class == class)
            .unwrap_or_else(|| {
                self.rows.push(CountsRow {
                    class: class.to_owned(),
                    ..CountsRow::default()
                });
                self.rows.len() - 1
            });
        &mut self.rows[at]
    }

    /// The sums over all classes, as a row named `ALL`.
    pub fn totals(&self) -> CountsRow {
        let mut all = CountsRow {
            class: "ALL".to_owned(),
            ..CountsRow::default()
        };
        for row in &self.rows {
            all.n_methods += row.n_methods;
            for (sum, n) in all.n_instances.iter_mut().zip(row.n_instances) {
                *sum += n;
            }
        }
        all
    }

    /// Comma-separated: `class,methods,R1..R10,total`, a row a class (in the benchmark's order), `ALL` last. Choices
    /// that differ from the specification's stand in one more column.
    pub fn csv(&self, options: &RuleOptions) -> String {
        let changed: Vec<String> = options
            .changed()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let changed = (!changed.is_empty()).then(|| changed.join(";"));
        let rules = RULES.iter().map(|rule| format!("R{}", rule.id.number()));
        let header = ["class".to_owned(), "methods".to_owned()].into_iter();
        let header = header.chain(rules).chain(["total".to_owned()]);
        let mut out = csv_line(header.chain(changed.as_ref().map(|_| "options".to_owned())));
        let totals = self.totals();
        for row in self.rows.iter().chain([&totals]) {
            let counts = [row.n_methods]
                .into_iter()
                .chain(row.n_instances)
                .chain([row.total()]);
            let fields = [row.class.clone()]
                .into_iter()
                .chain(counts.map(|n| n.to_string()));
            out += &csv_line(fields.chain(changed.clone()));
        }
        out
    }
}

/// A line of comma-separated values as RFC 4180 has it, with `\n` as its end. Not the `csv` crate's writer: that one
/// can tell numbers from text, for which the page would have to load the tables that read decimal fractions.
pub(crate) fn csv_line(fields: impl Iterator<Item = String>) -> String {
    let fields = fields.map(|field| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    let mut line = fields.collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}
