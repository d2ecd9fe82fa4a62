//! Tests and verdicts in words.

use shared::harness::TestJob;
use shared::report::{Limits, Stop, TestOutcome, TestReport, TestRun, Verdict};
use shared::text::Span;

use crate::state::words::n_of;

/// What is said of a test or a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Said {
    /// The last part of its class name.
    pub(crate) slug: &'static str,
    pub(crate) sign: &'static str,
    pub(crate) text: String,
}

fn said(slug: &'static str, sign: &'static str, text: impl Into<String>) -> Said {
    Said {
        slug,
        sign,
        text: text.into(),
    }
}

/// A test's outcome; `None` is one that has not ended.
pub(crate) fn outcome(outcome: Option<&TestOutcome>) -> Said {
    match outcome {
        None => said("waiting", "·", "waiting"),
        Some(TestOutcome::Passed) => said("passed", "✓", "passed"),
        Some(TestOutcome::Failed { .. }) => said("failed", "✗", "failed"),
        Some(TestOutcome::Errored { .. }) => said("failed", "!", "raised an error"),
        Some(TestOutcome::TimedOut) => said("failed", "…", "timed out"),
        Some(TestOutcome::Killed { .. }) => said("failed", "†", "was ended"),
        Some(TestOutcome::NotRun) => said("not-run", "○", "was not run"),
    }
}

/// What is to say of a test that has no error of its own.
pub(crate) fn remark(outcome: &TestOutcome) -> Option<String> {
    match outcome {
        TestOutcome::Passed => None,
        TestOutcome::Failed { message }
        | TestOutcome::Errored { message }
        | TestOutcome::Killed { message } => Some(message.clone()),
        TestOutcome::TimedOut => Some("Its test class had used up its time.".to_owned()),
        TestOutcome::NotRun => Some(
            "Nothing was heard of it, which is no pass: the program ended or was stopped before."
                .to_owned(),
        ),
    }
}

/// A test without its class: `test_twice`.
pub(crate) fn short(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, test)| test)
}

/// What a report says as a whole.
pub(crate) fn verdict(report: &TestReport) -> Said {
    let n = report.tests.len();
    let n_broken = report.broken().count();
    let tests = n_of(n, "test", "tests");
    let but = match n - n_broken {
        0 => "no test passed".to_owned(),
        n_passed => format!("{n_passed} of {tests} passed"),
    };
    let limits = report.engine.as_ref().map(|engine| engine.limits);
    let limits = limits.unwrap_or_default();
    let raised = report.load.as_ref();
    match report.verdict() {
        Verdict::Pass => said("pass", "✓", format!("All {tests} pass")),
        Verdict::Fail => {
            let fail = if n_broken == 1 { "fails" } else { "fail" };
            let text = match &report.load_error {
                Some(why) => format!("The class cannot be loaded: {why}"),
                None => format!("{n_broken} of {tests} {fail}"),
            };
            said("fail", "✗", text)
        }
        Verdict::SyntaxError => {
            let why = raised.map_or("", |raised| &raised.message);
            let line = raised.and_then(|raised| raised.line);
            let line = line.map_or_else(String::new, |line| format!(" (line {line} of the class)"));
            said("fail", "✗", format!("Syntax error: {why}{line}"))
        }
        Verdict::ImportError { module } => {
            let text = format!("The engine has no module {module}: choose an engine that has it");
            said("fail", "✗", text)
        }
        Verdict::Timeout => {
            let mut timings = report.timings.iter();
            let late = timings.find(|timing| timing.ms >= timing.limit_ms);
            let (class, ms) = late.map_or(("a test class", limits.class_ms), |it| {
                (&*it.test_class, it.limit_ms)
            });
            let text = format!("Timeout: {class} took longer than {}; {but}", seconds(ms));
            said("fail", "…", text)
        }
        Verdict::OutOfMemory => {
            let most = limits.memory_mib;
            let text = format!("Out of memory: it wanted more than {most} MiB; {but}");
            said("fail", "✗", text)
        }
        Verdict::OutputLimit => said(
            "fail",
            "✗",
            format!("Output limit: it printed more than it may; {but}"),
        ),
        Verdict::Killed => {
            let why = match &report.stopped {
                Some(Stop::Killed { message }) => message.as_str(),
                _ => "the program ended itself",
            };
            said("fail", "†", format!("Killed: {why}; {but}"))
        }
        Verdict::Empty => said("fail", "✗", "There is no program"),
    }
}

fn seconds(ms: u32) -> String {
    match ms {
        ms if ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    }
}

/// Bounds, for a reader.
pub(crate) fn bounds(limits: Limits) -> String {
    format!(
        "at most {} a test class, {} MiB of memory, {} KiB of output, {} MiB in {} files",
        seconds(limits.class_ms),
        limits.memory_mib,
        limits.output_kib,
        limits.disk_mib,
        limits.files
    )
}

