//! One record of a benchmark file: checked, and taken apart into a class and its subjects.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::dataset::{MAX_SOURCE_BYTES, Notes, Severity};
use crate::subject::{ClassItem, Dependencies, MethodContext, Showcase, Subject, SubjectId};
use crate::syntax::outline::{self, Imports, Module};
use crate::syntax::scope::Scopes;
use crate::syntax::{self, Tree};

#[derive(Deserialize)]
pub(super) struct ClassRecord {
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
    /// A usable record and the tree of its module, or what is wrong with it.
    pub(super) fn checked(
        value: Value,
        seen: &BTreeMap<String, usize>,
    ) -> Result<(Self, Tree), String> {
        let record = Self::deserialize(value).map_err(|e| e.to_string())?;
        if record.class_name.trim().is_empty() {
            return Err("`class_name` is empty".to_owned());
        }
        if seen.contains_key(&record.class_name) {
            return Err(format!("a class {} came before", record.class_name));
        }
        let module = valid_python(&record.solution_code)?;
        Ok((record, module))
    }

    /// The class and its usable methods with their contexts.
    pub(super) fn into_subjects(
        self,
        module: &Tree,
        notes: &mut Notes<'_>,
    ) -> (ClassItem, Vec<(Subject, MethodContext)>) {
        if !self.skeleton.is_empty() && !syntax::parse_python(&self.skeleton).errors.is_empty() {
            let reason = "`skeleton` is no valid Python; shown as it is and not needed otherwise";
            notes.add(Severity::Warning, reason.to_owned());
        }
        let mut outline = Module::of(module, &self.class_name);
        let records = method_records(self.methods_info, notes);
        for (MethodRecord { method_name, .. }, _) in &records {
            if outline.is_static(method_name).is_none() {
                let class = &self.class_name;
                let reason =
                    format!("method {method_name} is not in `solution_code`'s class {class}");
                notes.add(Severity::Warning, reason);
                outline.add_method(method_name, false);
            }
        }
        let mut imports = self.import_statement.clone();
        imports.extend(
            outline
                .imports
                .iter()
                .filter(|found| !self.import_statement.contains(found))
                .cloned(),
        );
        let imported = Imports::of(&imports);
        let context = MethodContext {
            class_name: self.class_name.clone(),
            imports,
            methods: outline
                .methods
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            fields: outline.fields.clone(),
            globals: outline.globals.clone(),
            is_static: false,
        };
        let notes_of = |id: &SubjectId| -> Vec<Showcase> {
            let of_it = self.showcases.iter().filter(|note| note.subject == *id);
            of_it.cloned().collect()
        };
        let subject = |(record, tree): (MethodRecord, Tree)| {
            let id = SubjectId(format!("{}.{}", self.class_name, record.method_name));
            let is_static = outline.is_static(&record.method_name) == Some(true);
            let subject = Subject {
                class: 0,
                method: record.method_name,
                requirement: record.method_description,
                test_class: record.test_class,
                tests: record.test_code,
                dependencies: record.dependencies,
                libraries: outline::libraries_used(&tree, &Scopes::of(&tree), &imported),
                source: record.solution_code,
                showcases: notes_of(&id),
                id,
            };
            (
                subject,
                MethodContext {
                    is_static,
                    ..context.clone()
                },
            )
        };
        let subjects = records.into_iter().map(subject).collect();
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

/// The usable methods of a record with their trees, each name once.
fn method_records(values: Vec<Value>, notes: &mut Notes<'_>) -> Vec<(MethodRecord, Tree)> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut records = Vec::new();
    for value in values {
        let name = value
            .get("method_name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let reason = match method_record(value) {
            Ok(record) if names.insert(name.clone(), records.len()).is_none() => {
                records.push(record);
                continue;
            }
            Ok(_) => format!("method {name} came before in its class"),
            Err(reason) => format!("method {name}: {reason}"),
        };
        notes.add(Severity::Rejected, reason);
    }
    records
}

fn method_record(value: Value) -> Result<(MethodRecord, Tree), String> {
    let record = MethodRecord::deserialize(value).map_err(|e| e.to_string())?;
    let tree = valid_python(&record.solution_code)?;
    let method = outline::method(&tree).ok_or("`solution_code` defines no function")?;
    let name = outline::name(&tree, method);
    if name != record.method_name {
        return Err(format!("`solution_code` defines {name} instead"));
    }
    Ok((record, tree))
}

fn valid_python(source: &str) -> Result<Tree, String> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(format!(
            "`solution_code` holds more than {} KiB",
            MAX_SOURCE_BYTES >> 10
        ));
    }
    let parsed = syntax::parse_python(source);
    if parsed.errors.is_empty() {
        Ok(parsed.tree)
    } else {
        Err("`solution_code` is no valid Python".to_owned())
    }
}
