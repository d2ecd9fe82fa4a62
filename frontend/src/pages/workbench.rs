//! One method under the ten rules.

mod link;

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_navigate, use_params_map};
use shared::api::{DatasetCard, SubjectBody};
use shared::perturb::RULES;
use shared::subject::{DatasetId, SubjectId};
use shared::syntax::highlight::Token;

use crate::components::announcer::{Announcer, use_announcer};
use crate::components::async_view::AsyncView;
use crate::components::method_actions::MethodActions;
use crate::components::method_pane::MethodPane;
use crate::components::rule_pane::RulePane;
use crate::components::side_pane::SidePane;
use crate::components::toast::use_toasts;
use crate::page::Page;
use crate::pages::lazy::{self, LazyTestRunner};
use crate::platform::document;
use crate::reactive::{LocalValue, Memo, Signal, attr, effect, handler, live};
use crate::state::fetched::Fetched;
use crate::state::head::{Crumb, name_page, show_way};
use crate::state::opened::use_current_benchmark;
use crate::state::shortcuts::{self, Action};
use crate::state::workbench::drafts;
use crate::state::workbench::link::{Display, ViewState};
use crate::state::workbench::{Analysis, Workbench};
use crate::worker::client::{self, ClientError, Latest};

/// A benchmark's card and one of its subjects.
type Loaded = (DatasetCard, SubjectBody);

/// Under which word the edited text is kept.
const EDIT: &str = "edit";

#[component]
pub(crate) fn WorkbenchPage() -> impl IntoView {
    let params = use_params_map();
    let param = move |name: &str| params.with(|params| params.get(name).unwrap_or_default());
    let ids = Memo::new(move |_| (DatasetId(param("dataset")), SubjectId(param("subject"))));
    let current = use_current_benchmark();
    effect(move || current.want(&ids.get().0));
    name_page(move || ids.get().1.0);
    let loaded = Fetched::new(move || {
        let (dataset, subject) = ids.get();
        async move { load(dataset, subject).await }
    });
    view! {
        <AsyncView resource=loaded what="the method" let:loaded>
            <OpenSubject loaded/>
        </AsyncView>
    }
}

/// The benchmark is opened by the worker once; later calls find it open.
async fn load(dataset: DatasetId, subject: SubjectId) -> Result<Loaded, ClientError> {
    let entry = client::open(dataset.clone(), Box::new(|_| ())).await?;
    Ok((entry.card, client::subject(dataset, subject).await?))
}

/// Which of the three panes a narrow window shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pane {
    Side,
    Method,
    Rules,
}

