//! R10: hides everything that stands on a library.
//!
//! ## What it hides
//! All together: every use of an imported name, climbed through attributes and calls to the top, and
//! the attributes and calls of locals that a library made (`conn = sqlite3.connect(p)`).
//!
//! ## Why a model guesses wrong
//! The same job can be done with several libraries, and the class has settled on one.
//!
//! ## Example
//! ```text
//! cur = conn.cursor()
//! cur = <INFILL>
//! ```
//!
//! ## Leaves alone
//! Import statements in the method, annotations, objects kept in fields, builtins.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Meaning, Rule, RuleCx, RuleId};
use crate::perturb::rules::{INFILL, NO, YES, builtins};
use crate::syntax::scope::Role;
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::ThirdParty,
    task: AdaptationTask::Dependency,
    title: "Third-party",
    summary: "a method that uses an import; all that stands on libraries is hidden together",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "uses",
            help: "Which uses of an import count",
            choices: &[
                choice("name", "Any use of an imported name"),
                choice("attribute", "An attribute or a call"),
                choice("call", "A call"),
            ],
            default: "name",
            many: false,
        },
        OptionSpec {
            name: "derived",
            help: "Whether attributes and calls of locals that a library made are hidden",
            choices: &[YES, NO],
            default: "yes",
            many: false,
        },
        OptionSpec {
            name: "modules",
            help: "Which imports count",
            choices: &[
                choice("any", "All"),
                choice("outside_stdlib", "All but the standard library"),
            ],
            default: "any",
            many: false,
        },
    ],
    find,
};

/// Which variables of the text hold an object that a library made.
pub(super) struct Derived(Vec<bool>);

impl Derived {
    /// Whether an occurrence means such a variable.
    pub(super) fn holds(&self, cx: &RuleCx<'_>, id: NodeId) -> bool {
        cx.scopes
            .lookup(id)
            .is_some_and(|found| self.0[found.index])
    }
}

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let derived = if looks.chose("derived", "yes") {
        derived_variables(cx, method)
    } else {
        Derived(vec![false; cx.scopes.n_variables()])
    };
    let mut places = Vec::new();
    for id in cx.tree.subtree(method).filter(|&id| cx.scopes.is_name(id)) {
        if cx.is_library(id) {
            library(cx, looks, id, &mut places);
        } else if cx.out_of_reach(id).is_none() && derived.holds(cx, id) {
            let top = cx.chain_top(id);
            if top == id {
                if !matches!(cx.role(id), Some(Role::Bind(_))) {
                    looks.leave(cx, id, "an object that a library made, on its own");
                }
            } else {
                places.push((top, "of an object that a library made", false));
            }
        }
    }
    // Derived objects alone are no use of an import.
    if places.iter().any(|&(_, _, is_import)| is_import) {
        for (place, reason, _) in places {
            looks.mask(cx, place, Looks::together(), reason);
        }
    }
}

fn library(
    cx: &RuleCx<'_>,
    looks: &mut Looks,
    id: NodeId,
    places: &mut Vec<(NodeId, &'static str, bool)>,
) {
    if let Some(what) = cx.out_of_reach(id) {
        looks.leave(cx, id, what);
        return;
    }
    if cx.role(id) != Some(Role::Load) {
        looks.leave(cx, id, "an import statement of the method");
        return;
    }
    let is_stdlib = cx
        .module_of(id)
        .is_some_and(|module| builtins::is_stdlib(&module));
    if is_stdlib && looks.chose("modules", "outside_stdlib") {
        looks.leave(cx, id, "of the standard library");
        return;
    }
    let top = cx.chain_top(id);
    let has_call = cx
        .tree
        .subtree(top)
        .any(|at| cx.tree.kind(at) == Kind::Call && cx.chain_root(at) == Some(id));
    let wanted = match looks.option("uses") {
        "call" => has_call,
        "attribute" => top != id,
        _ => true,
    };
    if wanted {
        places.push((top, "starts at an import", true));
    } else {
        looks.leave(cx, top, "not among the chosen uses");
    }
}

/// Locals assigned from, opened as, or looping over an expression (no bare name) whose chain starts at
/// a library or at another such local.
pub(super) fn derived_variables(cx: &RuleCx<'_>, method: NodeId) -> Derived {
    let sources: Vec<(NodeId, NodeId)> = cx
        .in_reach(method)
        .filter_map(|id| made_from(cx, id))
        .collect();
    let mut derived = Derived(vec![false; cx.scopes.n_variables()]);
    loop {
        let mut is_complete = true;
        for &(target, source) in &sources {
            let made = cx.tree.kind(source) != Kind::Identifier
                && cx
                    .chain_root(source)
                    .is_some_and(|root| cx.is_library(root) || derived.holds(cx, root));
            if let (true, Some(variable)) = (made, cx.scopes.lookup(target)) {
                is_complete &= std::mem::replace(&mut derived.0[variable.index], true);
            }
        }
        if is_complete {
            return derived;
        }
    }
}

/// A plain local that a node binds, and the expression it comes from.
fn made_from(cx: &RuleCx<'_>, id: NodeId) -> Option<(NodeId, NodeId)> {
    let (target, source) = match cx.tree.kind(id) {
        Kind::Assignment | Kind::ForStatement | Kind::ForInClause => {
            let mut source = cx.tree.field(id, "right")?;
            while cx.tree.kind(source) == Kind::Assignment {
                source = cx.tree.field(source, "right")?;
            }
            (cx.tree.field(id, "left")?, source)
        }
        Kind::NamedExpression => (cx.tree.field(id, "name")?, cx.tree.field(id, "value")?),
        Kind::AsPattern => {
            let alias = cx.tree.field(id, "alias")?;
            (
                cx.tree.named_children(alias).next().unwrap_or(alias),
                cx.tree.named_children(id).next()?,
            )
        }
        _ => return None,
    };
    let is_local = matches!(cx.tree.kind(target), Kind::Identifier)
        && matches!(cx.meaning(target), Meaning::Bound(_));
    is_local.then_some((target, source))
}
