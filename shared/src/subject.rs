//! A subject: one method of a correct class, with the class around it and its tests.

use serde::{Deserialize, Serialize};

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
pub(crate) use id_type;

id_type! {
    /// A benchmark: `<name>-<first 8 hex digits of its SHA-256>`, or `starter`.
    DatasetId
}

id_type! {
    /// A subject in its benchmark: `Class.method`.
    SubjectId
}

impl DatasetId {
    /// The id of the benchmark that comes with the product.
    pub const STARTER: &str = "starter";

    /// The id of content under a name: lower case, runs of other characters as one `-`.
    pub fn new(name: &str, sha256: &str) -> Self {
        let mut slug = String::new();
        for c in name.chars().take(48) {
            if c.is_ascii_alphanumeric() {
                slug.push(c.to_ascii_lowercase());
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-');
        let slug = if slug.is_empty() { "benchmark" } else { slug };
        Self(format!("{slug}-{}", sha256.get(..8).unwrap_or(sha256)))
    }

    /// The id of the starter benchmark.
    pub fn starter() -> Self {
        Self(Self::STARTER.to_owned())
    }
}

/// A class of a benchmark with everything that its methods share.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClassItem {
    /// The record's own id (`ClassEval_0`), for looking it up in the source file.
    pub task_id: String,
    /// The class's name.
    pub name: String,
    /// What the class is for: its docstring as the benchmark gives it.
    pub description: String,
    /// The constructor's source as the benchmark gives it; may be empty.
    pub constructor: String,
    /// Fields as the benchmark lists them (`self.balance`).
    pub fields: Vec<String>,
    /// Import statements, one each.
    pub imports: Vec<String>,
    /// The class with signatures and descriptions and no bodies; not always valid Python.
    pub skeleton: String,
    /// The whole correct module: imports, module-level names, the class.
    pub source: String,
    /// The whole test module.
    pub test: String,
    /// The names of the test classes.
    pub test_classes: Vec<String>,
}

/// One method of a correct class, its requirement and its tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// `Class.method`.
    pub id: SubjectId,
    /// The index of its class in [`crate::dataset::Dataset::classes`].
    pub class: u32,
    /// The method's name.
    pub method: String,
    /// What the method must do: its signature and docstring.
    pub requirement: String,
    /// The correct method's own text, byte for byte as in the benchmark.
    pub source: String,
    /// The name of its test class.
    pub test_class: String,
    /// The source of its test class.
    pub tests: String,
    /// What the benchmark says it depends on.
    pub dependencies: Dependencies,
    /// Top-level modules of the imports that the method really uses, sorted.
    pub libraries: Vec<String>,
    /// Author's notes on places where a plausible line is wrong here.
    pub showcases: Vec<Showcase>,
}

/// A method's dependencies as the benchmark lists them (not always right: see `libraries`).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Dependencies {
    /// Uses nothing of its class or of a library.
    #[serde(alias = "Standalone")]
    pub standalone: bool,
    /// Libraries.
    #[serde(alias = "lib_dependencies")]
    pub libraries: Vec<String>,
    /// Fields of the class.
    #[serde(alias = "field_dependencies")]
    pub fields: Vec<String>,
    /// Other methods of the class.
    #[serde(alias = "method_dependencies")]
    pub methods: Vec<String>,
}

/// An author's note: in this place this plausible filling is wrong, and that line decides it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Showcase {
    /// `Class.method`.
    pub subject: SubjectId,
    /// The slug of the rule that hides the place.
    pub rule: String,
    /// The correct text of the place.
    pub hidden: String,
    /// Which of the places with this text, from 0.
    #[serde(default)]
    pub occurrence: u32,
    /// The filling that looks right without the context.
    pub plausible: String,
    /// A few words.
    pub title: String,
    /// Why it looks right and what decides it.
    pub note: String,
    /// The line of the context that decides it, without its indentation.
    pub decides: String,
    /// `TestClass.test_name` of a test that the filling fails.
    pub broken_test: String,
}

/// What is around a method, as the rules need it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct MethodContext {
    /// The class's name.
    pub class_name: String,
    /// Import statements of the module.
    pub imports: Vec<String>,
    /// Methods of the class.
    pub methods: Vec<String>,
    /// Fields of the class, without `self.`.
    pub fields: Vec<String>,
    /// Functions, classes and constants of the module, without the class itself.
    pub globals: Vec<String>,
    /// Whether the class makes the method static (its own text may have lost the decorator).
    pub is_static: bool,
}

impl Default for MethodContext {
    fn default() -> Self {
        Self {
            class_name: "Demo".to_owned(),
            imports: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            globals: Vec::new(),
            is_static: false,
        }
    }
}
