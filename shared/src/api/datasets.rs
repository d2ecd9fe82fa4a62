//! Benchmarks on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::api::Listing;
use crate::dataset::{Dataset, RecordReport};
use crate::subject::{ClassItem, DatasetId, MethodContext, Subject, SubjectId};

/// What a benchmark is, at a glance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DatasetCard {
    /// Its id.
    pub id: DatasetId,
    /// Its name for people.
    pub name: String,
    /// Its licence, as told at import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// SHA-256 of its content (decompressed), hexadecimal.
    pub sha256: String,
    /// Bytes of its content.
    pub n_bytes: u64,
    /// Usable classes.
    pub n_classes: usize,
    /// Usable methods.
    pub n_subjects: usize,
    /// Python tests (`def test…`) of the usable classes.
    pub n_tests: usize,
    /// Author's notes.
    pub n_showcases: usize,
    /// Libraries that methods use, most used first.
    pub libraries: Vec<LibraryCount>,
    /// What was wrong with records, kept or not.
    pub reports: Vec<RecordReport>,
}

/// How many methods use a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LibraryCount {
    /// The top-level module.
    pub library: String,
    /// Methods that use it.
    pub n_subjects: usize,
}

/// A subject as a row of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SubjectSummary {
    /// `Class.method`.
    pub id: SubjectId,
    /// The class's name.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// Lines of the method's source.
    pub n_lines: usize,
    /// Libraries that it uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
    /// Author's notes on it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_showcases: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A page of a benchmark's index.
pub type SubjectPage = Listing<SubjectSummary>;

/// A subject with all that a workbench shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SubjectBody {
    /// Its benchmark.
    pub dataset: DatasetId,
    /// The subject.
    pub subject: Subject,
    /// Its class.
    pub class: ClassItem,
    /// What the rules know of its surroundings.
    pub context: MethodContext,
}

impl From<&Dataset> for DatasetCard {
    fn from(dataset: &Dataset) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for library in dataset
            .subjects
            .iter()
            .flat_map(|subject| &subject.libraries)
        {
            *counts.entry(library.clone()).or_default() += 1;
        }
        let mut libraries: Vec<LibraryCount> = counts
            .into_iter()
            .map(|(library, n_subjects)| LibraryCount {
                library,
                n_subjects,
            })
            .collect();
        libraries.sort_by_key(|count| std::cmp::Reverse(count.n_subjects));
        Self {
            id: dataset.id.clone(),
            name: dataset.name.clone(),
            license: dataset.license.clone(),
            sha256: dataset.sha256.clone(),
            n_bytes: dataset.n_bytes,
            n_classes: dataset.classes.len(),
            n_subjects: dataset.subjects.len(),
            n_tests: dataset.n_tests(),
            n_showcases: dataset
                .subjects
                .iter()
                .map(|subject| subject.showcases.len())
                .sum(),
            libraries,
            reports: dataset.reports.clone(),
        }
    }
}

impl Dataset {
    /// One row of the index.
    pub fn summary(&self, subject: &Subject) -> SubjectSummary {
        SubjectSummary {
            id: subject.id.clone(),
            class: self.class_of(subject).name.clone(),
            method: subject.method.clone(),
            n_lines: subject.source.trim_end().lines().count(),
            libraries: subject.libraries.clone(),
            n_showcases: subject.showcases.len(),
        }
    }

    /// All of one subject.
    pub fn body(&self, subject: &Subject) -> SubjectBody {
        SubjectBody {
            dataset: self.id.clone(),
            subject: subject.clone(),
            class: self.class_of(subject).clone(),
            context: self.context_of(subject).clone(),
        }
    }
}
