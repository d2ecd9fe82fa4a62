//! A benchmark file in ClassEval's schema, read record by record.
//!
//! Source: ClassEval (Du et al., ICSE 2024), `ClassEval_data.json`: an array of class records; also
//! the same records as JSON lines; either may be gzip-compressed. A record that cannot be used is
//! reported and left out; the others stay.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::subject::{
    ClassItem, DatasetId, Dependencies, MethodContext, Showcase, Subject, SubjectId,
};
use crate::syntax::scope::Scopes;
use crate::syntax::{self, outline};

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

/// Decompresses and cuts a file into its records.
pub fn records(bytes: &[u8]) -> Result<Records, ReadError> {
    let text = decompress(bytes)?;
    let sha256 = sha256_hex(&text);
    let n_bytes = text.len() as u64;
    let body = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let records = match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => return Err(ReadError::Empty),
        Some(b'[') => {
            let values: Vec<Value> =
                serde_json::from_slice(body).map_err(|e| ReadError::NotJson(e.to_string()))?;
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
    if let Ok(Value::Object(one)) = serde_json::from_slice(body) {
        return vec![Ok(Value::Object(one))];
    }
    body.split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .map(|line| serde_json::from_slice(line).map_err(|e| format!("the line is no JSON: {e}")))
        .collect()
}

/// The text of a file that may be gzip-compressed.
pub fn decompress(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    let text = if bytes.starts_with(&[0x1f, 0x8b]) {
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
    let mut reader = Reader::new(name, records(bytes)?);
    while reader.step() {}
    reader.finish()
}

/// Reads a file a record at a time, so that a page can show progress and stay alive.
pub struct Reader {
    pending: std::iter::Enumerate<std::vec::IntoIter<Result<Value, String>>>,
    n_records: usize,
    dataset: Dataset,
    class_names: BTreeSet<String>,
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
            class_names: BTreeSet::new(),
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
            let mut names = ["task_id", "class_name"].iter();
            if let Some(name) = names.find_map(|key| value.get(key)?.as_str()) {
                name.clone_into(&mut notes.name);
            }
            let class = ClassRecord::deserialize(value).map_err(|e| e.to_string())?;
            class.checked(&self.class_names)
        });
        let class = match class {
            Ok(class) => class,
            Err(reason) => {
                notes.add(Severity::Rejected, reason);
                return true;
            }
        };
        let (item, subjects) = class.into_subjects(&mut notes);
        if subjects.is_empty() {
            notes.add(
                Severity::Rejected,
                "none of its methods can be used".to_owned(),
            );
            return true;
        }
        self.class_names.insert(item.name.clone());
        let position = u32::try_from(self.dataset.classes.len()).unwrap_or(u32::MAX);
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

#[derive(Deserialize)]
struct ClassRecord {
    #[serde(default)]
    task_id: String,
    class_name: String,
    solution_code: String,
    methods_info: Vec<Value>,
    #[serde(default)]
    skeleton: String,
    #[serde(default)]
    test: String,
    #[serde(default)]
    import_statement: Vec<String>,
    #[serde(default)]
    class_description: String,
    #[serde(default)]
    test_classes: Vec<String>,
    #[serde(default)]
    class_constructor: String,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default)]
    showcases: Vec<Showcase>,
}

#[derive(Deserialize)]
struct MethodRecord {
    method_name: String,
    solution_code: String,
    #[serde(default)]
    method_description: String,
    #[serde(default)]
    test_class: String,
    #[serde(default)]
    test_code: String,
    #[serde(default)]
    dependencies: Dependencies,
}

impl ClassRecord {
    fn checked(self, seen: &BTreeSet<String>) -> Result<Self, String> {
        if self.class_name.trim().is_empty() {
            return Err("`class_name` is empty".to_owned());
        }
        if seen.contains(&self.class_name) {
            return Err(format!("a class {} came before", self.class_name));
        }
        within_limit(&self.solution_code)?;
        let parsed = syntax::parse_python(&self.solution_code);
        if !parsed.errors.is_empty() {
            return Err("`solution_code` is no valid Python".to_owned());
        }
        Ok(self)
    }

