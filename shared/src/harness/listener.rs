//! One job: the lines of its guests, one after the other, become a report.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::job::TestJob;
use crate::report::{EngineStamp, Raised, Stop, TestOutcome, TestReport, TestRun, Timing};

/// A program that prints more than this, in bytes, is to be stopped.
const MOST_OUTPUT: u64 = 64 * 1024 * 1024;
/// Loading may take this long even where test classes have less: an interpreter starts in it, perhaps on a
/// busy machine.
const LOADING_MS: u32 = 10_000;

/// Hears the guests of a job.
pub struct Listener<'a> {
    job: &'a TestJob,
    report: TestReport,
    /// The first test class that no guest has taken up.
    next: usize,
    /// The first test class that the guest that runs is not to run.
    until: usize,
    /// Whether the next guest is to run one test class again.
    again: bool,
    /// Test classes that got a second try.
    retried: Vec<usize>,
    /// What the lines of the guest that runs begin with.
    nonce: String,
    /// The test class that runs, since when.
    class: Option<usize>,
    class_began: Duration,
    /// The test that runs, and since when.
    test: Option<(String, Duration)>,
    /// How many tests of the report were taken by [`Self::fresh`].
    n_taken: usize,
    n_noise: u64,
}

/// What a line says to whoever watches a guest's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Nothing.
    Nothing,
    /// A test class begins: its time runs from now.
    Class,
    /// The guest has said its last word.
    Done,
    /// It prints more than it may.
    TooMuch,
}

/// How a guest came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// It said its last word.
    Done,
    /// It was ended: a test class took too long.
    TooLate,
    /// It was ended: it printed more than it may.
    TooMuch,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// By itself, with this code.
    Code(i32),
    /// By a fault or a signal.
    Fault(String),
    /// Without a word.
    Silent,
}

/// A line of the harness.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", tag = "at")]
enum Event {
    Loaded,
    NotLoaded {
        error: Raised,
    },
    Class {
        name: String,
    },
    NoClass {
        name: String,
    },
    BrokenClass {
        error: Raised,
    },
    Test {
        name: String,
    },
    Result {
        name: String,
        outcome: ToldOutcome,
        error: Option<Raised>,
    },
    Done,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ToldOutcome {
    Passed,
    Failed,
    Errored,
    Skipped,
}

impl<'a> Listener<'a> {
    /// Nothing has run yet.
    pub fn new(job: &'a TestJob, engine: EngineStamp) -> Self {
        let mut report = TestReport::new(job.variant.clone());
        report.engine = Some(engine);
        Self {
            job,
            report,
            next: 0,
            until: 0,
            again: false,
            retried: Vec::new(),
            nonce: String::new(),
            class: None,
            class_began: Duration::ZERO,
            test: None,
            n_taken: 0,
            n_noise: 0,
        }
    }

    /// Whether another guest has test classes to run.
    pub fn wants_guest(&self) -> bool {
        self.next < self.job.classes.len() && self.report.load.is_none()
    }

    /// Whether the next guest runs one test class again, and nothing should run beside it.
    pub fn wants_to_be_alone(&self) -> bool {
        self.again
    }

    /// How long what runs now may take: a test class its own time, loading the most that any may.
    pub fn time(&self) -> Duration {
        let class = self.class.and_then(|at| self.job.classes.get(at));
        let ms = class.map_or(self.loading_ms(), |class| class.limit_ms);
        Duration::from_millis(ms.into())
    }

    fn loading_ms(&self) -> u32 {
        self.job.limits.class_ms.max(LOADING_MS)
    }

    /// What the next guest reads: one line. `nonce` is a word that the program cannot guess, `folder` is
    /// where the guest runs.
    pub fn guest(&mut self, nonce: String, folder: &str) -> String {
        let n_classes = self.job.classes.len();
        let again = std::mem::take(&mut self.again);
        self.until = if again { self.next + 1 } else { n_classes };
        let names: Vec<&str> = self.job.classes[self.next..self.until]
            .iter()
            .map(|class| class.name.as_str())
            .collect();
        let around = &self.job.surroundings;
        let input = json!({
            "nonce": nonce, "seed": around.hash_seed, "folder": folder, "test_classes": names,
            "last_test_first": around.order.reverses_tests(),
            "module": self.job.module, "tests": self.job.tests,
        });
        self.nonce = nonce;
        self.class = None;
        self.test = None;
        self.n_noise = 0;
        format!("{input}\n")
    }

