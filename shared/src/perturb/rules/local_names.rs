//! R9: hides the local variables.
//!
//! ## What it hides
//! Every occurrence of every local but its first binding in the text, all together. Locals are bound by
//! an assignment, `for`, `with`, `except`, `:=`, a match capture or a comprehension, in the method or in
//! a function inside it.
//!
//! ## Why a model guesses wrong
//! Several variables of one type are at hand, and only the flow of the method says which is meant.
//!
//! ## Example
//! ```text
//! return [x * x for x in xs if x > 1]
//! return [<VAR> * <VAR> for x in xs if <VAR> > 1]
//! ```
//!
//! ## Leaves alone
//! Parameters, imports, nested functions and classes, names in a class body, names declared `global`,
//! attributes and keywords of the same name.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Meaning, Rule, RuleCx, RuleId};
use crate::perturb::rules::{NO, NO_YES, YES};
use crate::syntax::NodeId;
use crate::syntax::scope::{Role, ScopeKind};

pub(super) const RULE: Rule = Rule {
    id: RuleId::LocalNames,
    task: AdaptationTask::Identifier,
    title: "Local names",
    summary: "a method with a local that is used again; all uses are hidden together",
    placeholder: "<VAR>",
    options: &[
        OptionSpec {
            name: "unit",
            help: "What one instance is",
            choices: &[
                choice("method", "The method: all locals together"),
                choice("variable", "Each variable"),
            ],
            default: "method",
            many: false,
        },
        OptionSpec {
            name: "parameters",
            help: "Whether parameters are hidden too",
            choices: NO_YES,
            default: "no",
            many: false,
        },
        OptionSpec {
            name: "comprehensions",
            help: "Whether variables of comprehensions are hidden",
            choices: &[YES, NO],
            default: "yes",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let receiver = cx.receiver(method).and_then(|id| cx.scopes.lookup(id));
    // The instance of each variable, numbered in the order of their first masked use.
    let mut orders: Vec<Option<u32>> = vec![None; cx.scopes.n_variables()];
    let mut n_known = 0;
    for id in cx.in_reach(method) {
        let Some(found) = cx.scopes.lookup(id) else {
            continue;
        };
        let Meaning::Bound(symbol) = cx.meaning(id) else {
            looks.leave(cx, id, "an import");
            continue;
        };
        let scope = cx.scopes.kind(found.scope);
        if symbol.is_parameter() && (looks.chose("parameters", "no") || Some(found) == receiver) {
            looks.leave(cx, id, "a parameter");
        } else if scope == ScopeKind::Class {
            looks.leave(cx, id, "a name of a class body");
        } else if !symbol.is_variable() && !symbol.is_parameter() {
            looks.leave(cx, id, "a nested function or class");
        } else if scope == ScopeKind::Comprehension && looks.chose("comprehensions", "no") {
            looks.leave(cx, id, "a variable of a comprehension");
        } else if is_declaration(cx, id, &symbol.bindings) {
            looks.leave(cx, id, "the first binding of the variable");
        } else {
            let order = *orders[found.index].get_or_insert_with(|| {
                n_known += 1;
                n_known - 1
            });
            let group = if looks.chose("unit", "variable") {
                Looks::numbered(order)
            } else {
                Looks::together()
            };
            looks.mask(cx, id, group, "a use of a local");
        }
    }
}

fn is_declaration(
    cx: &RuleCx<'_>,
    id: NodeId,
    bindings: &[(NodeId, crate::syntax::scope::Binding)],
) -> bool {
    matches!(cx.role(id), Some(Role::Bind(_)))
        && bindings.first().is_some_and(|&(first, _)| first == id)
}
