//! The tests of a class, one by one as they end: the method's own first.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use shared::harness::TestClass;
use shared::report::{TestOutcome, TestRun};

use crate::platform::document;
use crate::reactive::{Memo, attr, handler, live};
use crate::state::testing::Testing;
use crate::state::testing::words::{Said, outcome, run_of, short};

#[component]
pub(crate) fn TestList(
    /// The test runner.
    testing: Testing,
) -> impl IntoView {
    let own = move || {
        let bench = testing.bench.get_value();
        bench
            .body
            .with_value(|body| body.subject.test_class.trim().to_owned())
    };
    let classes = Memo::new(move |_| {
        let own = own();
        let current = testing.current.get();
        let mut classes = current.map_or_else(Vec::new, |(_, it)| it.job.classes.clone());
        classes.sort_by_key(|class| class.name != own);
        classes
    });
    let keydown = move |event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        event.prevent_default();
        let names = classes.with_untracked(|classes| {
            let all = classes.iter().flat_map(|class| class.tests.clone());
            all.collect::<Vec<_>>()
        });
        let looked_at = testing.looked_at.get_untracked();
        let at = names
            .iter()
            .position(|name| Some(name) == looked_at.as_ref());
        // Before one is looked at, the focus is on the first.
        let next = at.unwrap_or_default().checked_add_signed(by);
        if let Some((at, name)) = next.and_then(|at| Some((at, names.get(at)?))) {
            testing.look_at(name.clone());
            document::focus(&format!("[data-test=\"{at}\"]"));
        }
    };
    let groups = move || {
        let mut n = 0;
        let classes = classes.get();
        let n_own = n_own(&own(), &classes);
        let group = |class: TestClass| {
            let first = n;
            n += class.tests.len();
            let others = (first > 0 && first == n_own)
                .then(|| view! { <p class="test-list__others">"Tests of its other methods"</p> });
            view! {
                {others}
                {group(testing, class, first)}
            }
        };
        classes.into_iter().map(group).collect_view()
    };
    view! {
        <div class="test-list" role="group" aria-label="Tests" on:keydown=handler(keydown)>
            {live(groups)}
        </div>
    }
}

/// How many of the tests are the method's own, which come first.
fn n_own(own: &str, classes: &[TestClass]) -> usize {
    let own = classes.iter().filter(|class| class.name == own);
    own.map(|class| class.tests.len()).sum()
}

fn group(testing: Testing, class: TestClass, first: usize) -> impl IntoView {
    let TestClass { name, tests, .. } = class;
    let n = tests.len();
    let n_passed = {
        let tests = tests.clone();
        Memo::new(move |_| {
            let passed = |name: &&String| {
                testing.tests.with(|all| {
                    let run = run_of(all, name);
                    run.is_some_and(|run| run.outcome == TestOutcome::Passed)
                })
            };
            tests.iter().filter(passed).count()
        })
    };
    let rows = tests.into_iter().enumerate();
    let rows = rows.map(|(at, name)| row(testing, name, first + at));
    view! {
        <h2 class="test-list__class">
            <span class="test-list__name">{name}</span>
            <span class="test-list__n">{live(move || format!("{} of {n}", n_passed.get()))}</span>
        </h2>
        <ul>{rows.collect_view()}</ul>
    }
}

fn row(testing: Testing, name: String, at: usize) -> impl IntoView {
    let run = {
        let name = name.clone();
        Memo::new(move |_| testing.tests.with(|all| run_of(all, &name).cloned()))
    };
    let is_looked_at = {
        let name = name.clone();
        Memo::new(move |_| testing.looked_at.with(|it| it.as_ref() == Some(&name)))
    };
    let is_first = move || at == 0 && testing.looked_at.with(Option::is_none);
    let label = short(&name).to_owned();
    let said = move || {
        run.with(|run: &Option<TestRun>| {
            let Said { slug, sign, text } = outcome(run.as_ref().map(|run| &run.outcome));
            let ms = run.as_ref().and_then(|run| run.ms).filter(|&ms| ms > 0);
            view! {
                <span class=format!("test-list__sign test-list__sign--{slug}") aria-hidden="true">{sign}</span>
                <span class="test-list__test">{breakable(&label)}</span>
                <span class="visually-hidden">{format!(", {text}")}</span>
                <span class="test-list__ms">{ms.map(|ms| format!("{ms} ms"))}</span>
            }
        })
    };
    view! {
        <li>
            <button
                type="button"
                class="test-list__row"
                data-test=at.to_string()
                aria-pressed=attr(move || is_looked_at.get().to_string())
                tabindex=attr(move || if is_looked_at.get() || is_first() { "0" } else { "-1" })
                on:click=handler(move |_| testing.look_at(name.clone()))
            >
                {live(said)}
            </button>
        </li>
    }
}

/// A Python name that may be broken after its underscores.
pub(crate) fn breakable(name: &str) -> impl IntoView + use<> {
    let parts = name.split_inclusive('_').map(|part| {
        let part = part.to_owned();
        view! { {part} <wbr/> }
    });
    parts.collect_view()
}
