//! R2: hides what the method returns, at every `return` together.
//!
//! ## What it hides
//! Every whole `return …` statement of the method's own scope, bare ones too.
//!
//! ## Why a model guesses wrong
//! Callers decide what comes back and in which form: a trailing separator, a copy, a sentinel.
//!
//! ## Example
//! ```text
//! return sql + ";"
//! <RETURN>
//! ```
//!
//! ## Leaves alone
//! The returns of nested functions; `yield`, which is no return.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Rule, RuleCx, RuleId};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Returns,
    task: AdaptationTask::Interface,
    title: "Returns",
    summary: "a method with a return; all its return statements are hidden together",
    placeholder: "<RETURN>",
    options: &[OptionSpec {
        name: "count",
        help: "What one instance is",
        choices: &[
            choice("any", "The method: every return together"),
            choice("valued", "The method, if some return has a value"),
            choice("each", "Each return with a value"),
        ],
        default: "any",
        many: false,
    }],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let mut own = Vec::new();
    for id in cx
        .in_reach(method)
        .filter(|&id| cx.tree.kind(id) == Kind::ReturnStatement)
    {
        let function = cx
            .tree
            .ancestors(id)
            .find(|&id| cx.tree.kind(id) == Kind::FunctionDefinition);
        if function == Some(method) {
            own.push(id);
        } else {
            looks.leave(cx, id, "returns from a nested function");
        }
    }
    let has_value = |id| cx.tree.named_children(id).next().is_some();
    let some_value = own.iter().any(|&id| has_value(id));
    for id in own {
        if looks.chose("count", "each") {
            if has_value(id) {
                looks.mask(
                    cx,
                    id,
                    looks.alone(None),
                    "a return of the method with a value",
                );
            } else {
                looks.leave(cx, id, "returns no value");
            }
        } else if some_value || looks.chose("count", "any") {
            looks.mask(cx, id, Looks::together(), "a return of the method");
        } else {
            looks.leave(cx, id, "no return of the method has a value");
        }
    }
}
