//! The tests of what is shown: run, heard one by one, and looked into.

use leptos::prelude::*;

use crate::components::announcer::use_announcer;
use crate::components::engine_picker::EnginePicker;
use crate::components::kill_matrix::KillMatrix;
use crate::components::not_run::NotRun;
use crate::components::progress::ProgressBar;
use crate::components::test_detail::TestDetail;
use crate::components::test_list::TestList;
use crate::reactive::{Memo, Signal, effect, handler, live, watch};
use crate::state::shortcuts::{self, Action};
use crate::state::testing::words::{self, Said};
use crate::state::testing::{Phase, Testing, program};
use crate::state::words::n_of;
use crate::state::workbench::Workbench;
use crate::worker::protocol::Progress;

#[component]
pub(crate) fn TestRunner(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let testing = Testing::new(bench);
    effect(move || {
        if bench.desk().testing.get() > 0 {
            untrack(|| testing.run());
        }
    });
    keep_said(testing);
    let is_over = Memo::new(move |_| testing.phase.with(Phase::is_over));
    let close = move || bench.desk().testing.set(0);
    shortcuts::on(Action::UpOneLevel, move || {
        if is_over.get_untracked() {
            close();
        } else {
            testing.cancel();
        }
    });
    let has_list = Memo::new(move |_| {
        let is_refused = testing
            .phase
            .with(|phase| matches!(phase, Phase::Failed(..)));
        testing.current.with(Option::is_some) && !is_refused
    });
    view! {
        <section class="testing" aria-label="Tests of this method’s class">
            <div class="testing__head">
                <div class="testing__bar">
                    {live(move || status(testing))}
                    {live(move || is_over.get().then(|| view! {
                        <button type="button" class="button button--small" on:click=handler(move |_| close())>
                            "Close" <kbd>"Esc"</kbd>
                        </button>
                    }))}
                </div>
                {live(move || stale(testing))}
                <EnginePicker testing/>
            </div>
            {live(move || has_list.get().then(|| view! {
                <div class="testing__panes">
                    <TestList testing/>
                    <TestDetail testing/>
                </div>
                <KillMatrix bench/>
            }))}
        </section>
    }
}

fn status(testing: Testing) -> AnyView {
    let cancel = Callback::new(move |()| testing.cancel());
    let going = move |label: String, progress: Option<Progress>| {
        view! {
            <ProgressBar label=label unit="tests" progress=Signal::stored(progress) on_cancel=cancel/>
        }
        .into_any()
    };
    let what = || {
        let current = testing.current.get();
        current.map_or("", |(program, _)| program.kind.words())
    };
    match testing.phase.get() {
        Phase::Idle => ().into_any(),
        Phase::Starting(words) => going(format!("{words}…"), None),
        Phase::Queued(0) => going("Waiting for a free place".to_owned(), None),
        Phase::Queued(n) => {
            let runs = if n == 1 { "runs" } else { "run" };
            going(
                format!("Waiting: {} {runs} before", n_of(n, "job", "jobs")),
                None,
            )
        }
        Phase::Running => {
            let of = testing.current.with(|current| {
                let current = current.as_ref();
                current.map_or(0, |(_, prepared)| words::n_tests(&prepared.job))
            });
            let done = testing.tests.with(Vec::len);
            going(format!("Testing {}", what()), Some(Progress { done, of }))
        }
        Phase::Waiting => going(
            "The server does not answer; its job goes on there".to_owned(),
            None,
        ),
        Phase::Done(tested) => {
            let Said { slug, sign, text } = words::verdict(&tested.report);
            let engine = tested.report.engine.as_ref();
            let by = engine.map(|it| format!("{} · {}", it.engine, it.python));
            view! {
                <p class=format!("testing__verdict testing__verdict--{slug}")>
                    <span class="testing__sign" aria-hidden="true">{sign}</span>
                    <span>{text}</span>
                </p>
                <p class="testing__by">{what()} {by.map(|by| format!(" · {by}"))}</p>
            }
            .into_any()
        }
        Phase::Failed(title, why) => {
            let but = "Nothing was run: this says nothing about the code.";
            view! { <NotRun title why but on_retry=move |()| testing.run()/> }.into_any()
        }
        Phase::Cancelled => {
            let n = testing.tests.with(Vec::len);
            let ended = n_of(n, "test", "tests");
            view! { <p class="testing__verdict">{format!("Cancelled; {ended} had ended")}</p> }
                .into_any()
        }
    }
}

/// Says that what is shown is no longer what was run.
fn stale(testing: Testing) -> Option<impl IntoView> {
    let is_done = testing.phase.with(|phase| matches!(phase, Phase::Done(_)));
    let (ran, _) = testing.current.get().filter(|_| is_done)?;
    let is_it = program(testing.bench.get_value()).is_ok_and(|shown| shown.code == ran.code);
    (!is_it).then(|| {
        let what = ran.kind.words();
        view! { <p class="testing__stale">{format!("This was said of {what}; another text is shown now.")}</p> }
    })
}

/// Reads out what begins and what came of it.
fn keep_said(testing: Testing) {
    let announcer = use_announcer();
    let to_say = Memo::new(move |_| {
        testing.phase.with(|phase| match phase {
            Phase::Idle => String::new(),
            Phase::Starting(_) => "Looking for an engine".to_owned(),
            Phase::Queued(n) => format!("Waiting: {n} before"),
            Phase::Running => "Running the tests".to_owned(),
            Phase::Waiting => "The server does not answer".to_owned(),
            Phase::Done(tested) => words::verdict(&tested.report).text,
            Phase::Failed(title, why) => format!("{title}: {why}"),
            Phase::Cancelled => "Cancelled".to_owned(),
        })
    });
    watch(
        move || to_say.get(),
        move |text| announcer.say(text.as_str()),
    );
}
