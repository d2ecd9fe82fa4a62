//! What models can be asked, and what state that is in: for the page.

use jiff::Timestamp;
use shared::api::{LlmModel, LlmStatus};
use shared::llm::ModelId;

use super::budget::Purse;
use super::error::LlmError;
use super::gateway::{Gateway, Inner, blocking};
use super::provider::Provider;

impl Gateway {
    /// What can be asked, and what state that is in.
    pub async fn status(&self) -> Result<LlmStatus, LlmError> {
        let gateway = self.clone();
        let (recorded, today) = blocking(move || {
            let recorded = gateway.0.recordings.models()?;
            Ok((recorded, gateway.0.ledger.purse(Timestamp::now())?.state()))
        })
        .await?;
        let Inner {
            mode,
            why,
            providers,
            run,
            ..
        } = &*self.0;
        let n_recorded = |name: &ModelId| {
            let found = recorded.iter().find(|(known, _)| known == name);
            found.map_or(0, |(_, n)| *n)
        };
        let mut models: Vec<LlmModel> = Vec::new();
        for provider in providers {
            models.extend(provider.config.models.iter().map(|it| LlmModel {
                name: it.name.clone(),
                provider: Some(provider.config.name.clone()),
                input_micro_usd: it.price.map(|price| price.input_micro_usd),
                output_micro_usd: it.price.map(|price| price.output_micro_usd),
                n_recorded: n_recorded(&it.name),
            }));
        }
        for (name, n_recorded) in recorded {
            if models.iter().all(|it| it.name != name) {
                models.push(LlmModel {
                    name,
                    provider: None,
                    input_micro_usd: None,
                    output_micro_usd: None,
                    n_recorded,
                });
            }
        }
        Ok(LlmStatus {
            mode: *mode,
            why: why.clone(),
            providers: providers.iter().map(Provider::state).collect(),
            models,
            today,
            run: Purse::new(*run).state(),
        })
    }
}
