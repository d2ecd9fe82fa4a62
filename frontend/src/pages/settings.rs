//! What a user can choose for this browser.

use leptos::prelude::*;

use crate::reactive::{RwSignal, attr, handler};
use crate::state::head::name_page;
use crate::state::settings::{Choice, use_settings};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    name_page(|| "Settings".to_owned());
    let settings = use_settings();
    view! {
        <div class="page page--text settings">
            <h1 tabindex="-1">"Settings"</h1>
            <p class="lead">"Kept in this browser."</p>
            <ChoiceField title="Theme" value=settings.theme/>
            <ChoiceField title="Text size" value=settings.text_size/>
            <ChoiceField title="Single-key shortcuts" value=settings.single_keys/>
        </div>
    }
}

#[component]
fn ChoiceField<T: Choice>(title: &'static str, value: RwSignal<T>) -> impl IntoView {
    let option = move |&(choice, _, label): &(T, &'static str, &'static str)| {
        view! {
            <label class="settings__choice">
                <input
                    type="radio"
                    name=T::KEY
                    prop:checked=attr(move || value.get() == choice)
                    on:change=handler(move |_| value.set(choice))
                />
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="settings__field">
            <legend class="settings__title">{title}</legend>
            {T::ALL.iter().map(option).collect_view()}
        </fieldset>
    }
}
