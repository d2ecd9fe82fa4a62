//! A benchmark at a glance, and what can be done with it.

use leptos::prelude::*;
use shared::api::{DatasetCard, LibraryCount};
use shared::subject::DatasetId;

use crate::components::record_reports::RecordReports;
use crate::page::Page;
use crate::reactive::handler;
use crate::state::words::{grouped, n_of, size};
use crate::worker::protocol::{DatasetEntry, Place};

/// How many libraries are named; the rest is counted.
const N_LIBRARIES: usize = 8;

#[component]
pub(crate) fn BenchmarkCard(
    /// The benchmark.
    entry: DatasetEntry,
    /// Asks to remove it from this browser.
    #[prop(into)]
    on_remove: Callback<DatasetId>,
) -> impl IntoView {
    let DatasetEntry { card, place } = entry;
    let id = card.id.clone();
    let browse = Page::Subjects(id.clone()).path();
    let remove = matches!(place, Place::Browser | Place::Tab).then(|| {
        let label = format!("Remove {}…", card.name);
        view! {
            <button
                type="button"
                class="button button--danger"
                aria-label=label
                on:click=handler(move |_| on_remove.run(id.clone()))
            >
                "Remove…"
            </button>
        }
    });
    view! {
        <article class="benchmark">
            <div class="benchmark__head">
                <h2 class="benchmark__name">
                    <a href=browse.clone()>{card.name.clone()}</a>
                </h2>
                <span class="benchmark__place" title=place_title(place)>{place_label(place)}</span>
            </div>
            <dl class="benchmark__counts">
                <Count n=card.n_classes one="class" many="classes"/>
                <Count n=card.n_subjects one="method" many="methods"/>
                <Count n=card.n_tests one="test" many="tests"/>
                {(card.n_showcases > 0).then(|| view! { <Count n=card.n_showcases one="showcase" many="showcases"/> })}
            </dl>
            <LibraryMix libraries=card.libraries.clone() n_subjects=card.n_subjects/>
            <p class="benchmark__facts">{facts(&card)}</p>
            <RecordReports reports=card.reports.clone() open=false/>
            <div class="benchmark__actions">
                <a class="button button--primary" href=browse>
                    "Browse methods"
                </a>
                <a class="button" href=Page::PerturbAll(card.id.clone()).path()>
                    "Perturb all…"
                </a>
                <a class="button" href=Page::References(card.id).path()>
                    "Check references…"
                </a>
                {remove}
            </div>
        </article>
    }
}

#[component]
fn Count(n: usize, one: &'static str, many: &'static str) -> impl IntoView {
    view! {
        <div class="benchmark__count">
            <dt>{if n == 1 { one } else { many }}</dt>
            <dd>{grouped(n)}</dd>
        </div>
    }
}

#[component]
fn LibraryMix(libraries: Vec<LibraryCount>, n_subjects: usize) -> impl IntoView {
    if libraries.is_empty() {
        return view! { <p class="benchmark__facts">"No method uses a library."</p> }.into_any();
    }
    let n_more = libraries.len().saturating_sub(N_LIBRARIES);
    let chip = move |count: LibraryCount| {
        let title = format!(
            "{} of {} use {}",
            count.n_subjects,
            n_of(n_subjects, "method", "methods"),
            count.library
        );
        view! {
            <li class="benchmark__library" title=title>
                <code>{count.library}</code>
                " "
                {count.n_subjects}
            </li>
        }
    };
    view! {
        <ul class="benchmark__libraries" aria-label="Libraries, with the number of methods that use them">
            {libraries.into_iter().take(N_LIBRARIES).map(chip).collect_view()}
            {(n_more > 0).then(|| view! { <li class="muted">{format!("and {n_more} more")}</li> })}
        </ul>
    }
    .into_any()
}

fn facts(card: &DatasetCard) -> impl IntoView + use<> {
    let license = card
        .license
        .clone()
        .unwrap_or_else(|| "licence not stated".to_owned());
    let hash = card.sha256.get(..12).unwrap_or_default().to_owned();
    view! {
        {license}
        " · "
        {size(card.n_bytes)}
        " · SHA-256 "
        <code title=card.sha256.clone()>{hash}"…"</code>
    }
}

fn place_label(place: Place) -> &'static str {
    match place {
        Place::Starter => "comes with CtxLab",
        Place::Browser => "in this browser",
        Place::Tab => "in this tab only",
        Place::Server => "on the server",
    }
}

fn place_title(place: Place) -> &'static str {
    match place {
        Place::Starter => "Written for CtxLab and shipped with it",
        Place::Browser => "Imported here and kept in this browser",
        Place::Tab => "This browser refused to keep it: it is gone when the tab is closed",
        Place::Server => "Imported on the server; kept here too once you have opened it",
    }
}
