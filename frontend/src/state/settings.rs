//! What the user chose for this browser: theme, text size, single-key shortcuts.

use leptos::prelude::*;

use crate::platform::{document, storage};
use crate::reactive::{RwSignal, effect, watch};

/// Light, dark, or what the system says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// For a desk or for a projector.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum TextSize {
    #[default]
    Normal,
    Projector,
}

/// Whether letters without a modifier do anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum SingleKeys {
    #[default]
    On,
    Off,
}

/// A setting with a fixed set of values.
pub(crate) trait Choice: Copy + PartialEq + Default + Send + Sync + 'static {
    /// Under which name it is kept.
    const KEY: &'static str;
    /// Value, its kept name, its label.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// The kept name.
    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(value, ..)| *value == self)
            .map_or("", |(_, name, _)| name)
    }

    /// The value of a kept name; the default for anything else.
    fn from_name(name: Option<&str>) -> Self {
        Self::ALL
            .iter()
            .find(|(_, known, _)| Some(*known) == name)
            .map_or_else(Self::default, |(value, ..)| *value)
    }
}

impl Choice for Theme {
    const KEY: &'static str = "theme";
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::System, "system", "Follow the system"),
        (Self::Light, "light", "Light"),
        (Self::Dark, "dark", "Dark"),
    ];
}

impl Choice for TextSize {
    const KEY: &'static str = "size";
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Normal, "normal", "Normal"),
        (Self::Projector, "projector", "Large, for a projector"),
    ];
}

impl Choice for SingleKeys {
    const KEY: &'static str = "single-keys";
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::On, "on", "On"),
        (Self::Off, "off", "Off: only keys with Ctrl or Cmd"),
    ];
}

/// The settings in force; a change is kept and shown at once.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) theme: RwSignal<Theme>,
    /// What [`Theme::System`] means just now.
    system_is_dark: RwSignal<bool>,
    pub(crate) text_size: RwSignal<TextSize>,
    pub(crate) single_keys: RwSignal<SingleKeys>,
}

impl Settings {
    /// Reads what the browser kept, and follows changes.
    pub(crate) fn provide() -> Self {
        let settings = Self {
            theme: kept(),
            system_is_dark: RwSignal::new(false),
            text_size: kept(),
            single_keys: kept(),
        };
        let system = settings.system_is_dark;
        system.set(document::prefers_dark(move |is_dark| system.set(is_dark)));
        let mark = |name: &'static str, value: &str, is_default: bool| {
            document::mark_root(name, (!is_default).then_some(value));
        };
        effect(move || {
            mark(
                "theme",
                settings.theme.get().name(),
                settings.theme.get() == Theme::System,
            );
        });
        effect(move || {
            mark(
                "size",
                settings.text_size.get().name(),
                settings.text_size.get() == TextSize::Normal,
            );
        });
        provide_context(settings);
        settings
    }

    /// Whether the page is dark.
    pub(crate) fn is_dark(&self) -> bool {
        match self.theme.get() {
            Theme::System => self.system_is_dark.get(),
            theme => theme == Theme::Dark,
        }
    }
}

/// The settings of the page.
pub(crate) fn use_settings() -> Settings {
    expect_context()
}

fn kept<T: Choice>() -> RwSignal<T> {
    let value = RwSignal::new(T::from_name(storage::read(T::KEY).as_deref()));
    watch(
        move || value.get(),
        |value| {
            storage::write(T::KEY, value.name());
        },
    );
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kept_values_mean_the_default() {
        assert_eq!(Theme::from_name(Some("sepia")), Theme::System);
        assert_eq!(Theme::from_name(None), Theme::System);
        assert_eq!(TextSize::from_name(Some("projector")), TextSize::Projector);
    }

    #[test]
    fn names_round_trip() {
        for (value, name, _) in Theme::ALL {
            assert_eq!(
                (value.name(), Theme::from_name(Some(name))),
                (*name, *value)
            );
        }
    }
}
