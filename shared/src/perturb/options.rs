//! The rules' free choices: named, with the specification's defaults.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::perturb::{RULES, RuleId};

/// A free choice of a rule.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its name within the rule; `rule.name` in full.
    pub name: &'static str,
    /// What is chosen, for a reader.
    pub help: &'static str,
    /// What can be chosen.
    pub choices: &'static [Choice],
    /// The specification's choice; several are joined with `,` where `many`.
    pub default: &'static str,
    /// Whether a set of choices is meant.
    pub many: bool,
}

/// One possible value of an option.
#[derive(Debug)]
pub struct Choice {
    /// As written in options.
    pub value: &'static str,
    /// For a reader.
    pub label: &'static str,
}

/// A choice of an option.
pub(super) const fn choice(value: &'static str, label: &'static str) -> Choice {
    Choice { value, label }
}

/// Why an option was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No rule has it.
    #[error("no option {0}; known: {1}")]
    Unknown(String, String),
    /// The option has other values.
    #[error("option {0} cannot be {1}; choose {2}")]
    Value(String, String, String),
}

/// A choice for every option; starts from the specification's.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleOptions {
    /// Only what differs from the default, by full name.
    changed: BTreeMap<String, String>,
}

impl RuleOptions {
    /// Chooses `value` for the option `rule.name`.
    pub fn set(&mut self, full_name: &str, value: &str) -> Result<(), OptionError> {
        let Some((_, spec)) = specs().find(|(rule, spec)| *full_name == spec.full_name(*rule))
        else {
            let known: Vec<String> = specs().map(|(rule, spec)| spec.full_name(rule)).collect();
            return Err(OptionError::Unknown(full_name.to_owned(), known.join(", ")));
        };
        let value = spec.checked(full_name, value)?;
        if value == spec.default {
            self.changed.remove(full_name);
        } else {
            self.changed.insert(full_name.to_owned(), value);
        }
        Ok(())
    }

    /// The value in force for the option `rule.name`; empty for an unknown one.
    pub fn get(&self, full_name: &str) -> &str {
        self.changed.get(full_name).map_or_else(
            || {
                specs()
                    .find(|(rule, spec)| *full_name == spec.full_name(*rule))
                    .map_or("", |(_, spec)| spec.default)
            },
            String::as_str,
        )
    }

    /// The whole option set of a rule: name (without the rule) and value in force.
    pub fn of(&self, rule: RuleId) -> BTreeMap<String, String> {
        rule.rule()
            .options
            .iter()
            .map(|spec| {
                let value = self
                    .changed
                    .get(&spec.full_name(rule))
                    .map_or(spec.default, String::as_str);
                (spec.name.to_owned(), value.to_owned())
            })
            .collect()
    }

    /// What differs from the specification's defaults, as `rule.name` and value.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.changed
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl OptionSpec {
    /// `rule.name`.
    pub fn full_name(&self, rule: RuleId) -> String {
        format!("{}.{}", rule.slug(), self.name)
    }

    fn checked(&self, full_name: &str, value: &str) -> Result<String, OptionError> {
        let known = |wanted: &str| self.choices.iter().any(|choice| choice.value == wanted);
        let wanted: Vec<&str> = if self.many {
            value
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .collect()
        } else {
            vec![value.trim()]
        };
        if wanted.is_empty() || !wanted.iter().all(|part| known(part)) {
            let names: Vec<&str> = self.choices.iter().map(|choice| choice.value).collect();
            let choices = names.join(if self.many { "," } else { " or " });
            return Err(OptionError::Value(
                full_name.to_owned(),
                value.to_owned(),
                choices,
            ));
        }
        // In the table's order, so that equal sets are equal text.
        let chosen = self
            .choices
            .iter()
            .map(|choice| choice.value)
            .filter(|choice| wanted.contains(choice));
        Ok(chosen.collect::<Vec<_>>().join(","))
    }
}

/// All options of all rules.
fn specs() -> impl Iterator<Item = (RuleId, &'static OptionSpec)> {
    RULES
        .iter()
        .flat_map(|rule| rule.options.iter().map(move |spec| (rule.id, spec)))
}
