//! What comes back from a model that was asked to adapt a case.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::{CaseId, Condition};
pub use crate::llm::ModelId;
use crate::logprobs::TokenLogprob;
use crate::subject::id_type;
use crate::variant::{BaselineId, LineError, SCHEMA, check_schema};

id_type! {
    /// A sample in its file.
    SampleId
}

/// A model's reply to a case, as it was given (CtxBugGen, section 4).
///
/// As a JSON line (schema 1): `schema` (may be absent), `id` (any text, once in a file; absent: `#`
/// and the line's number), `case` (the case's id), `model` (its name), `condition` (`ctxbug`, `infill`,
/// `isobug` or `reference`; absent: `ctxbug`), `text` (the whole reply), `names` (obfuscated name to
/// original; may be absent), `logprobs` (the reply's tokens, each with `token`, `logprob` and perhaps
/// `top`; may be absent). Other fields are ignored. A model may give several samples of a case.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sample {
    /// The format's version.
    pub schema: u8,
    /// Its name in its file.
    pub id: SampleId,
    /// What was asked.
    pub case: CaseId,
    /// Who was asked.
    pub model: ModelId,
    /// How it was put.
    pub condition: Condition,
    /// The reply, untouched: code, or prose with code in it.
    pub text: String,
    /// Obfuscated names and what they stand for; empty where nothing was renamed.
    pub names: BTreeMap<String, String>,
    /// The tokens that the reply came in; empty where they are not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logprobs: Vec<TokenLogprob>,
}

#[derive(Deserialize)]
struct SampleLine {
    schema: Option<u8>,
    id: Option<SampleId>,
    case: CaseId,
    model: ModelId,
    #[serde(default)]
    condition: Condition,
    text: String,
    #[serde(default)]
    names: BTreeMap<String, String>,
    #[serde(default)]
    logprobs: Vec<TokenLogprob>,
}

impl Sample {
    /// Reads a line; `number` is the line's, from 1.
    pub fn from_json_line(line: &str, number: usize) -> Result<Self, LineError> {
        let read: SampleLine = serde_json::from_str(line)
            .map_err(|e| LineError::Format("sample", e.to_string(), "case, model and text"))?;
        let schema = read.schema.unwrap_or(SCHEMA);
        check_schema(schema)?;
        let is_known = |baseline: &BaselineId| baseline.name() == read.model.as_str();
        if read.model.is_baseline() && !BaselineId::ALL.iter().any(is_known) {
            return Err(LineError::Baseline(read.model.0));
        }
        Ok(Self {
            schema,
            id: read.id.unwrap_or_else(|| SampleId(format!("#{number}"))),
            case: read.case,
            model: read.model,
            condition: read.condition,
            text: read.text,
            names: read.names,
            logprobs: read.logprobs,
        })
    }

    /// The sample as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
