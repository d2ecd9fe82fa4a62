//! The free choices of a rule, drawn from the rule's table.

use leptos::prelude::*;
use shared::perturb::{OptionSpec, RuleId, RuleOptions};

use crate::reactive::{Memo, Signal, attr, handler};

#[component]
pub(crate) fn OptionsPanel(
    /// Whose choices.
    rule: RuleId,
    /// All choices in force.
    #[prop(into)]
    options: Signal<RuleOptions>,
    /// Called with an option's full name and its new value.
    #[prop(into)]
    on_set: Callback<(String, String)>,
) -> impl IntoView {
    let specs = rule.rule().options;
    if specs.is_empty() {
        return view! { <p class="options-panel__none">"This rule has no options."</p> }.into_any();
    }
    let is_changed = move || {
        options.with(|options| {
            specs
                .iter()
                .any(|spec| options.get(&spec.full_name(rule)) != spec.default)
        })
    };
    let reset = move |_| {
        for spec in specs {
            on_set.run((spec.full_name(rule), spec.default.to_owned()));
        }
    };
    view! {
        <div class="options-panel">
            {specs.iter().map(|spec| field(rule, spec, options, on_set)).collect_view()}
            <button
                type="button"
                class="button button--small"
                disabled=attr(move || !is_changed())
                title=attr(move || if is_changed() { "" } else { "All choices are the specification’s" })
                on:click=handler(reset)
            >
                "Reset to the specification’s"
            </button>
        </div>
    }
    .into_any()
}

fn field(
    rule: RuleId,
    spec: &'static OptionSpec,
    options: Signal<RuleOptions>,
    on_set: Callback<(String, String)>,
) -> AnyView {
    let full_name = spec.full_name(rule);
    let value = {
        let full_name = full_name.clone();
        Memo::new(move |_| options.with(|options| options.get(&full_name).to_owned()))
    };
    let is_changed = move || value.with(|value| value != spec.default);
    let note = move || {
        is_changed().then(|| view! { <span class="options-panel__changed">"changed"</span> })
    };
    if spec.many {
        return many(full_name, spec, value, on_set, note.into_any()).into_any();
    }
    let choices = spec.choices.iter().map(|choice| {
        let is_default = choice.value == spec.default;
        let label = if is_default { format!("{} (specification)", choice.label) } else { choice.label.to_owned() };
        view! { <option value=choice.value selected=attr(move || value.with(|value| value == choice.value))>{label}</option> }
    });
    view! {
        <label class="options-panel__field">
            <span class="options-panel__help">{spec.help} {note}</span>
            <select
                class="options-panel__select"
                prop:value=attr(move || value.get())
                on:change=handler(move |event| on_set.run((full_name.clone(), event_target_value(&event))))
            >
                {choices.collect_view()}
            </select>
        </label>
    }
    .into_any()
}

fn many(
    full_name: String,
    spec: &'static OptionSpec,
    value: Memo<String>,
    on_set: Callback<(String, String)>,
    note: AnyView,
) -> impl IntoView {
    let boxes = spec.choices.iter().map(|choice| {
        let full_name = full_name.clone();
        let is_chosen =
            move || value.with(|value| value.split(',').any(|chosen| chosen == choice.value));
        let is_last = move || is_chosen() && value.with(|value| !value.contains(','));
        let toggle = move |_| {
            let wanted = |other: &&str| {
                (*other == choice.value)
                    != value.with_untracked(|v| v.split(',').any(|v| v == *other))
            };
            let chosen: Vec<&str> = spec
                .choices
                .iter()
                .map(|choice| choice.value)
                .filter(wanted)
                .collect();
            on_set.run((full_name.clone(), chosen.join(",")));
        };
        view! {
            <label class="options-panel__choice">
                <input
                    type="checkbox"
                    prop:checked=is_chosen
                    disabled=is_last
                    title=attr(move || if is_last() { "At least one has to stay" } else { "" })
                    on:change=handler(toggle)
                />
                {choice.label}
            </label>
        }
    });
    let boxes = boxes.collect_view();
    view! {
        <fieldset class="options-panel__field">
            <legend class="options-panel__help">{spec.help} {note}</legend>
            {boxes}
        </fieldset>
    }
}
