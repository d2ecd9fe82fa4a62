//! The sandbox of one job: a supervisor in it starts its guests.

use std::fs;
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream as Socket;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use serde_json::{Value, json};
use shared::harness::TestJob;
use shared::report::Host;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::pipe;
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;

use super::super::guest::{Exit, Guest};
use super::super::{Place, SandboxError};
use super::{NAME, ProcessSandbox};

const SUPERVISOR: &str = include_str!("supervisor.py");
/// Nobody: neither in a sandbox nor outside of it is a guest anyone.
const NOBODY: u32 = 65534;
/// How long a sandbox may take to start or to end.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
const MIB: u64 = 1024 * 1024;
/// Code of libraries that a program maps, in bytes: it is no memory of its own.
const LIBRARIES: u64 = 2048 * MIB;
const MOST_THREADS: u64 = 64;
const MOST_OPEN: u64 = 128;

/// A job's sandbox.
pub(super) struct ProcessPlace {
    supervisor: Arc<Mutex<BufReader<UnixStream>>>,
    child: Child,
}

pub(super) fn failed(why: String) -> SandboxError {
    SandboxError::Failed { engine: NAME, why }
}

impl ProcessPlace {
    /// A sandbox whose guests run `program`.
    pub(super) async fn open(
        engine: &ProcessSandbox,
        job: &TestJob,
        program: &str,
    ) -> Result<Self, String> {
        let io = |e: std::io::Error| e.to_string();
        let (ours, theirs) = Socket::pair().map_err(io)?;
        ours.set_nonblocking(true).map_err(io)?;
        let supervisor = UnixStream::from_std(ours).map_err(io)?;
        let mut command = Command::new("bwrap");
        command
            .args(sandbox(engine))
            .arg(&engine.interpreter.executable)
            .args(["-I", "-S", "-B", "-c", SUPERVISOR])
            .arg(description(engine, job, program).to_string())
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let child = command
            .spawn()
            .map_err(|e| format!("cannot run bwrap ({e}); install the package bubblewrap"))?;
        // The command holds the supervisor's end of the socket.
        drop(command);
        let mut supervisor = BufReader::new(supervisor);
        match line(&mut supervisor).await.as_deref() {
            Some("ready") => Ok(Self {
                supervisor: Arc::new(Mutex::new(supervisor)),
                child,
            }),
            _ => Err(why_not(child).await),
        }
    }

    async fn guest(&mut self, input: String) -> std::io::Result<Guest> {
        let mut supervisor = Arc::clone(&self.supervisor).lock_owned().await;
        let (mut to_input, input_end) = pipe()?;
        let (output_end, output) = pipe()?;
        let (errors_end, errors) = pipe()?;
        let ends = [
            input_end.into_blocking_fd()?,
            output_end.into_blocking_fd()?,
            errors_end.into_blocking_fd()?,
        ];
        send_start(supervisor.get_ref(), &ends).await?;
        drop(ends);
        tokio::spawn(async move {
            // A guest may end before it has read all.
            drop(to_input.write_all(input.as_bytes()).await);
        });
        let (tell, exit) = oneshot::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            tokio::select! {
                told = line(&mut supervisor) => drop(tell.send(exit_of(told.as_deref()))),
                _ = stopped => {
                    if supervisor.get_mut().write_all(b"k").await.is_ok() {
                        line(&mut supervisor).await;
                    }
                }
            }
        });
        Ok(Guest {
            output: Box::new(output),
            errors: Box::new(errors),
            exit,
            stop,
        })
    }
}

impl Place for ProcessPlace {
    fn start(&mut self, input: String) -> BoxFuture<'_, Result<Guest, SandboxError>> {
        let guest = self.guest(input);
        async { guest.await.map_err(|e| failed(e.to_string())) }.boxed()
    }

    fn close<'a>(self: Box<Self>) -> BoxFuture<'a, ()>
    where
        Self: 'a,
    {
        let Self {
            supervisor,
            mut child,
        } = *self;
        async move {
            // The supervisor ends when nobody is there, and with it all that runs in the sandbox.
            drop(supervisor);
            drop(timeout(PATIENCE, child.wait()).await);
        }
        .boxed()
    }
}

/// Sends the ends of a guest's pipes.
async fn send_start(supervisor: &UnixStream, ends: &[OwnedFd; 3]) -> std::io::Result<()> {
    let ends = ends.each_ref().map(OwnedFd::as_fd);
    let send = || {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&ends));
        let word = [IoSlice::new(b"g")];
        Ok(sendmsg(
            supervisor,
            &word,
            &mut control,
            SendFlags::NOSIGNAL,
        )?)
    };
    supervisor
        .async_io(Interest::WRITABLE, send)
        .await
        .map(drop)
}

