//! R1: hides the parameter list.
//!
//! ## What it hides
//! All parameters but the receiver (`self` or `cls`), as one place from the first to the last.
//!
//! ## Why a model guesses wrong
//! What a method takes, in which order and with which defaults is agreed with its callers; the
//! method's own body tells only part of it.
//!
//! ## Example
//! ```text
//! def draw(self, x: int, *rest, bold=False) -> None:
//! def draw(self, <INFILL>) -> None:
//! ```
//!
//! ## Leaves alone
//! The receiver, the return annotation, a trailing comma.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Rule, RuleCx, RuleId};
use crate::perturb::rules::INFILL;
use crate::syntax::{Kind, NodeId};
use crate::text::Span;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Parameters,
    task: AdaptationTask::Interface,
    title: "Parameters",
    summary: "a method with a parameter besides its receiver; the whole list is hidden",
    placeholder: INFILL,
    options: &[OptionSpec {
        name: "unit",
        help: "What one instance is",
        choices: &[
            choice("method", "The method: all parameters together"),
            choice("parameter", "Each parameter"),
        ],
        default: "method",
        many: false,
    }],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let Some(list) = cx.tree.field(method, "parameters") else {
        return;
    };
    let receiver = cx.receiver(method);
    let is_receiver = |id| receiver.is_some_and(|receiver| cx.tree.is_within(receiver, id));
    let parameters: Vec<NodeId> = cx
        .tree
        .named_children(list)
        .filter(|&id| {
            if is_receiver(id) {
                looks.leave(
                    cx,
                    id,
                    "the receiver is the same in every method of the class",
                );
            }
            !is_receiver(id)
        })
        .collect();
    if looks.chose("unit", "parameter") {
        let is_marker = |id| {
            matches!(
                cx.tree.kind(id),
                Kind::KeywordSeparator | Kind::PositionalSeparator
            )
        };
        for &id in parameters.iter().filter(|&&id| !is_marker(id)) {
            looks.mask(cx, id, looks.alone(None), "a parameter");
        }
    } else if let (Some(&first), Some(&last)) = (parameters.first(), parameters.last()) {
        let span = Span::new(cx.tree.span(first).start, cx.tree.span(last).end);
        looks.mask_span(
            span,
            "parameters",
            Looks::together(),
            "all parameters besides the receiver",
        );
    }
}
