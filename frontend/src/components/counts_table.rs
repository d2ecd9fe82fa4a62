//! Instances per class and rule: sortable, shaded by size, each number a way to its methods.

use leptos::prelude::*;
use shared::perturb::{CountsRow, CountsTable, RULES, RuleId};

use crate::state::counts::{Column, Sort, heat};
use crate::state::words::grouped;

/// Rows that are built at once: more would hold the page up.
const BATCH: usize = 60;

#[component]
pub(crate) fn CountsTableView(
    /// What was counted.
    table: CountsTable,
    /// The order of the rows.
    #[prop(into)]
    sort: Signal<Sort>,
    /// Called with the column that the user clicked.
    #[prop(into)]
    on_sort: Callback<Column>,
    /// The address of the methods of a class to which a rule applies.
    #[prop(into)]
    link: Callback<(String, RuleId), String>,
    /// The address of a rule's explanation.
    #[prop(into)]
    help: Callback<RuleId, String>,
) -> impl IntoView {
    let totals = table.totals();
    let largest: Vec<usize> = (0..10)
        .map(|at| {
            table
                .rows
                .iter()
                .map(|row| row.n_instances[at])
                .max()
                .unwrap_or(0)
        })
        .collect();
    let n_rows = table.rows.len();
    let table = StoredValue::new(table);
    let rows = Memo::new(move |_| table.with_value(|table| sort.get().rows(table)));
    let shown = RwSignal::new(BATCH);
    Effect::new(move |_| {
        sort.track();
        shown.set(BATCH);
    });
    Effect::new(move |_| {
        if shown.get() < n_rows {
            request_animation_frame(move || {
                shown.try_update(|shown| *shown += BATCH);
            });
        }
    });
    let batch =
        move || rows.with(|rows| rows.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    let largest = StoredValue::new(largest);
    view! {
        <div class="counts-table" role="region" tabindex="0" aria-label="Instances per class and rule">
            <table class="counts-table__table">
                <caption class="visually-hidden">
                    "Instances per class and rule. A number opens the methods that it counts."
                </caption>
                <thead>
                    <tr>
                        {head(Column::Class, "Class", sort, on_sort)}
                        {head(Column::Methods, "Methods", sort, on_sort)}
                        {RULES
                            .iter()
                            .map(|rule| rule_head(rule.id, help.run(rule.id), sort, on_sort))
                            .collect_view()}
                        {head(Column::Total, "Total", sort, on_sort)}
                    </tr>
                </thead>
                <tbody>
                    <For each=batch key=|row| row.class.clone() let:row>
                        {line(&row, largest, link)}
                    </For>
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{format!("All {n_rows} classes")}</th>
                        <td>{grouped(totals.n_methods)}</td>
                        {totals.n_instances.iter().map(|&n| view! { <td>{grouped(n)}</td> }).collect_view()}
                        <td>{grouped(totals.total())}</td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn sort_button(
    column: Column,
    label: String,
    name: String,
    sort: Signal<Sort>,
    on_sort: Callback<Column>,
) -> impl IntoView {
    let sign = move || match sort.get().direction(column) {
        "ascending" => "▲",
        "descending" => "▼",
        _ => "",
    };
    view! {
        <button type="button" class="counts-table__sort" aria-label=name on:click=move |_| on_sort.run(column)>
            {label}
            <span class="counts-table__sign" aria-hidden="true">{sign}</span>
        </button>
    }
}

fn head(
    column: Column,
    label: &'static str,
    sort: Signal<Sort>,
    on_sort: Callback<Column>,
) -> impl IntoView {
    let name = format!("Sort by {}", label.to_lowercase());
    view! {
        <th scope="col" aria-sort=move || sort.get().direction(column)>
            {sort_button(column, label.to_owned(), name, sort, on_sort)}
        </th>
    }
}

fn rule_head(
    rule: RuleId,
    help: String,
    sort: Signal<Sort>,
    on_sort: Callback<Column>,
) -> impl IntoView {
    let title = rule.rule().title;
    let column = Column::Rule(rule);
    let name = format!("Sort by rule {}, {}", rule.number(), title.to_lowercase());
    view! {
        <th scope="col" aria-sort=move || sort.get().direction(column) data-rule=rule.number()>
            {sort_button(column, format!("R{}", rule.number()), name, sort, on_sort)}
            <a class="counts-table__rule" href=help title=rule.rule().summary>{title}</a>
        </th>
    }
}

fn line(
    row: &CountsRow,
    largest: StoredValue<Vec<usize>>,
    link: Callback<(String, RuleId), String>,
) -> impl IntoView + use<> {
    let cell = |(rule, n): (RuleId, usize)| {
        if n == 0 {
            return view! { <td class="counts-table__none">"0"</td> }.into_any();
        }
        let heat = largest.with_value(|largest| heat(n, largest[usize::from(rule.number() - 1)]));
        let href = link.run((row.class.clone(), rule));
        let name = format!(
            "{n} {} instances in {}",
            rule.rule().title.to_lowercase(),
            row.class
        );
        view! {
            <td class="counts-table__cell" style:--heat=format!("{heat}%")>
                <a href=href aria-label=name>{n}</a>
            </td>
        }
        .into_any()
    };
    let cells = RULES
        .iter()
        .map(|rule| rule.id)
        .zip(row.n_instances)
        .map(cell)
        .collect_view();
    view! {
        <tr>
            <th scope="row">{row.class.clone()}</th>
            <td>{row.n_methods}</td>
            {cells}
            <td class="counts-table__total">{row.total()}</td>
        </tr>
    }
}
