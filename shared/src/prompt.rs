//! What a model is asked (CtxBugGen, sections 3.3, 4.1 and 4.3), as data: messages with their roles.
//!
//! A [`Strategy`] is a way to ask; the table of all is [`STRATEGIES`]. The wording is our own, not that of the
//! paper's authors, so it travels with every output as the prompt's [hash](Prompt::hash). With
//! [`Names::Hidden`] the prompt carries the names that it hides, for the reply.
//!
//! To add a strategy: its [`StrategyId`] and its line in `strategies.rs`, and a fixture of its name.

mod strategies;
mod tokens;

pub use self::strategies::{ALL as STRATEGIES, Shown, Strategy, StrategyId};
pub use self::tokens::estimate as estimate_tokens;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::case::{Case, Condition};
use crate::dataset::sha256_hex;
pub use crate::llm::{Message, Role};
use crate::obfuscate::Obfuscator;
use crate::perturb::{Perturbation, RuleId};
use crate::relation::without_method;
use crate::subject::{ClassItem, MethodContext, Subject};
use crate::text::{Span, TextEdit, apply_edits};

/// What stands in a place that a model is to fill when it adapts a method.
pub const INFILL: &str = "<INFILL>";
/// Opens a place that is to get a bug.
pub const START: &str = "<START>";
/// Closes it.
pub const END: &str = "<END>";

/// Whether a prompt shows the benchmark's names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Names {
    /// Aliases stand for them: of the method's own map for generation, of the class's for adaptation.
    #[default]
    Hidden,
    /// As they are.
    Shown,
}

/// What a model is asked, ready to be sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Prompt {
    /// The way of asking.
    pub strategy: StrategyId,
    /// Which code is to be adapted; absent where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// Alias to original, as the lines of variants and samples have them; empty where nothing is hidden.
    pub names: BTreeMap<String, String>,
}

impl Prompt {
    /// SHA-256 of the messages as JSON, hexadecimal: equal for what a model cannot tell apart.
    pub fn hash(&self) -> String {
        let messages = serde_json::to_vec(&self.messages).unwrap_or_default();
        sha256_hex(&messages)
    }

    /// About how many tokens the messages are: [`estimate_tokens`] of each, and four for its frame.
    pub fn estimated_tokens(&self) -> usize {
        let messages = self.messages.iter();
        messages.map(|it| estimate_tokens(&it.text) + 4).sum()
    }

    /// The whole prompt as a person reads it: each message under its role.
    pub fn text(&self) -> String {
        let messages = self
            .messages
            .iter()
            .map(|message| format!("[{}]\n{}", message.role.slug(), message.text));
        messages.collect::<Vec<_>>().join("\n\n")
    }
}

/// A method in its class, which all prompts are about.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The class.
    pub class: &'a ClassItem,
    /// The method.
    pub subject: &'a Subject,
    /// What is around it.
    pub context: &'a MethodContext,
}

/// What a strategy works on.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// A perturbation, whose places are to be filled.
    Fill(&'a Perturbation),
    /// A case, in whose places other bugs are to be put; its perturbation says where they are.
    Implant(&'a Perturbation, &'a Case),
    /// A code, which is to be adapted to the class.
    Adapt(Reused<'a>),
    /// Nothing but the requirement.
    Write,
}

/// The code that is to be adapted: a case under one of the four [`Condition`]s.
#[derive(Clone, Copy, Debug)]
pub enum Reused<'a> {
    /// The case's method.
    CtxBug(&'a Case),
    /// The right method with gaps where the case differs, in places of its perturbation.
    Infill(&'a Perturbation, &'a Case),
    /// The right method with isolated bugs, which a model put there.
    IsolatedBug(&'a str),
    /// The right method.
    Reference,
}

impl Reused<'_> {
    /// Which of the four it is.
    pub const fn condition(&self) -> Condition {
        match self {
            Self::CtxBug(_) => Condition::CtxBug,
            Self::Infill(..) => Condition::Infill,
            Self::IsolatedBug(_) => Condition::IsolatedBug,
            Self::Reference => Condition::Reference,
        }
    }
}

/// Why there is no prompt.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PromptError {
    /// The strategy works on something else.
    #[error("strategy {0} cannot ask for this; it needs {1}")]
    OtherTask(StrategyId, &'static str),
    /// The case has a place that its perturbation has not.
    #[error(
        "the case has a bug at site {site}, but its perturbation has {n_sites} sites; were they made with other options?"
    )]
    NoSite {
        /// Which, from 0.
        site: u32,
        /// How many there are.
        n_sites: usize,
    },
}

