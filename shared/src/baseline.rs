//! Answers without a language model: they show that a pipeline runs, and what its figures are worth.
//!
//! | name | gives |
//! |---|---|
//! | `baseline:copy` | the reused code as it is: every bug site overlooked |
//! | `baseline:reference` | the solution: every bug site resolved |
//! | `baseline:mined` | each masked place filled with what stands most often in such a place of other classes ([`Miner`]) |
//!
//! They are never taken for a model: their names begin with `baseline:`
//! ([`BaselineId::name`]), with which no model's may begin, and a variant's origin says so too
//! ([`VariantOrigin::Baseline`](crate::variant::VariantOrigin)).

mod names;

mod neighborhood;
mod template;
mod types;

mod fill;
mod miner;

pub use self::miner::{Mined, MinedPlace, Miner};
pub use self::neighborhood::Level;

use std::collections::BTreeMap;

use crate::case::{Case, CaseId, Condition};
use crate::run::{Sample, SampleId};
use crate::subject::Subject;
use crate::variant::{BaselineId, SCHEMA};

/// The reused code as it is. Under [`Condition::CtxBug`] that is [`Case::method`].
pub fn copy(case: &Case, condition: Condition, reused: &str) -> Sample {
    answer(BaselineId::Copy, &case.id, condition, reused)
}

/// The solution, whatever the condition.
pub fn reference(case: &Case, condition: Condition, subject: &Subject) -> Sample {
    answer(BaselineId::Reference, &case.id, condition, &subject.source)
}

fn answer(baseline: BaselineId, case: &CaseId, condition: Condition, text: &str) -> Sample {
    let id = format!("{case} {} {}", condition.slug(), baseline.name());
    Sample {
        schema: SCHEMA,
        id: SampleId(id),
        case: case.clone(),
        model: baseline.into(),
        condition,
        text: text.to_owned(),
        names: BTreeMap::new(),
        logprobs: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
