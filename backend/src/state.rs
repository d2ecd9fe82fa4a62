//! What all requests share.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context as _;
use moka::future::Cache;
use shared::api::{Capabilities, CheckRequest, JobEvent, JobRequest};
use shared::dataset::{Dataset, sha256_hex};
use shared::report::Limits;
use shared::subject::DatasetId;

use crate::benchmarks::{Benchmarks, Found};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::evaluate;
use crate::integrity::{Kept, Key};
use crate::jobs::{Bounds, Jobs, Listener, Runner, Task};
use crate::llm::{Access, Gateway};
use crate::sandbox::{Engines, OwnTimes};
use crate::site::Site;

/// How many jobs may wait.
const MOST_WAITING: usize = 2000;

/// Shared by all requests; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    benchmarks: Benchmarks,
    request_timeout: Duration,
    /// Whether only this machine may ask, and so only for this machine's own names.
    local_only: bool,
    /// Read benchmarks by id and content, weighed by the size of their text.
    read: Cache<(DatasetId, String), Arc<Dataset>>,
    engines: Engines,
    own_times: OwnTimes,
    checks: Kept,
    /// Where jobs are kept, and how many run at a time.
    jobs_at: (PathBuf, usize),
    jobs: OnceLock<Jobs>,
    llm: Gateway,
    access: Access,
}

impl AppState {
    /// The state that a configuration describes.
    pub fn new(config: &Config, benchmarks: Benchmarks) -> Self {
        let in_kib = |_: &(DatasetId, String), dataset: &Arc<Dataset>| {
            u32::try_from(dataset.n_bytes.div_ceil(1024)).unwrap_or(u32::MAX)
        };
        Self(Arc::new(Inner {
            benchmarks,
            request_timeout: config.request_timeout.value,
            local_only: config.addr.value.ip().is_loopback(),
            read: Cache::builder()
                .weigher(in_kib)
                .max_capacity(u64::from(config.cache_mib.value) << 10)
                .build(),
            engines: Engines::new(config),
            own_times: OwnTimes::default(),
            checks: Kept::new(config.data.value.join("integrity")),
            jobs_at: (config.data.value.join("jobs"), config.slots.value as usize),
            jobs: OnceLock::new(),
            llm: Gateway::new(config),
            access: Access::new(config),
        }))
    }

    pub(crate) fn site(&self) -> Option<&Site> {
        self.0.benchmarks.site.as_ref()
    }

    /// The jobs; those that a former server had taken go on from the first call.
    pub(crate) fn jobs(&self) -> &Jobs {
        self.0.jobs.get_or_init(|| {
            // The jobs belong to the state: they must not keep it.
            let state = Arc::downgrade(&self.0);
            let runner: Runner = Arc::new(move |task, listener| {
                let state = state.upgrade().map(Self);
                Box::pin(async move {
                    let app = state.ok_or("the server stops")?;
                    app.run(task, listener).await
                })
            });
            let (folder, slots) = self.0.jobs_at.clone();
            let waiting = MOST_WAITING;
            Jobs::open(folder, Bounds { slots, waiting }, runner)
        })
    }

    async fn run(&self, task: Task, listener: Listener) -> Result<JobEvent, String> {
        let Inner {
            engines,
            own_times,
            checks,
            ..
        } = &*self.0;
        let (Task::Tests(JobRequest { dataset, .. })
        | Task::References {
            references_of: dataset,
            ..
        }) = &task;
        let dataset = self.dataset(dataset.clone()).await;
        let dataset = dataset.map_err(|e| e.message())?;
        let last = match task {
            Task::Tests(request) => {
                evaluate::run((engines, own_times), &dataset, request, listener).await
            }
            Task::References { how, .. } => {
                // It has one place of the queue; the others go on beside it.
                evaluate::check((engines, checks), &dataset, how, 1, listener).await
            }
        };
        last.map_err(|e| format!("{e:#}"))
    }

    /// The lines of the last check of a benchmark's references; `None` where there was none.
    pub(crate) async fn checked(
        &self,
        dataset: DatasetId,
        how: CheckRequest,
    ) -> ApiResult<Option<Vec<u8>>> {
        let dataset = self.dataset(dataset).await?;
        let Some(engine) = self.0.engines.about(how.engine.as_deref()).await else {
            return Ok(None);
        };
        let state = self.clone();
        let read = move |_: &Benchmarks| {
            state.0.checks.read(&Key {
                sha256: &dataset.sha256,
                engine: &engine,
                protocol: how.protocol,
            })
        };
        Ok(self.blocking(read).await??)
    }

    /// What can be run here.
    pub(crate) async fn capabilities(&self) -> Capabilities {
        Capabilities {
            engines: self.0.engines.states().await,
            limits: Limits::default(),
            slots: self.jobs().slots(),
        }
    }

    /// Where a file of the engine lies that runs in the page.
    pub(crate) fn page_engine(&self, file: &str) -> (Site, String) {
        self.0.engines.page_file(file)
    }

    /// Who asks models.
    pub(crate) fn llm(&self) -> &Gateway {
        &self.0.llm
    }

    /// Who may ask models, and how often.
    pub(crate) fn access(&self) -> &Access {
        &self.0.access
    }

    pub(crate) fn request_timeout(&self) -> Duration {
        self.0.request_timeout
    }

    pub(crate) fn local_only(&self) -> bool {
        self.0.local_only
    }

    /// Work on the disk or the processor, beside the requests.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Benchmarks) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let state = self.clone();
        let work = tokio::task::spawn_blocking(move || work(&state.0.benchmarks));
        Ok(work.await.context("a task ended early")?)
    }

    /// A benchmark, read once.
    pub(crate) async fn dataset(&self, id: DatasetId) -> ApiResult<Arc<Dataset>> {
        let (found, sha256) = self
            .blocking(move |benchmarks| {
                benchmarks.find(&id).map(|found| {
                    let sha256 = match &found {
                        Found::Starter(bytes) => sha256_hex(bytes),
                        Found::Stored(manifest) => manifest.card.sha256.clone(),
                    };
                    (found, sha256)
                })
            })
            .await??;
        let key = match &found {
            Found::Starter(_) => DatasetId::starter(),
            Found::Stored(manifest) => manifest.card.id.clone(),
        };
        let read = async {
            let dataset = self
                .blocking(move |benchmarks| benchmarks.read(&found))
                .await??;
            Ok::<_, ApiError>(Arc::new(dataset))
        };
        // All who waited for it share an error.
        self.0
            .read
            .try_get_with((key, sha256), read)
            .await
            .map_err(|e| ApiError::clone(&e))
    }
}