    /// Takes a line of the guest's standard output, without its end; `now` counts from any moment.
    pub fn hear(&mut self, line: &[u8], now: Duration) -> Heard {
        let told = line.strip_prefix(self.nonce.as_bytes());
        let Some(event) = told.and_then(|text| serde_json::from_slice(text).ok()) else {
            return self.noise(line);
        };
        match event {
            Event::Done => {
                self.leave(now);
                return Heard::Done;
            }
            Event::Loaded => return Heard::Class,
            Event::NotLoaded { error } => {
                let kind = &error.kind;
                self.report.load_error = Some(format!("{kind}: {}", error.message));
                self.report.load = Some(error);
            }
            Event::Class { name } => {
                self.enter(&name, now);
                return Heard::Class;
            }
            Event::NoClass { name } => self.enter(&name, now),
            Event::BrokenClass { error } => self.break_class(&error),
            Event::Test { name } => self.test = Some((name, now)),
            Event::Result {
                name,
                outcome,
                error,
            } => self.result(&name, outcome, error, now),
        }
        Heard::Nothing
    }

    /// Takes what the guest printed beside its lines, of which `n_dropped` bytes were not kept.
    pub fn printed(&mut self, bytes: &[u8], n_dropped: u64) {
        let output = &mut self.report.output;
        let most = self.job.limits.output_kib as usize * 1024;
        let room = bytes.len().min(most.saturating_sub(output.text.len()));
        output
            .text
            .push_str(&String::from_utf8_lossy(&bytes[..room]));
        output.n_dropped += n_dropped + (bytes.len() - room) as u64;
    }

    /// Gives the test class that ran out of time a second try, by a guest that runs nothing else; `false`
    /// where it had one. Tests that had ended before keep their outcome.
    pub fn try_again(&mut self) -> bool {
        let at = self.class.unwrap_or(self.next);
        if self.report.load.is_some() || self.retried.contains(&at) {
            return false;
        }
        self.retried.push(at);
        self.next = at;
        self.again = true;
        true
    }

    /// Takes how the guest ended; what it left goes to the next one.
    pub fn ended(&mut self, ended: Ended, now: Duration) {
        self.leave(now);
        let (is_late, loading) = (ended == Ended::TooLate, self.next);
        let n_classes = self.job.classes.len();
        let killed = |message: &str| TestOutcome::Killed {
            message: message.to_owned(),
        };
        let by_itself = |message: String| {
            let outcome = killed(&message);
            (Stop::Killed { message }, outcome)
        };
        let (stop, outcome) = match ended {
            Ended::Done => {
                self.next = self.until;
                return;
            }
            // Whatever happened after that says nothing more.
            _ if self.report.load.is_some() => return,
            Ended::TooLate => (Stop::Timeout, TestOutcome::TimedOut),
            Ended::TooMuch => (Stop::OutputLimit, killed("it printed more than it may")),
            Ended::OutOfMemory => {
                let message = "it wanted more memory than it may have";
                (Stop::OutOfMemory, killed(message))
            }
            Ended::Code(code) => by_itself(format!("the program ended itself with code {code}")),
            Ended::Fault(why) => by_itself(why),
            Ended::Silent => by_itself("the program ended without a word".to_owned()),
        };
        self.report.stopped.get_or_insert(stop);
        let running = self.test.take().filter(|(name, _)| {
            let is_known = self.job.classes.iter().any(|it| it.tests.contains(name));
            is_known && !self.is_told(name)
        });
        if let Some((name, began)) = running {
            self.report.tests.push(TestRun {
                ms: Some(millis(now.saturating_sub(began))),
                ..self.run(&name, outcome)
            });
        } else if let Some(name) = self.next_test().filter(|_| is_late) {
            // Between two tests, or again in one that had ended before: no time was left for the next one.
            let run = self.run(name, outcome);
            self.report.tests.push(run);
        }
        // What hung or ended while it was loaded would do so again in another guest.
        self.next = self.class.map_or(n_classes, |class| class + 1);
        if is_late && self.class.is_none() {
            self.took(loading, self.loading_ms());
        }
    }

    /// The test of the running class that would have begun next.
    fn next_test(&self) -> Option<&str> {
        let tests = &self.job.classes.get(self.class?)?.tests;
        let left = tests.iter().filter(|name| !self.is_told(name));
        let next = if self.job.surroundings.order.reverses_tests() {
            left.max()
        } else {
            left.min()
        };
        next.map(String::as_str)
    }

    /// The tests that ended since this was last asked.
    pub fn fresh(&mut self) -> &[TestRun] {
        let fresh = &self.report.tests[self.n_taken..];
        self.n_taken = self.report.tests.len();
        fresh
    }

