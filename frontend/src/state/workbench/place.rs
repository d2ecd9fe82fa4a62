//! The hidden places of the shown view, whichever view that is.

use shared::perturb::{Perturbation, RuleId, unify};
use shared::text::{Span, TextEdit, apply_edits};

use crate::state::workbench::Analysis;

/// A hidden place as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MaskedPlace {
    pub(crate) span: Span,
    pub(crate) hidden: String,
    pub(crate) placeholder: String,
    /// Its kind in words.
    pub(crate) what: String,
    /// The rules that hide it.
    pub(crate) rules: Vec<RuleId>,
}

/// The places of one instance.
pub(crate) fn of_perturbation(perturbation: &Perturbation) -> Vec<MaskedPlace> {
    let place = |site: &shared::perturb::PerturbedSite| MaskedPlace {
        span: site.span,
        hidden: site.hidden.clone(),
        placeholder: site.placeholder.clone(),
        what: in_words(&site.kind),
        rules: vec![perturbation.rule],
    };
    perturbation.sites.iter().map(place).collect()
}

/// The places of all instances of several rules.
pub(crate) fn of_rules(analysis: &Analysis, rules: &[RuleId]) -> Vec<MaskedPlace> {
    let wanted = analysis
        .view
        .outcomes
        .iter()
        .filter(|outcome| rules.contains(&outcome.rule));
    let perturbations: Vec<Perturbation> = wanted
        .flat_map(|outcome| outcome.perturbations.clone())
        .collect();
    let titles = |rules: &[RuleId]| {
        rules
            .iter()
            .map(|id| id.rule().title)
            .collect::<Vec<_>>()
            .join(" and ")
    };
    unify(&analysis.source, &perturbations)
        .sites
        .into_iter()
        .map(|site| MaskedPlace {
            span: site.span,
            hidden: site.hidden,
            placeholder: site.placeholder,
            what: titles(&site.rules),
            rules: site.rules,
        })
        .collect()
}

/// The text with its places masked.
pub(crate) fn masked(source: &str, places: &[MaskedPlace]) -> String {
    let edit = |place: &MaskedPlace| TextEdit {
        span: place.span,
        text: place.placeholder.clone(),
    };
    apply_edits(source, &places.iter().map(edit).collect::<Vec<_>>())
}

/// A grammar's name as words: `binary_operator` is `binary operator`.
pub(crate) fn in_words(kind: &str) -> String {
    kind.replace('_', " ")
}