/// What a model is to be told of a target and a task by a strategy.
pub fn prompt(
    strategy: StrategyId,
    target: Target<'_>,
    task: Task<'_>,
    names: Names,
) -> Result<Prompt, PromptError> {
    let how = strategy.strategy();
    if !how.takes(&task) {
        return Err(PromptError::OtherTask(strategy, how.needs()));
    }
    let Target {
        class,
        subject,
        context,
    } = target;
    let (source, places) = code(subject, &task)?;
    let rest = how.shows_class().then(|| {
        let rest = without_method(&class.source, &class.name, &subject.method);
        rest.text
    });
    let mut hider = (names == Names::Hidden).then(|| {
        if how.shows_class() {
            let also = [source, &subject.source, &subject.requirement];
            Obfuscator::of_class(class, context, &also)
        } else {
            Obfuscator::of_method(class, subject, context)
        }
    });
    let code = match &mut hider {
        Some(hider) => hider.template(source, &places),
        None => apply_edits(source, &places),
    };
    let (requirement, rest) = match &mut hider {
        Some(hider) => (
            hider.requirement(subject),
            rest.map(|rest| hider.module(&rest)),
        ),
        None => (subject.requirement.clone(), rest),
    };
    let forbidden = match task {
        Task::Fill(perturbation) if perturbation.rule == RuleId::ThirdParty => {
            subject.libraries.as_slice()
        }
        _ => &[],
    };
    let class_name = &class.name;
    let shown_name = match &mut hider {
        Some(hider) => hider.module(class_name),
        None => class_name.clone(),
    };
    let shown = Shown {
        requirement: &requirement,
        code: &code,
        placeholder: placeholder(&task),
        class: rest.as_deref().unwrap_or_default(),
        class_name: &shown_name,
        forbidden,
    };
    Ok(Prompt {
        strategy,
        condition: match task {
            Task::Adapt(reused) => Some(reused.condition()),
            _ => None,
        },
        messages: vec![
            Message {
                role: Role::System,
                text: how.system.to_owned(),
            },
            Message {
                role: Role::User,
                text: how.user(&shown),
            },
        ],
        names: hider
            .map(|hider| hider.names().originals())
            .unwrap_or_default(),
    })
}

/// The code that a task shows, and what stands in places of it.
fn code<'a>(
    subject: &'a Subject,
    task: &Task<'a>,
) -> Result<(&'a str, Vec<TextEdit>), PromptError> {
    let source = subject.source.as_str();
    Ok(match task {
        Task::Fill(perturbation) => {
            let sites = perturbation.sites.iter();
            let places = sites.map(|site| TextEdit {
                span: site.span,
                text: site.placeholder.clone(),
            });
            (source, places.collect())
        }
        Task::Implant(perturbation, case) => {
            let mut places = Vec::new();
            for span in bug_places(perturbation, case)? {
                for (at, text) in [(span.start, START), (span.end, END)] {
                    places.push(TextEdit {
                        span: Span::new(at, at),
                        text: text.to_owned(),
                    });
                }
            }
            (source, places)
        }
        Task::Adapt(Reused::CtxBug(case)) => (&case.method, Vec::new()),
        Task::Adapt(Reused::Infill(perturbation, case)) => {
            let places = bug_places(perturbation, case)?.into_iter();
            let places = places.map(|span| TextEdit {
                span,
                text: INFILL.to_owned(),
            });
            (source, places.collect())
        }
        Task::Adapt(Reused::IsolatedBug(method)) => (method, Vec::new()),
        Task::Adapt(Reused::Reference) | Task::Write => (source, Vec::new()),
    })
}

/// The places of a perturbation in which a case differs, sorted.
fn bug_places(perturbation: &Perturbation, case: &Case) -> Result<Vec<Span>, PromptError> {
    let mut numbers: Vec<u32> = case.sites.iter().map(|site| site.site).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let n_sites = perturbation.sites.len();
    let spans = numbers.into_iter().map(|site| {
        let found = perturbation.sites.get(site as usize);
        found
            .map(|found| found.span)
            .ok_or(PromptError::NoSite { site, n_sites })
    });
    spans.collect()
}

/// What stands in the places that are to be filled; empty where there are none.
fn placeholder<'a>(task: &Task<'a>) -> &'a str {
    match task {
        Task::Fill(perturbation) => perturbation
            .sites
            .first()
            .map_or(INFILL, |site| site.placeholder.as_str()),
        Task::Adapt(Reused::Infill(..)) => INFILL,
        _ => "",
    }
}

#[cfg(test)]
mod tests;
