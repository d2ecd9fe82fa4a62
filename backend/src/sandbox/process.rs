//! Python as a process of this machine, in a sandbox of bubblewrap's: for Linux without a Docker.
//!
//! A job gets namespaces of its own: it sees no network, no other process, no file but Python's and, in a
//! file system of bounded size, its own. Of a guest's memory, threads, files and time there are bounds, and
//! of the system calls those are refused that would get around them ([`filter`]). It shares the
//! machine's kernel: that is weaker than WebAssembly.

mod filter;
mod place;
mod python;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::FutureExt as _;
use shared::api::EngineState;
use shared::harness::{HARNESS, TestClass, TestJob};
use shared::report::{Clock, Limits, Protocol, Surroundings};
use shared::variant::VariantId;
use tokio::io::AsyncReadExt as _;

use self::place::ProcessPlace;
use self::python::{Found, Interpreter};
use super::guest::Guest;
use super::{About, Place as _, Placing, Sandbox};

pub(super) const NAME: &str = "process";
const TITLE: &str = "Python of this machine, in a sandbox of bubblewrap's";
/// Before the harness, where libfaketime keeps the clock.
const SLEEP: &str = include_str!("sleep.py");
/// Since this version the kernel counts the threads of a sandbox apart from its user's.
const COUNTS_APART: (u32, u32) = (5, 14);

/// The engine.
pub(super) struct ProcessSandbox {
    interpreter: Interpreter,
    filter: Vec<u8>,
    /// What keeps a guest's clock.
    clock: Option<PathBuf>,
    counts_threads: bool,
    /// What was found in a sandbox.
    found: Found,
    /// What is not bounded here.
    gaps: Vec<String>,
}

impl ProcessSandbox {
    /// Looks for what it needs and tries it: the engine, or why there is none and what to do.
    pub(super) async fn open(python: Option<&Path>) -> Result<Self, String> {
        let filter = filter::filter().map_err(|e| {
            format!("its filter of system calls knows x86-64, ARM64 and RISC-V only ({e})")
        })?;
        let named = python.map(|python| vec![python]);
        let usual = || vec![Path::new("python3"), Path::new("/usr/bin/python3")];
        let mut why = None;
        for python in named.unwrap_or_else(usual) {
            match Self::with(python, filter.clone()).await {
                Ok(engine) => return Ok(engine),
                Err(it) => drop(why.get_or_insert(it)),
            }
        }
        Err(why.unwrap_or_default())
    }

    async fn with(python: &Path, filter: Vec<u8>) -> Result<Self, String> {
        let kernel = kernel_version();
        let mut engine = Self {
            interpreter: Interpreter::of(python).await?,
            filter,
            clock: clock(),
            counts_threads: kernel >= COUNTS_APART,
            found: Found::default(),
            gaps: Vec::new(),
        };
        engine.found = engine.try_out().await?;
        if engine.clock.is_some() && !engine.found.has_fixed_clock() {
            engine.clock = None;
        }
        let gaps = [
            (
                engine.clock.is_none(),
                "the clock is the machine's own: install libfaketime to fix it",
            ),
            (
                !engine.counts_threads,
                "threads are bounded by memory only: this kernel is older than 5.14",
            ),
            (true, "a program's threads may use all cores"),
            (
                true,
                "programs run on this machine's kernel: a hole in it lets them out",
            ),
        ];
        let gaps = gaps.into_iter().filter(|(is_so, _)| *is_so);
        engine.gaps = gaps.map(|(_, gap)| gap.to_owned()).collect();
        Ok(engine)
    }

