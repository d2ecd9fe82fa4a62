//! What comes in from outside: a filling of a perturbation's places.
//!
//! It is read from JSON lines, one value a line; a line that is none says why ([`LineError`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::perturb::{OptionError, RuleId, RuleOptions};
use crate::subject::{SubjectId, id_type};

/// The version of the lines' formats.
pub const SCHEMA: u8 = 1;

/// What the names of baselines begin with, and those of models do not.
pub const BASELINE: &str = "baseline:";

id_type! {
    /// A variant in its file.
    VariantId
}

/// What answers without a language model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaselineId {
    /// Gives the reused code back as it is.
    Copy,
    /// Knows the solution.
    Reference,
    /// Fills places with what is usual elsewhere in the benchmark.
    Mined,
}

impl BaselineId {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Copy, Self::Reference, Self::Mined];

    /// The name for tables. It begins with [`BASELINE`].
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy => "baseline:copy",
            Self::Reference => "baseline:reference",
            Self::Mined => "baseline:mined",
        }
    }
}

/// Who filled the places.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariantOrigin {
    /// A language model of this name.
    Model(String),
    /// No model at all.
    Baseline(BaselineId),
    /// A person.
    Human,
    /// The benchmark's author.
    Bundled,
}

impl VariantOrigin {
    /// The name for tables: the model's, `baseline:…`, `human` or `bundled`.
    pub fn generator(&self) -> &str {
        match self {
            Self::Model(name) => name,
            Self::Baseline(baseline) => baseline.name(),
            Self::Human => "human",
            Self::Bundled => "bundled",
        }
    }
}

/// A filling of a perturbation's places, as it was given (CtxBugGen, section 3.3).
///
/// As a JSON line (schema 1): `schema`, `id` (any text, once in a file; absent: `#` and the line's
/// number), `subject` (`Class.method`), `rule` (slug or number), `instance` (from 0), `options` (what
/// differs from the rule's defaults; may be absent), `origin` (`{"model": "name"}`,
/// `{"baseline": "mined"}`, `"human"` or `"bundled"`), `text` (the whole reply), `names` (obfuscated name to original; may be absent).
/// Other fields are ignored, so a line of `ctxlab perturb` with `origin` and `text` added is one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variant {
    /// The format's version.
    pub schema: u8,
    /// Its name in its file.
    pub id: VariantId,
    /// Of which method.
    pub subject: SubjectId,
    /// Which rule hid the places.
    pub rule: RuleId,
    /// Which of the rule's instances in the method, from 0.
    pub instance: u32,
    /// The rule's options by their short names; what is absent is the default.
    pub options: BTreeMap<String, String>,
    /// Who filled them.
    pub origin: VariantOrigin,
    /// The reply, untouched: code, or prose with code in it.
    pub text: String,
    /// Obfuscated names and what they stand for; empty where nothing was renamed.
    pub names: BTreeMap<String, String>,
}

/// Why a line is none of these.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LineError {
    /// Not this format.
    #[error("no {0} ({1}); expected a JSON object with {2}")]
    Format(&'static str, String, &'static str),
    /// Of another version.
    #[error("schema {0} is not known; this version reads schema {SCHEMA}")]
    Schema(u8),
    /// There is no such rule.
    #[error("{0}")]
    Rule(String),
    /// The rule has no such option.
    #[error("{0}")]
    Option(#[from] OptionError),
    /// A model that is called like a baseline.
    #[error("{0} is no model; names that begin with `{BASELINE}` are those of the baselines")]
    Baseline(String),
}

#[derive(Deserialize)]
struct VariantLine {
    schema: u8,
    id: Option<VariantId>,
    subject: SubjectId,
    rule: Value,
    instance: u32,
    #[serde(default)]
    options: BTreeMap<String, String>,
    origin: VariantOrigin,
    text: String,
    #[serde(default)]
    names: BTreeMap<String, String>,
}

impl Variant {
    /// Reads a line; `number` is the line's, from 1.
    pub fn from_json_line(line: &str, number: usize) -> Result<Self, LineError> {
        let read: VariantLine = serde_json::from_str(line).map_err(|e| {
            let fields = "schema, subject, rule, instance, origin and text";
            LineError::Format("variant", e.to_string(), fields)
        })?;
        check_schema(read.schema)?;
        if let VariantOrigin::Model(name) = &read.origin
            && name.starts_with(BASELINE)
        {
            return Err(LineError::Baseline(name.clone()));
        }
        let rule = match &read.rule {
            Value::String(slug) => slug.parse(),
            other => other.to_string().parse(),
        };
        let variant = Self {
            schema: read.schema,
            id: read.id.unwrap_or_else(|| VariantId(format!("#{number}"))),
            subject: read.subject,
            rule: rule.map_err(LineError::Rule)?,
            instance: read.instance,
            options: read.options,
            origin: read.origin,
            text: read.text,
            names: read.names,
        };
        variant.rule_options()?;
        Ok(variant)
    }

    /// The variant as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// The options under which the places were hidden.
    pub fn rule_options(&self) -> Result<RuleOptions, OptionError> {
        let mut options = RuleOptions::default();
        for (name, value) in &self.options {
            options.set(&format!("{}.{name}", self.rule), value)?;
        }
        Ok(options)
    }
}

pub(crate) fn check_schema(schema: u8) -> Result<(), LineError> {
    if schema == SCHEMA {
        Ok(())
    } else {
        Err(LineError::Schema(schema))
    }
}
