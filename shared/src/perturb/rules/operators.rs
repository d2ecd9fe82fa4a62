//! R4: hides every operator.
//!
//! ## What it hides
//! Arithmetic, bit, comparison, boolean, unary and augmented operators, all together. Each operator of
//! a chained comparison is a place; `not in` and `is not` are one place even over two lines.
//!
//! ## Why a model guesses wrong
//! Adding a flag looks like `+` until one sees that the class keeps bits, which wants `|`.
//!
//! ## Example
//! ```text
//! return states | stat
//! return states <INFILL> stat
//! ```
//!
//! ## Leaves alone
//! `=`, `:=`, `for … in`, `*` and `**` of arguments, `->`, `.`, `|` in patterns and annotations, the
//! words of a conditional expression.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Group, Looks, Rule, RuleCx, RuleId};
use crate::perturb::rules::INFILL;
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Operators,
    task: AdaptationTask::Functionality,
    title: "Operators",
    summary: "a method with an operator; all its operators are hidden together",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "unit",
            help: "What one instance is",
            choices: &[
                choice("method", "The method: all operators together"),
                choice("group", "Each group: arithmetic, comparison, boolean"),
                choice("node", "Each kind of syntax node"),
                choice("token", "Each operator that occurs"),
                choice("operator", "Each place"),
            ],
            default: "method",
            many: false,
        },
        OptionSpec {
            name: "kinds",
            help: "Which operators are hidden",
            choices: &[
                choice("binary", "arithmetic and bit"),
                choice("comparison", "comparison"),
                choice("boolean", "and, or"),
                choice("not", "not"),
                choice("augmented", "augmented (+=)"),
                choice("unary", "unary (-x)"),
            ],
            default: "binary,comparison,boolean,not,augmented,unary",
            many: true,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    for id in cx.tree.subtree(method) {
        let Some(kind) = operator(cx, id) else {
            if let Some(what) = look_alike(cx, id) {
                looks.leave(cx, id, what);
            }
            continue;
        };
        if let Some(what) = cx.out_of_reach(id) {
            looks.leave(cx, id, what);
            continue;
        }
        if !looks.chose("kinds", kind) {
            looks.leave(cx, id, "not among the chosen kinds");
            continue;
        }
        let group = match looks.option("unit") {
            "group" => match kind {
                "comparison" => Looks::by_label(1, "comparison"),
                "boolean" | "not" => Looks::by_label(2, "boolean"),
                _ => Looks::by_label(0, "arithmetic"),
            },
            "node" => node_group(kind),
            "token" => looks.by_text(&words(cx, id)),
            "operator" => looks.alone(None),
            _ => Looks::together(),
        };
        // The token's own name would tell what is hidden.
        let holder = cx
            .tree
            .parent(id)
            .map_or("operator", |parent| cx.tree.node(parent).name);
        looks.mask_span(cx.tree.span(id), holder, group, "an operator");
    }
}

/// The kind of the operator that a token is.
fn operator(cx: &RuleCx<'_>, token: NodeId) -> Option<&'static str> {
    if cx.tree.kind(token) != Kind::Token {
        return None;
    }
    let parent = cx.tree.parent(token)?;
    let node = cx.tree.node(token);
    Some(match cx.tree.kind(parent) {
        Kind::BinaryOperator if node.field == Some("operator") => "binary",
        Kind::AugmentedAssignment if node.field == Some("operator") => "augmented",
        Kind::UnaryOperator if node.field == Some("operator") => "unary",
        Kind::BooleanOperator if node.field == Some("operator") => "boolean",
        Kind::NotOperator if node.name == "not" => "not",
        Kind::ComparisonOperator if node.field == Some("operators") => "comparison",
        _ => return None,
    })
}

/// What a token is that is written like an operator.
fn look_alike(cx: &RuleCx<'_>, token: NodeId) -> Option<&'static str> {
    let parent = cx.tree.parent(token)?;
    if cx.tree.kind(token) != Kind::Token || cx.out_of_reach(token).is_some() {
        return None;
    }
    Some(match (cx.tree.node(token).name, cx.tree.kind(parent)) {
        ("in", Kind::ForStatement | Kind::ForInClause) => "the `in` of a `for`",
        ("=", Kind::Assignment) => "binds a name",
        (":=", _) => "binds a name in an expression",
        ("|", _) => "separates alternatives of a pattern",
        ("->", _) => "announces the return annotation",
        ("*" | "**", _) => "collects or spreads arguments",
        _ => return None,
    })
}

fn node_group(kind: &'static str) -> Group {
    let kinds = [
        "binary",
        "comparison",
        "boolean",
        "not",
        "augmented",
        "unary",
    ];
    let order = (0..)
        .zip(kinds)
        .find(|&(_, other)| other == kind)
        .map_or(0, |(order, _)| order);
    Looks::by_label(order, kind)
}

/// The operator with single blanks, so that `not` and `in` on two lines are the same operator.
fn words(cx: &RuleCx<'_>, id: NodeId) -> String {
    cx.tree
        .text(id)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
