//! The hosts: which answer, how much each has to do, and which takes the next job.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bollard::errors::Error;
use bollard::{API_DEFAULT_VERSION, Docker};
use futures_util::future::join_all;
use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::container::{Container, Made};
use super::image::{image, python_of};
use crate::config::DockerHost;

/// How long a request to an engine may take, in seconds.
const REQUEST_S: u64 = 60;
/// How long it is waited for an engine to say that it is there.
const ANSWERING: Duration = Duration::from_secs(5);
/// How long what was found of a host is believed.
const BELIEVED: Duration = Duration::from_secs(10);
/// How long whoever waits for a slot waits before it looks at all hosts again.
const WAITING: Duration = Duration::from_secs(10);

/// All hosts of a configuration.
pub struct Hosts {
    all: Vec<Arc<Host>>,
    freed: Arc<Notify>,
}

/// A host.
pub(super) struct Host {
    pub(super) config: DockerHost,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What was found last, and when.
    found: Option<(Instant, Result<Found, Unready>)>,
    n_jobs: u32,
    /// The graphics processors that are in use.
    gpus: Vec<u32>,
    /// Containers that were started ahead.
    idle: Vec<Container>,
    /// How many are being started.
    n_starting: usize,
}

/// What is known of a host that answers.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) docker: Docker,
    /// Its image's interpreter: `3.11.2`.
    pub(super) python: String,
    slots: u32,
}

/// Why a host cannot run jobs, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unready {
    /// No host is configured.
    #[error("no host is configured; set CTXLAB_DOCKER_HOSTS, as in .env.example")]
    NoHost,
    /// No host has what a job chose.
    #[error("no host has the label {label}; the labels are: {}", .labels.join(", "))]
    NoLabel {
        /// Which.
        label: String,
        /// Those that hosts have.
        labels: Vec<String>,
    },
    /// Nothing answers.
    #[error(
        "no container engine answers at {address} ({why}); start Docker, or name another host in CTXLAB_DOCKER_HOSTS"
    )]
    NoEngine {
        /// Where.
        address: String,
        /// Why not.
        why: String,
    },
    /// This user may not.
    #[error(
        "this user may not use {address}; add it to the group docker and log in again, or run the engine without root"
    )]
    Denied {
        /// What.
        address: String,
    },
    /// The image is missing.
    #[error(
        "the engine at {address} has no image {image}; `ctxlab engine install docker` makes it"
    )]
    NoImage {
        /// Where.
        address: String,
        /// Which.
        image: String,
    },
    /// It does not do what it should.
    #[error("the engine at {address} fails: {why}")]
    Failing {
        /// Where.
        address: String,
        /// How.
        why: String,
    },
}

/// A job's right to run on a host.
pub(super) struct Lease {
    pub(super) host: Arc<Host>,
    pub(super) found: Found,
    pub(super) gpus: Vec<u32>,
    freed: Arc<Notify>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.host.locked(|state| {
            state.n_jobs -= 1;
            state.gpus.retain(|gpu| !self.gpus.contains(gpu));
        });
        self.freed.notify_waiters();
    }
}

impl Hosts {
    /// The hosts of a configuration; nothing is asked of them yet.
    pub fn new(configured: &[DockerHost]) -> Self {
        let host = |config: &DockerHost| {
            Arc::new(Host {
                config: config.clone(),
                state: Mutex::default(),
            })
        };
        Self {
            all: configured.iter().map(host).collect(),
            freed: Arc::new(Notify::new()),
        }
    }

    pub(super) fn all(&self) -> &[Arc<Host>] {
        &self.all
    }

    /// Whether any host is ready, and the first reason why none is.
    pub(super) async fn ready(&self) -> Result<Found, Unready> {
        let found = join_all(self.all.iter().map(|host| host.found())).await;
        let mut why = None;
        for found in found {
            match found {
                Ok(found) => return Ok(found),
                Err(unready) => why = why.or(Some(unready)),
            }
        }
        Err(why.unwrap_or(Unready::NoHost))
    }

    /// The most graphics processors that a job can have.
    pub fn gpus(&self) -> u32 {
        let gpus = self.all.iter().map(|host| host.config.gpus);
        gpus.max().unwrap_or(0)
    }

    fn no_label(&self, label: &str) -> Unready {
        let labels: BTreeSet<&String> = self.all.iter().flat_map(|it| &it.config.labels).collect();
        Unready::NoLabel {
            label: label.to_owned(),
            labels: labels.into_iter().cloned().collect(),
        }
    }

    /// A slot on the host that has the least to do, of those with the label and enough graphics processors;
    /// waits until there is one.
    pub(super) async fn lease(&self, label: Option<&str>, n_gpus: u32) -> Result<Lease, Unready> {
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            let fitting = self.all.iter().filter(|host| {
                let config = &host.config;
                config.gpus >= n_gpus && label.is_none_or(|label| config.labels.contains(label))
            });
            let fitting: Vec<&Arc<Host>> = fitting.collect();
            if let (Some(label), true) = (label, fitting.is_empty()) {
                return Err(self.no_label(label));
            }
            let found = join_all(fitting.iter().map(|host| host.found())).await;
            let (mut ready, mut why) = (Vec::new(), None);
            for (host, found) in fitting.into_iter().zip(found) {
                match found {
                    Ok(found) => ready.push((host, found)),
                    Err(unready) => why = why.or(Some(unready)),
                }
            }
            if ready.is_empty() {
                return Err(why.unwrap_or(Unready::NoHost));
            }
            ready.sort_by_key(|(host, found)| host.load(found));
            for (host, found) in ready {
                if let Some(gpus) = host.take(&found, n_gpus) {
                    return Ok(Lease {
                        host: Arc::clone(host),
                        found,
                        gpus,
                        freed: Arc::clone(&self.freed),
                    });
                }
            }
            // A host that was gone may be there again before a slot is free.
            let _is_free = timeout(WAITING, freed).await;
        }
    }
}

