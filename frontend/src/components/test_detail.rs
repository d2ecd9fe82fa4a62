//! One test: what was expected, what came instead, and the lines on the way.

use leptos::prelude::*;
use shared::report::{Frame, FrameFile, Raised, TestOutcome, TestRun};

use crate::components::test_list::breakable;
use crate::platform::document;
use crate::reactive::{Memo, handler, live};
use crate::state::testing::words::{Said, line_span, outcome, parted, remark as remark_of, run_of};
use crate::state::testing::{Phase, ProgramKind, Testing};
use crate::state::words::n_of;
use crate::state::workbench::link::Display;
use crate::worker::compare::protocol::Prepared;

#[component]
pub(crate) fn TestDetail(
    /// The test runner.
    testing: Testing,
) -> impl IntoView {
    let run = Memo::new(move |_| {
        let name = testing.looked_at.get()?;
        testing.tests.with(|all| {
            let found = run_of(all, &name).cloned();
            Some((name, found))
        })
    });
    let detail = move || match run.get() {
        Some((name, run)) => shown(testing, name, run).into_any(),
        None => nothing(testing).into_any(),
    };
    view! {
        <div class="test-detail" role="group" aria-label="The chosen test" tabindex="0">
            {live(detail)}
            {live(move || printed(testing))}
        </div>
    }
}

fn nothing(testing: Testing) -> impl IntoView {
    let load = testing.phase.with(|phase| match phase {
        Phase::Done(tested) => tested.report.load.clone(),
        _ => None,
    });
    match load {
        Some(raised) => raising(testing, raised).into_any(),
        None => view! { <p class="muted">"Choose a test to look into it."</p> }.into_any(),
    }
}

fn shown(testing: Testing, name: String, run: Option<TestRun>) -> impl IntoView {
    let Said { slug, sign, text } = outcome(run.as_ref().map(|run| &run.outcome));
    let ms = run.as_ref().and_then(|run| run.ms).filter(|&ms| ms > 0);
    let ms = ms.map(|ms| format!(" after {ms} ms"));
    let raised = run.as_ref().and_then(|run| run.raised.clone());
    let raised = raised.or_else(|| {
        // A test that never ran has no error of its own: what loading raised is the reason.
        let is_silent = matches!(run.as_ref()?.outcome, TestOutcome::NotRun);
        testing.phase.with(|phase| match phase {
            Phase::Done(tested) if is_silent => tested.report.load.clone(),
            _ => None,
        })
    });
    let remark = run.filter(|_| raised.is_none());
    let remark = remark.and_then(|run| remark_of(&run.outcome));
    view! {
        <h2 class="test-detail__name">{breakable(&name)}</h2>
        <p class=format!("test-detail__outcome test-detail__outcome--{slug}")>
            <span aria-hidden="true">{sign} " "</span>
            {text} {ms}
        </p>
        {remark.map(|remark| view! { <p>{remark}</p> })}
        {raised.map(|raised| raising(testing, raised))}
    }
}

fn raising(testing: Testing, raised: Raised) -> impl IntoView {
    let Raised {
        kind,
        message,
        line,
        actual,
        expected,
        frames,
        ..
    } = raised;
    let values = expected.zip(actual);
    // What an assertion says is what its two values show; only a remark behind them is more.
    let (message, remark) = match (&values, message.split_once(" : ")) {
        (Some(_), Some((_, remark))) if kind == "AssertionError" => (None, Some(remark.to_owned())),
        (Some(_), None) if kind == "AssertionError" && !message.contains('\n') => (None, None),
        _ => (Some(message), None),
    };
    let frames = frames.into_iter().chain(line.map(|line| Frame {
        file: FrameFile::Module,
        line,
        function: String::new(),
    }));
    let current = testing.current.get_untracked();
    // The innermost call first: that is where to look.
    let frames: Vec<Frame> = frames.collect();
    let frames = frames
        .into_iter()
        .rev()
        .filter_map(|it| Some(frame(testing, &current.as_ref()?.1, it)))
        .collect_view();
    view! {
        {remark.map(|remark| view! { <p class="test-detail__remark">{remark}</p> })}
        {values.map(|(expected, actual)| compared(&expected, &actual))}
        {message.map(|message| view! {
            <pre class="test-detail__message">{format!("{kind}: {message}")}</pre>
        })}
        <ol class="test-detail__frames">{frames}</ol>
    }
}

fn compared(expected: &str, actual: &str) -> impl IntoView + use<> {
    let value = |word: &'static str, slug: &'static str, text: &str, other: &str| {
        let [before, differs, after] = parted(text, other).map(str::to_owned);
        view! {
            <div class=format!("test-detail__value test-detail__value--{slug}")>
                <dt>{word}</dt>
                <dd><pre>{before}<mark>{differs}</mark>{after}</pre></dd>
            </div>
        }
    };
    view! {
        <dl class="test-detail__values">
            {value("Expected", "expected", expected, actual)}
            {value("Actual", "actual", actual, expected)}
        </dl>
    }
}

fn frame(testing: Testing, prepared: &Prepared, at: Frame) -> impl IntoView + use<> {
    let (text, file) = match at.file {
        FrameFile::Module => (&prepared.job.module, "the class"),
        FrameFile::Tests => (&prepared.job.tests, "the tests"),
    };
    let code = text.lines().nth((at.line as usize).saturating_sub(1));
    let code = code.unwrap_or_default().trim().to_owned();
    let in_method = (at.file == FrameFile::Module && prepared.method.contains(&at.line))
        .then(|| at.line - prepared.method.start);
    let place = match in_method {
        Some(line) => format!("line {} of the method", line + 1),
        None => format!("line {} of {file}", at.line),
    };
    let program = testing
        .current
        .get_untracked()
        .map(|(program, _)| program.kind);
    let is_own = matches!(program, Some(ProgramKind::Reference | ProgramKind::Edit));
    let place = match in_method.filter(|_| is_own) {
        Some(line) => view! {
            <button
                type="button"
                class="button button--link"
                on:click=handler(move |_| point_out(testing, line))
            >
                {place}
            </button>
        }
        .into_any(),
        None => place.into_any(),
    };
    let function = Some(at.function).filter(|it| !it.is_empty());
    view! {
        <li>
            {function.map(|it| view! { <code class="test-detail__function">{it}</code> ", " })}
            {place}
            <pre class="test-detail__line"><span class="test-detail__n">{format!("{}  ", at.line)}</span>{code}</pre>
        </li>
    }
}

/// Shows a line of the method, from 0, in its code.
fn point_out(testing: Testing, line: u32) {
    let bench = testing.bench.get_value();
    bench.choose_display(Display::Code);
    let span = bench
        .source
        .with_untracked(|source| line_span(source, line as usize));
    bench.focus.set(span);
    request_animation_frame(|| document::center(".editor .mark--focus"));
}

fn printed(testing: Testing) -> Option<impl IntoView> {
    let output = testing.phase.with(|phase| match phase {
        Phase::Done(tested) => Some(tested.report.output.clone()),
        _ => None,
    });
    let output = output.filter(|output| !output.is_empty())?;
    let n = output.text.lines().count();
    let cut = (output.n_dropped > 0).then(|| format!("… and {} bytes more", output.n_dropped));
    Some(view! {
        <details class="test-detail__printed">
            <summary>{format!("Printed: {}", n_of(n, "line", "lines"))}</summary>
            <pre>{output.text}</pre>
            {cut}
        </details>
    })
}
