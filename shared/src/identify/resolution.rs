//! Resolution rate (CtxBugGen, section 4.4): the share of bug sites that an adaptation has as the
//! reference has them.
//!
//! Which node of the adaptation stands for a site is the matcher's opinion, so a rate goes with its
//! matcher. Two more lenses need none: the node at the same place of the tree, by its text or by what
//! it means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::SiteStatus;
use crate::diff::{DiffOptions, MATCHERS, MatcherId, diff};
use crate::identify::program::{Normalized, Program, Sight, View};
use crate::identify::{Origin, Reference, status};
use crate::syntax::NodeId;
use crate::text::Span;

/// A way to tell whether a site is resolved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lens {
    /// The node has a partner by this matcher, of the same text: the paper's definition.
    Matcher(MatcherId),
    /// The node at the same place of the tree, child by child from the root (comments and docstrings
    /// do not count), is of the same kind and text.
    Path,
    /// The node at the same place, or one around it, means the same: quotes, redundant parentheses,
    /// layout, and the order of two names or constants under a commutative operator make no
    /// difference.
    Normalized,
}

/// All lenses: the matchers, the default first, then those that need none.
pub const LENSES: [Lens; 6] = [
    Lens::Matcher(MatcherId::Simple),
    Lens::Matcher(MatcherId::Classic),
    Lens::Matcher(MatcherId::Hybrid),
    Lens::Matcher(MatcherId::Stable),
    Lens::Path,
    Lens::Normalized,
];

impl Lens {
    /// The name that stands with every rate: the matcher's id, `path` or `normalized`.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Matcher(matcher) => matcher.slug(),
            Self::Path => "path",
            Self::Normalized => "normalized",
        }
    }
}

/// One bug site of one adaptation through all lenses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteResolution {
    /// What became of it under each of [`MATCHERS`], in their order.
    pub statuses: [SiteStatus; MATCHERS.len()],
    /// Where its partner under each of them stands in [`Adaptation::method`].
    pub partners: [Option<Span>; MATCHERS.len()],
    /// Whether the node at its place is of the same kind and text.
    pub same_path: bool,
    /// Whether the node at its place means the same.
    pub same_normalized: bool,
}

impl SiteResolution {
    /// The site of an adaptation without a method.
    const GONE: Self = Self {
        statuses: [SiteStatus::Deleted; MATCHERS.len()],
        partners: [None; MATCHERS.len()],
        same_path: false,
        same_normalized: false,
    };

    /// Whether the site is resolved.
    pub fn is_resolved(&self, lens: Lens) -> bool {
        match lens {
            Lens::Matcher(matcher) => self.statuses[matcher as usize] == SiteStatus::Resolved,
            Lens::Path => self.same_path,
            Lens::Normalized => self.same_normalized,
        }
    }

    /// Whether all lenses say the same.
    pub fn is_agreed(&self) -> bool {
        let first = self.is_resolved(LENSES[0]);
        LENSES.iter().all(|&lens| self.is_resolved(lens) == first)
    }
}

/// A reply's method, and what became of the bug sites in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adaptation {
    /// The method, with its own names, laid out as the subject's own text; absent where the reply has
    /// none.
    pub method: Option<String>,
    /// Where the method's bytes stood in the reply.
    pub origin: Origin,
    /// One a bug site, in order.
    pub sites: Vec<SiteResolution>,
}

/// A share of bug sites: an exact fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rate {
    /// By which lens.
    pub lens: Lens,
    /// Sites that are resolved.
    pub n_resolved: u32,
    /// All sites; without any there is no rate.
    pub n_sites: u32,
}

/// A site about which the lenses disagree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Disagreement {
    /// Which adaptation, from 0.
    pub adaptation: u32,
    /// Which of its bug sites, from 0.
    pub site: u32,
    /// The lenses by which it is resolved; the others say that it is not.
    pub resolved_by: Vec<Lens>,
}

