//! The file of providers, checked.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use axum::http::Uri;
use serde::Deserialize;
use shared::llm::{MAX_MODEL_BYTES, ModelId};

use super::{
    LlmBounds, LlmConfig, LlmModelConfig, LlmPrice, LlmProviderConfig, LlmTimeouts, MaxTokens,
    PRESETS, Preset, is_local,
};
use crate::llm::Secret;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileToml {
    #[serde(default)]
    budget: BudgetToml,
    #[serde(default)]
    provider: Vec<ProviderToml>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetToml {
    day_usd: Option<f64>,
    day_tokens: Option<u64>,
    run_usd: Option<f64>,
    run_tokens: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderToml {
    preset: Option<String>,
    name: Option<String>,
    base_url: Option<String>,
    key_env: Option<String>,
    max_tokens: Option<MaxTokens>,
    concurrency: Option<usize>,
    connect_s: Option<f64>,
    first_byte_s: Option<f64>,
    idle_s: Option<f64>,
    whole_s: Option<f64>,
    #[serde(default)]
    model: Vec<ModelToml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelToml {
    name: String,
    id: Option<String>,
    input_usd: Option<f64>,
    output_usd: Option<f64>,
    max_output: Option<u32>,
}

/// Looks a variable up.
type Lookup<'a> = &'a dyn Fn(&str) -> Result<Option<String>>;

/// Reads the file, and the keys from the environment.
pub(crate) fn parse(path: &str, lookup: Lookup<'_>) -> Result<LlmConfig> {
    let path = Path::new(path);
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read(&text, lookup).with_context(|| format!("{} cannot be used", path.display()))
}

pub(super) fn read(text: &str, lookup: Lookup<'_>) -> Result<LlmConfig> {
    let FileToml { budget, provider } = toml::from_str(text)?;
    let bounds = |usd: Option<f64>, tokens: Option<u64>| -> Result<LlmBounds> {
        let micro_usd = usd.map(micro_usd).transpose()?;
        Ok(LlmBounds {
            nano_usd: micro_usd.map(|it| it * 1000),
            tokens,
        })
    };
    let providers = provider.into_iter().map(|it| it.checked(lookup));
    let providers: Vec<_> = providers.collect::<Result<_>>()?;
    let mut names = BTreeSet::new();
    for provider in &providers {
        ensure!(
            names.insert(&provider.name),
            "two providers are called {}",
            provider.name
        );
    }
    Ok(LlmConfig {
        day: bounds(budget.day_usd, budget.day_tokens).context("[budget] day_usd")?,
        run: bounds(budget.run_usd, budget.run_tokens).context("[budget] run_usd")?,
        providers,
    })
}

impl ProviderToml {
    fn checked(self, lookup: Lookup<'_>) -> Result<LlmProviderConfig> {
        let preset = self.preset.as_deref().map(preset).transpose()?;
        let name = self.name.or(preset.map(|it| it.name.to_owned()));
        let name = name.context("a provider has neither preset nor name")?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        ensure!(
            !name.is_empty() && name.chars().all(is_name),
            "provider {name:?}: a name has letters, digits, -, _ and . only"
        );
        let base_url = self.base_url.or(preset.map(|it| it.base_url.to_owned()));
        let base_url = base_url.with_context(|| format!("provider {name} has no base_url"))?;
        let (is_safe, host) = address(&base_url).with_context(|| format!("provider {name}"))?;
        let key_env = self.key_env.or(preset.map(|it| it.key_env.to_owned()));
        let key = key_env.as_deref().map(lookup).transpose()?.flatten();
        let key = key.as_deref().and_then(Secret::new);
        ensure!(
            is_safe || key.is_none() || is_local(&host),
            "provider {name}: its key would go over http:// to another machine; use https://"
        );
        let concurrency = self.concurrency.unwrap_or(32);
        ensure!(
            (1..=1024).contains(&concurrency),
            "provider {name}: concurrency is 1 to 1024"
        );
        let seconds = |field: &str, value: Option<f64>, default: f64| -> Result<Duration> {
            let value = value.unwrap_or(default);
            ensure!(
                (0.001..=86_400.0).contains(&value),
                "provider {name}: {field} is 0.001 to 86400 seconds"
            );
            Ok(Duration::from_secs_f64(value))
        };
        let timeouts = LlmTimeouts {
            connect: seconds("connect_s", self.connect_s, 10.0)?,
            first_byte: seconds("first_byte_s", self.first_byte_s, 120.0)?,
            idle: seconds("idle_s", self.idle_s, 60.0)?,
            whole: seconds("whole_s", self.whole_s, 600.0)?,
        };
        let models = self.model.into_iter().map(|it| it.checked(&name));
        Ok(LlmProviderConfig {
            models: models.collect::<Result<_>>()?,
            max_tokens: self
                .max_tokens
                .or(preset.map(|it| it.max_tokens))
                .unwrap_or_default(),
            name,
            base_url,
            host,
            key_env,
            key,
            concurrency,
            timeouts,
        })
    }
}

impl ModelToml {
    fn checked(self, provider: &str) -> Result<LlmModelConfig> {
        let of = || format!("model {:?} of provider {provider}", self.name);
        ensure!(
            (1..=MAX_MODEL_BYTES).contains(&self.name.len()),
            "{}: a name has 1 to {MAX_MODEL_BYTES} bytes",
            of()
        );
        let price = match (self.input_usd, self.output_usd) {
            (None, None) => None,
            (Some(input), Some(output)) => Some(LlmPrice {
                input_micro_usd: micro_usd(input).with_context(of)?,
                output_micro_usd: micro_usd(output).with_context(of)?,
            }),
            _ => anyhow::bail!("{}: give both input_usd and output_usd, or none", of()),
        };
        Ok(LlmModelConfig {
            price,
            max_output: self.max_output.unwrap_or(4096),
            id: self.id.unwrap_or_else(|| self.name.clone()),
            name: ModelId(self.name),
        })
    }
}

fn preset(name: &str) -> Result<&'static Preset> {
    let names = PRESETS.map(|it| it.name).join(", ");
    let preset = PRESETS.iter().find(|it| it.name == name);
    preset.with_context(|| format!("there is no preset {name:?}; expected one of {names}"))
}

/// Whether an address is kept from listeners, and its host.
fn address(base_url: &str) -> Result<(bool, String)> {
    let expected = "expected a base_url such as https://api.example.com/v1";
    let uri: Uri = base_url.parse().ok().context(expected)?;
    let scheme = uri.scheme_str().unwrap_or_default();
    ensure!(matches!(scheme, "http" | "https"), expected);
    let authority = uri.authority().context(expected)?;
    ensure!(
        !authority.as_str().contains('@') && uri.query().is_none(),
        "{expected}, without user, password and query: the key is named by key_env"
    );
    Ok((scheme == "https", authority.host().to_owned()))
}

/// US dollars in millionths, rounded.
fn micro_usd(usd: f64) -> Result<u64> {
    ensure!((0.0..=1e9).contains(&usd), "US dollars are 0 to 1000000000");
    let digits = format!("{usd:.6}").replace('.', "");
    Ok(digits.parse()?)
}
