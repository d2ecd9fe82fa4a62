//! A variant of a benchmark's method, looked at without its tests.

use std::collections::BTreeMap;

use shared::dataset::Dataset;
use shared::identify::{self, IdentifyOptions, NotCase, Reference};
use shared::perturb::Method;
use shared::variant::{SCHEMA, Variant, VariantId, VariantOrigin};

use super::Desk;
use super::diff;
use super::protocol::{ExaminedView, Standing, VariantText};
use crate::worker::protocol::{Failure, FailureKind};

pub(super) async fn examine(asked: VariantText, desk: &Desk) -> Result<ExaminedView, Failure> {
    let library = desk.library.get().await;
    let open = library.open(&asked.dataset, &desk.pace).await?;
    examine_in(&open.dataset, asked)
}

fn examine_in(dataset: &Dataset, asked: VariantText) -> Result<ExaminedView, Failure> {
    let subject = dataset.subject(&asked.subject).ok_or_else(|| {
        let message = format!(
            "the benchmark {} has no method {}",
            dataset.name, asked.subject
        );
        Failure::new(FailureKind::NotFound, message).next("choose one of its methods from the list")
    })?;
    let context = dataset.context_of(subject);
    let outcome = Method::analyze(&subject.source, context).apply(asked.rule, &asked.options);
    let perturbation = outcome.perturbations.get(asked.instance as usize);
    let perturbation = perturbation.ok_or_else(|| {
        let (rule, instance) = (asked.rule, asked.instance + 1);
        let message = format!("{rule} has no instance {instance} in {}", subject.id);
        Failure::new(FailureKind::NotFound, message).next("choose another instance of the rule")
    })?;
    let variant = Variant {
        schema: SCHEMA,
        id: VariantId(String::new()),
        subject: asked.subject,
        rule: asked.rule,
        instance: asked.instance,
        options: BTreeMap::new(),
        origin: VariantOrigin::Human,
        text: asked.text,
        names: BTreeMap::new(),
    };
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let options = IdentifyOptions {
        matcher: asked.matcher,
        ..IdentifyOptions::default()
    };
    let examined = identify::examine(&reference, perturbation, &variant, options);
    let diff = (examined.extraction.is_some())
        .then(|| diff::compare(&subject.source, &examined.method, asked.matcher));
    Ok(ExaminedView {
        standing: standing(examined.not_case),
        extraction: examined.extraction,
        method: examined.method,
        sites: examined.sites,
        outside: examined.outside,
        diff,
    })
}

fn standing(not_case: Option<NotCase>) -> Standing {
    match not_case {
        None => Standing::Candidate,
        Some(NotCase::Identical { .. }) => Standing::Identical,
        Some(why @ NotCase::Unfilled { .. }) => Standing::Unfilled(why.to_string()),
        Some(why) => Standing::NotCase(why.to_string()),
    }
}

#[cfg(test)]
mod tests;
