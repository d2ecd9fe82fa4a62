//! R8: hides what the method uses of its class and module.
//!
//! ## What it hides
//! Every `self.x`, `cls.x` and `Class.x`, the bare class name, and every function, class or variable of
//! the module, all together; a call of one is hidden whole.
//!
//! ## Why a model guesses wrong
//! Without the class nobody knows which fields there are and what the sibling methods already do.
//!
//! ## Example
//! ```text
//! return Demo.make(a).trim(self.items[0].name)
//! return <INFILL>.trim(<INFILL>[0].name)
//! ```
//!
//! ## Leaves alone
//! The receiver on its own, members of other objects (`other.x`), a nested function's own `self`.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Looks, Meaning, Rule, RuleCx, RuleId};
use crate::perturb::rules::{INFILL, NO_YES};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::ContextNames,
    task: AdaptationTask::Identifier,
    title: "Context names",
    summary: "a method that uses its class's members; all uses are hidden together",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "unit",
            help: "What one instance is",
            choices: &[
                choice("method", "The method: all uses together"),
                choice("sort", "Fields and methods apart"),
                choice("name", "Each name"),
            ],
            default: "method",
            many: false,
        },
        OptionSpec {
            name: "members",
            help: "Which names are hidden",
            choices: &[
                choice("field", "fields"),
                choice("method", "methods, the class, the module's names"),
            ],
            default: "field,method",
            many: true,
        },
        OptionSpec {
            name: "call",
            help: "What is hidden of a call of a member",
            choices: &[
                choice("whole", "The whole call"),
                choice("callee", "Only the callee"),
            ],
            default: "whole",
            many: false,
        },
        OptionSpec {
            name: "other_instances",
            help: "Whether members of another instance (order.total) count",
            choices: NO_YES,
            default: "no",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    let receiver = cx.receiver(method).and_then(|id| cx.scopes.lookup(id));
    let parameters = cx.tree.field(method, "parameters");
    for id in cx.in_reach(method).filter(|&id| cx.scopes.is_name(id)) {
        let name = cx.tree.text(id);
        if cx.tree.field(method, "name") == Some(id)
            || parameters.is_some_and(|list| cx.tree.parent(id) == Some(list))
        {
            continue;
        }
        let attribute = cx.tree.parent(id).filter(|&parent| {
            cx.tree.kind(parent) == Kind::Attribute && cx.tree.node(id).field == Some("object")
        });
        if receiver.is_some() && cx.scopes.lookup(id) == receiver {
            match attribute {
                Some(member) => mask(cx, looks, member, "a member of the class"),
                None => looks.leave(cx, id, "the receiver on its own"),
            }
            continue;
        }
        match (cx.meaning(id), attribute) {
            (Meaning::Free, Some(member)) if name == cx.context.class_name => {
                mask(cx, looks, member, "a member of the class");
            }
            (Meaning::Free, _) if name == cx.context.class_name => mask(cx, looks, id, "the class"),
            (Meaning::Free, _) if cx.context.globals.iter().any(|global| global == name) => {
                mask(cx, looks, id, "a name of the module");
            }
            (Meaning::Free, _) if cx.scopes.is_declared_global(id) => {
                mask(cx, looks, id, "declared global in the method");
            }
            (Meaning::Bound(symbol), Some(member))
                if is_class_member(cx, member) && symbol.is_parameter() =>
            {
                if looks.chose("other_instances", "yes") {
                    mask(cx, looks, member, "a member of another instance");
                } else {
                    looks.leave(cx, member, "a member of another object");
                }
            }
            (Meaning::Bound(_), Some(member)) if matches!(name, "self" | "cls") => {
                looks.leave(cx, member, "the receiver of another function");
            }
            (Meaning::Bound(_), _) if cx.context.globals.iter().any(|global| global == name) => {
                looks.leave(cx, id, "a local of the method shadows the module's name");
            }
            _ => {}
        }
    }
}

fn mask(cx: &RuleCx<'_>, looks: &mut Looks, node: NodeId, reason: &'static str) {
    let name = cx.tree.field(node, "attribute").unwrap_or(node);
    let name = cx.tree.text(name);
    let call = cx.with_call(node);
    let is_among = |names: &[String]| names.iter().any(|known| known == name);
    let is_method =
        is_among(&cx.context.methods) || (call != node && !is_among(&cx.context.fields));
    let sort = if is_method || cx.tree.kind(node) != Kind::Attribute {
        "method"
    } else {
        "field"
    };
    if !looks.chose("members", sort) {
        looks.leave(cx, node, "not among the chosen members");
        return;
    }
    let group = match looks.option("unit") {
        "sort" if sort == "field" => Looks::by_label(0, "fields"),
        "sort" => Looks::by_label(1, "methods"),
        "name" => looks.by_text(name),
        _ => Looks::together(),
    };
    let place = if looks.chose("call", "whole") {
        call
    } else {
        node
    };
    looks.mask(cx, place, group, reason);
}

fn is_class_member(cx: &RuleCx<'_>, attribute: NodeId) -> bool {
    let Some(member) = cx.tree.field(attribute, "attribute") else {
        return false;
    };
    let member = cx.tree.text(member);
    cx.context
        .methods
        .iter()
        .chain(&cx.context.fields)
        .any(|name| name == member)
}