#[component]
fn OpenSubject(
    /// What is shown.
    loaded: Loaded,
) -> impl IntoView {
    lazy::read_ahead();
    let (card, body) = loaded;
    let (view, written) = link::read();
    let edited = written
        .edit
        .or_else(|| drafts::of(&body.dataset, &body.subject.id, EDIT));
    let bench = Workbench::new(body, &card, view, edited);
    bench.desk().variant.set(written.variant);
    keep_draft(bench);
    let address = link::keep(bench);
    keep_analyzed(bench);
    handle_keys(bench);

    let toasts = use_toasts();
    let announcer = use_announcer();
    let on_step = Callback::new(move |by| step_site(bench, by, announcer));
    let on_reset = move |()| {
        bench.reset();
        bench.reset_options();
    };
    let on_done = move |outcome: Result<String, String>| match outcome {
        Ok(text) => toasts.done(text),
        Err(text) => toasts.failed(text),
    };
    let (pane, set_pane) = signal(Pane::Method);
    let switch = move |value: Pane, label: &'static str| {
        view! {
            <button
                type="button"
                class="workbench__switch"
                aria-pressed=attr(move || (pane.get() == value).to_string())
                on:click=handler(move |_| set_pane.set(value))
            >
                {label}
            </button>
        }
    };
    let is_tested = Memo::new(move |_| bench.desk().testing.get() > 0);
    let hidden = move |value: Pane| move || pane.get() != value;
    let class_tokens = colours(bench.body.with_value(|body| body.class.source.clone()));
    let test_tokens = colours(bench.body.with_value(|body| body.subject.tests.clone()));
    view! {
        <div class="workbench">
            {head(bench, &card)}
            <div class="workbench__switches" role="group" aria-label="Pane">
                {switch(Pane::Side, "About")}
                {switch(Pane::Method, "Method")}
                {switch(Pane::Rules, "Rules")}
            </div>
            <section
                class="workbench__pane workbench__pane--side"
                class:workbench__pane--away=hidden(Pane::Side)
                aria-label="About the method"
            >
                <SidePane bench class_tokens test_tokens/>
            </section>
            <section
                class="workbench__pane workbench__pane--method"
                class:workbench__pane--away=hidden(Pane::Method)
                aria-label="Method"
            >
                <MethodPane bench on_step on_reset/>
                {live(move || is_tested.get().then(|| view! { <LazyTestRunner bench/> }))}
                <MethodActions bench link=move |()| address.full() on_done/>
            </section>
            <section
                class="workbench__pane workbench__pane--rules"
                class:workbench__pane--away=hidden(Pane::Rules)
                aria-label="Rules"
            >
                <RulePane bench/>
            </section>
        </div>
    }
}

fn head(bench: Workbench, card: &DatasetCard) -> impl IntoView + use<> {
    let body = bench.body.get_value();
    let way = vec![
        Crumb::to(card.name.clone(), Page::Subjects(card.id.clone())),
        Crumb::here(body.subject.id.0.clone()),
    ];
    show_way(move || way.clone());
    let dataset = body.dataset.clone();
    let subject = body.subject.id.clone();
    let n_lines = body.subject.source.trim_end().lines().count();
    let libraries = body.subject.libraries.join(", ");
    let n_showcases = body.subject.showcases.len();
    let current = use_current_benchmark();
    let place = {
        let subject = subject.clone();
        move || {
            let index = current.ready()?.index;
            let at = index.iter().position(|row| row.id == subject)?;
            Some(format!("{} of {}", at + 1, index.len()))
        }
    };
    let neighbour = move |by: isize, label: &'static str, sign: &'static str| {
        let (dataset, subject) = (dataset.clone(), subject.clone());
        move || {
            let other = current.neighbour(&subject, by);
            let view = bench.view.with(ViewState::for_another_subject).to_string();
            match other {
                Some(other) => {
                    let path = Page::Workbench(dataset.clone(), other).path();
                    let href = if view.is_empty() { path } else { format!("{path}?{view}") };
                    view! { <a class="button button--small" href=href aria-label=label title=label>{sign}</a> }.into_any()
                }
                None => view! {
                    <span class="button button--small workbench__no-neighbour" aria-hidden="true">{sign}</span>
                }
                .into_any(),
            }
        }
    };
    let facts = format!("{n_lines} {}", if n_lines == 1 { "line" } else { "lines" });
    let facts = if libraries.is_empty() {
        facts
    } else {
        format!("{facts} · uses {libraries}")
    };
    let is_elsewhere = move || bench.display.get() != Display::Showcase;
    view! {
        <header class="workbench__head">
            <h1 class="workbench__title" tabindex="-1">
                <span class="workbench__class">{body.class.name.clone()} "."</span>
                {body.subject.method.clone()}
            </h1>
            <span class="workbench__facts">{facts}</span>
            {(n_showcases > 0).then(|| view! {
                <Show when=is_elsewhere>
                    <button
                        type="button"
                        class="button button--small workbench__tease"
                        on:click=handler(move |_| bench.choose_display(Display::Showcase))
                    >
                        "A plausible line is wrong here…"
                    </button>
                </Show>
            })}
            <nav class="workbench__neighbours" aria-label="Methods of the benchmark">
                {neighbour(-1, "Previous method (k)", "‹")}
                <span class="workbench__at">{place}</span>
                {neighbour(1, "Next method (j)", "›")}
            </nav>
        </header>
    }
}

