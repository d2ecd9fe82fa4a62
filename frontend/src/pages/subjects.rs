//! The methods of a benchmark: facets, search, and a list of any length.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::{ev, html};
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};
use shared::subject::DatasetId;

use crate::components::async_view::{ErrorNote, Loading};
use crate::components::filter_chips::FilterChips;
use crate::components::filter_panel::FilterPanel;
use crate::components::progress::ProgressBar;
use crate::components::subject_row;
use crate::components::toast::sentence;
use crate::components::virtual_list::{RowView, VirtualList};
use crate::page::Page;
use crate::pages::lazy;
use crate::reactive::{Memo, RwSignal, attr, effect, handler, live};
use crate::state::filter_url::{sort_of, sort_slug};
use crate::state::head::{Crumb, name_page, show_way};
use crate::state::opened::{CurrentBenchmark, Opened, Opening, use_current_benchmark};
use crate::state::shortcuts::{self, Action};
use crate::state::subject_list::SubjectList;
use crate::state::words::{grouped, n_of};
use crate::worker::protocol::{Filter, Progress, SortKey};

#[component]
pub(crate) fn SubjectsPage() -> impl IntoView {
    let params = use_params_map();
    let dataset = Memo::new(move |_| {
        DatasetId(params.with(|params| params.get("dataset").unwrap_or_default()))
    });
    let current = use_current_benchmark();
    effect(move || current.want(&dataset.get()));
    let name = move || {
        let ready = current
            .ready()
            .filter(|opened| opened.entry.card.id == dataset.get());
        ready.map_or_else(
            || dataset.get().to_string(),
            |opened| opened.entry.card.name.clone(),
        )
    };
    name_page(name);
    show_way(move || vec![Crumb::here(name())]);
    let navigate = use_navigate();
    shortcuts::on(Action::UpOneLevel, move || {
        navigate(&Page::Benchmarks.path(), NavigateOptions::default());
    });
    let list = SubjectList::new(dataset, current);
    // Only the kind of state decides what is shown, so that progress does not rebuild the page.
    let stage = Memo::new(move |_| {
        current.opening.with(|opening| match opening {
            Opening::Idle | Opening::Running(_) => Stage::Waiting,
            Opening::Failed(_) => Stage::Failed,
            Opening::Ready(_) => Stage::Ready,
        })
    });
    move || match stage.get() {
        Stage::Waiting => view! { <Waiting name=name() current/> }.into_any(),
        Stage::Failed => failed(current, name()).into_any(),
        Stage::Ready => match untrack(|| current.ready()) {
            Some(opened) => {
                lazy::read_ahead();
                view! { <Subjects opened current list/> }.into_any()
            }
            None => ().into_any(),
        },
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Failed,
    Ready,
}

#[component]
fn Waiting(name: String, current: CurrentBenchmark) -> impl IntoView {
    let progress = Memo::new(move |_| -> Option<Progress> {
        current.opening.with(|opening| {
            if let Opening::Running(progress) = opening {
                *progress
            } else {
                None
            }
        })
    });
    view! {
        <div class="page">
            <h1 tabindex="-1">{name}</h1>
            {live(move || match progress.get() {
                None => view! { <Loading what="the benchmark"/> }.into_any(),
                Some(_) => view! { <ProgressBar label="Reading the benchmark" unit="records" progress/> }.into_any(),
            })}
        </div>
    }
}

fn failed(current: CurrentBenchmark, name: String) -> impl IntoView {
    let error = current.opening.with(|opening| {
        if let Opening::Failed(error) = opening {
            Some(error.clone())
        } else {
            None
        }
    });
    view! {
        <div class="page">
            <h1 tabindex="-1">{name}</h1>
            {error.map(|error| view! { <ErrorNote error what="this benchmark" on_retry=move || current.retry()/> })}
        </div>
    }
}

#[component]
fn Subjects(opened: Opened, current: CurrentBenchmark, list: SubjectList) -> impl IntoView {
    let card = opened.entry.card.clone();
    let id = card.id.clone();
    let filters_open = RwSignal::new(false);
    let n_filters = move || list.filter.with(n_filters);
    let open = {
        let (index, id) = (Arc::clone(&opened.index), id.clone());
        let navigate = use_navigate();
        move |at: usize| {
            let row = list.rows.with_untracked(|rows| {
                rows.get(at)
                    .and_then(|&row| index.get(row as usize))
                    .cloned()
            });
            if let Some(row) = row {
                navigate(
                    &Page::Workbench(id.clone(), row.id).path(),
                    NavigateOptions::default(),
                );
            }
        }
    };
    let row: RowView = {
        let (index, id) = (Arc::clone(&opened.index), id.clone());
        Arc::new(move |_, row| {
            let Some(summary) = index.get(row as usize) else {
                return ().into_any();
            };
            let (id, summary) = (id.clone(), summary.clone());
            // Counts come later than the list.
            (move || {
                let counts = current
                    .counts
                    .with(|counts| counts.as_ref()?.get(row as usize).copied());
                subject_row::cells(
                    &summary,
                    Page::Workbench(id.clone(), summary.id.clone()).path(),
                    counts,
                )
            })
            .into_any()
        })
    };
    let n_all = opened.index.len();
    let n_kept = move || list.rows.with(|rows| rows.len());
    let is_empty = Memo::new(move |_| list.result.with(Option::is_some) && n_kept() == 0);
    view! {
        <div class="subjects">
            <div class="subjects__head">
                <h1 tabindex="-1">{card.name.clone()}</h1>
                <p class="muted">
                    {format!(
                        "{} · {} · {}",
                        n_of(card.n_classes, "class", "classes"),
                        n_of(card.n_subjects, "method", "methods"),
                        n_of(card.n_tests, "test", "tests"),
                    )}
                </p>
                <a class="button subjects__perturb-all" href=Page::PerturbAll(id.clone()).path()>
                    "Perturb all…"
                </a>
                <a class="button" href=Page::Identify(id.clone()).path()>
                    "Identify variants…"
                </a>
                <a class="button" href=Page::References(id).path()>
                    "Check references…"
                </a>
            </div>
            <div class="subjects__tools">
                <SearchField filter=list.filter/>
                <SortMenu filter=list.filter/>
                <button
                    type="button"
                    class="button subjects__filters"
                    aria-expanded=attr(move || filters_open.get().to_string())
                    aria-controls="filters"
                    on:click=handler(move |_| filters_open.update(|open| *open = !*open))
                >
                    {live(move || match n_filters() {
                        0 => "Filters".to_owned(),
                        n => format!("Filters ({n})"),
                    })}
                </button>
            </div>
            <aside
                class="subjects__facets"
                class:subjects__facets--open=attr(move || filters_open.get())
                id="filters"
                aria-label="Filters"
            >
                <FilterPanel list current/>
            </aside>
            <section class="subjects__list" aria-label="Methods">
                <div class="subjects__state">
                    <p class="subjects__count" role="status">
                        {live(move || {
                            // Before the first answer nothing is known to be left out.
                            let n = if list.result.with(Option::is_none) { n_all } else { n_kept() };
                            format!("{} of {}", grouped(n), n_of(n_all, "method", "methods"))
                        })}
                    </p>
                    <FilterChips filter=list.filter/>
                </div>
                {live(move || list.error.get().map(|error| view! { <p class="note note--error">{sentence(&error.to_string())}</p> }))}
                <Show when=move || is_empty.get()>
                    <p class="note">
                        "No method has all of this. Drop a filter above, or search for something else."
                    </p>
                </Show>
                <VirtualList
                    label="Methods"
                    items=list.rows
                    active=list.active
                    header=subject_row::header()
                    row
                    on_open=open
                />
            </section>
        </div>
    }
}

fn n_filters(filter: &Filter) -> usize {
    filter.classes.len()
        + filter.libraries.len()
        + filter.rules.len()
        + filter.sizes.len()
        + usize::from(filter.showcases_only)
}

#[component]
fn SearchField(filter: RwSignal<Filter>) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    shortcuts::on(Action::Search, move || {
        if let Some(field) = field.get_untracked() {
            // It fails only for a field that is not in the page.
            let _focused = field.focus();
            field.select();
        }
    });
    view! {
        <input
            node_ref=field
            type="search"
            class="field subjects__search"
            placeholder="Search name, requirement and code"
            aria-label="Search name, requirement and code"
            aria-keyshortcuts="/"
            prop:value=attr(move || filter.with(|filter| filter.text.clone()))
            on:input=handler(move |event| filter.update(|filter| filter.text = event_target_value(&event)))
            on:keydown=handler(move |event: ev::KeyboardEvent| match event.key().as_str() {
                "Escape" => {
                    event.prevent_default();
                    filter.update(|filter| filter.text.clear());
                    if let Some(field) = field.get_untracked() {
                        let _blurred = field.blur();
                    }
                }
                "ArrowDown" | "Enter" => {
                    event.prevent_default();
                    shortcuts::run(Action::NextRow);
                }
                _ => {}
            })
        />
    }
}

#[component]
fn SortMenu(filter: RwSignal<Filter>) -> impl IntoView {
    let option = move |(sort, label): (SortKey, &'static str)| {
        view! {
            <option value=sort_slug(sort) selected=attr(move || filter.with(|filter| filter.sort == sort))>
                {label}
            </option>
        }
    };
    let sorts = [
        (SortKey::File, "File order"),
        (SortKey::Name, "Name"),
        (SortKey::LinesDown, "Longest first"),
        (SortKey::InstancesDown, "Most instances first"),
    ];
    view! {
        <label class="subjects__sort">
            <span class="subjects__sort-label">"Sort"</span>
            <select
                class="field"
                on:change=handler(move |event| filter.update(|filter| filter.sort = sort_of(&event_target_value(&event))))
            >
                {sorts.map(option).collect_view()}
            </select>
        </label>
    }
}
