//! The ten rules by adaptation task, with what each gives here.

use leptos::prelude::*;
use shared::perturb::{AdaptationTask, RULES, Rule, RuleId};

use crate::components::toast::sentence;
use crate::reactive::{Memo, attr, handler, live};
use crate::state::words::n_of;
use crate::state::workbench::link::Display;
use crate::state::workbench::{RuleCount, Workbench};

const TASKS: [AdaptationTask; 4] = [
    AdaptationTask::Interface,
    AdaptationTask::Functionality,
    AdaptationTask::Identifier,
    AdaptationTask::Dependency,
];

#[component]
pub(crate) fn RulePicker(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let group = move |task: AdaptationTask| {
        let rules = RULES
            .iter()
            .filter(|rule| rule.task == task)
            .map(|rule| row(bench, rule))
            .collect_view();
        view! {
            <fieldset class="rule-picker__task">
                <legend class="rule-picker__task-name">{task.label()}</legend>
                {rules}
            </fieldset>
        }
    };
    view! {
        <div class="rule-picker">
            <div class="rule-picker__head" aria-hidden="true">
                <span>"instances"</span>
                <span>"sites"</span>
            </div>
            {TASKS.map(group).collect_view()}
        </div>
    }
}

fn row(bench: Workbench, rule: &'static Rule) -> impl IntoView {
    let id = rule.id;
    let count = move || {
        bench
            .counts
            .with(|counts| counts.iter().find(|count| count.rule == id).copied())
    };
    let is_unified = Memo::new(move |_| bench.display.get() == Display::Unified);
    let is_chosen = move || {
        if is_unified.get() {
            bench.unified.with(|rules| rules.contains(&id))
        } else {
            bench.rule.get() == id
        }
    };
    let name = move || {
        format!(
            "{}: {}",
            rule.title,
            count().map_or_else(|| "counting".to_owned(), in_words)
        )
    };
    // A radio button and a checkbox are two elements: the type of one cannot change under the focus.
    let input = move || {
        if is_unified.get() {
            view! {
                <input
                    class="rule-picker__input"
                    type="checkbox"
                    aria-label=name
                    prop:checked=is_chosen
                    disabled=attr(move || is_chosen() && bench.unified.with(Vec::len) == 1)
                    on:change=handler(move |_| bench.toggle_unified(id))
                />
            }
            .into_any()
        } else {
            view! {
                <input
                    class="rule-picker__input"
                    type="radio"
                    name="rule"
                    aria-label=name
                    prop:checked=is_chosen
                    on:change=handler(move |_| bench.choose_rule(id))
                />
            }
            .into_any()
        }
    };
    let is_empty = move || count().is_some_and(|count| count.n_instances == 0);
    view! {
        <label
            class="rule-picker__rule"
            class:rule-picker__rule--chosen=is_chosen
            class:rule-picker__rule--empty=is_empty
            data-rule=id.number()
            title=sentence(rule.summary)
        >
            {input}
            <span class="rule-picker__number">{id.number()}</span>
            <span class="rule-picker__title">{rule.title}</span>
            {live(move || count().map(numbers))}
        </label>
    }
}

fn numbers(count: RuleCount) -> AnyView {
    if count.n_instances == 0 {
        return view! { <span class="rule-picker__why">{why_none(count)}</span> }.into_any();
    }
    view! {
        <span class="rule-picker__count">{count.n_instances}</span>
        <span class="rule-picker__count">{count.n_sites}</span>
    }
    .into_any()
}

fn in_words(count: RuleCount) -> String {
    if count.n_instances == 0 {
        return format!("nothing to hide, {}", why_none(count));
    }
    format!(
        "{}, {}",
        n_of(count.n_instances, "instance", "instances"),
        n_of(count.n_sites, "site", "sites")
    )
}

/// Why a rule hides nothing here.
fn why_none(count: RuleCount) -> String {
    if count.n_considered > 0 {
        return format!("none of {} hidden", count.n_considered);
    }
    match count.rule {
        RuleId::Parameters => "no parameter but self",
        RuleId::Returns => "no return",
        RuleId::Constants => "no constant",
        RuleId::Operators => "no operator",
        RuleId::Assignments => "no assignment",
        RuleId::Conditions => "no condition",
        RuleId::LibraryCalls => "no library call",
        RuleId::ContextNames => "no name of the class",
        RuleId::LocalNames => "no local variable",
        RuleId::ThirdParty => "no library use",
    }
    .to_owned()
}
