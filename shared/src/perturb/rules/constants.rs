//! R3: hides all constants of one type.
//!
//! ## What it hides
//! Every token of a type that occurs: integer, float, string, true, false, none. Adjacent string
//! literals are one place; an f-string is hidden whole, numbers inside its braces belong to their type.
//!
//! ## Why a model guesses wrong
//! A flag's bit, a separator, a unit's factor or a sentinel is fixed by the class, not by the method.
//!
//! ## Example
//! ```text
//! if n == 3: return 'three'
//! if n == <INFILL>: return 'three'
//! ```
//!
//! ## Leaves alone
//! Docstrings, annotations, `...`; the sign of `-1`.

use crate::perturb::options::{OptionSpec, choice};
use crate::perturb::rule::{AdaptationTask, Group, Looks, Rule, RuleCx, RuleId};
use crate::perturb::rules::{INFILL, NO, YES};
use crate::syntax::{Kind, NodeId};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Constants,
    task: AdaptationTask::Functionality,
    title: "Constants",
    summary: "a type of constant that occurs in the method; all its constants are hidden together",
    placeholder: INFILL,
    options: &[
        OptionSpec {
            name: "types",
            help: "Which types of constants are hidden",
            choices: &[
                choice("integer", "integer"),
                choice("float", "float"),
                choice("string", "string"),
                choice("true", "True"),
                choice("false", "False"),
                choice("none", "None"),
            ],
            default: "integer,float,string,true,false,none",
            many: true,
        },
        OptionSpec {
            name: "unit",
            help: "What one instance is",
            choices: &[
                choice("type", "Each type"),
                choice("type_bool", "Each type, True and False as one"),
                choice(
                    "type_number_bool",
                    "Each type, numbers as one, True and False as one",
                ),
                choice("method", "The method: all constants together"),
                choice("constant", "Each constant"),
            ],
            default: "type",
            many: false,
        },
        OptionSpec {
            name: "defaults",
            help: "Whether default values of parameters count",
            choices: &[YES, NO],
            default: "yes",
            many: false,
        },
        OptionSpec {
            name: "f_strings",
            help: "Whether f-strings count as strings",
            choices: &[YES, NO],
            default: "yes",
            many: false,
        },
    ],
    find,
};

fn find(cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
    for id in cx.tree.subtree(method) {
        let Some((order, name)) = constant_type(cx.tree.kind(id)) else {
            continue;
        };
        if let Some(what) = cx.out_of_reach(id) {
            // A docstring's inner strings are not worth a line each.
            if cx
                .tree
                .parent(id)
                .is_none_or(|parent| constant_type(cx.tree.kind(parent)).is_none())
            {
                looks.leave(cx, id, what);
            }
            continue;
        }
        if cx
            .tree
            .parent(id)
            .is_some_and(|parent| cx.tree.kind(parent) == Kind::ConcatenatedString)
        {
            looks.leave(cx, id, "part of adjacent literals, which are one place");
        } else if !looks.chose("types", name) {
            looks.leave(cx, id, "not among the chosen types");
        } else if looks.chose("defaults", "no") && is_default(cx, id) {
            looks.leave(cx, id, "a parameter's default value");
        } else if looks.chose("f_strings", "no") && has_interpolation(cx, id) {
            looks.leave(cx, id, "an f-string");
        } else {
            looks.mask(cx, id, group(looks, order, name), "a constant of this type");
        }
    }
}

fn constant_type(kind: Kind) -> Option<(u32, &'static str)> {
    Some(match kind {
        Kind::Integer => (0, "integer"),
        Kind::Float => (1, "float"),
        Kind::String | Kind::ConcatenatedString => (2, "string"),
        Kind::True => (3, "true"),
        Kind::False => (4, "false"),
        Kind::None => (5, "none"),
        _ => return None,
    })
}

fn group(looks: &Looks, order: u32, name: &'static str) -> Group {
    match (looks.option("unit"), name) {
        ("method", _) => Looks::together(),
        ("constant", _) => looks.alone(Some(name)),
        ("type_bool" | "type_number_bool", "true" | "false") => Looks::by_label(3, "bool"),
        ("type_number_bool", "integer" | "float") => Looks::by_label(0, "number"),
        _ => Looks::by_label(order, name),
    }
}

fn is_default(cx: &RuleCx<'_>, id: NodeId) -> bool {
    std::iter::once(id).chain(cx.tree.ancestors(id)).any(|at| {
        let parent = cx.tree.parent(at).map(|parent| cx.tree.kind(parent));
        cx.tree.node(at).field == Some("value")
            && matches!(
                parent,
                Some(Kind::DefaultParameter | Kind::TypedDefaultParameter)
            )
    })
}

fn has_interpolation(cx: &RuleCx<'_>, id: NodeId) -> bool {
    cx.tree
        .subtree(id)
        .any(|id| cx.tree.kind(id) == Kind::Interpolation)
}
