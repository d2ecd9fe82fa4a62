//! Author's notes: finding the place that a note speaks of, and filling it.

use shared::perturb::{PerturbedSite, RuleId, RuleOutcome};
use shared::subject::Showcase;
use shared::text::{Span, TextEdit, apply_edits};

/// The place that a note speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) rule: RuleId,
    pub(crate) instance: u32,
    /// Which place of the instance, from 0.
    pub(crate) at: usize,
    pub(crate) site: PerturbedSite,
}

/// The place of a note; `None` where the text or the options have changed so that it is gone.
pub(crate) fn place(showcase: &Showcase, outcomes: &[RuleOutcome]) -> Option<Place> {
    let rule: RuleId = showcase.rule.parse().ok()?;
    let outcome = outcomes.iter().find(|outcome| outcome.rule == rule)?;
    let mut places: Vec<Place> = outcome
        .perturbations
        .iter()
        .flat_map(|it| {
            it.sites
                .iter()
                .enumerate()
                .map(|(at, site)| (it.instance, at, site))
        })
        .filter(|(.., site)| site.hidden == showcase.hidden)
        .map(|(instance, at, site)| Place {
            rule,
            instance,
            at,
            site: site.clone(),
        })
        .collect();
    places.sort_by_key(|place| place.site.span);
    places.into_iter().nth(showcase.occurrence as usize)
}

/// The method with a text in the note's place, and where that text stands.
pub(crate) fn filled(source: &str, at: Span, text: &str) -> (String, Span) {
    let out = apply_edits(
        source,
        &[TextEdit {
            span: at,
            text: text.to_owned(),
        }],
    );
    let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
    (out, Span::new(at.start, at.start.saturating_add(len)))
}
