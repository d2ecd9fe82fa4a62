//! Jobs of the server: a bounded queue that survives a restart, a few running at a time.
//!
//! A job is on disk before it is acknowledged, and stays there until it has ended. Clients take turns, so
//! that nobody waits for all that another has asked. Who listens hears everything from the beginning.

mod spool;

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use shared::api::{CheckRequest, JobEvent, JobId, JobRequest, JobTaken};
use shared::subject::DatasetId;
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;

use self::spool::{Kept, Spool};

/// How many ended jobs are remembered, for whoever asks late.
const MOST_ENDED: usize = 500;

/// What a job does.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Task {
    /// Runs the tests of a class.
    Tests(JobRequest),
    /// Checks the references of a benchmark.
    References {
        /// Which.
        references_of: DatasetId,
        /// How.
        how: CheckRequest,
    },
}

/// Runs a job to its last word; the listener hears what comes before.
pub(crate) type Runner =
    Arc<dyn Fn(Task, Listener) -> BoxFuture<'static, Result<JobEvent, String>> + Send + Sync>;

/// Hears of a job.
pub(crate) type Listener = Box<dyn Fn(JobEvent) + Send + Sync>;

/// How much is done at a time.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// How many jobs run.
    pub(crate) slots: usize,
    /// How many jobs may wait.
    pub(crate) waiting: usize,
}

/// All jobs; cheap to clone.
#[derive(Clone)]
pub(crate) struct Jobs(Arc<Inner>);

struct Inner {
    spool: Spool,
    runner: Runner,
    bounds: Bounds,
    state: Mutex<State>,
    /// Told when a job waits.
    waiting: Notify,
    /// Counts the changes of the queue, for those who wait in it.
    moved: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    jobs: BTreeMap<JobId, Job>,
    /// Jobs that wait, by client; the client at the front is next.
    turns: VecDeque<(IpAddr, VecDeque<JobId>)>,
    ended: VecDeque<JobId>,
    /// What the last jobs took, for an estimate.
    took: VecDeque<Duration>,
}

struct Job {
    task: Task,
    /// All that was told, from the beginning.
    told: watch::Sender<Vec<JobEvent>>,
    /// Of a running job.
    running: Option<AbortHandle>,
}

/// Why a job was not taken.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Too many wait; there may be room after this time.
    Full(Duration),
    /// It could not be kept.
    NotKept(anyhow::Error),
}

impl Jobs {
    /// The jobs of a folder; those that had not ended are run again. Starts the workers.
    pub(crate) fn open(folder: PathBuf, bounds: Bounds, runner: Runner) -> Self {
        let (spool, kept) = Spool::open(folder);
        let jobs = Self(Arc::new(Inner {
            spool,
            runner,
            bounds,
            state: Mutex::default(),
            waiting: Notify::new(),
            moved: watch::Sender::new(0),
        }));
        for Kept {
            id,
            client,
            request,
        } in kept
        {
            jobs.enqueue(id, client, request);
        }
        for _ in 0..bounds.slots {
            tokio::spawn(jobs.clone().work());
        }
        jobs
    }

    pub(crate) fn slots(&self) -> usize {
        self.0.bounds.slots
    }

    /// Takes a job of a client: it will run, even if the server is started again.
    pub(crate) fn submit(&self, client: IpAddr, task: Task) -> Result<JobTaken, Refusal> {
        let n_waiting = self.locked(|state| state.n_waiting());
        if n_waiting >= self.0.bounds.waiting {
            return Err(Refusal::Full(
                self.locked(|state| state.pause(self.0.bounds.slots)),
            ));
        }
        let kept = Kept {
            id: spool::new_id().map_err(Refusal::NotKept)?,
            client,
            request: task,
        };
        self.0.spool.keep(&kept).map_err(Refusal::NotKept)?;
        let Kept {
            id,
            client,
            request,
        } = kept;
        self.enqueue(id.clone(), client, request);
        let n_ahead = self.locked(|state| state.n_ahead(&id)).unwrap_or(0);
        Ok(JobTaken { id, n_ahead })
    }

    fn enqueue(&self, id: JobId, client: IpAddr, task: Task) {
        self.locked(|state| {
            let job = Job {
                task,
                told: watch::Sender::new(Vec::new()),
                running: None,
            };
            state.jobs.insert(id.clone(), job);
            match state.turns.iter_mut().find(|(of, _)| *of == client) {
                Some((_, waiting)) => waiting.push_back(id),
                None => state.turns.push_back((client, VecDeque::from([id]))),
            }
        });
        self.0.waiting.notify_one();
    }

    /// Gives a job up, whether it waits or runs; `false` where there is none.
    pub(crate) fn cancel(&self, id: &JobId) -> bool {
        let found = self.locked(|state| {
            for (_, waiting) in &mut state.turns {
                waiting.retain(|it| it != id);
            }
            let job = state.jobs.get_mut(id)?;
            if let Some(running) = job.running.take() {
                running.abort();
            }
            Some(())
        });
        if found.is_some() {
            self.end(id, JobEvent::Cancelled);
        }
        found.is_some()
    }