/// A line of a text, from 0, without the white space around it.
pub(crate) fn line_span(text: &str, line: usize) -> Option<Span> {
    let mut start = 0;
    for (at, it) in text.split_inclusive('\n').enumerate() {
        if at == line {
            let from = start + it.len() - it.trim_start().len();
            let to = start + it.trim_end().len();
            return Some(Span::new(
                u32::try_from(from).ok()?,
                u32::try_from(to).ok()?,
            ));
        }
        start += it.len();
    }
    None
}

/// How many tests a job has.
pub(crate) fn n_tests(job: &TestJob) -> usize {
    job.classes.iter().map(|class| class.tests.len()).sum()
}

/// The outcome of a test, where it has ended.
pub(crate) fn run_of<'a>(tests: &'a [TestRun], name: &str) -> Option<&'a TestRun> {
    tests.iter().find(|run| run.name == name)
}

/// Two texts as what they share at their beginning, what differs, and what they share at their end.
pub(crate) fn parted<'a>(one: &'a str, other: &str) -> [&'a str; 3] {
    let same = |(a, b): &((usize, char), char)| a.1 == *b;
    let start = one.char_indices().zip(other.chars()).take_while(same);
    let start = start.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let (rest, other) = (&one[start..], &other[start..]);
    let end = rest.char_indices().rev().zip(other.chars().rev());
    let end = end.take_while(same).last();
    let end = end.map_or(one.len(), |((at, _), _)| start + at);
    [&one[..start], &one[start..end], &one[end..]]
}

#[cfg(test)]
mod tests {
    use shared::report::{Raised, Stop, TestOutcome, TestReport, TestRun};
    use shared::variant::VariantId;

    use super::{line_span, parted, verdict};

    fn report(outcomes: &[TestOutcome]) -> TestReport {
        let mut report = TestReport::new(VariantId("v".to_owned()));
        for (n, outcome) in outcomes.iter().enumerate() {
            let name = format!("T.test_{n}");
            report.tests.push(TestRun::new(&name, outcome.clone()));
        }
        report
    }

    fn failed() -> TestOutcome {
        TestOutcome::Failed {
            message: "3 != 2".to_owned(),
        }
    }

    #[test]
    fn a_verdict_says_what_and_how_many() {
        let text = |report: &TestReport| verdict(report).text;
        let passed = TestOutcome::Passed;
        assert_eq!(
            text(&report(std::slice::from_ref(&passed))),
            "All 1 test pass"
        );
        assert_eq!(
            text(&report(&[passed.clone(), failed()])),
            "1 of 2 tests fails"
        );
        let mut hung = report(&[passed.clone(), TestOutcome::TimedOut]);
        hung.stopped = Some(Stop::Timeout);
        assert_eq!(
            text(&hung),
            "Timeout: a test class took longer than 20 s; 1 of 2 tests passed"
        );
        let mut gone = report(&[TestOutcome::NotRun]);
        gone.load_error = Some("x".to_owned());
        gone.load = Some(Raised {
            kind: "ModuleNotFoundError".to_owned(),
            missing: Some("numpy".to_owned()),
            ..Raised::default()
        });
        assert_eq!(
            text(&gone),
            "The engine has no module numpy: choose an engine that has it"
        );
        let mut broken = report(&[TestOutcome::NotRun]);
        broken.load = Some(Raised {
            kind: "SyntaxError".to_owned(),
            message: "invalid syntax".to_owned(),
            line: Some(4),
            ..Raised::default()
        });
        assert_eq!(
            text(&broken),
            "Syntax error: invalid syntax (line 4 of the class)"
        );
        // A report that says nothing is no pass.
        assert_eq!(verdict(&report(&[])).slug, "fail");
    }

    #[test]
    fn a_line_is_pointed_out_without_its_indentation() {
        let text = "def f():\n    return 1\n\n";
        let of = |line| line_span(text, line).map(|span| span.of(text));
        assert_eq!(of(0), Some("def f():"));
        assert_eq!(of(1), Some("return 1"));
        assert_eq!(of(3), None);
    }

    #[test]
    fn what_differs_is_parted_from_what_does_not() {
        assert_eq!(parted("[1, 2, 3]", "[1, 5, 3]"), ["[1, ", "2", ", 3]"]);
        assert_eq!(parted("aa", "a"), ["a", "a", ""]);
        assert_eq!(parted("a", "aa"), ["a", "", ""]);
        assert_eq!(parted("é→x", "é→y"), ["é→", "x", ""]);
        assert_eq!(parted("", "x"), ["", "", ""]);
        assert_eq!(parted("same", "same"), ["same", "", ""]);
    }
}