impl Host {
    fn locked<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is known of it; asks it where that is old.
    pub(super) async fn found(&self) -> Result<Found, Unready> {
        let known = self.locked(|state| state.found.clone());
        if let Some((when, found)) = known
            && when.elapsed() < BELIEVED
        {
            return found;
        }
        let found = self.ask().await;
        self.locked(|state| state.found = Some((Instant::now(), found.clone())));
        found
    }

    /// Forgets what is known: something changed.
    pub(super) fn look_again(&self) {
        let idle = self.locked(|state| {
            state.found = None;
            std::mem::take(&mut state.idle)
        });
        drop(idle);
    }

    async fn ask(&self) -> Result<Found, Unready> {
        let docker = self.connect().await?;
        let info = docker.info().await.map_err(|e| self.unready(&e))?;
        let found = docker.inspect_image(&image()).await;
        let found = found.map_err(|why| match why {
            Error::DockerResponseServerError {
                status_code: 404, ..
            } => Unready::NoImage {
                address: self.config.address.clone(),
                image: image(),
            },
            why => self.unready(&why),
        })?;
        let n_cores = info.ncpu.and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
        Ok(Found {
            docker,
            python: python_of(&found),
            slots: self.config.slots.unwrap_or(n_cores),
        })
    }

    /// A connection to its engine, which has answered.
    pub(super) async fn connect(&self) -> Result<Docker, Unready> {
        let docker = connect(&self.config).map_err(|e| self.unready(&e))?;
        match timeout(ANSWERING, docker.negotiate_version()).await {
            Ok(docker) => docker.map_err(|e| self.unready(&e)),
            Err(_) => Err(Unready::NoEngine {
                address: self.config.address.clone(),
                why: format!("no answer within {} s", ANSWERING.as_secs()),
            }),
        }
    }

    pub(super) fn unready(&self, why: &Error) -> Unready {
        let address = self.config.address.clone();
        if let Error::DockerResponseServerError { message, .. } = why {
            return Unready::Failing {
                address,
                why: message.trim().to_owned(),
            };
        }
        match cause(why).map(io::Error::kind) {
            Some(io::ErrorKind::PermissionDenied) => Unready::Denied { address },
            _ => Unready::NoEngine {
                address,
                why: said(why),
            },
        }
    }

    /// How much of it is in use, in thousandths.
    fn load(&self, found: &Found) -> u32 {
        self.locked(|state| state.n_jobs * 1000 / found.slots.max(1))
    }

    /// Takes a slot and graphics processors, where it has them.
    fn take(&self, found: &Found, n_gpus: u32) -> Option<Vec<u32>> {
        self.locked(|state| {
            if state.n_jobs >= found.slots {
                return None;
            }
            let free = (0..self.config.gpus).filter(|gpu| !state.gpus.contains(gpu));
            let gpus: Vec<u32> = free.take(n_gpus as usize).collect();
            if gpus.len() < n_gpus as usize {
                return None;
            }
            state.n_jobs += 1;
            state.gpus.extend(&gpus);
            Some(gpus)
        })
    }

    /// A container that was started ahead.
    pub(super) fn idle(&self, made: &Made) -> Option<Container> {
        self.locked(|state| {
            state.idle.retain(Container::is_fresh);
            let at = state.idle.iter().position(|it| it.made == *made)?;
            Some(state.idle.swap_remove(at))
        })
    }

    /// Starts a container like this ahead, where there are not enough: the next job will want one.
    pub(super) fn start_ahead(self: &Arc<Self>, found: &Found, made: Made) {
        let is_wanted = self.locked(|state| {
            // What the last job did not want the next one will not.
            state.idle.retain(|it| it.made == made);
            let is_wanted = state.idle.len() + state.n_starting < found.slots as usize;
            state.n_starting += usize::from(is_wanted);
            is_wanted
        });
        if !is_wanted {
            return;
        }
        let (host, docker) = (Arc::downgrade(self), found.docker.clone());
        tokio::spawn(async move {
            let started = Container::start(&docker, made).await;
            let Some(host) = host.upgrade() else { return };
            host.locked(|state| {
                state.n_starting -= 1;
                match started {
                    Ok(container) => state.idle.push(container),
                    // Whoever starts the next one will see it.
                    Err(why) => tracing::debug!("no container ahead: {why}"),
                }
            });
        });
    }
}

fn connect(config: &DockerHost) -> Result<Docker, Error> {
    let (address, version) = (config.address.as_str(), API_DEFAULT_VERSION);
    if let Some(tls) = &config.tls {
        let file = |name: &str| tls.join(name);
        return Docker::connect_with_ssl(
            address,
            &file("key.pem"),
            &file("cert.pem"),
            &file("ca.pem"),
            REQUEST_S,
            version,
        );
    }
    match address.split_once("://").map(|(scheme, _)| scheme) {
        #[cfg(unix)]
        Some("ssh") => Docker::connect_with_ssh(address, REQUEST_S, version, None),
        Some("tcp") => Docker::connect_with_http(address, REQUEST_S, version),
        _ => Docker::connect_with_socket(address, REQUEST_S, version),
    }
}

/// The failure of the system behind an error.
fn cause(why: &Error) -> Option<&io::Error> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(why);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

fn said(why: &Error) -> String {
    cause(why).map_or_else(|| why.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests;
