//! Checking a benchmark's references on the server: what runs, and what was found last.

pub(crate) mod words;

use std::sync::Arc;

use gloo_net::http::Request;
use leptos::prelude::*;
use shared::api::{BROWSER, Capabilities, CheckRequest, EngineState, JobEvent, JobId, paths};
use shared::integrity::{Integrity, Standing};
use shared::report::Protocol;
use shared::subject::DatasetId;
use wasm_bindgen_futures::spawn_local;

use crate::platform::storage;
use crate::reactive::{LocalValue, RwSignal, StoredValue};
use crate::state::fetched::Fetched;
use crate::state::jobs::{self, Hearing, News};
use crate::worker::client::Latest;
use crate::worker::protocol::{Failure, FailureKind};

/// What a check found.
#[derive(Debug)]
pub(crate) struct Checked {
    /// As `ctxlab selfcheck --format jsonl` prints it.
    pub(crate) lines: String,
    pub(crate) all: Vec<Integrity>,
}

impl Checked {
    fn read(lines: String) -> Result<Self, Failure> {
        let all = lines.lines().map(Integrity::from_json_line).collect();
        match all {
            Ok(all) => Ok(Self { lines, all }),
            Err(e) => Err(jobs::unexpected(&e.to_string())),
        }
    }

    pub(crate) fn n(&self, standing: Standing) -> usize {
        let is_it = |it: &&Integrity| it.standing == standing;
        self.all.iter().filter(is_it).count()
    }

    pub(crate) fn n_clean(&self) -> usize {
        self.n(Standing::Clean)
    }
}

/// How far a check is.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Nothing runs.
    Idle,
    /// On the way to the server.
    Asking,
    /// Others run before it.
    Queued(usize),
    Running,
    /// The server does not answer; its job goes on.
    Waiting,
    /// It could not be run, which says nothing about the references.
    Failed(&'static str, Failure),
    Cancelled,
}

impl Phase {
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self, Self::Idle | Self::Failed(..) | Self::Cancelled)
    }
}

/// The state of a benchmark's check.
#[derive(Clone, Copy)]
pub(crate) struct Checker {
    dataset: StoredValue<DatasetId>,
    pub(crate) engines: Fetched<Capabilities>,
    /// The engine that the reader chose.
    pub(crate) chosen: RwSignal<Option<String>>,
    pub(crate) protocol: RwSignal<Protocol>,
    /// The last check on that engine; `None` inside where there was none.
    pub(crate) last: Fetched<Option<Arc<Checked>>>,
    pub(crate) phase: RwSignal<Phase>,
    /// What was heard so far, and how many there are.
    pub(crate) heard: RwSignal<(Vec<Standing>, usize)>,
    latest: LocalValue<Latest>,
}

impl Checker {
    /// Goes on listening to a check that runs already.
    pub(crate) fn new(dataset: DatasetId) -> Self {
        let (chosen, protocol) = (RwSignal::new(None), RwSignal::new(Protocol::default()));
        let of = dataset.clone();
        let last = Fetched::new(move || {
            let how = CheckRequest {
                engine: chosen.get(),
                protocol: protocol.get(),
            };
            let of = of.clone();
            async move { last(&of, &how).await }
        });
        let checker = Self {
            dataset: StoredValue::new(dataset),
            engines: Fetched::new(jobs::capabilities),
            chosen,
            protocol,
            last,
            phase: RwSignal::new(Phase::Idle),
            heard: RwSignal::new((Vec::new(), 0)),
            latest: LocalValue::new_local(Latest::default()),
        };
        on_cleanup(move || {
            checker.latest.try_with_value(Latest::stop);
        });
        if let Some(id) = checker.running() {
            checker.phase.set(Phase::Asking);
            checker.follow(async move { Ok(id) });
        }
        checker
    }

    /// The engines of the server.
    pub(crate) fn on_server(self) -> Vec<EngineState> {
        let mut engines = match self.engines.get() {
            Some(Ok(can)) => can.engines,
            _ => Vec::new(),
        };
        engines.retain(|it| it.engine != BROWSER);
        engines
    }

    /// The engine that checks: the chosen one, or the first that is ready.
    pub(crate) fn engine(self) -> Option<EngineState> {
        let chosen = self.chosen.get();
        let is_it = |it: &EngineState| match &chosen {
            Some(name) => it.engine == *name,
            None => it.missing.is_none(),
        };
        self.on_server().into_iter().find(is_it)
    }

