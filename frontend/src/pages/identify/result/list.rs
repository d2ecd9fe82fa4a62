//! The variants that a filter keeps.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::{ev, html};
use shared::perturb::{RULES, RuleId};

use super::Reading;
use crate::components::virtual_list::{RowView, VirtualList};
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::shortcuts::{self, Action};
use crate::state::variant_filter::{Column, VariantFilter, words};
use crate::state::words::{grouped, n_of};
use crate::worker::compare::batch::protocol::{DecisionRow, IdentifiedFile};

#[component]
pub(super) fn VariantList(reading: Reading) -> impl IntoView {
    let n_all = reading.found(|found| found.decisions.len());
    let n = move || reading.items.with(|items| items.len());
    let row: RowView = Arc::new(move |_, item| {
        let row = reading.found(|found| found.decisions.get(item as usize).map(cells));
        row.into_any()
    });
    let is_filtered = move || {
        reading
            .filter
            .with(|filter| *filter != VariantFilter::default())
    };
    view! {
        <section class="identify__variants" aria-label="Variants">
            <Filters reading/>
            <p class="identify__count">
                <span role="status">
                    {live(move || format!("{} of {}", grouped(n()), n_of(n_all, "variant", "variants")))}
                </span>
                <Show when=is_filtered>
                    <button
                        type="button"
                        class="button button--small"
                        on:click=handler(move |_| reading.filter.set(VariantFilter::default()))
                    >
                        "Show all"
                    </button>
                </Show>
            </p>
            <VirtualList
                label="Variants"
                items=reading.items
                active=reading.active
                header=header()
                row
                on_open=move |at| reading.open(at)
            />
        </section>
    }
}

fn header() -> AnyView {
    let cell = |name: &'static str, label: &'static str| {
        view! { <span class=format!("variant-row__{name}") role="columnheader">{label}</span> }
    };
    [
        cell("id", "Variant"),
        cell("subject", "Method"),
        cell("rule", "Rule"),
        cell("generator", "Generator"),
        cell("decision", "Decision"),
        cell("why", "Why"),
    ]
    .into_any()
}

fn cells(row: &DecisionRow) -> AnyView {
    let cell = |name: &'static str, text: String| {
        let title = text.clone();
        view! { <span class=format!("variant-row__{name}") role="gridcell" title=title>{text}</span> }
    };
    [
        cell("id", row.id.clone()),
        cell("subject", row.subject.to_string()),
        cell("rule", rule_name(row.rule)),
        cell("generator", row.generator.clone()),
        cell("decision", words(&row.decision)),
        cell("why", row.why.clone()),
    ]
    .into_any()
}

/// The value and the label of what a menu offers.
type Offer = (String, String);

#[component]
fn Filters(reading: Reading) -> impl IntoView {
    let filter = reading.filter;
    let field = NodeRef::<html::Input>::new();
    shortcuts::on(Action::Search, move || {
        if let Some(field) = field.get_untracked() {
            // It fails only for a field that is not in the page.
            let _focused = field.focus();
            field.select();
        }
    });
    let decisions = move || {
        let counts = filter.with(|filter| reading.found(|it| filter.decisions(&it.decisions)));
        let offer = |(name, n): (String, usize)| {
            let label = format!("{} ({})", words(&name), grouped(n));
            (name, label)
        };
        counts.into_iter().map(offer).collect()
    };
    let choose_stage = move |name: Option<String>| {
        let mut columns = Column::ALL.into_iter();
        let column = columns.find(|it| Some(it.name()) == name.as_deref());
        reading.narrow(|filter| filter.column = column);
    };
    let choose_rule = move |slug: Option<String>| {
        let rule = slug.and_then(|slug| slug.parse().ok());
        reading.narrow(|filter| filter.rule = rule);
    };
    view! {
        <div class="identify__filters">
            <input
                node_ref=field
                type="search"
                class="field identify__search"
                placeholder="Search name, method and reason"
                aria-label="Search name, method and reason"
                aria-keyshortcuts="/"
                prop:value=attr(move || filter.with(|filter| filter.text.clone()))
                on:input=handler(move |event| {
                    let text = event_target_value(&event);
                    reading.narrow(|filter| filter.text = text);
                })
            />
            <Menu
                label="Stage"
                all="All stages"
                offers=Signal::derive(move || Column::ALL.map(|it| (it.name().to_owned(), it.name().to_owned())).to_vec())
                chosen=Signal::derive(move || filter.with(|it| it.column.map(|it| it.name().to_owned())))
                on_choose=choose_stage
            />
            <Menu
                label="Decision"
                all="All decisions"
                offers=Signal::derive(decisions)
                chosen=Signal::derive(move || filter.with(|it| it.decision.clone()))
                on_choose=move |name| reading.narrow(|filter| filter.decision = name)
            />
            <Menu
                label="Generator"
                all="All generators"
                offers=Signal::derive(move || reading.found(generators))
                chosen=Signal::derive(move || filter.with(|it| it.generator.clone()))
                on_choose=move |name| reading.narrow(|filter| filter.generator = name)
            />
            <Menu
                label="Rule"
                all="All rules"
                offers=Signal::derive(move || reading.found(rules))
                chosen=Signal::derive(move || filter.with(|it| it.rule.map(|rule| rule.slug().to_owned())))
                on_choose=choose_rule
            />
        </div>
    }
}

#[component]
fn Menu(
    /// Its name.
    label: &'static str,
    /// What it offers first: no choice.
    all: &'static str,
    /// What else it offers.
    offers: Signal<Vec<Offer>>,
    /// The value in force.
    chosen: Signal<Option<String>>,
    /// Called with a value, or with none.
    #[prop(into)]
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let offers = Memo::new(move |_| offers.get());
    let option = move |(value, label): Offer| {
        let (is, of) = (value.clone(), value);
        let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&is));
        view! { <option value=of prop:selected=attr(is_chosen)>{label}</option> }
    };
    view! {
        <select
            class="field"
            aria-label=label
            on:change=handler(move |event: ev::Event| {
                on_choose.run(Some(event_target_value(&event)).filter(|value| !value.is_empty()));
            })
        >
            <option value="" prop:selected=attr(move || chosen.with(Option::is_none))>{all}</option>
            {live(move || offers.get().into_iter().map(option).collect_view())}
        </select>
    }
}

fn generators(found: &IdentifiedFile) -> Vec<Offer> {
    let names = found.funnel.generators().into_iter();
    names
        .map(|name| (name.to_owned(), name.to_owned()))
        .collect()
}

fn rules(found: &IdentifiedFile) -> Vec<Offer> {
    let rules = RULES.iter().map(|rule| rule.id);
    let rules = rules.filter(|rule| found.funnel.rows.iter().any(|row| row.rule == Some(*rule)));
    rules
        .map(|rule| (rule.slug().to_owned(), rule_name(rule)))
        .collect()
}

fn rule_name(rule: RuleId) -> String {
    format!("R{} {}", rule.number(), rule.rule().title)
}
