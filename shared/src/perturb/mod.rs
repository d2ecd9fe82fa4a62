//! Step 2 of CtxBugGen (section 3.2): hide what depends on the context.
//!
//! [`Method::analyze`] reads a method once; [`Method::apply`] gives a rule's perturbations of it and,
//! for each node that the rule looked at, why it was masked or left alone. The rules are in
//! [`RULES`]; their free choices are named options ([`RuleOptions`]) that travel with every output.
//!
//! Laws (property-tested): sites are sorted and disjoint; filling a masked text with what was hidden
//! gives the source back byte for byte.

mod export;
mod options;
mod rule;
mod rules;
mod unify;

use serde::{Deserialize, Serialize};

pub(crate) use self::export::csv_line;
pub use self::export::{CountsRow, CountsTable, PerturbationRecord, Stamp};
pub use self::options::{Choice, OptionError, OptionSpec, RuleOptions};
pub use self::rule::{AdaptationTask, Rule, RuleId};
pub use self::rules::ALL as RULES;
pub(crate) use self::rules::is_builtin;
pub use self::unify::{UnifiedSite, UnifiedView, unify};

use self::rule::{Looks, RuleCx};
use crate::subject::MethodContext;
use crate::syntax::scope::Scopes;
use crate::syntax::{self, NodeId, SyntaxError};
use crate::text::{Span, TextEdit, apply_edits};

/// One place that a perturbation hides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PerturbedSite {
    /// Where, in the method's own text.
    #[serde(flatten)]
    pub span: Span,
    /// The grammar's name of the node; of an operator the name of what it is the operator of; `parameters`
    /// for a run of parameters.
    pub kind: String,
    /// What stood there.
    pub hidden: String,
    /// What stands there now.
    pub placeholder: String,
}

/// One instance of a rule: a method with some of its places hidden.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Perturbation {
    /// The rule.
    pub rule: RuleId,
    /// Which instance of the rule in this method, from 0.
    pub instance: u32,
    /// What sets it apart from the rule's other instances (`integer`, `elif`); may be absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Sorted and disjoint.
    pub sites: Vec<PerturbedSite>,
}

impl Perturbation {
    /// The text that was perturbed, with placeholders in the places of the sites.
    pub fn masked(&self, source: &str) -> String {
        mask(
            source,
            self.sites
                .iter()
                .map(|site| (site.span, site.placeholder.as_str())),
        )
    }
}

/// Puts placeholders in sorted, disjoint places.
fn mask<'a>(source: &str, places: impl Iterator<Item = (Span, &'a str)>) -> String {
    let edits = places.map(|(span, placeholder)| TextEdit {
        span,
        text: placeholder.to_owned(),
    });
    apply_edits(source, &edits.collect::<Vec<_>>())
}

/// A node that a rule looked at, and what it decided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Considered {
    /// Where.
    #[serde(flatten)]
    pub span: Span,
    /// The grammar's name of the node.
    pub kind: String,
    /// The instance that hides it; `None` when it was left alone.
    pub instance: Option<u32>,
    /// Why, for a reader.
    pub reason: String,
}

/// What a rule makes of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RuleOutcome {
    /// The rule.
    pub rule: RuleId,
    /// Its instances, in the specification's order.
    pub perturbations: Vec<Perturbation>,
    /// In source order.
    pub considered: Vec<Considered>,
}

/// A method that was read once and can be perturbed by any rule.
pub struct Method<'a> {
    cx: RuleCx<'a>,
    errors: Vec<SyntaxError>,
}

impl<'a> Method<'a> {
    /// Reads a method's own text (any text: what is no method has no perturbations).
    pub fn analyze(source: &str, context: &'a MethodContext) -> Self {
        let parsed = syntax::parse_python(source);
        Self {
            cx: RuleCx::new(parsed.tree, context),
            errors: parsed.errors,
        }
    }

    /// Where the text is no Python.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// The text.
    pub fn source(&self) -> &str {
        self.cx.tree.source()
    }

    /// The tree of the text.
    pub fn tree(&self) -> &syntax::Tree {
        &self.cx.tree
    }

    /// The names of the text.
    pub(crate) fn scopes(&self) -> &Scopes {
        &self.cx.scopes
    }

    /// The method's `function_definition`.
    pub(crate) fn definition(&self) -> Option<NodeId> {
        self.cx.method
    }

    /// The method's own receiver (`self` or `cls`), where it has one.
    pub(crate) fn receiver(&self) -> Option<NodeId> {
        self.cx.receiver(self.cx.method?)
    }

    /// Whether a node is code: no docstring, annotation, decorator or comment.
    pub(crate) fn is_code(&self, node: NodeId) -> bool {
        self.cx.out_of_reach(node).is_none()
    }

    /// All instances of a rule in this method, and what the rule looked at.
    pub fn apply(&self, rule: RuleId, options: &RuleOptions) -> RuleOutcome {
        let mut looks = Looks::new(options.of(rule));
        if let Some(method) = self.cx.method {
            rule.rule().find(&self.cx, method, &mut looks);
        }
        looks.finish(rule, self.source())
    }
}

/// Puts the hidden text back: the inverse of masking.
pub fn unmask(masked: &str, sites: &[PerturbedSite]) -> String {
    let mut out = String::with_capacity(masked.len());
    let mut rest = masked;
    // How far into the source the text in `out` reaches.
    let mut at = 0;
    for site in sites {
        let kept = (site.span.start - at) as usize;
        let Some((before, after)) = rest.split_at_checked(kept) else {
            break;
        };
        let Some(after) = after.strip_prefix(site.placeholder.as_str()) else {
            break;
        };
        out.push_str(before);
        out.push_str(&site.hidden);
        rest = after;
        at = site.span.end;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
