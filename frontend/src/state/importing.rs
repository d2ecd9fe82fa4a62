//! Reading the user's files into this browser: one after the other, while the user goes on.

use leptos::prelude::*;
use shared::dataset::MAX_BYTES;

use crate::components::announcer::Announcer;
use crate::platform::files::UserFile;
use crate::reactive::{LocalValue, RwSignal};
use crate::state::catalog::Catalog;
use crate::state::words::{n_of, size};
use crate::worker::client::{self, ClientError, Latest};
use crate::worker::protocol::{DatasetEntry, Failure, FailureKind, Progress};

/// What became of a file.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) file: String,
    pub(crate) result: Result<DatasetEntry, ClientError>,
}

/// The file that is being read.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) file: String,
    pub(crate) progress: Option<Progress>,
}

/// The imports of this visit.
#[derive(Clone, Copy)]
pub(crate) struct Importing {
    pub(crate) reading: RwSignal<Option<Reading>>,
    /// Under which licence the next file is, where the user says so.
    pub(crate) license: RwSignal<String>,
    /// The newest first.
    pub(crate) outcomes: RwSignal<Vec<Outcome>>,
    catalog: Catalog,
    announcer: Announcer,
    latest: LocalValue<Latest>,
}

impl Importing {
    pub(crate) fn provide(catalog: Catalog, announcer: Announcer) -> Self {
        let importing = Self {
            reading: RwSignal::new(None),
            license: RwSignal::default(),
            outcomes: RwSignal::default(),
            catalog,
            announcer,
            latest: LocalValue::new_local(Latest::default()),
        };
        provide_context(importing);
        importing
    }

    /// Reads files, unless others are being read.
    pub(crate) fn start(self, files: Vec<UserFile>) {
        if files.is_empty() || self.reading.with_untracked(Option::is_some) {
            return;
        }
        let job = async move {
            for file in files {
                self.read(file).await;
            }
        };
        self.latest.with_value(|latest| latest.run(job, |()| ()));
    }

    /// Gives up; what was read before stays.
    pub(crate) fn cancel(self) {
        self.latest.with_value(Latest::stop);
        if let Some(reading) = self.reading.get_untracked() {
            self.announcer
                .say(format!("Import of {} cancelled", reading.file));
        }
        self.reading.set(None);
    }

    /// Takes a report away.
    pub(crate) fn dismiss(self, index: usize) {
        self.outcomes
            .update(|outcomes| drop(outcomes.remove(index)));
    }

    async fn read(self, file: UserFile) {
        let name = file.name();
        self.reading.set(Some(Reading {
            file: name.clone(),
            progress: None,
        }));
        let on_progress = Box::new(move |progress| {
            self.reading.update(|reading| {
                if let Some(reading) = reading {
                    reading.progress = Some(progress);
                }
            });
        });
        let result = match check_size(file.n_bytes()) {
            Ok(()) => {
                let license = self.license.with_untracked(|text| text.trim().to_owned());
                let license = Some(license).filter(|license| !license.is_empty());
                let blob = file.into_blob();
                client::import(benchmark_name(&name), license, blob, on_progress).await
            }
            Err(failure) => Err(failure),
        };
        self.announcer.say(match &result {
            Ok(entry) => format!(
                "{name} imported: {}",
                n_of(entry.card.n_subjects, "method", "methods")
            ),
            Err(failure) => format!("{name} was not imported: {failure}"),
        });
        self.outcomes
            .update(|outcomes| outcomes.insert(0, Outcome { file: name, result }));
        self.reading.set(None);
        self.catalog.refresh();
    }
}

/// A file that is too large is refused before it is read.
fn check_size(n_bytes: u64) -> Result<(), Failure> {
    if n_bytes <= MAX_BYTES {
        return Ok(());
    }
    let message = format!(
        "the file has {}; at most {} can be read",
        size(n_bytes),
        size(MAX_BYTES)
    );
    Err(Failure::new(FailureKind::Invalid, message).next("split it into smaller files"))
}

/// The benchmark's name: the file's without its endings.
fn benchmark_name(file: &str) -> String {
    let mut name = file;
    for ending in [".gz", ".json", ".jsonl", ".ndjson"] {
        name = name
            .strip_suffix(ending)
            .filter(|rest| !rest.is_empty())
            .unwrap_or(name);
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_is_named_after_its_file() {
        assert_eq!(benchmark_name("ClassEval_data.json"), "ClassEval_data");
        assert_eq!(benchmark_name("mine.v2.jsonl.gz"), "mine.v2");
        assert_eq!(benchmark_name(".json"), ".json");
    }

    #[test]
    fn too_large_a_file_is_refused_with_both_sizes() {
        let refusal = check_size(MAX_BYTES + 1).unwrap_err();
        assert!(refusal.message.contains("268.4 MB"), "{refusal}");
        assert!(check_size(MAX_BYTES).is_ok());
    }
}
