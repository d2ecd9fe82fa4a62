//! What comes back from a model that was asked to adapt a case.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::CaseId;
use crate::subject::id_type;
use crate::variant::{LineError, SCHEMA, check_schema};

id_type! {
    /// A sample in its file.
    SampleId
}

id_type! {
    /// A language model, by the name that its tables have.
    ModelId
}

/// A model's reply to a case, as it was given (CtxBugGen, section 4).
///
/// As a JSON line (schema 1): `schema` (may be absent), `id` (any text, once in a file; absent: `#`
/// and the line's number), `case` (the case's id), `model` (its name), `text` (the whole reply),
/// `names` (obfuscated name to original; may be absent). Other fields are ignored. A model may give
/// several samples of a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sample {
    /// The format's version.
    pub schema: u8,
    /// Its name in its file.
    pub id: SampleId,
    /// What was asked.
    pub case: CaseId,
    /// Who was asked.
    pub model: ModelId,
    /// The reply, untouched: code, or prose with code in it.
    pub text: String,
    /// Obfuscated names and what they stand for; empty where nothing was renamed.
    pub names: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct SampleLine {
    schema: Option<u8>,
    id: Option<SampleId>,
    case: CaseId,
    model: ModelId,
    text: String,
    #[serde(default)]
    names: BTreeMap<String, String>,
}

impl Sample {
    /// Reads a line; `number` is the line's, from 1.
    pub fn from_json_line(line: &str, number: usize) -> Result<Self, LineError> {
        let read: SampleLine = serde_json::from_str(line)
            .map_err(|e| LineError::Format("sample", e.to_string(), "case, model and text"))?;
        let schema = read.schema.unwrap_or(SCHEMA);
        check_schema(schema)?;
        Ok(Self {
            schema,
            id: read.id.unwrap_or_else(|| SampleId(format!("#{number}"))),
            case: read.case,
            model: read.model,
            text: read.text,
            names: read.names,
        })
    }
}