/// The supervisor's next line; `None` where it is gone.
async fn line(supervisor: &mut BufReader<UnixStream>) -> Option<String> {
    let mut line = String::new();
    let n = supervisor.read_line(&mut line).await.ok()?;
    (n > 0).then(|| line.trim_end().to_owned())
}

fn exit_of(told: Option<&str>) -> Exit {
    let words = told.and_then(|told| told.split_once(' '));
    match words {
        Some(("code", code)) => Exit::Code(code.parse().unwrap_or(-1)),
        Some(("signal", signal)) => Exit::Fault(format!("signal {signal} ended the program")),
        Some((_, why)) => Exit::Failed(why.to_owned()),
        None => Exit::Failed("its sandbox ended".to_owned()),
    }
}

/// Why a sandbox did not start, and what to do.
async fn why_not(mut child: Child) -> String {
    let mut said = String::new();
    if let Some(errors) = child.stderr.take() {
        let mut errors = errors.take(4096);
        drop(timeout(PATIENCE, errors.read_to_string(&mut said)).await);
    }
    let why = said.lines().last().unwrap_or("bwrap ended without a word");
    let next = if why.contains("namespace") || why.contains("uid map") {
        "; allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu \
            kernel.apparmor_restrict_unprivileged_userns=0), or use another engine"
    } else {
        "; set CTXLAB_PYTHON to an interpreter that all users can read, or use another engine"
    };
    format!("a sandbox cannot be made here: {why}{next}")
}

/// What bubblewrap makes.
fn sandbox(engine: &ProcessSandbox) -> Vec<String> {
    let nobody = NOBODY.to_string();
    let mut args: Vec<String> = Vec::new();
    let mut add = |some: &[&str]| args.extend(some.iter().map(|&it| it.to_owned()));
    add(&["--unshare-user", "--unshare-all", "--hostname", "ctxlab"]);
    add(&["--uid", &nobody, "--gid", &nobody, "--new-session"]);
    add(&["--clearenv", "--as-pid-1"]);
    // For the supervisor's one bounded file system; it gives it up before a guest starts.
    add(&["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]);
    add(&["--ro-bind", "/usr", "/usr"]);
    for folder in ["/lib", "/lib32", "/lib64"] {
        match fs::read_link(folder) {
            Ok(to) => add(&["--symlink", &to.to_string_lossy(), folder]),
            Err(_) => add(&["--ro-bind-try", folder, folder]),
        }
    }
    for file in ["/etc/ld.so.cache", "/etc/alternatives"] {
        add(&["--ro-bind-try", file, file]);
    }
    for folder in &engine.interpreter.folders {
        let folder = folder.to_string_lossy();
        add(&["--ro-bind", &folder, &folder]);
    }
    for device in [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
    ] {
        add(&["--dev-bind", device, device]);
    }
    for file in ["hosts", "nsswitch.conf", "passwd"] {
        add(&[
            "--symlink",
            &format!("/space/{file}"),
            &format!("/etc/{file}"),
        ]);
    }
    for folder in ["/space", "/work", "/tmp"] {
        add(&["--dir", folder]);
    }
    add(&["--remount-ro", "/", "--"]);
    args
}

/// What the supervisor reads.
fn description(engine: &ProcessSandbox, job: &TestJob, program: &str) -> Value {
    let limits = &job.limits;
    let (memory, disk) = (
        u64::from(limits.memory_mib) * MIB,
        u64::from(limits.disk_mib) * MIB,
    );
    let seconds = u64::from(limits.class_ms).div_ceil(1000) * (job.classes.len() as u64 + 1);
    let mut bounds = json!({
        "RLIMIT_DATA": memory, "RLIMIT_AS": memory + LIBRARIES, "RLIMIT_STACK": 8 * MIB,
        "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": disk, "RLIMIT_NOFILE": MOST_OPEN,
        "RLIMIT_CORE": 0, "RLIMIT_MEMLOCK": 0, "RLIMIT_MSGQUEUE": 0,
    });
    if engine.counts_threads {
        bounds["RLIMIT_NPROC"] = json!(MOST_THREADS);
    }
    let hosts: String = std::iter::once("127.0.0.1 localhost\n".to_owned())
        .chain(
            job.surroundings
                .hosts
                .iter()
                .map(|Host { address, name }| format!("{address} {name}\n")),
        )
        .collect();
    let passwd = format!("nobody:x:{NOBODY}:{NOBODY}:nobody:/tmp:/bin/false\n");
    let python = Path::new(&engine.interpreter.executable).to_string_lossy();
    let environment: serde_json::Map<String, Value> = engine
        .environment(&job.surroundings)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    json!({
        "argv": [python, "-B", "-c", program], "environment": environment,
        "etc": {"hosts": hosts, "nsswitch.conf": "hosts: files\n", "passwd": passwd},
        "disk": disk, "files": limits.files, "limits": bounds, "filter": engine.filter,
    })
}