    pub(crate) fn start(self) {
        let how = CheckRequest {
            engine: self.chosen.get_untracked(),
            protocol: self.protocol.get_untracked(),
        };
        let path = self.dataset.with_value(paths::integrity);
        self.phase.set(Phase::Asking);
        self.follow(async move {
            let taken = jobs::take(&path, &how).await?;
            Ok(taken.id)
        });
    }

    /// Gives the check up, here and on the server.
    pub(crate) fn cancel(self) {
        self.latest.with_value(Latest::stop);
        if let Some(id) = self.running() {
            spawn_local(jobs::give_up(id));
        }
        self.forget();
        self.phase.set(Phase::Cancelled);
    }

    /// Listens to a job to its end. Whoever leaves the page and comes back listens again.
    fn follow(self, job: impl Future<Output = Result<JobId, (&'static str, Failure)>> + 'static) {
        let job = async move {
            let id = job.await?;
            storage::write(&self.key(), id.as_str());
            self.listen(&id).await
        };
        let finish = move |end: Result<Phase, (&'static str, Failure)>| {
            self.phase
                .set(end.unwrap_or_else(|(title, why)| Phase::Failed(title, why)));
            self.last.refetch();
        };
        self.latest.with_value(|latest| latest.run(job, finish));
    }

    async fn listen(self, id: &JobId) -> Result<Phase, (&'static str, Failure)> {
        let mut hearing = Hearing::open(id).map_err(|why| (jobs::LOST, why))?;
        let mut is_known = false;
        while let Some(news) = hearing.next().await {
            let news = news.map_err(|why| (jobs::LOST, why))?;
            if let News::Event(event) = &news
                && event.is_last()
            {
                self.forget();
            }
            match news {
                News::FromTheBeginning => {
                    is_known = true;
                    self.heard.set((Vec::new(), 0));
                }
                News::Lost => self.phase.set(Phase::Waiting),
                News::Event(JobEvent::Queued { n_ahead }) => self.phase.set(Phase::Queued(n_ahead)),
                News::Event(JobEvent::Started) => self.phase.set(Phase::Running),
                News::Event(JobEvent::Reference { standing, of, .. }) => {
                    self.phase.set(Phase::Running);
                    self.heard.update(|(heard, n)| {
                        heard.push(standing);
                        *n = of;
                    });
                }
                News::Event(JobEvent::Failed { message }) => {
                    let why = Failure::new(FailureKind::Broken, message);
                    return Err(("The references could not be checked", why));
                }
                News::Event(JobEvent::Cancelled) => return Ok(Phase::Cancelled),
                News::Event(JobEvent::Checked) => return Ok(Phase::Idle),
                News::Event(JobEvent::Test(_) | JobEvent::Done(_)) => {}
            }
        }
        // A stream that was open also ends when its reader leaves the page: the job goes on.
        if !is_known {
            self.forget();
        }
        let why = Failure::new(FailureKind::NotFound, "it does not know it any more");
        Err((jobs::LOST, why.next("check the references again")))
    }

    /// The job that was running when this browser last listened.
    fn running(self) -> Option<JobId> {
        let id = storage::read(&self.key()).filter(|id| !id.is_empty());
        id.map(JobId)
    }

    /// No job runs any more.
    fn forget(self) {
        storage::write(&self.key(), "");
    }

    /// Under which name the job that runs is kept.
    fn key(self) -> String {
        self.dataset.with_value(|id| format!("references:{id}"))
    }
}

/// What the server found last.
async fn last(of: &DatasetId, how: &CheckRequest) -> Result<Option<Arc<Checked>>, Failure> {
    let protocol = match how.protocol {
        Protocol::Published => "published",
        Protocol::Corrected => "corrected",
    };
    let engine = how.engine.as_deref().map(|engine| ("engine", engine));
    let asked = Request::get(&paths::integrity(of))
        .query([("protocol", protocol)])
        .query(engine);
    let lines = jobs::text(asked.send().await).await;
    let lines = lines.map_err(|(_, why)| why)?;
    if lines.is_empty() {
        return Ok(None);
    }
    Checked::read(lines).map(|checked| Some(Arc::new(checked)))
}
