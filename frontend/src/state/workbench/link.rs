//! What a link to the workbench restores: the view in the query, what the reader wrote in the hash.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shared::perturb::{RuleId, RuleOptions};

/// How the method is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Display {
    /// Its own text, editable.
    Code,
    /// One instance of one rule.
    #[default]
    Masked,
    /// All instances of several rules.
    Unified,
    /// What the reader puts in the places.
    Variant,
    /// An author's note about one place.
    Showcase,
}

/// What is shown beside the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Side {
    #[default]
    Requirement,
    Context,
    Tests,
}

/// What is shown of the chosen rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Panel {
    #[default]
    Sites,
    Why,
    Options,
}

/// Which nodes the why-list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Keep {
    #[default]
    All,
    Masked,
    Left,
}

/// How far a reader is with an author's note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Step {
    /// The place is masked: think.
    #[default]
    Masked,
    /// The plausible filling stands in it.
    Filled,
    /// What decides, and the right text.
    Explained,
}

/// The view of a subject.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ViewState {
    /// The chosen rule; `None` means the first that hides something here.
    pub(crate) rule: Option<RuleId>,
    /// Which instance of the rule, from 0.
    pub(crate) instance: u32,
    /// Which place of the instance (or of the unified view), from 0.
    pub(crate) site: usize,
    pub(crate) display: Display,
    /// The rules of the unified view; empty means the chosen one.
    pub(crate) unified: Vec<RuleId>,
    pub(crate) side: Side,
    pub(crate) panel: Panel,
    pub(crate) keep: Keep,
    /// Whether all hidden texts are shown.
    pub(crate) reveal_all: bool,
    /// Which author's note, from 0.
    pub(crate) showcase: usize,
    /// How far the reader is with it.
    pub(crate) step: Step,
    pub(crate) options: RuleOptions,
}

/// What a reader writes: it travels in a link's hash, which no server hears of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Written {
    /// The edited text of the method.
    pub(crate) edit: Option<String>,
    /// What the variant view keeps.
    pub(crate) variant: Option<String>,
}

/// Why what is written does not fit a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong;

/// The most characters of a hash.
const MAX_HASH: usize = 8 << 10;

/// What a part of a hash holds, and in which form (version 1: base64url of UTF-8).
const EDIT_KEY: &str = "c1=";
const VARIANT_KEY: &str = "v1=";

impl Display {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Code, "code"),
        (Self::Masked, "masked"),
        (Self::Unified, "unified"),
        (Self::Variant, "variant"),
        (Self::Showcase, "showcase"),
    ];

    pub(crate) fn slug(self) -> &'static str {
        slug_of(&Self::ALL, self)
    }
}

impl Side {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Requirement, "requirement"),
        (Self::Context, "context"),
        (Self::Tests, "tests"),
    ];

    pub(crate) fn slug(self) -> &'static str {
        slug_of(&Self::ALL, self)
    }
}

impl Panel {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Sites, "sites"),
        (Self::Why, "why"),
        (Self::Options, "options"),
    ];

    pub(crate) fn slug(self) -> &'static str {
        slug_of(&Self::ALL, self)
    }
}

impl Keep {
    const ALL: [(Self, &'static str); 3] = [
        (Self::All, "all"),
        (Self::Masked, "masked"),
        (Self::Left, "left"),
    ];
}

impl Step {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Masked, "masked"),
        (Self::Filled, "filled"),
        (Self::Explained, "explained"),
    ];
}