/// Resolution rates of some adaptations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResolutionRate {
    /// How many adaptations there are.
    pub n_adaptations: u32,
    /// One a lens, in the order of [`LENSES`].
    pub rates: Vec<Rate>,
    /// By adaptation and site.
    pub disagreements: Vec<Disagreement>,
}

/// Counts the bug sites of adaptations. They count alike, however many of them an adaptation has.
pub fn resolution_rate(adaptations: &[Adaptation]) -> ResolutionRate {
    let mut rates: Vec<Rate> = LENSES
        .iter()
        .map(|&lens| Rate {
            lens,
            n_resolved: 0,
            n_sites: 0,
        })
        .collect();
    let mut disagreements = Vec::new();
    for (number, adaptation) in (0..).zip(adaptations) {
        for (site, resolution) in (0..).zip(&adaptation.sites) {
            let mut resolved_by = Vec::new();
            for rate in &mut rates {
                rate.n_sites += 1;
                if resolution.is_resolved(rate.lens) {
                    rate.n_resolved += 1;
                    resolved_by.push(rate.lens);
                }
            }
            if !resolution.is_agreed() {
                disagreements.push(Disagreement {
                    adaptation: number,
                    site,
                    resolved_by,
                });
            }
        }
    }
    ResolutionRate {
        n_adaptations: crate::identify::lines::index(adaptations.len()),
        rates,
        disagreements,
    }
}

impl Reference<'_> {
    /// Looks at bug sites (places of the method's own text) in a reply, through all lenses; one a
    /// site. `names` are obfuscated names and what they stand for. A reply without the method resolves
    /// nothing; one with syntax errors is looked at as far as it parses.
    pub fn resolution(
        &self,
        sites: &[Span],
        reply: &str,
        names: &BTreeMap<String, String>,
    ) -> Adaptation {
        let Some(read) = self.read(reply, names) else {
            return Adaptation {
                method: None,
                origin: Origin::default(),
                sites: vec![SiteResolution::GONE; sites.len()],
            };
        };
        let nodes = self.masked_nodes(sites);
        let program = Program::of(&read.method);
        let mut found = vec![SiteResolution::GONE; sites.len()];
        for matcher in &MATCHERS {
            let options = DiffOptions {
                matcher: matcher.id,
                ..DiffOptions::default()
            };
            let diff = diff(&self.program.diff, &program.diff, &options);
            for (site, &node) in found.iter_mut().zip(&nodes) {
                let (status, partner) = status::status(&self.program, &program, &diff, node);
                site.statuses[matcher.id as usize] = status;
                site.partners[matcher.id as usize] = partner;
            }
        }
        let (view, normalized) = (
            View::of(&program.tree, Sight::Written),
            Normalized::of(&program.tree),
        );
        for (site, &node) in found.iter_mut().zip(&nodes) {
            if let Some(node) = self.program.diff.origin(node).map(NodeId) {
                site.same_path = self.is_same_path(node, &program, &view);
                site.same_normalized = self.is_same_normalized(node, &program, &normalized);
            }
        }
        Adaptation {
            method: Some(read.method),
            origin: read.origin,
            sites: found,
        }
    }

    fn is_same_path(&self, node: NodeId, other: &Program, view: &View) -> bool {
        let own = &self.program.tree;
        let path = self.view.path(own, node);
        let root = other.tree.root();
        let there = path
            .into_iter()
            .try_fold(root, |at, position| view.child(at, position));
        there.is_some_and(|there| {
            other.tree.node(there).name == own.node(node).name
                && other.tree.text(there) == own.text(node)
        })
    }

    fn is_same_normalized(&self, node: NodeId, other: &Program, there: &Normalized) -> bool {
        let own = &self.normalized;
        let (mut a, mut b) = (self.program.tree.root(), other.tree.root());
        for position in own.view.path(&self.program.tree, node) {
            if own.digest(a) == there.digest(b) {
                return true;
            }
            let next = (own.view.child(a, position), there.view.child(b, position));
            let (Some(in_own), Some(in_other)) = next else {
                return false;
            };
            (a, b) = (in_own, in_other);
        }
        own.digest(a) == there.digest(b)
    }
}
