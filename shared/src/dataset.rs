//! A benchmark file in ClassEval's schema, read record by record.
//!
//! Source: ClassEval (Du et al., ICSE 2024), `ClassEval_data.json`: an array of class records; also
//! the same records as JSON lines; either may be gzip-compressed. A record that cannot be used is
//! reported and left out; the others stay.

mod record;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read as _;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use self::record::ClassRecord;
use crate::subject::{ClassItem, DatasetId, MethodContext, Subject, SubjectId};

/// The benchmark that comes with CtxLab: its name and licence.
pub const STARTER_NAME: &str = "Starter benchmark";
/// As the rest of CtxLab.
pub const STARTER_LICENSE: &str = "MIT OR Apache-2.0";

/// The most that a file may hold after decompression.
pub const MAX_BYTES: u64 = 256 << 20;

/// The most that one method's or class's source may hold; the longest of ClassEval has 4 KiB.
pub const MAX_SOURCE_BYTES: usize = 256 << 10;

/// A benchmark: its classes and the methods that can be perturbed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dataset {
    /// Its id.
    pub id: DatasetId,
    /// Its name for people.
    pub name: String,
    /// Its licence, where told.
    pub license: Option<String>,
    /// SHA-256 of the decompressed file, hexadecimal.
    pub sha256: String,
    /// Bytes of the decompressed file.
    pub n_bytes: u64,
    /// In the file's order.
    pub classes: Vec<ClassItem>,
    /// In the file's order.
    pub subjects: Vec<Subject>,
    /// What was wrong with records.
    pub reports: Vec<RecordReport>,
    /// One a subject.
    contexts: Vec<MethodContext>,
}

/// Something wrong with one record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordReport {
    /// Which record of the file, from 1.
    pub record: usize,
    /// What it calls itself; empty where it does not say.
    pub name: String,
    /// Whether it (or the method it names) was left out.
    pub severity: Severity,
    /// What is wrong.
    pub reason: String,
}

/// What a report means for its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Left out.
    Rejected,
    /// Kept and usable.
    Warning,
}

/// Why a file is no benchmark at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The gzip stream is broken.
    #[error("the file is gzip-compressed but damaged ({0}); download it again")]
    Gzip(String),
    /// More than [`MAX_BYTES`].
    #[error("the file holds more than {} MiB; split it", MAX_BYTES >> 20)]
    TooLarge,
    /// Neither an array nor lines of objects.
    #[error("the file is no JSON array and no JSON lines ({0}); expected ClassEval's schema")]
    NotJson(String),
    /// No record could be used.
    #[error("none of the {0} records can be used; the first problem: {1}")]
    NoUsableRecord(usize, String),
    /// There is nothing in it.
    #[error("the file holds no records")]
    Empty,
}

/// A file cut into records, not yet looked at.
pub struct Records {
    sha256: String,
    n_bytes: u64,
    values: Vec<Result<Value, String>>,
}

/// Cuts a file into its records; `text` is what [`decompress`] gave.
pub fn records(text: &[u8]) -> Result<Records, ReadError> {
    let n_bytes = text.len() as u64;
    if n_bytes > MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    let sha256 = sha256_hex(text);
    let body = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let records = match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => return Err(ReadError::Empty),
        Some(b'[') => {
            let values: Vec<Value> = json(body).map_err(ReadError::NotJson)?;
            values.into_iter().map(Ok).collect()
        }
        Some(_) => json_lines(body),
    };
    if records.is_empty() {
        return Err(ReadError::Empty);
    }
    if let (true, Some(Err(first))) = (records.iter().all(Result::is_err), records.first()) {
        return Err(ReadError::NotJson(first.clone()));
    }
    Ok(Records {
        sha256,
        n_bytes,
        values: records,
    })
}

fn json_lines(body: &[u8]) -> Vec<Result<Value, String>> {
    // One object over several lines is a file of one record.
    if let Ok(Value::Object(one)) = json(body) {
        return vec![Ok(Value::Object(one))];
    }
    body.split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .map(|line| json(line).map_err(|e| format!("the line is no JSON: {e}")))
        .collect()
}

/// JSON in UTF-8. Everything is read from `str`, so that one reader is compiled and not two.
fn json<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let text = std::str::from_utf8(text).map_err(|e| e.to_string())?;
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Whether a file that begins with these bytes is gzip-compressed.
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&[0x1f, 0x8b])
}

/// The text of a file that may be gzip-compressed. The page has the browser do this: the tables for it are large.
pub fn decompress(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    let text = if is_gzip(bytes) {
        let mut text = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes)
            .take(MAX_BYTES + 1)
            .read_to_end(&mut text)
            .map_err(|e| ReadError::Gzip(e.to_string()))?;
        Cow::Owned(text)
    } else {
        Cow::Borrowed(bytes)
    };
    if text.len() as u64 > MAX_BYTES {
        Err(ReadError::TooLarge)
    } else {
        Ok(text)
    }
}

