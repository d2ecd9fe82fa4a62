//! Running untrusted programs against their tests.
//!
//! An engine ([`Sandbox`]) makes a [`Place`] for a job and starts guests in it: isolated Pythons that run
//! the harness ([`shared::harness`]). [`run`] hears what the guest tells, watches its time, starts another one where a
//! test class hung, and makes one report of it. Any report gives a verdict; a failure of the
//! machinery is a [`SandboxError`] and never one.

pub mod browser;
pub mod docker;
mod engines;
mod guest;
mod own_time;
#[cfg(target_os = "linux")]
mod process;
mod run;
mod turn;
pub mod wasm;

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use shared::harness::TestJob;
use shared::report::{Clock, EngineStamp};
use thiserror::Error;

pub use self::engines::Engines;
pub use self::guest::{Exit, Guest};
pub use self::own_time::OwnTimes;
pub use self::run::{Progress, run};

/// An isolated place where Python runs.
pub trait Sandbox: Send + Sync {
    /// What it is.
    fn about(&self) -> About;

    /// The most graphics processors that a job can have.
    fn gpus(&self) -> u32 {
        0
    }

    /// Makes a place for a job, with its limits and surroundings.
    fn place<'a>(&'a self, job: &'a TestJob) -> Placing<'a>;
}

/// A place that is being made.
pub type Placing<'a> = BoxFuture<'a, Result<Box<dyn Place + 'a>, SandboxError>>;

/// Where the guests of one job run, one after another: what one writes the next one finds.
pub trait Place: Send {
    /// Starts Python on the harness, which reads `input`.
    fn start(&mut self, input: String) -> BoxFuture<'_, Result<Guest, SandboxError>>;

    /// Ends it; nothing of it is left then. Dropping it does the same, but soon instead of now.
    fn close<'a>(self: Box<Self>) -> BoxFuture<'a, ()>
    where
        Self: 'a,
    {
        Box::pin(async { drop(self) })
    }
}

/// What an engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// Its name: `wasm-lite`.
    pub engine: &'static str,
    /// Its interpreter: `CPython 3.12.0`.
    pub python: String,
    /// Where a guest sees the folder of its own files.
    pub folder: &'static str,
    /// Whether it can fix a guest's clock.
    pub fixes_clock: bool,
    /// Whether it can choose the seed of a guest's hashes; else it is the same in every run.
    pub seeds_hashes: bool,
    /// Whether a guest can look up the hosts of a job.
    pub has_hosts: bool,
}

impl About {
    /// The stamp of a report: of the surroundings, those that are in force.
    pub fn stamp(&self, job: &TestJob) -> EngineStamp {
        let mut surroundings = job.surroundings.clone();
        if !self.fixes_clock {
            surroundings.clock = Clock::Real;
        }
        if !self.seeds_hashes {
            surroundings.hash_seed = 0;
        }
        if !self.has_hosts {
            surroundings.hosts.clear();
        }
        EngineStamp {
            engine: self.engine.to_owned(),
            python: self.python.clone(),
            limits: job.limits,
            protocol: job.protocol,
            surroundings,
        }
    }
}

/// Why a program could not be run. It says nothing about the program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// Its files are not there.
    #[error("the engine {engine} is not installed; run `ctxlab engine install {engine}`")]
    NotInstalled {
        /// Which.
        engine: &'static str,
    },
    /// Its files are not what they should be.
    #[error("{path} is damaged ({why}); run `ctxlab engine install {engine}` again")]
    Damaged {
        /// Which engine.
        engine: &'static str,
        /// Which file.
        path: PathBuf,
        /// How.
        why: String,
    },
    /// The folder for the program's files cannot be used.
    #[error("cannot make a folder for the program's files ({0}); free some disk space")]
    Folder(#[source] std::io::Error),
    /// It cannot be used now.
    #[error("the engine {engine} is not ready: {why}")]
    NotReady {
        /// Which.
        engine: &'static str,
        /// Why not, and what to do.
        why: String,
    },
    /// A job wants what it cannot have.
    #[error(
        "no host of the engine {engine} has {wanted} graphics processors, the most is {most}; give its hosts \"gpus\" in CTXLAB_DOCKER_HOSTS, or ask for fewer"
    )]
    NoGpu {
        /// Which.
        engine: &'static str,
        /// What the job wants.
        wanted: u32,
        /// What a host has.
        most: u32,
    },
    /// The place where a job ran is gone.
    #[error("the engine {engine} lost a job: {why}; run it again")]
    Lost {
        /// Which.
        engine: &'static str,
        /// How.
        why: String,
    },
    /// The engine failed.
    #[error("the engine {engine} failed: {why}")]
    Failed {
        /// Which.
        engine: &'static str,
        /// How.
        why: String,
    },
}
