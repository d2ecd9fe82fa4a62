//! Every keyboard shortcut, in one table: the handler, the sheet and the palette all read it.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use shared::perturb::RuleId;

/// Something that a key or the palette starts. A page that can do it registers it with [`on`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    OpenPalette,
    OpenShortcutSheet,
    GoTo,
    Search,
    NextRow,
    PreviousRow,
    UpOneLevel,
    ToggleTheme,
    NextSite,
    PreviousSite,
    ToggleHidden,
    RunTests,
    Rule(RuleId),
}

/// Where the sheet lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    Everywhere,
    Lists,
    Workbench,
}

impl Group {
    pub(crate) const ALL: [Self; 3] = [Self::Everywhere, Self::Lists, Self::Workbench];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Lists => "Benchmark and method lists",
            Self::Workbench => "Workbench and diff",
        }
    }
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcut {
    pub(crate) action: Action,
    pub(crate) group: Group,
    /// As the browser names the key; `mod+` is Ctrl or Cmd. Empty: palette only.
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
}

const fn row(group: Group, key: &'static str, action: Action, label: &'static str) -> Shortcut {
    Shortcut {
        action,
        group,
        key,
        label,
    }
}

/// All shortcuts, in the sheet's order.
pub(crate) const ALL: [Shortcut; 22] = [
    row(
        Group::Everywhere,
        "mod+k",
        Action::OpenPalette,
        "Find a page, a method, a rule or an action",
    ),
    row(
        Group::Everywhere,
        "?",
        Action::OpenShortcutSheet,
        "Show all shortcuts",
    ),
    row(Group::Everywhere, "g", Action::GoTo, "Go to a method…"),
    row(
        Group::Everywhere,
        "Escape",
        Action::UpOneLevel,
        "Close what is open, or go up one level",
    ),
    row(
        Group::Everywhere,
        "",
        Action::ToggleTheme,
        "Switch between light and dark",
    ),
    row(Group::Lists, "/", Action::Search, "Search"),
    row(Group::Lists, "j", Action::NextRow, "Next method"),
    row(Group::Lists, "k", Action::PreviousRow, "Previous method"),
    row(
        Group::Workbench,
        "n",
        Action::NextSite,
        "Next hidden place, next edit of a diff",
    ),
    row(
        Group::Workbench,
        "p",
        Action::PreviousSite,
        "Previous hidden place, previous edit of a diff",
    ),
    row(
        Group::Workbench,
        "x",
        Action::ToggleHidden,
        "Reveal or hide what is hidden",
    ),
    row(Group::Workbench, "t", Action::RunTests, "Run the tests"),
    row(
        Group::Workbench,
        "1",
        Action::Rule(RuleId::Parameters),
        "Rule 1: parameters",
    ),
    row(
        Group::Workbench,
        "2",
        Action::Rule(RuleId::Returns),
        "Rule 2: returns",
    ),
    row(
        Group::Workbench,
        "3",
        Action::Rule(RuleId::Constants),
        "Rule 3: constants",
    ),
    row(
        Group::Workbench,
        "4",
        Action::Rule(RuleId::Operators),
        "Rule 4: operators",
    ),
    row(
        Group::Workbench,
        "5",
        Action::Rule(RuleId::Assignments),
        "Rule 5: assignments",
    ),
    row(
        Group::Workbench,
        "6",
        Action::Rule(RuleId::Conditions),
        "Rule 6: conditions",
    ),
    row(
        Group::Workbench,
        "7",
        Action::Rule(RuleId::LibraryCalls),
        "Rule 7: library calls",
    ),
    row(
        Group::Workbench,
        "8",
        Action::Rule(RuleId::ContextNames),
        "Rule 8: names of the class",
    ),
    row(
        Group::Workbench,
        "9",
        Action::Rule(RuleId::LocalNames),
        "Rule 9: local names",
    ),
    row(
        Group::Workbench,
        "0",
        Action::Rule(RuleId::ThirdParty),
        "Rule 10: uses of libraries",
    ),
];

impl Shortcut {
    /// Whether it is a key alone, which a user can switch off.
    pub(crate) fn is_single(&self) -> bool {
        !self.key.is_empty() && !self.key.starts_with("mod+") && self.key != "Escape"
    }

