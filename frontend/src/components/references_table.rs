//! References, each with what it is, why, and what helps; those of one standing at a time.

use std::sync::Arc;

use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use shared::api::EngineState;
use shared::integrity::{Integrity, Standing};
use shared::subject::DatasetId;

use crate::components::engine_picker::coded;
use crate::components::toast::sentence;
use crate::page::Page;
use crate::reactive::{RwSignal, Signal, attr, handler, live};
use crate::state::references::{Checked, words};
use crate::state::words::grouped;

/// Which references are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    All,
    LeftOut,
    Only(Standing),
}

impl Shown {
    fn has(self, standing: Standing) -> bool {
        match self {
            Self::All => true,
            Self::LeftOut => standing != Standing::Clean,
            Self::Only(only) => standing == only,
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::LeftOut => "left out",
            Self::Only(standing) => standing.label(),
        }
    }
}

#[component]
pub(crate) fn ReferencesTable(
    /// What was found.
    checked: Arc<Checked>,
    /// The benchmark.
    id: DatasetId,
    /// What the server has, which may have a missing module.
    engines: Signal<Vec<EngineState>>,
) -> impl IntoView {
    let n_clean = checked.n_clean();
    let n_out = checked.all.len() - n_clean;
    let shown = RwSignal::new(if n_out > 0 {
        Shown::LeftOut
    } else {
        Shown::All
    });
    let mut choices = vec![(Shown::All, checked.all.len()), (Shown::LeftOut, n_out)];
    let standings = std::iter::once(Standing::Clean).chain(words::LEFT_OUT);
    choices.extend(standings.map(|it| (Shown::Only(it), checked.n(it))));
    choices.retain(|&(choice, n)| n > 0 || choice == Shown::LeftOut);
    let choice = move |(choice, n): (Shown, usize)| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-pressed=attr(move || (shown.get() == choice).to_string())
                on:click=handler(move |_| shown.set(choice))
            >
                {choice.label()} " " <span class="references__n">{grouped(n)}</span>
            </button>
        }
    };
    let rows = move || {
        let engines = engines.get();
        let kept = checked.all.iter();
        let kept = kept.filter(|it| shown.get().has(it.standing));
        let rows: Vec<_> = kept.map(|it| row(it, &id, &engines)).collect();
        if rows.is_empty() {
            return view! { <tr><td colspan="4" class="muted">"None."</td></tr> }.into_any();
        }
        rows.into_any()
    };
    view! {
        <div class="references__filter" role="group" aria-label="Which references are shown">
            {choices.into_iter().map(choice).collect_view()}
        </div>
        <div class="references__scroll" role="region" tabindex="0" aria-label="References">
            <table class="references__table">
                <thead>
                    <tr>
                        <th scope="col">"Class"</th>
                        <th scope="col">"Standing"</th>
                        <th scope="col">"Why"</th>
                        <th scope="col">"What helps"</th>
                    </tr>
                </thead>
                <tbody>{live(rows)}</tbody>
            </table>
        </div>
    }
}

fn row(it: &Integrity, id: &DatasetId, engines: &[EngineState]) -> impl IntoView + use<> {
    let class = utf8_percent_encode(&it.class, NON_ALPHANUMERIC);
    let link = format!("{}?class={class}", Page::Subjects(id.clone()).path());
    let slug = if it.is_clean() { "clean" } else { "out" };
    let sign = if it.is_clean() { "✓" } else { "✗" };
    let why = words::why(it).into_iter();
    let why = why.map(|why| view! { <p>{sentence(&why)}</p> });
    let remedy = words::remedy(it, engines);
    view! {
        <tr>
            <th scope="row"><a href=link>{it.class.clone()}</a></th>
            <td class=format!("references__standing references__standing--{slug}")>
                <span aria-hidden="true">{sign}</span>
                " "
                {it.standing.label()}
            </td>
            <td class="references__why">{why.collect_view()}</td>
            <td class="references__remedy">{remedy.map(|it| coded(&sentence(&it)).into_any())}</td>
        </tr>
    }
}
