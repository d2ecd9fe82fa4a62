//! Instances per class and rule: sortable, shaded by size, each number a way to its methods.

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use shared::perturb::{CountsRow, CountsTable, RULES, RuleId};

use crate::platform::document;
use crate::reactive::{Memo, RwSignal, Signal, StoredValue, attr, effect, handler};
use crate::state::counts::{Column, Sort, heat};
use crate::state::virtual_rows::View;
use crate::state::words::{grouped, n_of};

/// A row's height, as in the style sheet.
const ROW_REM: f64 = 1.75;
/// Row 1 of the table is its head, and tables count from 1.
const FIRST_ROW: usize = 2;

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
    // Only the rows in view are built: thousands would hold the page up.
    let viewport = NodeRef::<Div>::new();
    let measured = RwSignal::new((0.0, 0.0));
    let measure = move || {
        if let Some(it) = viewport.get_untracked() {
            measured.set((f64::from(it.scroll_top()), f64::from(it.client_height())));
        }
    };
    effect(move || {
        if viewport.get().is_some() {
            request_animation_frame(measure);
        }
    });
    let resized = window_event_listener(ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    let view = Memo::new(move |_| {
        let (scroll_top, height) = measured.get();
        let row_height = ROW_REM * document::rem_px();
        View {
            scroll_top,
            height,
            row_height,
            n_rows,
        }
    });
    let range = Memo::new(move |_| view.get().range());
    let in_view = move || {
        let (from, to) = range.get();
        rows.with(|rows| {
            let shown = rows.iter().enumerate().take(to).skip(from);
            shown.map(|(at, row)| (at, row.clone())).collect::<Vec<_>>()
        })
    };
    let above = move || format!("{}px", view.get().top_of(range.get().0));
    let below = move || {
        let view = view.get();
        format!(
            "{}px",
            view.top_of(n_rows) - view.top_of(range.get().1.min(n_rows))
        )
    };
    let largest = StoredValue::new(largest);
    view! {
        <div
            class="counts-table"
            role="region"
            tabindex="0"
            aria-label="Instances per class and rule"
            node_ref=viewport
            on:scroll=handler(move |_| measure())
        >
            <table class="counts-table__table" aria-rowcount=n_rows + 2>
                <caption class="visually-hidden">
                    "Instances per class and rule. A number opens the methods that it counts."
                </caption>
                <thead>
                    <tr aria-rowindex="1">
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
                    <tr aria-hidden="true" style:height=above></tr>
                    <For each=in_view key=|(at, row)| (*at, row.class.clone()) let:((at, row))>
                        {line(at, &row, largest, link)}
                    </For>
                    <tr aria-hidden="true" style:height=below></tr>
                </tbody>
                <tfoot>
                    <tr aria-rowindex=n_rows + FIRST_ROW>
                        <th scope="row">{format!("All {}", n_of(n_rows, "class", "classes"))}</th>
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
        <button type="button" class="counts-table__sort" aria-label=name on:click=handler(move |_| on_sort.run(column))>
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
    let name = format!("Sort by {}", label.to_ascii_lowercase());
    view! {
        <th scope="col" aria-sort=attr(move || sort.get().direction(column))>
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
    let name = format!("R{}: sort by {}", rule.number(), title.to_ascii_lowercase());
    view! {
        <th scope="col" aria-sort=attr(move || sort.get().direction(column)) data-rule=rule.number()>
            {sort_button(column, format!("R{}", rule.number()), name, sort, on_sort)}
            <a class="counts-table__rule" href=help title=rule.rule().summary>{title}</a>
        </th>
    }
}

fn line(
    at: usize,
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
            rule.rule().title.to_ascii_lowercase(),
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
        <tr aria-rowindex=at + FIRST_ROW>
            <th scope="row" title=row.class.clone()>{row.class.clone()}</th>
            <td>{row.n_methods}</td>
            {cells}
            <td class="counts-table__total">{row.total()}</td>
        </tr>
    }
}