    /// Writes down what nobody spoke of: it was not run. [`Self::fresh`] has these too.
    pub fn close(&mut self) {
        for class in &self.job.classes {
            for name in &class.tests {
                if !self.is_told(name) {
                    let run = self.run(name, TestOutcome::NotRun);
                    self.report.tests.push(run);
                }
            }
            if class.tests.is_empty() {
                // The published protocol counts a test class without tests as one that failed.
                let name = format!("{}.*", class.name);
                let run = TestRun {
                    relation: class.relation,
                    ..TestRun::new(&name, TestOutcome::NotRun)
                };
                self.report.tests.push(run);
            }
        }
    }

    /// The report, its tests in the benchmark's order.
    pub fn report(mut self) -> TestReport {
        let classes = &self.job.classes;
        let order: Vec<&String> = classes.iter().flat_map(|class| &class.tests).collect();
        self.report.tests.sort_by_key(|run| {
            let at = order.iter().position(|name| **name == run.name);
            at.unwrap_or(order.len())
        });
        self.report
    }

    /// An outcome of one of the job's tests.
    fn run(&self, name: &str, outcome: TestOutcome) -> TestRun {
        let mut classes = self.job.classes.iter();
        let class = classes.find(|class| class.tests.iter().any(|test| test == name));
        TestRun {
            relation: class.and_then(|class| class.relation),
            ..TestRun::new(name, outcome)
        }
    }

    fn is_told(&self, test: &str) -> bool {
        self.report.tests.iter().any(|run| run.name == test)
    }

    fn enter(&mut self, class: &str, now: Duration) {
        self.leave(now);
        let from = self.class.unwrap_or(self.next);
        let mut rest = from..self.until;
        let found = rest.find(|&at| self.job.classes[at].name == class);
        self.class = found.or(self.class);
        self.class_began = now;
        self.test = None;
    }

    /// Writes down how long the test class took that ran until now.
    fn leave(&mut self, now: Duration) {
        if let Some(at) = self.class {
            self.took(at, millis(now.saturating_sub(self.class_began)));
        }
    }

    fn took(&mut self, at: usize, ms: u32) {
        let class = &self.job.classes[at];
        let timings = &mut self.report.timings;
        if timings.iter().all(|it| it.test_class != class.name) {
            timings.push(Timing {
                test_class: class.name.clone(),
                ms,
                limit_ms: class.limit_ms,
                retried: self.retried.contains(&at),
            });
        }
    }

    fn result(&mut self, name: &str, outcome: ToldOutcome, error: Option<Raised>, now: Duration) {
        let is_known = self
            .class
            .is_some_and(|at| self.job.classes[at].tests.iter().any(|test| test == name));
        // Only what the source has can pass, and only once.
        if !is_known || self.is_told(name) {
            return;
        }
        let began = self.test.take().filter(|(test, _)| test == name);
        let message = error.as_ref().map(said).unwrap_or_default();
        let outcome = match outcome {
            ToldOutcome::Passed => TestOutcome::Passed,
            ToldOutcome::Failed => TestOutcome::Failed { message },
            ToldOutcome::Errored => TestOutcome::Errored { message },
            ToldOutcome::Skipped => TestOutcome::NotRun,
        };
        self.report.tests.push(TestRun {
            ms: began.map(|(_, began)| millis(now.saturating_sub(began))),
            raised: error,
            ..self.run(name, outcome)
        });
    }

    /// The tests of the running class that have not ended break with this.
    fn break_class(&mut self, error: &Raised) {
        let Some(class) = self.class else { return };
        for name in &self.job.classes[class].tests {
            if !self.is_told(name) {
                let outcome = TestOutcome::Errored {
                    message: said(error),
                };
                self.report.tests.push(TestRun {
                    raised: Some(error.clone()),
                    ..self.run(name, outcome)
                });
            }
        }
    }

    fn noise(&mut self, line: &[u8]) -> Heard {
        if line.is_empty() {
            return Heard::Nothing;
        }
        self.n_noise += line.len() as u64 + 1;
        self.printed(line, 0);
        self.printed(b"\n", 0);
        if self.n_noise > MOST_OUTPUT {
            return Heard::TooMuch;
        }
        Heard::Nothing
    }
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn said(raised: &Raised) -> String {
    let Raised { kind, message, .. } = raised;
    if kind == "AssertionError" {
        message.clone()
    } else {
        format!("{kind}: {message}")
    }
}
