//! The rules, and of the chosen one its places, its reasons and its options.

use leptos::prelude::*;

use crate::components::options_panel::OptionsPanel;
use crate::components::rule_picker::RulePicker;
use crate::components::site_list::SiteList;
use crate::components::tab_bar::{Tab, TabBar, panel_id, tab_id};
use crate::components::why_list::WhyList;
use crate::reactive::{Memo, Signal, attr, live};
use crate::state::workbench::Workbench;
use crate::state::workbench::link::Panel;

#[component]
pub(crate) fn RulePane(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let panel = Memo::new(move |_| bench.view.with(|view| view.panel));
    let n_sites = move || format!("Sites {}", bench.places.with(Vec::len));
    let n_nodes = move || {
        let rule = bench.rule.get();
        format!(
            "Why {}",
            bench
                .with_outcome(rule, |outcome| outcome.considered.len())
                .unwrap_or_default()
        )
    };
    let n_options = move || format!("Options {}", bench.rule.get().rule().options.len());
    let tabs = vec![
        Tab {
            value: Panel::Sites,
            slug: Panel::Sites.slug(),
            label: Signal::derive(n_sites),
        },
        Tab {
            value: Panel::Why,
            slug: Panel::Why.slug(),
            label: Signal::derive(n_nodes),
        },
        Tab {
            value: Panel::Options,
            slug: Panel::Options.slug(),
            label: Signal::derive(n_options),
        },
    ];
    let options = Memo::new(move |_| bench.view.with(|view| view.options.clone()));
    let content = move || {
        match panel.get() {
        Panel::Sites => view! { <SiteList bench/> }.into_any(),
        Panel::Why => view! { <WhyList bench/> }.into_any(),
        Panel::Options => view! {
            {live(move || {
                let rule = bench.rule.get();
                view! {
                    <h2 class="options-panel__title">
                        {format!("Rule {}: {}", rule.number(), rule.rule().title.to_ascii_lowercase())}
                    </h2>
                    <OptionsPanel
                        rule
                        options
                        on_set=move |(name, value): (String, String)| bench.set_option(&name, &value)
                    />
                }
            })}
        }
        .into_any(),
    }
    };
    view! {
        <RulePicker bench/>
        <TabBar
            label="About the chosen rule"
            name="rule"
            tabs
            selected=panel
            on_select=move |panel| bench.view.update(|view| view.panel = panel)
        />
        <div
            class="workbench__panel"
            id=panel_id("rule")
            role="tabpanel"
            tabindex="0"
            aria-labelledby=attr(move || tab_id("rule", panel.get().slug()))
        >
            {content}
        </div>
    }
}
