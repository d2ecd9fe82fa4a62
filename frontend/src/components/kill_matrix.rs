//! Which test breaks which of the programs that were run of a subject.

use leptos::prelude::*;

use crate::reactive::{Memo, live};
use crate::state::testing::matrix::{Matrix, Row, matrix};
use crate::state::testing::words::{Said, outcome};
use crate::state::words::n_of;
use crate::state::workbench::Workbench;

#[component]
pub(crate) fn KillMatrix(
    /// The subject and what was run of it.
    bench: Workbench,
) -> impl IntoView {
    let found = Memo::new(move |_| bench.desk().tested.with(|all| matrix(all)));
    live(move || found.get().map(table))
}

fn table(found: Matrix) -> impl IntoView {
    let Matrix {
        programs,
        rows,
        n_harmless,
    } = found;
    let n = programs.len();
    let heads = programs
        .into_iter()
        .map(|it| view! { <th scope="col">{it}</th> });
    let heads = heads.collect_view();
    let rows = rows.into_iter().map(row).collect_view();
    view! {
        <details class="kill-matrix">
            <summary>{format!("Which test breaks what: {} compared", n_of(n, "program", "programs"))}</summary>
            <div class="kill-matrix__scroll" tabindex="0" role="group" aria-label="Tests by programs">
                <table>
                    <thead><tr><th scope="col">"Test"</th> {heads}</tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="kill-matrix__note">{format!("{} break none of them.", n_of(n_harmless, "test", "tests"))}</p>
        </details>
    }
}

fn row(row: Row) -> impl IntoView {
    let cell = |it| {
        let Said { slug, sign, text } = outcome(it);
        view! {
            <td class=format!("test-list__sign--{slug}")>
                <span aria-hidden="true">{sign}</span>
                <span class="visually-hidden">{text}</span>
            </td>
        }
    };
    let cells = row.cells.iter().map(|it| cell(it.as_ref())).collect_view();
    view! { <tr><th scope="row">{row.test}</th> {cells}</tr> }
}
