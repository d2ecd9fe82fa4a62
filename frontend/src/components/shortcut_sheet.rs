//! All keyboard shortcuts, as the table says.

use leptos::prelude::*;

use crate::components::dialog::Dialog;
use crate::platform::document;
use crate::reactive::{RwSignal, handler};
use crate::state::settings::{SingleKeys, use_settings};
use crate::state::shortcuts::{self, Action, Group, Shortcut};

#[component]
pub(crate) fn ShortcutSheet() -> impl IntoView {
    let open = RwSignal::new(false);
    shortcuts::on(Action::OpenShortcutSheet, move || open.set(true));
    let single_keys = use_settings().single_keys;
    view! {
        <Dialog open title="Keyboard shortcuts" kind="sheet">
            <div class="dialog__head">
                <h2 class="dialog__title">"Keyboard shortcuts"</h2>
                <button type="button" class="button" autofocus on:click=handler(move |_| open.set(false))>
                    "Close"
                </button>
            </div>
            <Show when=move || single_keys.get() == SingleKeys::Off>
                <p class="note">
                    "Keys alone are switched off. "
                    <a href="/settings" on:click=handler(move |_| open.set(false))>
                        "Switch them on in Settings"
                    </a>
                </p>
            </Show>
            {Group::ALL.map(group)}
        </Dialog>
    }
}

fn group(group: Group) -> impl IntoView {
    let is_apple = document::is_apple();
    let line = |shortcut: &Shortcut| {
        let keys = shortcut
            .keys(is_apple)
            .into_iter()
            .map(|key| view! { <kbd>{key}</kbd> })
            .collect_view();
        view! {
            <div class="sheet__line">
                <dt class="sheet__keys">{keys}</dt>
                <dd class="sheet__label">{shortcut.label}</dd>
            </div>
        }
    };
    let lines = shortcuts::ALL
        .iter()
        .filter(|it| it.group == group && !it.key.is_empty())
        .map(line)
        .collect_view();
    view! {
        <section>
            <h3>{group.label()}</h3>
            <dl class="sheet__lines">{lines}</dl>
        </section>
    }
}
