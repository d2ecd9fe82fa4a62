//! A benchmark in the worker's memory, ready for every question.

use std::cell::RefCell;
use std::rc::Rc;

use shared::api::{DatasetCard, SubjectBody, SubjectSummary};
use shared::dataset::{Dataset, Reader, records};
use shared::perturb::{CountsTable, Method, PerturbationRecord, RULES, RuleOptions, Stamp};
use shared::subject::SubjectId;

use crate::worker::pace::Pace;
use crate::worker::protocol::{DatasetEntry, Failure, FailureKind, Place};
use crate::worker::query::Rows;
use crate::worker::upload::refused;

/// Instances of rules 1 to 10, one row a subject.
pub(crate) type RuleCounts = Rc<Vec<[u16; 10]>>;

/// A benchmark and what is derived from it.
pub(crate) struct Open {
    pub(crate) place: Place,
    pub(crate) dataset: Dataset,
    /// For lists and filters.
    pub(crate) rows: Rows,
    counts: RefCell<Option<RuleCounts>>,
}

/// Reads a benchmark's file, a slice at a time.
pub(crate) async fn read(name: &str, bytes: &[u8], pace: &Pace) -> Result<Dataset, Failure> {
    let mut reader = Reader::new(name, records(bytes).map_err(refused)?);
    while reader.step() {
        let (done, of) = reader.progress();
        pace.breathe(done, of).await?;
    }
    reader.finish().map_err(refused)
}

impl Open {
    pub(crate) fn new(dataset: Dataset, place: Place) -> Self {
        let rows = Rows::of(&dataset);
        Self {
            place,
            dataset,
            rows,
            counts: RefCell::new(None),
        }
    }

    pub(crate) fn entry(&self) -> DatasetEntry {
        DatasetEntry {
            card: DatasetCard::from(&self.dataset),
            place: self.place,
        }
    }

    pub(crate) fn index(&self) -> Vec<SubjectSummary> {
        self.dataset
            .subjects
            .iter()
            .map(|subject| self.dataset.summary(subject))
            .collect()
    }

    pub(crate) fn subject(&self, id: &SubjectId) -> Result<SubjectBody, Failure> {
        let subject = self.dataset.subject(id).ok_or_else(|| {
            let message = format!("the benchmark {} has no method {id}", self.dataset.name);
            Failure::new(FailureKind::NotFound, message)
                .next("choose one of its methods from the list")
        })?;
        Ok(self.dataset.body(subject))
    }

    /// The counts under the default options, if they are known by now.
    pub(crate) fn known_counts(&self) -> Option<RuleCounts> {
        self.counts.borrow().clone()
    }

    /// The counts under the default options; counted once.
    pub(crate) async fn rule_counts(&self, pace: &Pace) -> Result<RuleCounts, Failure> {
        if let Some(known) = self.known_counts() {
            return Ok(known);
        }
        let options = RuleOptions::default();
        let of = self.dataset.subjects.len();
        let mut counts = Vec::with_capacity(of);
        for (done, (subject, context)) in self.dataset.with_contexts().enumerate() {
            pace.breathe(done, of).await?;
            let method = Method::analyze(&subject.source, context);
            counts.push(RULES.each_ref().map(|rule| {
                u16::try_from(method.apply(rule.id, &options).perturbations.len())
                    .unwrap_or(u16::MAX)
            }));
        }
        let counts = Rc::new(counts);
        *self.counts.borrow_mut() = Some(Rc::clone(&counts));
        Ok(counts)
    }

    /// Instances per class and rule under `options`.
    pub(crate) async fn counts_table(
        &self,
        options: &RuleOptions,
        pace: &Pace,
    ) -> Result<CountsTable, Failure> {
        let of = self.dataset.subjects.len();
        let mut table = CountsTable::default();
        for (done, (subject, context)) in self.dataset.with_contexts().enumerate() {
            pace.breathe(done, of).await?;
            let class = &self.dataset.class_of(subject).name;
            table.count(class, &subject.source, context, options);
        }
        Ok(table)
    }

    /// All perturbations under `options`, a JSON line each; one text a subject.
    pub(crate) async fn json_lines(
        &self,
        options: &RuleOptions,
        pace: &Pace,
    ) -> Result<Vec<String>, Failure> {
        let stamp = Stamp::new(Some((self.dataset.id.clone(), self.dataset.sha256.clone())));
        let of = self.dataset.subjects.len();
        let mut lines = Vec::with_capacity(of);
        for (done, (subject, context)) in self.dataset.with_contexts().enumerate() {
            pace.breathe(done, of).await?;
            let method = Method::analyze(&subject.source, context);
            let perturbations = RULES
                .iter()
                .flat_map(|rule| method.apply(rule.id, options).perturbations);
            let record = |of| {
                PerturbationRecord::new(Some(&subject.id), &subject.source, of, options, &stamp)
            };
            lines.push(perturbations.map(|of| record(of).json_line()).collect());
        }
        Ok(lines)
    }
}
