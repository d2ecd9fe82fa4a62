//! How many variants are left after each stage; each number a way to those that it counts.

use leptos::prelude::*;
use shared::identify::{Funnel, FunnelRow};

use crate::reactive::handler;
use crate::state::variant_filter::{Column, VariantFilter};
use crate::state::words::grouped;

#[component]
pub(crate) fn FunnelTable(
    /// What is left.
    funnel: Funnel,
    /// Asks for the variants behind a number.
    #[prop(into)]
    on_pick: Callback<VariantFilter>,
) -> impl IntoView {
    let head = |column: Column| {
        let name = column.name();
        view! { <th scope="col" title=column.help()>{name}</th> }
    };
    let line = |row: FunnelRow| line(row, false, on_pick);
    view! {
        <div class="funnel" role="region" tabindex="0" aria-label="Funnel">
            <table class="funnel__table">
                <caption class="visually-hidden">
                    "Variants left after each stage, by generator and rule. A number lists the variants that it counts."
                </caption>
                <colgroup>
                    <col class="funnel__names"/>
                    <col class="funnel__names"/>
                    <col span="6"/>
                </colgroup>
                <thead>
                    <tr>
                        <th scope="col">"Generator"</th>
                        <th scope="col">"Rule"</th>
                        {Column::ALL.map(head)}
                    </tr>
                </thead>
                <tbody>{shown(&funnel).into_iter().map(line).collect_view()}</tbody>
                <tfoot>{self::line(funnel.total(None), true, on_pick)}</tfoot>
            </table>
        </div>
    }
}

/// The rows, each generator's sum below its own where that says anything new.
fn shown(funnel: &Funnel) -> Vec<FunnelRow> {
    let generators = funnel.generators();
    let mut shown = Vec::new();
    for generator in &generators {
        let own = funnel.rows.iter().filter(|row| row.generator == *generator);
        let n_before = shown.len();
        shown.extend(own.cloned());
        if generators.len() > 1 && shown.len() > n_before + 1 {
            shown.push(funnel.total(Some(generator)));
        }
    }
    shown
}

fn line(row: FunnelRow, is_all: bool, on_pick: Callback<VariantFilter>) -> impl IntoView {
    let of = row.n_generated as usize;
    let generator = (!is_all).then(|| row.generator.clone());
    let whose = match (&generator, row.rule) {
        (None, _) => "all".to_owned(),
        (Some(name), None) => format!("all of {name}"),
        (Some(name), Some(rule)) => format!("R{} of {name}", rule.number()),
    };
    let rule = row.rule;
    let cell = |column: Column| {
        let n = column.n(&row);
        let is_apart = column == Column::Untested;
        let share = (n * 100).checked_div(of).unwrap_or_default();
        let wanted = VariantFilter {
            generator: generator.clone(),
            rule,
            column: Some(column),
            ..VariantFilter::default()
        };
        let name = format!(
            "{} of {} {}: {whose}",
            grouped(n),
            grouped(of),
            column.name()
        );
        view! {
            <td class="funnel__cell" class:funnel__cell--apart=is_apart style:--share=format!("{share}%")>
                {if n == 0 {
                    "0".into_any()
                } else {
                    view! {
                        <button
                            type="button"
                            class="button button--link"
                            aria-label=name
                            on:click=handler(move |_| on_pick.run(wanted.clone()))
                        >
                            {grouped(n)}
                        </button>
                    }
                    .into_any()
                }}
            </td>
        }
    };
    let cells = Column::ALL.map(cell);
    let (first, second) = match rule {
        _ if is_all => ("All".to_owned(), String::new()),
        None => (row.generator.clone(), "all rules".to_owned()),
        Some(rule) => (
            row.generator.clone(),
            format!("R{} {}", rule.number(), rule.rule().title),
        ),
    };
    let title = first.clone();
    view! {
        <tr class:funnel__total=rule.is_none()>
            <th scope="row" title=title>{first}</th>
            <td class="funnel__rule">{second}</td>
            {cells}
        </tr>
    }
}
