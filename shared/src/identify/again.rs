//! A case out of a file, looked at again: what the file says is compared and not trusted.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::case::{BugSite, Case, CaseId};
use crate::diff::MatcherId;
use crate::identify::{IdentifyOptions, NotCase, Reference, bug_sites, case_id, examine};
use crate::perturb::Perturbation;
use crate::variant::{SCHEMA, Variant};

/// Why a case is not what its file says.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CaseError {
    /// Its method is no case of this perturbation.
    #[error("its method is no case by {matcher} ({why})")]
    NotCase {
        /// Who matched.
        matcher: MatcherId,
        /// Why it is none.
        why: NotCase,
    },
    /// Its method is another program than the one that its id names.
    #[error("its method is that of {0}; was it edited?")]
    OtherId(CaseId),
    /// Its sites are others.
    #[error("its bug sites by {matcher} are {here}, and not {there}")]
    OtherSites {
        /// Who matched.
        matcher: MatcherId,
        /// What is found.
        here: String,
        /// What the file says.
        there: String,
    },
}

impl Case {
    /// The variant that it is, its names restored.
    pub fn as_variant(&self) -> Variant {
        Variant {
            schema: SCHEMA,
            id: self.variant.clone(),
            subject: self.subject.clone(),
            rule: self.rule,
            instance: self.instance,
            options: self.options.clone(),
            origin: self.origin.clone(),
            text: self.method.clone(),
            names: BTreeMap::new(),
        }
    }
}

impl Reference<'_> {
    /// The bug sites of a case by a matcher, found anew in its method and its perturbation. By its own
    /// matcher they must be those that it has.
    pub fn bug_sites(
        &self,
        perturbation: &Perturbation,
        case: &Case,
        matcher: MatcherId,
    ) -> Result<Vec<BugSite>, CaseError> {
        let options = IdentifyOptions {
            matcher,
            ..IdentifyOptions::default()
        };
        let variant = case.as_variant();
        let examined = examine(self, perturbation, &variant, options);
        if let Some(why) = examined.not_case {
            return Err(CaseError::NotCase { matcher, why });
        }
        let id = case_id(&variant, &examined);
        if id != case.id {
            return Err(CaseError::OtherId(id));
        }
        let found = bug_sites(self, &examined);
        if matcher == case.matcher && found != case.sites {
            let (here, there) = (in_words(&found), in_words(&case.sites));
            return Err(CaseError::OtherSites {
                matcher,
                here,
                there,
            });
        }
        Ok(found)
    }
}

fn in_words(sites: &[BugSite]) -> String {
    let sites = sites.iter().map(|site| {
        let wrong = site.wrong.as_deref().unwrap_or_default();
        format!(
            "{} ({} `{}` to `{wrong}`)",
            site.site,
            site.status.slug(),
            site.correct
        )
    });
    sites.collect::<Vec<_>>().join(", ")
}
