//! R5: hides the right side of one assignment.
//!
//! ## What it hides
//! The whole right-hand side of an assignment statement: `=`, annotated or not. In `a = b = v` only
//! `v`.
//!
//! ## Why a model guesses wrong
//! What a variable should hold follows from how the class goes on with it: an index past the end or
//! the last one, a copy or the thing itself.
//!
//! ## Example
//! ```text
//! last = (self.head - 1) % self.size
//! last = <INFILL>
//! ```
//!
//! ## Leaves alone
//! Augmented assignments, `:=`, keyword arguments, default values, `for` targets, annotations without a
//! value.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Rule, RuleCx, RuleId};
use crate::perturb::rules::{INFILL, NO_YES};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Assignments,
    task: AdaptationTask::Functionality,
    title: "Assignments",
    summary: "an assignment statement with a value; its right-hand side is hidden",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "augmented",
            help: "Whether augmented assignments (+=) count",
            choices: NO_YES,
            default: "no",
            many: false,
        },
        OptionSpec {
            name: "chained",
            help: "What is hidden in a = b = v",
            choices: &[
                choice("value", "Only the value, once"),
                choice("each", "Each link is an instance"),
            ],
            default: "value",
            many: false,
        },
        OptionSpec {
            name: "distinct",
            help: "Whether equal right-hand sides are one instance",
            choices: NO_YES,
            default: "no",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    for id in cx.in_reach(method) {
        let kind = cx.tree.kind(id);
        match kind {
            Kind::Assignment | Kind::AugmentedAssignment => {}
            Kind::NamedExpression => {
                looks.leave(cx, id, "`:=` is an expression, no statement");
                continue;
            }
            _ => continue,
        }
        let Some(value) = cx.tree.field(id, "right") else {
            looks.leave(cx, id, "declares a type and gives no value");
            continue;
        };
        let is_link = matches!(
            cx.tree.kind(value),
            Kind::Assignment | Kind::AugmentedAssignment
        );
        if kind == Kind::AugmentedAssignment && looks.chose("augmented", "no") {
            looks.leave(cx, id, "augmented assignments are left out");
        } else if is_link && looks.chose("chained", "value") {
            looks.leave(
                cx,
                id,
                "a link of a chained assignment; its value is hidden once",
            );
        } else {
            let group = if looks.chose("distinct", "yes") {
                looks.by_text(cx.tree.text(value))
            } else {
                looks.alone(None)
            };
            looks.mask(cx, value, group, "the right-hand side of an assignment");
        }
    }
}