/// The SHA-256 of bytes, hexadecimal: the name of a benchmark's content.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut out, byte| {
            write!(out, "{byte:02x}").ok();
            out
        })
}

/// Reads a whole file under a name.
pub fn read(name: &str, bytes: &[u8]) -> Result<Dataset, ReadError> {
    let mut reader = Reader::new(name, records(&decompress(bytes)?)?);
    while reader.step() {}
    reader.finish()
}

/// Reads a file a record at a time, so that a page can show progress and stay alive.
pub struct Reader {
    pending: std::iter::Enumerate<std::vec::IntoIter<Result<Value, String>>>,
    n_records: usize,
    dataset: Dataset,
    /// Each class and its place in the benchmark.
    class_names: BTreeMap<String, usize>,
}

impl Reader {
    /// Starts on the records of a file.
    pub fn new(name: &str, records: Records) -> Self {
        let Records {
            sha256,
            n_bytes,
            values,
        } = records;
        Self {
            n_records: values.len(),
            pending: values.into_iter().enumerate(),
            class_names: BTreeMap::new(),
            dataset: Dataset {
                id: DatasetId::new(name, &sha256),
                name: name.to_owned(),
                license: None,
                sha256,
                n_bytes,
                classes: Vec::new(),
                subjects: Vec::new(),
                reports: Vec::new(),
                contexts: Vec::new(),
            },
        }
    }

    /// How many records are read and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.n_records - self.pending.len(), self.n_records)
    }

    /// Reads one record; `false` when there are no more.
    pub fn step(&mut self) -> bool {
        let Some((index, record)) = self.pending.next() else {
            return false;
        };
        let mut notes = Notes {
            record: index + 1,
            name: String::new(),
            reports: &mut self.dataset.reports,
        };
        let class = record.and_then(|value| {
            let mut names = ["class_name", "task_id"].iter();
            if let Some(name) = names.find_map(|key| value.get(key)?.as_str()) {
                name.clone_into(&mut notes.name);
            }
            ClassRecord::checked(value, &self.class_names)
        });
        let class = match class {
            Ok(class) => class,
            Err(reason) => {
                notes.add(Severity::Rejected, reason);
                return true;
            }
        };
        let (class, module) = class;
        let (item, subjects) = class.into_subjects(&module, &mut notes);
        if subjects.is_empty() {
            notes.add(
                Severity::Rejected,
                "none of its methods can be used".to_owned(),
            );
            return true;
        }
        let n_classes = self.dataset.classes.len();
        self.class_names.insert(item.name.clone(), n_classes);
        let position = u32::try_from(n_classes).unwrap_or(u32::MAX);
        for (mut subject, context) in subjects {
            subject.class = position;
            self.dataset.subjects.push(subject);
            self.dataset.contexts.push(context);
        }
        self.dataset.classes.push(item);
        true
    }

    /// The benchmark; an error when no record could be used.
    pub fn finish(self) -> Result<Dataset, ReadError> {
        if self.dataset.subjects.is_empty() {
            let first = self
                .dataset
                .reports
                .first()
                .map_or_else(String::new, |report| report.reason.clone());
            return Err(ReadError::NoUsableRecord(self.n_records, first));
        }
        Ok(self.dataset)
    }
}

impl Dataset {
    /// The class of a subject of this benchmark.
    pub fn class_of(&self, subject: &Subject) -> &ClassItem {
        &self.classes[subject.class as usize]
    }

    /// What the rules know of the surroundings of a subject of this benchmark.
    pub fn context_of(&self, subject: &Subject) -> &MethodContext {
        let index = self
            .subjects
            .iter()
            .position(|other| other.id == subject.id)
            .unwrap_or_default();
        &self.contexts[index]
    }

    /// Subjects with their contexts.
    pub fn with_contexts(&self) -> impl ExactSizeIterator<Item = (&Subject, &MethodContext)> {
        self.subjects.iter().zip(&self.contexts)
    }

    /// The subject of that id.
    pub fn subject(&self, id: &SubjectId) -> Option<&Subject> {
        self.subjects.iter().find(|subject| subject.id == *id)
    }

    /// Python tests (`def test…`) of the usable classes.
    pub fn n_tests(&self) -> usize {
        let is_test = |line: &&str| line.trim_start().starts_with("def test");
        self.classes
            .iter()
            .map(|class| class.test.lines().filter(is_test).count())
            .sum()
    }
}

/// Reports on one record.
struct Notes<'a> {
    record: usize,
    name: String,
    reports: &'a mut Vec<RecordReport>,
}

impl Notes<'_> {
    fn add(&mut self, severity: Severity, reason: String) {
        self.reports.push(RecordReport {
            record: self.record,
            name: self.name.clone(),
            severity,
            reason,
        });
    }
}

#[cfg(test)]
mod tests;