    /// Everything that is told of a job, from the beginning to its last word.
    pub(crate) fn listen(&self, id: &JobId) -> Option<impl Stream<Item = JobEvent> + Send + use<>> {
        let told = self.locked(|state| state.jobs.get(id).map(|job| job.told.subscribe()))?;
        let start = Listening {
            jobs: self.clone(),
            id: id.clone(),
            moved: self.0.moved.subscribe(),
            told,
            n_heard: 0,
            n_ahead: None,
            is_over: false,
        };
        Some(stream::unfold(start, Listening::next))
    }

    /// Runs what waits, one job after the other.
    async fn work(self) {
        loop {
            let Some((id, task)) = self.next() else {
                self.0.waiting.notified().await;
                continue;
            };
            let began = Instant::now();
            let (jobs, heard) = (self.clone(), id.clone());
            let listener: Listener = Box::new(move |event| jobs.tell(&heard, event));
            self.tell(&id, JobEvent::Started);
            let running = tokio::spawn((self.0.runner)(task, listener));
            self.locked(|state| {
                if let Some(job) = state.jobs.get_mut(&id) {
                    job.running = Some(running.abort_handle());
                }
            });
            let last = match running.await {
                Ok(Ok(last)) => last,
                Ok(Err(message)) => JobEvent::Failed { message },
                Err(ended) if ended.is_cancelled() => JobEvent::Cancelled,
                Err(panic) => JobEvent::Failed {
                    message: format!("the server failed ({panic}); its log says more"),
                },
            };
            self.locked(|state| state.note(began.elapsed()));
            self.end(&id, last);
        }
    }

    fn next(&self) -> Option<(JobId, Task)> {
        let next = self.locked(|state| {
            let (client, mut waiting) = state.turns.pop_front()?;
            let id = waiting.pop_front();
            if !waiting.is_empty() {
                state.turns.push_back((client, waiting));
            }
            let id = id?;
            let task = state.jobs.get(&id)?.task.clone();
            Some((id, task))
        });
        self.0.moved.send_modify(|n| *n += 1);
        next
    }

    fn tell(&self, id: &JobId, event: JobEvent) {
        self.locked(|state| {
            if let Some(job) = state.jobs.get(id) {
                job.told.send_modify(|told| {
                    if !told.last().is_some_and(JobEvent::is_last) {
                        told.push(event);
                    }
                });
            }
        });
    }

    fn end(&self, id: &JobId, last: JobEvent) {
        self.tell(id, last);
        self.0.spool.forget(id);
        self.locked(|state| {
            if !state.ended.contains(id) {
                state.ended.push_back(id.clone());
            }
            while state.ended.len() > MOST_ENDED {
                if let Some(oldest) = state.ended.pop_front() {
                    state.jobs.remove(&oldest);
                }
            }
        });
        self.0.moved.send_modify(|n| *n += 1);
    }

    fn locked<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn n_waiting(&self) -> usize {
        self.turns.iter().map(|(_, waiting)| waiting.len()).sum()
    }

    /// How many jobs run before one that waits.
    fn n_ahead(&self, id: &JobId) -> Option<usize> {
        let (turn, round) = self
            .turns
            .iter()
            .enumerate()
            .find_map(|(turn, (_, waiting))| {
                let round = waiting.iter().position(|it| it == id)?;
                Some((turn, round))
            })?;
        let before = self.turns.iter().enumerate().map(|(other, (_, waiting))| {
            // A client further ahead has one turn more before ours.
            waiting.len().min(round + usize::from(other < turn))
        });
        Some(before.sum())
    }

    fn note(&mut self, took: Duration) {
        self.took.push_back(took);
        if self.took.len() > 50 {
            self.took.pop_front();
        }
    }

    /// When there may be room.
    fn pause(&self, slots: usize) -> Duration {
        let sum: Duration = self.took.iter().sum();
        let n = u32::try_from(self.took.len().max(1) * slots.max(1)).unwrap_or(1);
        (sum / n).max(Duration::from_secs(1))
    }
}

/// Somebody who listens to a job.
struct Listening {
    jobs: Jobs,
    id: JobId,
    told: watch::Receiver<Vec<JobEvent>>,
    moved: watch::Receiver<u64>,
    n_heard: usize,
    n_ahead: Option<usize>,
    is_over: bool,
}

impl Listening {
    async fn next(mut self) -> Option<(JobEvent, Self)> {
        if self.is_over {
            return None;
        }
        loop {
            let next = self.told.borrow_and_update().get(self.n_heard).cloned();
            if let Some(event) = next {
                self.n_heard += 1;
                self.is_over = event.is_last();
                return Some((event, self));
            }
            let n_ahead = self.jobs.locked(|state| state.n_ahead(&self.id));
            if let Some(n_ahead) = n_ahead.filter(|_| n_ahead != self.n_ahead) {
                self.n_ahead = Some(n_ahead);
                return Some((JobEvent::Queued { n_ahead }, self));
            }
            tokio::select! {
                changed = self.told.changed() => changed.ok()?,
                changed = self.moved.changed() => changed.ok()?,
            }
        }
    }
}

#[cfg(test)]
mod tests;
