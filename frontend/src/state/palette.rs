//! What the palette finds: pages, benchmarks, methods, rules, actions.

use shared::perturb::RULES;
use shared::subject::DatasetId;

use crate::page::Page;
use crate::state::opened::Opened;
use crate::state::shortcuts::{self, Action};
use crate::worker::protocol::DatasetEntry;

/// How many finds are shown.
pub(crate) const SHOWN: usize = 40;

/// What the palette looks through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Scope {
    #[default]
    Everything,
    Methods,
}

/// A thing to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub(crate) label: String,
    /// What sort of thing it is: `method`.
    pub(crate) sort: &'static str,
    pub(crate) target: Target,
    /// The label in lower case.
    key: String,
}

/// What choosing an item does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Open(Page),
    Do(Action),
}

impl Item {
    fn new(label: impl Into<String>, sort: &'static str, target: Target) -> Self {
        let label = label.into();
        Self {
            key: label.to_lowercase(),
            label,
            sort,
            target,
        }
    }
}

/// Everything that can be found now, the most general first.
pub(crate) fn items(scope: Scope, datasets: &[DatasetEntry], opened: Option<&Opened>) -> Vec<Item> {
    let mut items = Vec::new();
    if scope == Scope::Everything {
        let can_do = |shortcut: &&shortcuts::Shortcut| {
            shortcut.action != Action::OpenPalette && shortcuts::is_available(shortcut.action)
        };
        let to_do = shortcuts::ALL.iter().filter(can_do);
        items.extend(
            to_do.map(|shortcut| Item::new(shortcut.label, "action", Target::Do(shortcut.action))),
        );
        let mut open =
            |label: &str, sort, page| items.push(Item::new(label, sort, Target::Open(page)));
        open("Benchmarks", "page", Page::Benchmarks);
        open("Diff of two Python files", "page", Page::Diff);
        open("Help", "page", Page::Help);
        open("Settings", "page", Page::Settings);
        for entry in datasets {
            open(
                &entry.card.name,
                "benchmark",
                Page::Subjects(entry.card.id.clone()),
            );
        }
        if let Some(opened) = opened {
            let card = &opened.entry.card;
            open(
                &format!("Perturb all of {}", card.name),
                "page",
                Page::PerturbAll(card.id.clone()),
            );
            open(
                &format!("Identify variants of {}", card.name),
                "page",
                Page::Identify(card.id.clone()),
            );
            open(
                &format!("Check references of {}", card.name),
                "page",
                Page::References(card.id.clone()),
            );
        }
        for rule in &RULES {
            let label = format!("Rule {}: {}", rule.id.number(), rule.title);
            open(&label, "help", Page::HelpOn(rule.id.slug().to_owned()));
        }
    }
    if let Some(opened) = opened {
        items.extend(methods(opened, &opened.entry.card.id));
    }
    items
}

fn methods<'a>(opened: &'a Opened, dataset: &'a DatasetId) -> impl Iterator<Item = Item> + 'a {
    opened.index.iter().map(move |row| {
        let page = Page::Workbench(dataset.clone(), row.id.clone());
        Item::new(row.id.as_str(), "method", Target::Open(page))
    })
}

/// The items that hold all words of `wanted`; those that begin with it come first, then those in which a
/// name begins with it.
pub(crate) fn search(items: &[Item], wanted: &str) -> Vec<Item> {
    let wanted = wanted.trim().to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let rank = |item: &Item| {
        if item.key.starts_with(&wanted) {
            0
        } else if item
            .key
            .split(|c: char| !c.is_alphanumeric())
            .any(|part| part.starts_with(&wanted))
        {
            1
        } else {
            2
        }
    };
    let mut found: Vec<&Item> = items
        .iter()
        .filter(|item| words.iter().all(|word| item.key.contains(word)))
        .collect();
    found.sort_by_key(|item| rank(item));
    found.into_iter().take(SHOWN).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &str, expected: &[&str]) {
        let items: Vec<Item> = ["Settings", "ReadingStats.reset", "Stack.set", "Help"]
            .map(|label| Item::new(label, "page", Target::Open(Page::Help)))
            .to_vec();
        let found: Vec<String> = search(&items, wanted)
            .into_iter()
            .map(|item| item.label)
            .collect();
        assert_eq!(found, expected, "{wanted}");
    }

    #[test]
    fn what_begins_with_the_words_comes_first() {
        check("set", &["Settings", "Stack.set", "ReadingStats.reset"]);
        check("sta res", &["ReadingStats.reset"]);
        check("HELP", &["Help"]);
        check("nothing", &[]);
    }

    #[test]
    fn pages_and_rules_are_always_there() {
        let items = items(Scope::Everything, &[], None);
        assert!(
            items
                .iter()
                .any(|item| item.target == Target::Open(Page::Settings))
        );
        assert_eq!(items.iter().filter(|item| item.sort == "help").count(), 10);
    }
}