    /// The keys to press, for a reader.
    pub(crate) fn keys(&self, is_apple: bool) -> Vec<String> {
        match self.key.strip_prefix("mod+") {
            Some(key) => vec![
                if is_apple { "⌘" } else { "Ctrl" }.to_owned(),
                key.to_ascii_uppercase(),
            ],
            None if self.key == "Escape" => vec!["Esc".to_owned()],
            None if self.key.is_empty() => Vec::new(),
            None => vec![self.key.to_owned()],
        }
    }
}

/// What is held down besides; Shift is part of the key's own name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Modifier {
    None,
    /// Ctrl or Cmd.
    Command,
    Alt,
}

/// A key press, as far as shortcuts care.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press<'a> {
    /// As the browser names the key.
    pub(crate) key: &'a str,
    pub(crate) modifier: Modifier,
    /// Whether the focus is where letters are typed.
    pub(crate) typing: bool,
    /// Whether keys alone do anything.
    pub(crate) single_keys: bool,
}

/// The action of a key press.
pub(crate) fn action_of(press: Press<'_>) -> Option<Action> {
    let found = ALL
        .iter()
        .find(|shortcut| match shortcut.key.strip_prefix("mod+") {
            Some(key) => press.modifier == Modifier::Command && press.key.eq_ignore_ascii_case(key),
            None => {
                press.modifier == Modifier::None
                    && !shortcut.key.is_empty()
                    && press.key == shortcut.key
            }
        })?;
    let off = found.is_single() && (press.typing || !press.single_keys);
    (!off).then_some(found.action)
}

type Handler = Rc<dyn Fn()>;

thread_local! {
    static HANDLERS: RefCell<Vec<(Action, u32, Handler)>> = const { RefCell::new(Vec::new()) };
}

/// Makes `handler` what `action` does, until the current owner (page, component) goes away. The last to
/// register wins.
pub(crate) fn on(action: Action, handler: impl Fn() + 'static) {
    let id = HANDLERS.with_borrow_mut(|handlers| {
        let id = handlers.iter().map(|(_, id, _)| id + 1).max().unwrap_or(0);
        handlers.push((action, id, Rc::new(handler)));
        id
    });
    on_cleanup(move || {
        HANDLERS.with_borrow_mut(|handlers| handlers.retain(|(_, other, _)| *other != id));
    });
}

/// Whether anything does `action` now.
pub(crate) fn is_available(action: Action) -> bool {
    HANDLERS.with_borrow(|handlers| handlers.iter().any(|(known, ..)| *known == action))
}

/// Does `action`; whether anything did.
pub(crate) fn run(action: Action) -> bool {
    let handler = HANDLERS.with_borrow(|handlers| {
        handlers
            .iter()
            .rev()
            .find(|(known, ..)| *known == action)
            .map(|(.., handler)| Rc::clone(handler))
    });
    // Outside the borrow: a handler may register others.
    if let Some(handler) = &handler {
        handler();
    }
    handler.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESS: Press<'_> = Press {
        key: "j",
        modifier: Modifier::None,
        typing: false,
        single_keys: true,
    };

    #[test]
    fn letters_act_only_outside_fields_and_when_switched_on() {
        assert_eq!(action_of(PRESS), Some(Action::NextRow));
        assert_eq!(
            action_of(Press {
                typing: true,
                ..PRESS
            }),
            None
        );
        assert_eq!(
            action_of(Press {
                single_keys: false,
                ..PRESS
            }),
            None
        );
        assert_eq!(
            action_of(Press {
                modifier: Modifier::Command,
                ..PRESS
            }),
            None
        );
        assert_eq!(
            action_of(Press {
                modifier: Modifier::Alt,
                ..PRESS
            }),
            None
        );
    }

    #[test]
    fn the_palette_opens_from_a_field_too() {
        let press = Press {
            key: "K",
            modifier: Modifier::Command,
            typing: true,
            single_keys: false,
        };
        assert_eq!(action_of(press), Some(Action::OpenPalette));
    }

    #[test]
    fn no_key_means_two_things() {
        let mut keys: Vec<&str> = ALL
            .iter()
            .map(|shortcut| shortcut.key)
            .filter(|key| !key.is_empty())
            .collect();
        keys.sort_unstable();
        let n = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), n);
    }
}
