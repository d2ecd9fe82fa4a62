//! A Docker engine of these tests' own: nothing is assumed of the machine's.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};

use backend::config::Config;
use backend::sandbox::docker::{self, Hosts};
use rustix::process::Pid;

/// Starts the engine, once, and makes the image, where it has none from an earlier run.
pub(crate) fn ready(config: &Config) -> Result<(), String> {
    let mut running = engine();
    if running.is_none() {
        *running = Some(Dockerd::start()?);
    }
    drop(running);
    let hosts = Hosts::new(&config.docker.value);
    // The caller's runtime must not be waited in.
    let installed = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(docker::install(&hosts, &mut |step| tests::say(step)))
    });
    installed.join().unwrap().map_err(|why| format!("{why:#}"))
}

/// The engine of these tests, where it runs.
pub(crate) fn engine() -> MutexGuard<'static, Option<Dockerd>> {
    static RUNNING: Mutex<Option<Dockerd>> = Mutex::new(None);
    RUNNING.lock().unwrap()
}

/// A running engine.
pub(crate) struct Dockerd {
    child: Child,
}

impl Dockerd {
    /// Where the engine of these tests listens.
    pub(crate) fn address() -> String {
        format!("unix://{}", socket().display())
    }

    /// Starts it and waits until it listens; where that cannot be, says why.
    pub(crate) fn start() -> Result<Self, String> {
        let program = which::which_in("dockerd", Some("/usr/sbin:/usr/bin:/sbin"), "/");
        let program = program.map_err(|why| format!("{why} (apt install docker.io)"))?;
        if !rustix::process::geteuid().is_root() {
            return Err("only root can start dockerd".to_owned());
        }
        let kept = kept().map_err(|e| e.to_string())?;
        forget_those_that_ended();
        fs::create_dir_all(running()).map_err(|e| e.to_string())?;
        // It ends with these tests.
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "TERM"])
            .arg(program)
            .args(["--iptables=false", "--ip6tables=false", "--bridge=none"])
            .args(["--host", &Self::address()])
            .arg("--data-root")
            .arg(kept.join("data"))
            .arg("--exec-root")
            .arg(executing())
            .arg("--pidfile")
            .arg(running().join("pid"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let (tell, told) = mpsc::channel();
        // A thread for as long as these tests run: the engine ends with the thread that started it.
        std::thread::spawn(move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(why) => return drop(tell.send(Err(why.to_string()))),
            };
            let log = BufReader::new(child.stderr.take().unwrap());
            let mut child = Some(child);
            let mut kept = File::create(kept.join("dockerd.log")).unwrap();
            let mut last = String::new();
            for line in log.lines().map_while(Result::ok) {
                writeln!(kept, "{line}").unwrap();
                if line.contains("API listen on")
                    && let Some(child) = child.take()
                {
                    drop(tell.send(Ok(child)));
                }
                last = line;
            }
            drop(tell.send(Err(format!("dockerd ended: {last}"))));
            // Whoever is to end it may do so.
            loop {
                std::thread::park();
            }
        });
        let child = told.recv().map_err(|e| e.to_string())??;
        Ok(Self { child })
    }

    /// Where it keeps what it knows of its containers.
    pub(crate) fn containers() -> PathBuf {
        kept().unwrap().join("data/containers")
    }

    /// Kills it without a word, as a crash does; gives the processes of its containers that go on.
    pub(crate) fn kill(&mut self) -> Vec<Pid> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        // It had mounted its folder over itself, and would have unmounted it.
        let data = kept().unwrap().join("data");
        let unmounted = Command::new("umount").arg("--lazy").arg(data).status();
        assert!(
            unmounted.unwrap().success(),
            "the folder of a killed engine"
        );
        let address = running().join("exec").display().to_string();
        let mut shims = Vec::new();
        let mut parents = Vec::new();
        for process in processes() {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            if line.contains("containerd-shim") && line.contains(&address) {
                shims.push(process);
            }
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
            let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
            let parent = parent.and_then(|text| text.trim().parse::<i32>().ok());
            parents.push((process, parent));
        }
        let of_shim = |parent: Option<i32>| parent.is_some_and(|it| shims.contains(&it));
        let left = parents.into_iter().filter(|&(_, parent)| of_shim(parent));
        let left = left.map(|(process, _)| process).chain(shims.clone());
        left.filter_map(Pid::from_raw).collect()
    }
}

fn processes() -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let names = entries.map(|entry| entry.file_name());
    names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect()
}

/// The folder where images are kept from run to run.
fn kept() -> std::io::Result<PathBuf> {
    let kept = tests::workspace().join("target/docker-engine");
    fs::create_dir_all(&kept)?;
    kept.canonicalize()
}

/// A folder with a short path: sockets want it.
fn running() -> PathBuf {
    PathBuf::from(format!("{RUNNING}{}", std::process::id()))
}

/// The number of the process that runs it follows.
const RUNNING: &str = "/tmp/ctxlab-dockerd-";

/// An engine ends a moment after the tests that started it: the next ones remove its folder.
fn forget_those_that_ended() {
    for entry in fs::read_dir("/tmp").into_iter().flatten().flatten() {
        let path = entry.path();
        let of = path.to_str().and_then(|path| path.strip_prefix(RUNNING));
        let of: Option<u32> = of.and_then(|of| of.parse().ok());
        if of.is_some_and(|of| !Path::new(&format!("/proc/{of}")).exists()) {
            let _may_be_in_use = fs::remove_dir_all(path);
        }
    }
}

/// Another folder for each: what a killed engine left keeps the next one from starting.
fn executing() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    running().join(format!("exec{n}"))
}

fn socket() -> PathBuf {
    running().join("docker.sock")
}