    /// Runs a guest that looks around.
    async fn try_out(&self) -> Result<Found, String> {
        let job = TestJob {
            variant: VariantId(String::new()),
            module: String::new(),
            tests: String::new(),
            classes: Vec::<TestClass>::new(),
            protocol: Protocol::default(),
            limits: Limits::default(),
            surroundings: Surroundings::default(),
        };
        let mut place = ProcessPlace::open(self, &job, python::LOOK_AROUND).await?;
        let guest = place
            .start(String::new())
            .await
            .map_err(|e| e.to_string())?;
        let Guest {
            mut output,
            mut errors,
            exit,
            stop,
        } = guest;
        let (mut told, mut said) = (String::new(), String::new());
        let read = async {
            tokio::try_join!(
                output.read_to_string(&mut told),
                errors.read_to_string(&mut said)
            )
        };
        let is_read = tokio::time::timeout(place::PATIENCE, read).await;
        drop(stop);
        drop(exit.await);
        Box::new(place).close().await;
        match is_read {
            Ok(Ok(_)) => Found::read(&told, &said),
            Ok(Err(why)) => Err(why.to_string()),
            Err(_) => Err(format!("Python says nothing in a sandbox {said}")),
        }
    }

    /// What a guest finds in its environment.
    fn environment(&self, surroundings: &Surroundings) -> Vec<(&'static str, String)> {
        let mut all = vec![
            ("PYTHONHASHSEED", surroundings.hash_seed.to_string()),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
            ("PYTHONNOUSERSITE", "1".to_owned()),
            // A thread of it for each core is no help to a test.
            ("OPENBLAS_NUM_THREADS", "1".to_owned()),
        ];
        if let (Some(clock), Clock::Fixed) = (&self.clock, surroundings.clock) {
            all.extend([
                ("LD_PRELOAD", clock.display().to_string()),
                ("FAKETIME", "@2023-10-10 12:00:00".to_owned()),
                ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
                ("FAKETIME_DISABLE_SHM", "1".to_owned()),
            ]);
        }
        all
    }
}

impl Sandbox for ProcessSandbox {
    fn about(&self) -> About {
        About {
            engine: NAME,
            python: self.found.python(),
            folder: "/work",
            fixes_clock: self.clock.is_some(),
            seeds_hashes: true,
            has_hosts: true,
        }
    }

    fn place<'a>(&'a self, job: &'a TestJob) -> Placing<'a> {
        let keeps_clock = self.clock.is_some() && job.surroundings.clock == Clock::Fixed;
        let repair = if keeps_clock { SLEEP } else { "" };
        async move {
            let program = format!("{repair}{HARNESS}");
            let place = ProcessPlace::open(self, job, &program).await;
            let place = place.map_err(place::failed)?;
            Ok(Box::new(place) as Box<dyn super::Place>)
        }
        .boxed()
    }
}

/// Whether it works here, for people.
pub(super) fn state(opened: &Result<Arc<ProcessSandbox>, String>) -> EngineState {
    let (engine, missing) = match opened {
        Ok(engine) => (Some(engine), None),
        Err(why) => (None, Some(why.clone())),
    };
    EngineState {
        engine: NAME.to_owned(),
        title: TITLE.to_owned(),
        python: engine.map_or_else(String::new, |it| it.found.python()),
        libraries: engine.map_or_else(Vec::new, |it| it.found.libraries.clone()),
        gpus: 0,
        missing,
        gaps: engine.map_or_else(Vec::new, |it| it.gaps.clone()),
    }
}

/// Where libfaketime lies.
fn clock() -> Option<PathBuf> {
    let arch = std::env::consts::ARCH;
    let folders = [
        format!("/usr/lib/{arch}-linux-gnu/faketime"),
        "/usr/lib64/faketime".to_owned(),
        "/usr/lib/faketime".to_owned(),
        "/usr/local/lib/faketime".to_owned(),
    ];
    let files = folders
        .iter()
        .map(|folder| Path::new(folder).join("libfaketimeMT.so.1"));
    files.into_iter().find(|file| file.is_file())
}

fn kernel_version() -> (u32, u32) {
    let uname = rustix::system::uname();
    let release = uname.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    (next(), next())
}
