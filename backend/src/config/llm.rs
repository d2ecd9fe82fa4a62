//! Who provides models: a TOML file, with the keys in the environment.
//!
//! ```toml
//! [budget]
//! day_usd = 5.0                   # also day_tokens, run_usd, run_tokens
//!
//! [[provider]]
//! preset = "deepseek"             # or name, base_url and, where a key is needed, key_env
//!
//! [[provider.model]]
//! name = "deepseek-v3"            # what it is called whoever provides it
//! id = "deepseek-chat"            # what this provider calls it
//! input_usd = 0.27                # US dollars for a million tokens
//! output_usd = 1.10
//! ```

mod file;

use std::time::Duration;

use serde::Deserialize;
use shared::llm::ModelId;

pub(super) use self::file::parse;
use crate::llm::Secret;

/// Providers whose address and key are known by name.
pub const PRESETS: [Preset; 6] = [
    Preset {
        name: "openai",
        base_url: "https://api.openai.com/v1",
        key_env: "OPENAI_API_KEY",
        max_tokens: MaxTokens::MaxCompletionTokens,
    },
    Preset::compatible(
        "deepseek",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
    ),
    Preset::compatible(
        "dashscope",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
    ),
    Preset::compatible("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
    Preset::compatible(
        "anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
    ),
    Preset::compatible(
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
    ),
];

/// A provider that is known by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Where its OpenAI-compatible interface is.
    pub base_url: &'static str,
    /// The variable that holds its key.
    pub key_env: &'static str,
    /// What it calls the most tokens of a reply.
    pub max_tokens: MaxTokens,
}

impl Preset {
    const fn compatible(name: &'static str, base_url: &'static str, key_env: &'static str) -> Self {
        Self {
            name,
            base_url,
            key_env,
            max_tokens: MaxTokens::MaxTokens,
        }
    }
}

/// What a provider calls the most tokens of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokens {
    /// The older word, which most know.
    #[default]
    MaxTokens,
    /// OpenAI's newer one.
    MaxCompletionTokens,
}

/// All providers, and what may be spent.
#[derive(Clone, Debug, Default)]
pub struct LlmConfig {
    /// In the file's order: of those that have a model, the first that can be asked is.
    pub providers: Vec<LlmProviderConfig>,
    /// What a day may cost.
    pub day: LlmBounds,
    /// What a run may cost.
    pub run: LlmBounds,
}

/// What may be spent; absent: no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LlmBounds {
    /// Billionths of a US dollar.
    pub nano_usd: Option<u64>,
    /// Tokens, read and written.
    pub tokens: Option<u64>,
}

/// One provider.
#[derive(Clone, Debug)]
pub struct LlmProviderConfig {
    /// Its name.
    pub name: String,
    /// What `/chat/completions` is added to.
    pub base_url: String,
    /// The host of the address, for people.
    pub host: String,
    /// The variable that holds its key; absent where none is needed.
    pub key_env: Option<String>,
    /// The key; absent where none is needed or set.
    pub key: Option<Secret>,
    /// How many exchanges may be under way.
    pub concurrency: usize,
    /// How long to wait.
    pub timeouts: LlmTimeouts,
    /// What it calls the most tokens of a reply.
    pub max_tokens: MaxTokens,
    /// Its models.
    pub models: Vec<LlmModelConfig>,
}

impl LlmProviderConfig {
    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        is_local(&self.host)
    }

    /// What it lacks before it can be asked.
    pub fn missing(&self) -> Option<String> {
        let variable = self.key_env.as_ref().filter(|_| self.key.is_none())?;
        Some(format!("{variable} is not set, or is no key"))
    }
}

/// How long to wait for a provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LlmTimeouts {
    /// For a connection.
    pub connect: Duration,
    /// For the beginning of an answer, connection included.
    pub first_byte: Duration,
    /// For more of it.
    pub idle: Duration,
    /// For all of it, and for a place among the exchanges that are under way.
    pub whole: Duration,
}

/// One model of a provider.
#[derive(Clone, Debug)]
pub struct LlmModelConfig {
    /// What it is called whoever provides it.
    pub name: ModelId,
    /// What the provider calls it.
    pub id: String,
    /// What it costs, where that is known.
    pub price: Option<LlmPrice>,
    /// The most tokens of a reply for which a request sets no bound: what is held of a budget.
    pub max_output: u32,
}

impl LlmModelConfig {
    /// Without a price.
    pub fn named(name: &str, id: &str) -> Self {
        Self {
            name: ModelId(name.to_owned()),
            id: id.to_owned(),
            price: None,
            max_output: 4096,
        }
    }
}

/// Millionths of a US dollar for a million tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LlmPrice {
    /// Read.
    pub input_micro_usd: u64,
    /// Written.
    pub output_micro_usd: u64,
}

fn is_local(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    let ip: Option<std::net::IpAddr> = host.parse().ok();
    host == "localhost" || ip.is_some_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests;
