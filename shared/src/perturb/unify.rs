//! Several perturbations of one method in one view.

use serde::{Deserialize, Serialize};

use crate::perturb::{Perturbation, RuleId, mask};
use crate::text::Span;

/// A place of a [`UnifiedView`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnifiedSite {
    /// Where, in the method's own text.
    #[serde(flatten)]
    pub span: Span,
    /// What stood there.
    pub hidden: String,
    /// What stands there now.
    pub placeholder: String,
    /// The rules that hide it or a place in it, ascending.
    pub rules: Vec<RuleId>,
}

/// A method with the places of several perturbations hidden at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnifiedView {
    /// Sorted and disjoint: of overlapping places the outermost stays.
    pub sites: Vec<UnifiedSite>,
    /// The method's text with placeholders.
    pub masked: String,
}

/// Hides the places of all `perturbations` of `source`. The outermost of nested places wins, and of
/// equal places the rule with the lower number.
pub fn unify(source: &str, perturbations: &[Perturbation]) -> UnifiedView {
    let mut places: Vec<(RuleId, &crate::perturb::PerturbedSite)> = perturbations
        .iter()
        .flat_map(|p| p.sites.iter().map(move |site| (p.rule, site)))
        .collect();
    places.sort_by_key(|(rule, site)| (site.span.start, std::cmp::Reverse(site.span.end), *rule));
    let mut sites: Vec<UnifiedSite> = Vec::new();
    for (rule, site) in places {
        match sites.last_mut() {
            Some(last) if site.span.start < last.span.end => {
                if let Err(at) = last.rules.binary_search(&rule) {
                    last.rules.insert(at, rule);
                }
            }
            _ => sites.push(UnifiedSite {
                span: site.span,
                hidden: site.hidden.clone(),
                placeholder: site.placeholder.clone(),
                rules: vec![rule],
            }),
        }
    }
    let masked = mask(
        source,
        sites
            .iter()
            .map(|site| (site.span, site.placeholder.as_str())),
    );
    UnifiedView { sites, masked }
}
