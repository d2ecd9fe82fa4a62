//! The ways to ask a model. To add one: its [`StrategyId`], its line in [`ALL`], its fixture.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::prompt::{END, START, Task};

/// A way to ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrategyId {
    /// Fill the places of a perturbation.
    Infill,
    /// Put isolated bugs into marked places.
    Implant,
    /// Adapt a code to its class.
    Adapt,
    /// Say first what does not fit, then adapt.
    ExplainThenAdapt,
    /// Write the method from its requirement.
    Plain,
}

/// All strategies, in the order of their ids.
pub const ALL: [Strategy; 5] = [
    Strategy {
        id: StrategyId::Infill,
        slug: "infill",
        title: "Fill the gaps",
        summary: "requirement and masked method, no context: makes variants",
        works_on: WorksOn::Perturbation,
        system: "You complete Python methods. You are given a requirement and a method with gaps. \
                 Answer with the whole method in one fenced Python block: every gap filled, all \
                 other code exactly as given, and no text around the block.",
        user: |it| {
            let title = format!("Method, where each {} is a gap", it.placeholder);
            let forbidden = if it.forbidden.is_empty() {
                String::new()
            } else {
                let libraries = it.forbidden.join(", ");
                format!(
                    " These libraries must not be used, neither here nor by an import of your own: \
                     {libraries}. Find another way."
                )
            };
            [
                requirement(it),
                section(&title, "python", it.code),
                format!(
                    "Put code in the place of every {} so that the method meets the requirement.",
                    it.placeholder
                ),
                forbidden,
            ]
            .concat()
        },
    },
    Strategy {
        id: StrategyId::Implant,
        slug: "implant",
        title: "Plant isolated bugs",
        summary: "requirement and correct method with marked places: makes the isolated-bug baseline",
        works_on: WorksOn::Case,
        system: "You make exercises for people who learn to review Python code: you plant bugs in \
                 correct methods. Answer with the whole changed method in one fenced Python block \
                 and no text around it.",
        user: |it| {
            let title =
                format!("Correct method, with each place to change between {START} and {END}");
            let what = format!(
                "Rewrite what stands between each {START} and its {END} so that it is wrong: whoever \
                 reads only this method and its requirement must be able to see the mistake. Each \
                 change is small and looks like a slip of a programmer, and the method still parses \
                 and can be called as before. Leave all other code as it is, take the marks out, and \
                 say nothing about the mistakes, not even in a comment."
            );
            [requirement(it), section(&title, "python", it.code), what].concat()
        },
    },
    Strategy {
        id: StrategyId::Adapt,
        slug: "adapt",
        title: "Adapt",
        summary: "requirement, reused code and class: what models are tested with",
        works_on: WorksOn::Code,
        system: "You fit existing Python code into the class where it is to be used. Answer with the \
                 finished method in one fenced Python block and no text around it.",
        user: |it| {
            format!(
                "{}{}",
                to_adapt(it),
                "Answer with the method alone, not with the class."
            )
        },
    },
    Strategy {
        id: StrategyId::ExplainThenAdapt,
        slug: "explain_then_adapt",
        title: "Explain, then adapt",
        summary: "as Adapt, but the model first says what does not fit",
        works_on: WorksOn::Code,
        system: "You fit existing Python code into the class where it is to be used. You think it \
                 through in writing before you change anything.",
        user: |it| {
            to_adapt(it)
                + "First list, in a few short lines, what the existing code takes for granted and \
                   where the class or the requirement says otherwise. Then give the finished method, \
                   alone and whole, in one fenced Python block at the end."
        },
    },
    Strategy {
        id: StrategyId::Plain,
        slug: "plain",
        title: "Write from scratch",
        summary: "requirement and class, no code to start from",
        works_on: WorksOn::Nothing,
        system: "You write methods for Python classes. Answer with the method in one fenced Python \
                 block and no text around it.",
        user: |it| {
            format!(
                "{}{}Write the method for {}. Answer with the method alone, not with the class.",
                requirement(it),
                class(it),
                it.class_name
            )
        },
    },
];

