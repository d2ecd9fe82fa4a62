//! R7: hides one call of a library.
//!
//! ## What it hides
//! A whole call whose callee's chain of attributes and calls starts at an imported name. Each call of a
//! chain is an instance of its own: `datetime.now().strftime(f)` gives two.
//!
//! ## Why a model guesses wrong
//! Libraries offer several functions for one purpose; which one is right the rest of the class decides:
//! `quote` or `quote_plus`, `pstdev` or `stdev`.
//!
//! ## Example
//! ```text
//! return statistics.pstdev(self.values)
//! return <INFILL>
//! ```
//!
//! ## Leaves alone
//! Builtins, methods of objects, calls of the class's own methods, names that a parameter or a local
//! shadows; a subscript ends the chain.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Meaning, Rule, RuleCx, RuleId};
use crate::perturb::rules::third_party::{Derived, derived_variables};
use crate::perturb::rules::{INFILL, NO_YES, builtins};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::LibraryCalls,
    task: AdaptationTask::Functionality,
    title: "Library calls",
    summary: "a call whose callee starts at an import; the whole call is hidden",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "callees",
            help: "Which calls are hidden",
            choices: &[
                choice("import", "starting at an import"),
                choice("derived", "on locals that a library made"),
                choice("builtin", "of a builtin"),
                choice("object", "on other objects"),
                choice("value", "of a value that is no name (table[key](…))"),
                choice("context", "of the class and its module"),
            ],
            default: "import",
            many: true,
        },
        OptionSpec {
            name: "distinct",
            help: "Whether equal calls are one instance",
            choices: NO_YES,
            default: "no",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let derived = derived_variables(cx, method);
    for id in cx
        .in_reach(method)
        .filter(|&id| cx.tree.kind(id) == Kind::Call)
    {
        let (class, reason) = classify(cx, method, id, &derived);
        if looks.chose("callees", class) {
            let group = if looks.chose("distinct", "yes") {
                looks.by_text(cx.tree.text(id))
            } else {
                looks.alone(None)
            };
            looks.mask(cx, id, group, reason);
        } else {
            looks.leave(cx, id, reason);
        }
    }
}

fn classify(
    cx: &RuleCx<'_>,
    method: NodeId,
    call: NodeId,
    derived: &Derived,
) -> (&'static str, &'static str) {
    let callee = cx
        .tree
        .field(call, "function")
        .map(|callee| cx.tree.kind(callee));
    let is_attribute = callee == Some(Kind::Attribute);
    let Some(root) = cx.chain_root(call) else {
        let class = if is_attribute { "object" } else { "value" };
        return (class, "its callee does not start at a name");
    };
    let name = cx.tree.text(root);
    match cx.meaning(root) {
        Meaning::Library => ("import", "its callee starts at an import"),
        Meaning::Bound(_) => {
            if is_attribute && derived.holds(cx, root) {
                ("derived", "a method of an object that a library made")
            } else if is_own_member(cx, method, call, root) {
                ("context", "a method of the class")
            } else {
                ("object", "a method of an object")
            }
        }
        Meaning::Free
            if name == cx.context.class_name
                || cx.context.globals.iter().any(|global| global == name) =>
        {
            ("context", "of the class's own module")
        }
        Meaning::Free if !is_attribute && builtins::is_builtin(name) => ("builtin", "a builtin"),
        Meaning::Free => ("object", "a method of an object"),
    }
}

/// Whether a call is `self.x(…)` and `x` no field that holds something to call.
fn is_own_member(cx: &RuleCx<'_>, method: NodeId, call: NodeId, root: NodeId) -> bool {
    let Some(receiver) = cx.receiver(method) else {
        return false;
    };
    let is_receiver =
        cx.scopes.lookup(root).is_some() && cx.scopes.lookup(root) == cx.scopes.lookup(receiver);
    let Some(member) = cx.tree.field(call, "function") else {
        return false;
    };
    let name = cx
        .tree
        .field(member, "attribute")
        .map_or("", |name| cx.tree.text(name));
    is_receiver
        && cx.tree.parent(root) == Some(member)
        && !cx.context.fields.iter().any(|field| field == name)
}
