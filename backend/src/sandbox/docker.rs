//! Containers of Docker or Podman, on this machine or on others: the engine with CPython itself.
//!
//! A job has a container of its own, without network, capabilities or a disk that it could write, and with
//! bounds on memory, processes, processor time and what it writes. Its first process (`docker/server.py`)
//! forks a guest a time, so that a guest costs no start of an interpreter; containers for the next jobs are
//! started ahead. A container ends when the connection to it does, whatever becomes of this program, and at the
//! end of its time where its engine was killed.

mod container;
mod guests;
mod hosts;
mod image;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bollard::errors::Error;
use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use shared::harness::TestJob;
use tokio::sync::oneshot;

use self::container::{Container, FOLDER, Made};
use self::hosts::Lease;
pub use self::hosts::{Hosts, Unready};
pub use self::image::{install, libraries};
use super::guest::Guest;
use super::run::nonce;
use super::{About, Place, Placing, Sandbox, SandboxError};

/// What a guest may take beside its test classes.
const SLACK: Duration = Duration::from_mins(1);

/// Its name.
pub const NAME: &str = "docker";

/// The engine.
pub struct DockerSandbox {
    hosts: Arc<Hosts>,
    /// Jobs run on hosts with this label.
    label: Option<String>,
    python: String,
    /// Whether a job has been here: then more will come.
    had_job: AtomicBool,
}

/// Its interpreter where a host is ready, and why none is.
pub async fn python(hosts: &Hosts) -> Result<String, Unready> {
    let found = hosts.ready().await?;
    Ok(format!("CPython {}", found.python))
}

impl DockerSandbox {
    /// The engine on hosts of which one at least is ready. Removes what earlier programs left there.
    pub async fn open(hosts: Arc<Hosts>, label: Option<String>) -> Result<Self, SandboxError> {
        let python = python(&hosts).await.map_err(not_ready)?;
        let sweep = hosts.all().iter().map(async |host| {
            let Ok(found) = host.found().await else {
                return;
            };
            if let Err(why) = container::sweep(&found.docker).await {
                tracing::warn!("cannot look for containers that were left: {why}");
            }
        });
        join_all(sweep).await;
        Ok(Self {
            hosts,
            label,
            python,
            had_job: AtomicBool::new(false),
        })
    }

    /// A container for a job, on a host that has room.
    async fn container(&self, job: &TestJob) -> Result<(Lease, Container), SandboxError> {
        loop {
            let lease = self
                .hosts
                .lease(self.label.as_deref(), job.limits.gpus)
                .await
                .map_err(not_ready)?;
            let made = Made::of(job, &lease.gpus);
            let container = match lease.host.idle(&made) {
                Some(container) => Ok(container),
                None => Container::start(&lease.found.docker, made.clone()).await,
            };
            match container {
                Ok(container) => {
                    if lease.gpus.is_empty() && self.had_job.swap(true, Ordering::Relaxed) {
                        lease.host.start_ahead(&lease.found, made);
                    }
                    return Ok((lease, container));
                }
                Err(why @ Error::DockerResponseServerError { .. }) => {
                    lease.host.look_again();
                    return Err(not_ready(lease.host.unready(&why)));
                }
                // It is gone: another host takes the job, or it is said that there is none.
                Err(why) => {
                    tracing::warn!("{}: {why}", lease.host.config.address);
                    lease.host.look_again();
                }
            }
        }
    }
}

fn not_ready(why: Unready) -> SandboxError {
    SandboxError::NotReady {
        engine: NAME,
        why: why.to_string(),
    }
}

impl Sandbox for DockerSandbox {
    fn about(&self) -> About {
        About {
            engine: NAME,
            python: self.python.clone(),
            folder: FOLDER,
            fixes_clock: true,
            has_hosts: true,
            seeds_hashes: true,
        }
    }

    fn gpus(&self) -> u32 {
        self.hosts.gpus()
    }

    fn place<'a>(&'a self, job: &'a TestJob) -> Placing<'a> {
        async move {
            let (lease, free) = self.container(job).await?;
            let (give, container) = oneshot::channel();
            // Whoever is to take it is there.
            drop(give.send(free));
            Ok(Box::new(DockerPlace {
                job,
                container,
                lease,
            }) as Box<dyn Place>)
        }
        .boxed()
    }
}

/// A job's container.
struct DockerPlace<'a> {
    job: &'a TestJob,
    /// Comes back when the guest that is in it has ended.
    container: oneshot::Receiver<Container>,
    lease: Lease,
}

impl Place for DockerPlace<'_> {
    fn start(&mut self, input: String) -> BoxFuture<'_, Result<Guest, SandboxError>> {
        async move {
            let lost = |why: &str| SandboxError::Lost {
                engine: NAME,
                why: format!("{}: {why}", self.lease.host.config.address),
            };
            let container = (&mut self.container).await;
            let container = container.map_err(|gone| lost(&gone.to_string()))?;
            let word = nonce().map_err(|e| SandboxError::Failed {
                engine: NAME,
                why: e.to_string(),
            })?;
            let guest = guests::Start {
                word,
                input: &input,
                seconds: longest_of(self.job).as_secs(),
                surroundings: &self.job.surroundings,
            };
            let (guest, back) = guest.within(container, Arc::clone(&self.lease.host));
            self.container = back;
            Ok(guest)
        }
        .boxed()
    }
}

/// A guest of a job is ended before; where its engine was killed meanwhile, nobody does.
fn longest_of(job: &TestJob) -> Duration {
    let classes = job.classes.iter().map(|class| u64::from(class.limit_ms));
    Duration::from_millis(classes.sum::<u64>() + u64::from(job.limits.class_ms)) + SLACK
}