/// A way to ask: data and one function.
pub struct Strategy {
    /// Which.
    pub id: StrategyId,
    /// The name used in files and options.
    pub slug: &'static str,
    /// For people.
    pub title: &'static str,
    /// What the model is given, and what it is for.
    pub summary: &'static str,
    /// The first message.
    pub system: &'static str,
    works_on: WorksOn,
    user: fn(&Shown<'_>) -> String,
}

/// What a strategy needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WorksOn {
    Perturbation,
    Case,
    Code,
    Nothing,
}

/// What a message may show, its names hidden already where they are to be.
pub struct Shown<'a> {
    /// The requirement.
    pub requirement: &'a str,
    /// The code in question.
    pub code: &'a str,
    /// What stands in its gaps; empty where it has none.
    pub placeholder: &'a str,
    /// The class without the method and its callers.
    pub class: &'a str,
    /// The class's name.
    pub class_name: &'a str,
    /// Libraries that must not be used.
    pub forbidden: &'a [String],
}

impl Strategy {
    /// Whether this is a task for it.
    pub const fn takes(&self, task: &Task<'_>) -> bool {
        matches!(
            (self.works_on, task),
            (WorksOn::Perturbation, Task::Fill(_))
                | (WorksOn::Case, Task::Implant(..))
                | (WorksOn::Code, Task::Adapt(_))
                | (WorksOn::Nothing, Task::Write)
        )
    }

    /// What it works on, in words.
    pub const fn needs(&self) -> &'static str {
        match self.works_on {
            WorksOn::Perturbation => "a perturbation",
            WorksOn::Case => "a case whose places get other bugs",
            WorksOn::Code => "a code to adapt",
            WorksOn::Nothing => "nothing but the requirement",
        }
    }

    /// Whether the model sees the class.
    pub const fn shows_class(&self) -> bool {
        matches!(self.works_on, WorksOn::Code | WorksOn::Nothing)
    }

    /// The second message.
    pub fn user(&self, shown: &Shown<'_>) -> String {
        (self.user)(shown)
    }
}

impl StrategyId {
    /// The strategy itself.
    pub const fn strategy(self) -> &'static Strategy {
        const TABLE: &[Strategy; 5] = &ALL;
        &TABLE[self as usize]
    }

    /// The name used in files and options.
    pub const fn slug(self) -> &'static str {
        self.strategy().slug
    }
}

impl fmt::Display for StrategyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl FromStr for StrategyId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = ALL.iter().find(|strategy| strategy.slug == text);
        found.map(|strategy| strategy.id).ok_or_else(|| {
            let slugs: Vec<&str> = ALL.iter().map(|strategy| strategy.slug).collect();
            format!("no strategy {text}; choose one of {}", slugs.join(", "))
        })
    }
}

fn to_adapt(it: &Shown<'_>) -> String {
    let title = if it.placeholder.is_empty() {
        "Existing code".to_owned()
    } else {
        format!("Existing code, where each {} is a gap", it.placeholder)
    };
    let what = format!(
        "The existing code was written elsewhere and may not fit {}: it may expect other names, other \
         values, other libraries. Change what has to change, and no more, so that it meets the \
         requirement as a method of this class. ",
        it.class_name
    );
    let filled = if it.placeholder.is_empty() {
        String::new()
    } else {
        format!("No {} may be left. ", it.placeholder)
    };
    let code = section(&title, "python", it.code);
    [requirement(it), code, class(it), what, filled].concat()
}

fn requirement(it: &Shown<'_>) -> String {
    section("Requirement", "", it.requirement)
}

fn class(it: &Shown<'_>) -> String {
    let title = format!("The class {} as far as it is written", it.class_name);
    section(&title, "python", it.class)
}

/// A heading and a fenced block that its text cannot close.
fn section(title: &str, language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let text = text.trim_end();
    format!("{title}:\n{fence}{language}\n{text}\n{fence}\n\n")
}
