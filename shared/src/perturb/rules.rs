//! The ten rules, in the paper's order. To add one: its file, its line here, its `RuleId`.

mod assignments;
mod conditions;
mod constants;
mod context_names;
mod library_calls;
mod local_names;
mod operators;
mod parameters;
mod returns;
mod third_party;

mod builtins;

pub(crate) use self::builtins::is_builtin;

use crate::perturb::options::{Choice, choice};
use crate::perturb::rule::Rule;

/// All rules; a rule's place is its number less one.
pub static ALL: [Rule; 10] = [
    parameters::RULE,
    returns::RULE,
    constants::RULE,
    operators::RULE,
    assignments::RULE,
    conditions::RULE,
    library_calls::RULE,
    context_names::RULE,
    local_names::RULE,
    third_party::RULE,
];

const INFILL: &str = "<INFILL>";

const NO: Choice = choice("no", "No");
const YES: Choice = choice("yes", "Yes");
const NO_YES: &[Choice] = &[NO, YES];