fn slug_of<T: PartialEq>(all: &[(T, &'static str)], wanted: T) -> &'static str {
    all.iter()
        .find(|(value, _)| *value == wanted)
        .map_or("", |(_, slug)| slug)
}

fn value_of<T: Copy>(all: &[(T, &'static str)], wanted: &str) -> Option<T> {
    all.iter()
        .find(|(_, slug)| *slug == wanted)
        .map(|(value, _)| *value)
}

impl ViewState {
    /// Reads a query's pairs; what is unknown or out of range is left at its default.
    pub(crate) fn from_query<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut view = Self::default();
        for (name, value) in pairs {
            match name {
                "rule" => view.rule = value.parse().ok(),
                "i" => view.instance = value.parse().unwrap_or_default(),
                "site" => view.site = value.parse::<usize>().unwrap_or_default().saturating_sub(1),
                "view" => view.display = value_of(&Display::ALL, value).unwrap_or_default(),
                "rules" => view.unified = rules(value),
                "tab" => view.side = value_of(&Side::ALL, value).unwrap_or_default(),
                "panel" => view.panel = value_of(&Panel::ALL, value).unwrap_or_default(),
                "why" => view.keep = value_of(&Keep::ALL, value).unwrap_or_default(),
                "reveal" => view.reveal_all = value == "1",
                "showcase" => {
                    view.showcase = value.parse::<usize>().unwrap_or_default().saturating_sub(1);
                }
                "step" => view.step = value_of(&Step::ALL, value).unwrap_or_default(),
                _ => {
                    if let Some(option) = name.strip_prefix("o.") {
                        // A link of another version may name what is gone.
                        drop(view.options.set(option, value));
                    }
                }
            }
        }
        view
    }

    /// The view of the next subject: the same rule, display and options, from the first place on.
    pub(crate) fn for_another_subject(&self) -> Self {
        let display = if self.display == Display::Showcase {
            Display::Masked
        } else {
            self.display
        };
        Self {
            instance: 0,
            site: 0,
            showcase: 0,
            step: Step::Masked,
            reveal_all: false,
            display,
            ..self.clone()
        }
    }
}

/// The query without its `?`; defaults are left out. All parts are plain words: nothing needs escaping.
impl fmt::Display for ViewState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default();
        let mut parts: Vec<String> = Vec::new();
        let mut part = |name: &str, value: &dyn fmt::Display, wanted: bool| {
            if wanted {
                parts.push(format!("{name}={value}"));
            }
        };
        if let Some(rule) = self.rule {
            part("rule", &rule, true);
        }
        part("i", &self.instance, self.instance != 0);
        part("site", &(self.site + 1), self.site != 0);
        part(
            "view",
            &self.display.slug(),
            self.display != default.display,
        );
        let unified: Vec<&str> = self.unified.iter().map(|rule| rule.slug()).collect();
        part("rules", &unified.join(","), !unified.is_empty());
        part("tab", &self.side.slug(), self.side != default.side);
        part("panel", &self.panel.slug(), self.panel != default.panel);
        part(
            "why",
            &slug_of(&Keep::ALL, self.keep),
            self.keep != Keep::All,
        );
        part("reveal", &1, self.reveal_all);
        part("showcase", &(self.showcase + 1), self.showcase != 0);
        part(
            "step",
            &slug_of(&Step::ALL, self.step),
            self.step != Step::Masked,
        );
        for (name, value) in self.options.changed() {
            part(&format!("o.{name}"), &value, true);
        }
        f.write_str(&parts.join("&"))
    }
}

fn rules(list: &str) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = list
        .split(',')
        .filter_map(|slug| slug.parse().ok())
        .collect();
    rules.sort();
    rules.dedup();
    rules
}

impl Written {
    /// The hash without its `#`; `None` where nothing is written.
    pub(crate) fn hash(&self) -> Result<Option<String>, TooLong> {
        let parts = [(EDIT_KEY, &self.edit), (VARIANT_KEY, &self.variant)];
        let parts = parts.into_iter().filter_map(|(key, text)| {
            Some(key.to_owned() + &URL_SAFE_NO_PAD.encode(text.as_ref()?))
        });
        let hash = parts.collect::<Vec<_>>().join("&");
        match hash.len() {
            0 => Ok(None),
            n if n > MAX_HASH => Err(TooLong),
            _ => Ok(Some(hash)),
        }
    }

    /// Reads a hash with or without its `#`; what is none of ours is left out.
    pub(crate) fn from_hash(hash: &str) -> Self {
        let part = |key| {
            let mut parts = hash.trim_start_matches('#').split('&');
            let coded = parts.find_map(|part| part.strip_prefix(key))?;
            String::from_utf8(URL_SAFE_NO_PAD.decode(coded).ok()?).ok()
        };
        Self {
            edit: part(EDIT_KEY),
            variant: part(VARIANT_KEY),
        }
    }
}
