//! Running tests: what can run them, what runs, and what came of it.

pub(crate) mod browser;
pub(crate) mod matrix;
pub(crate) mod server;
pub(crate) mod words;

use std::sync::Arc;

use leptos::prelude::*;
use shared::api::{BROWSER, Capabilities, EngineState, JobRequest};
use shared::harness::Allowance;
use shared::report::{TestOutcome, TestReport, TestRun};
use shared::text::apply_edits;

use crate::platform::{python, storage};
use crate::reactive::{LocalValue, RwSignal, StoredValue};
use crate::state::fetched::Fetched;
use crate::state::jobs;
use crate::state::workbench::link::{Display, Step};
use crate::state::workbench::{Workbench, showcase};
use crate::worker::client::Latest;
use crate::worker::compare::client;
use crate::worker::compare::protocol::{Prepared, ProgramText};
use crate::worker::protocol::{Failure, FailureKind};

/// Under which name the chosen engine is kept.
const ENGINE: &str = "engine";

/// A program of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    pub(crate) kind: ProgramKind,
    /// What stands in the place of the method; `None` is the reference.
    pub(crate) code: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgramKind {
    Reference,
    Edit,
    Variant,
    /// An author's plausible filling.
    Filling,
}

impl ProgramKind {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Reference => "the reference",
            Self::Edit => "the edited text",
            Self::Variant => "the variant",
            Self::Filling => "the author’s plausible filling",
        }
    }
}

/// A program whose tests have run.
#[derive(Debug)]
pub(crate) struct Tested {
    pub(crate) program: Program,
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) report: TestReport,
}

/// How far the tests are.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Nothing was asked for.
    Idle,
    /// On the way to the engine, in words.
    Starting(&'static str),
    /// Others run before it.
    Queued(usize),
    Running,
    /// The server does not answer; its job goes on.
    Waiting,
    Done(Arc<Tested>),
    /// It could not be run, which says nothing about the program.
    Failed(&'static str, Failure),
    Cancelled,
}

impl Phase {
    pub(crate) const fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Idle | Self::Done(_) | Self::Failed(..) | Self::Cancelled
        )
    }
}

/// What can run tests, or why the server does not say.
pub(crate) type Engines = Result<Capabilities, Failure>;

/// The state of a subject's test runner.
#[derive(Clone, Copy)]
pub(crate) struct Testing {
    pub(crate) bench: LocalValue<Workbench>,
    pub(crate) engines: Fetched<Capabilities>,
    /// The engine that the reader chose.
    pub(crate) chosen: RwSignal<Option<String>>,
    pub(crate) phase: RwSignal<Phase>,
    /// What runs or ran last.
    pub(crate) current: RwSignal<Option<(Program, Arc<Prepared>)>>,
    /// The tests that have ended.
    pub(crate) tests: RwSignal<Vec<TestRun>>,
    /// The test that is looked at, by its name.
    pub(crate) looked_at: RwSignal<Option<String>>,
    /// Whether the reader chose it.
    is_chosen: StoredValue<bool>,
    latest: LocalValue<Latest>,
}

impl Testing {
    pub(crate) fn new(bench: Workbench) -> Self {
        let testing = Self {
            bench: LocalValue::new_local(bench),
            engines: Fetched::new(jobs::capabilities),
            chosen: RwSignal::new(storage::read(ENGINE)),
            phase: RwSignal::new(Phase::Idle),
            current: RwSignal::new(None),
            tests: RwSignal::new(Vec::new()),
            looked_at: RwSignal::new(None),
            is_chosen: StoredValue::new(false),
            latest: LocalValue::new_local(Latest::default()),
        };
        on_cleanup(move || {
            testing.latest.try_with_value(Latest::stop);
            browser::drop_spare();
        });
        testing
    }

    pub(crate) fn choose(self, engine: &str) {
        storage::write(ENGINE, engine);
        self.chosen.set(Some(engine.to_owned()));
    }

    /// The engine that will run tests: the chosen one, or the first that is ready.
    pub(crate) fn engine(self) -> Option<EngineState> {
        let chosen = self.chosen.get();
        match self.engines.get()? {
            Ok(can) => pick(can.engines, chosen.as_deref()),
            // The page has all that its own engine needs.
            Err(_) => python::is_loaded().then(browser::state),
        }
    }

    /// Runs the tests of what is shown.
    pub(crate) fn run(self) {
        let job = async move {
            // The engines may still be asked for.
            let can = jobs::capabilities().await;
            self.attempt(can).await
        };
        self.engines.refetch();
        self.phase.set(Phase::Starting("Looking for an engine"));
        self.latest.with_value(|latest| {
            latest.run(job, move |phase| drop(self.phase.try_set(phase)));
        });
    }

    /// Gives up what runs.
    pub(crate) fn cancel(self) {
        self.latest.with_value(Latest::stop);
        self.phase.set(Phase::Cancelled);
    }

