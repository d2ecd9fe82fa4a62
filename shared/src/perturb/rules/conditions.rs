//! R6: hides one condition.
//!
//! ## What it hides
//! The condition of an `if`, `elif`, `while`, conditional expression, comprehension `if` or match
//! guard, parentheses included.
//!
//! ## Why a model guesses wrong
//! Where a range ends, or which state counts as empty, is an agreement of the class.
//!
//! ## Example
//! ```text
//! while self.count >= self.size:
//! while <INFILL>:
//! ```
//!
//! ## Leaves alone
//! `assert` and `for`.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Rule, RuleCx, RuleId};
use crate::perturb::rules::{INFILL, NO_YES};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Conditions,
    task: AdaptationTask::Functionality,
    title: "Conditions",
    summary: "a condition; its expression is hidden",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "kinds",
            help: "Which conditions are hidden",
            choices: &[
                choice("if", "if"),
                choice("elif", "elif"),
                choice("while", "while"),
                choice("ternary", "conditional expression"),
                choice("filter", "comprehension filter"),
                choice("guard", "match guard"),
                choice("assert", "assert"),
            ],
            default: "if,elif,while,ternary,filter,guard",
            many: true,
        },
        OptionSpec {
            name: "distinct",
            help: "Whether equal conditions are one instance",
            choices: NO_YES,
            default: "no",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    for id in cx.in_reach(method) {
        let Some((kind, condition)) = condition(cx, id) else {
            continue;
        };
        if !looks.chose("kinds", kind) {
            let reason = if kind == "assert" {
                "an assert is no branch"
            } else {
                "not among the chosen kinds"
            };
            looks.leave(cx, condition, reason);
            continue;
        }
        let group = if looks.chose("distinct", "yes") {
            looks.by_text(cx.tree.text(condition))
        } else {
            looks.alone(Some(kind))
        };
        looks.mask(cx, condition, group, "a condition");
    }
}

fn condition(cx: &RuleCx<'_>, id: NodeId) -> Option<(&'static str, NodeId)> {
    let (kind, condition) = match cx.tree.kind(id) {
        Kind::IfStatement => ("if", cx.tree.field(id, "condition")),
        Kind::ElifClause => ("elif", cx.tree.field(id, "condition")),
        Kind::WhileStatement => ("while", cx.tree.field(id, "condition")),
        Kind::ConditionalExpression => ("ternary", cx.tree.named_children(id).nth(1)),
        Kind::IfClause => {
            let parent = cx.tree.parent(id).map(|parent| cx.tree.kind(parent));
            let kind = if parent == Some(Kind::CaseClause) {
                "guard"
            } else {
                "filter"
            };
            (kind, cx.tree.named_children(id).next())
        }
        Kind::AssertStatement => ("assert", cx.tree.named_children(id).next()),
        _ => return None,
    };
    Some((kind, condition?))
}