fn keep_draft(bench: Workbench) {
    effect(move || {
        let text = bench.is_edited.get().then(|| bench.source.get());
        bench
            .body
            .with_value(|body| drafts::keep(&body.dataset, &body.subject.id, EDIT, text));
    });
}

/// Follows the text and the options with all ten rules.
fn keep_analyzed(bench: Workbench) {
    let latest = LocalValue::new_local(Latest::default());
    let options = Memo::new(move |_| bench.view.with(|view| view.options.clone()));
    let toasts = use_toasts();
    effect(move || {
        let (source, options) = (bench.source.get(), options.get());
        let context = bench.body.with_value(|body| body.context.clone());
        let job = client::perturb(source.clone(), context, options);
        latest.with_value(|latest| {
            latest.run(job, move |view| match view {
                Ok(view) => {
                    bench
                        .analysis
                        .try_set(Some(Arc::new(Analysis { source, view })));
                }
                Err(error) => toasts.failed(error.to_string()),
            });
        });
    });
    on_cleanup(move || {
        latest.try_with_value(Latest::stop);
    });
}

fn handle_keys(bench: Workbench) {
    let navigate = use_navigate();
    let current = use_current_benchmark();
    let (dataset, subject) = bench
        .body
        .with_value(|body| (body.dataset.clone(), body.subject.id.clone()));
    for (action, by) in [(Action::NextRow, 1), (Action::PreviousRow, -1)] {
        let (navigate, dataset, subject) = (navigate.clone(), dataset.clone(), subject.clone());
        shortcuts::on(action, move || {
            let Some(other) = untrack(|| current.neighbour(&subject, by)) else {
                return;
            };
            let view = bench.view.with_untracked(ViewState::for_another_subject);
            navigate(
                &link::address(&Page::Workbench(dataset.clone(), other), &view),
                leptos_router::NavigateOptions::default(),
            );
        });
    }
    shortcuts::on(Action::UpOneLevel, move || {
        navigate(
            &Page::Subjects(dataset.clone()).path(),
            leptos_router::NavigateOptions::default(),
        );
    });
    let announcer = use_announcer();
    shortcuts::on(Action::NextSite, move || step_site(bench, 1, announcer));
    shortcuts::on(Action::PreviousSite, move || {
        step_site(bench, -1, announcer);
    });
    shortcuts::on(Action::ToggleHidden, move || {
        bench.toggle_reveal_all();
        let shown = bench.view.with_untracked(|view| view.reveal_all);
        announcer.say(if shown {
            "hidden texts are shown"
        } else {
            "hidden texts are hidden"
        });
    });
    shortcuts::on(Action::RunTests, move || bench.test());
    for rule in &RULES {
        shortcuts::on(Action::Rule(rule.id), move || {
            bench.choose_rule(rule.id);
            announcer.say(format!("{}: {}", rule.title, bench.say_count(rule.id)));
        });
    }
}

fn step_site(bench: Workbench, by: isize, announcer: Announcer) {
    if bench
        .view
        .with_untracked(|view| matches!(view.display, Display::Code | Display::Showcase))
    {
        bench.choose_display(Display::Masked);
    } else if bench.step_site(by).is_none() {
        return;
    }
    announcer.say(bench.say_site());
    request_animation_frame(|| {
        document::reveal(".masked-view .site--current");
        document::reveal(".site-list__site--current");
    });
}

/// The colours of a text; none until the worker has answered, or without it.
fn colours(source: String) -> Signal<Vec<Token>> {
    let tokens = Fetched::new(move || client::highlight(source.clone()));
    Signal::derive(move || tokens.get().and_then(Result::ok).unwrap_or_default())
}
