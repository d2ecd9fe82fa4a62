//! Asking models through the server: what it can ask, and what state that is in.

use serde::{Deserialize, Serialize};

use crate::llm::ModelId;

/// Where answers come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmMode {
    /// Recordings only: nothing is asked of anyone.
    Replay,
    /// A recording where there is one, else the model, whose answer is recorded.
    Record,
    /// The model each time; its newest answer is recorded.
    Live,
}

impl LlmMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Replay, Self::Record, Self::Live];

    /// Its word.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Record => "record",
            Self::Live => "live",
        }
    }
}

/// Where one answer came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmSource {
    /// A recording.
    Replayed,
    /// A model, now.
    Live,
}

impl LlmSource {
    /// Its word.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Replayed => "replayed",
            Self::Live => "live",
        }
    }
}

/// What models the server can ask, and what state that is in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LlmStatus {
    /// Where answers come from.
    pub mode: LlmMode,
    /// Why it is that mode, where nobody chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The providers, in the configuration's order.
    pub providers: Vec<LlmProvider>,
    /// The models: those of providers, then those that are only recorded.
    pub models: Vec<LlmModel>,
    /// What was spent today (UTC), and the most that may be.
    pub today: LlmBudget,
    /// The most that one run may spend; what it spent is the run's own.
    pub run: LlmBudget,
}

/// A provider of models.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LlmProvider {
    /// Its name in the configuration.
    pub name: String,
    /// The host that is asked.
    pub host: String,
    /// Whether it can be asked; else what it lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Whether it is asked at all now.
    pub circuit: LlmCircuit,
    /// How many exchanges are under way.
    pub n_under_way: usize,
    /// The most that may be.
    pub concurrency: usize,
}

/// Whether a provider is asked, after how it answered so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum LlmCircuit {
    /// It is.
    Closed {
        /// How many times in a row it failed.
        n_failures: u32,
    },
    /// It failed too often: nothing is asked of it for a while.
    Open {
        /// How long still.
        retry_in_s: u64,
    },
    /// One exchange finds out whether it is back.
    HalfOpen,
}

/// A model that can be asked, or replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LlmModel {
    /// Its name, whoever provides it.
    pub name: ModelId,
    /// Who is asked for it; absent where it is only recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// US dollars for a million tokens read, in millionths; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_micro_usd: Option<u64>,
    /// The same for tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_micro_usd: Option<u64>,
    /// How many of its answers are recorded.
    pub n_recorded: usize,
}

/// What was spent, and what may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LlmBudget {
    /// Billionths of a US dollar.
    pub nano_usd: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// The most money; absent: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nano_usd: Option<u64>,
    /// The most tokens; absent: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
}