    async fn attempt(self, can: Engines) -> Phase {
        let bench = self.bench.get_value();
        let program = match untrack(|| program(bench)) {
            Ok(program) => program,
            Err(why) => return Phase::Failed("Nothing to run yet", why),
        };
        let chosen = self.chosen.get_untracked();
        let engine = match can {
            Ok(can) => match pick(can.engines, chosen.as_deref()) {
                Some(engine) => engine.engine,
                None => return Phase::Failed("No engine is ready", no_engine()),
            },
            Err(_) if python::is_loaded() => BROWSER.to_owned(),
            Err(why) => return Phase::Failed("No engine can be reached", why),
        };
        let (dataset, subject) = bench
            .body
            .with_value(|body| (body.dataset.clone(), body.subject.id.clone()));
        let asked = ProgramText {
            dataset: dataset.clone(),
            subject: subject.clone(),
            code: program.code.clone(),
        };
        let prepared = match client::prepare(asked).await {
            Ok(prepared) => Arc::new(prepared),
            Err(why) => return Phase::Failed("This cannot be run", why),
        };
        self.tests.set(Vec::new());
        self.looked_at.set(None);
        self.is_chosen.set_value(false);
        self.current
            .set(Some((program.clone(), Arc::clone(&prepared))));
        let report = if engine == BROWSER {
            let mut job = prepared.job.clone();
            if let Some(reference) = own_times(bench) {
                job.allow(&reference.report, Allowance::default());
            }
            browser::run(self, &job).await
        } else {
            let request = JobRequest {
                dataset,
                subject,
                code: program.code.clone(),
                engine: Some(engine),
                protocol: prepared.job.protocol,
                gpus: 0,
            };
            server::run(self, &request).await
        };
        match report {
            Ok(report) => {
                self.tests.set(report.tests.clone());
                if !self.is_chosen.get_value() {
                    self.look_at_first_failure();
                }
                let tested = Arc::new(Tested {
                    program,
                    prepared,
                    report,
                });
                bench.desk().tested.update(|all| matrix::keep(all, &tested));
                Phase::Done(tested)
            }
            Err((title, why)) => Phase::Failed(title, why),
        }
    }

    /// Takes a test that ended; the first that did not pass is looked at.
    pub(crate) fn take(self, run: TestRun) {
        self.tests.update(|tests| tests.push(run));
        if self.looked_at.with_untracked(Option::is_none) {
            self.look_at_first_failure();
        }
    }

    /// Looks into the test that the reader wants.
    pub(crate) fn look_at(self, name: String) {
        self.is_chosen.set_value(true);
        self.looked_at.set(Some(name));
    }

    fn look_at_first_failure(self) {
        let first = self.tests.with_untracked(|tests| {
            let failed = |run: &&TestRun| !matches!(run.outcome, TestOutcome::Passed);
            let told = |run: &&TestRun| run.outcome != TestOutcome::NotRun;
            let found = tests.iter().filter(failed).find(told);
            let found = found.or_else(|| tests.iter().find(failed));
            found.map(|run| run.name.clone())
        });
        if first.is_some() {
            self.looked_at.set(first);
        }
    }
}

/// The reference, where the page's own engine has run it: a test class gets its time by what it took there.
fn own_times(bench: Workbench) -> Option<Arc<Tested>> {
    let is_it = |it: &&Arc<Tested>| {
        let engine = it.report.engine.as_ref();
        it.program.code.is_none() && engine.is_some_and(|engine| engine.engine == BROWSER)
    };
    bench
        .desk()
        .tested
        .with_untracked(|all| all.iter().find(is_it).cloned())
}

/// The chosen engine where it is ready, else the first that is.
fn pick(engines: Vec<EngineState>, chosen: Option<&str>) -> Option<EngineState> {
    let ready = engines.into_iter().filter(|it| it.missing.is_none());
    let mut ready: Vec<EngineState> = ready.collect();
    let at = ready.iter().position(|it| Some(&*it.engine) == chosen);
    let at = at.or_else(|| (!ready.is_empty()).then_some(0))?;
    Some(ready.swap_remove(at))
}

fn no_engine() -> Failure {
    Failure::new(
        FailureKind::NotFound,
        "nothing is installed here that runs tests",
    )
    .next("install one as its line under “Engine” says, then run the tests again")
}

/// What the tests are run of: what is shown.
pub(crate) fn program(bench: Workbench) -> Result<Program, Failure> {
    let told = |message: String| Failure::new(FailureKind::Invalid, message);
    let of = |kind, code| Ok(Program { kind, code });
    match bench.display.get() {
        Display::Variant => match bench.desk().to_run.get() {
            Some(Ok(code)) => of(ProgramKind::Variant, Some(code)),
            Some(Err(why)) => Err(told(why)),
            None => {
                Err(told("the variant is not read yet".to_owned()).next("try again in a moment"))
            }
        },
        Display::Showcase if bench.view.with(|view| view.step != Step::Masked) => {
            let filled = || {
                let analysis = bench.analysis.get()?;
                let note = bench.showcase()?;
                let place = showcase::place(&note, &analysis.view.outcomes)?;
                let edit = shared::text::TextEdit {
                    span: place.site.span,
                    text: note.plausible,
                };
                Some(apply_edits(&analysis.source, &[edit]))
            };
            let gone = || told("the place of this note is gone".to_owned());
            let code = filled().ok_or_else(|| gone().next("restore text and options"))?;
            of(ProgramKind::Filling, Some(code))
        }
        _ if bench.is_edited.get() => of(ProgramKind::Edit, Some(bench.source.get())),
        _ => of(ProgramKind::Reference, None),
    }
}