    fn into_subjects(self, notes: &mut Notes<'_>) -> (ClassItem, Vec<(Subject, MethodContext)>) {
        if !self.skeleton.is_empty() && !syntax::parse_python(&self.skeleton).errors.is_empty() {
            let reason = "`skeleton` is no valid Python; shown as it is and not needed otherwise";
            notes.add(Severity::Warning, reason.to_owned());
        }
        let parsed = syntax::parse_python(&self.solution_code);
        let module = outline::Module::of(&parsed.tree, &self.class_name);
        let mut imports = self.import_statement.clone();
        imports.extend(
            module
                .imports
                .iter()
                .filter(|found| !self.import_statement.contains(found))
                .cloned(),
        );
        let mut methods = module.methods;
        let records = method_records(self.methods_info, notes);
        for MethodRecord { method_name, .. } in &records {
            if !methods.contains_key(method_name) {
                let class = &self.class_name;
                let reason =
                    format!("method {method_name} is not in `solution_code`'s class {class}");
                notes.add(Severity::Warning, reason);
                methods.insert(method_name.clone(), false);
            }
        }
        let context = MethodContext {
            class_name: self.class_name.clone(),
            imports,
            methods: methods.keys().cloned().collect(),
            fields: module.fields,
            globals: module.globals,
            is_static: false,
        };
        let mut showcases: BTreeMap<String, Vec<Showcase>> = BTreeMap::new();
        for showcase in self.showcases {
            showcases
                .entry(showcase.subject.0.clone())
                .or_default()
                .push(showcase);
        }
        let subjects = records
            .into_iter()
            .map(|record| {
                let id = SubjectId(format!("{}.{}", self.class_name, record.method_name));
                let context = MethodContext {
                    is_static: methods[&record.method_name],
                    ..context.clone()
                };
                let parsed = syntax::parse_python(&record.solution_code);
                let scopes = Scopes::of(&parsed.tree);
                let subject = Subject {
                    class: 0,
                    method: record.method_name,
                    requirement: record.method_description,
                    test_class: record.test_class,
                    tests: record.test_code,
                    dependencies: record.dependencies,
                    libraries: outline::libraries_used(&parsed.tree, &scopes, &context.imports),
                    source: record.solution_code,
                    showcases: showcases.remove(id.as_str()).unwrap_or_default(),
                    id,
                };
                (subject, context)
            })
            .collect();
        let item = ClassItem {
            task_id: self.task_id,
            name: self.class_name,
            description: self.class_description,
            constructor: self.class_constructor,
            fields: self.fields,
            imports: self.import_statement,
            skeleton: self.skeleton,
            source: self.solution_code,
            test: self.test,
            test_classes: self.test_classes,
        };
        (item, subjects)
    }
}

/// The usable methods of a record, each name once.
fn method_records(values: Vec<Value>, notes: &mut Notes<'_>) -> Vec<MethodRecord> {
    let mut names = BTreeSet::new();
    let mut records = Vec::new();
    for value in values {
        let name = value
            .get("method_name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        match MethodRecord::deserialize(value)
            .map_err(|e| e.to_string())
            .and_then(usable)
        {
            Ok(record) if names.insert(record.method_name.clone()) => records.push(record),
            Ok(_) => {
                notes.add(
                    Severity::Rejected,
                    format!("method {name} came before in its class"),
                );
            }
            Err(reason) => notes.add(Severity::Rejected, format!("method {name}: {reason}")),
        }
    }
    records
}

fn within_limit(source: &str) -> Result<(), String> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(format!(
            "`solution_code` holds more than {} KiB",
            MAX_SOURCE_BYTES >> 10
        ));
    }
    Ok(())
}

fn usable(record: MethodRecord) -> Result<MethodRecord, String> {
    within_limit(&record.solution_code)?;
    let parsed = syntax::parse_python(&record.solution_code);
    if !parsed.errors.is_empty() {
        return Err("`solution_code` is no valid Python".to_owned());
    }
    match outline::method(&parsed.tree) {
        None => Err("`solution_code` defines no function".to_owned()),
        Some(found) if outline::name(&parsed.tree, found) != record.method_name => Err(format!(
            "`solution_code` defines {} instead",
            outline::name(&parsed.tree, found)
        )),
        Some(_) => Ok(record),
    }
}

#[cfg(test)]
mod tests;
