//! CPython as a WebAssembly program in this process: the engine that works everywhere.
//!
//! A guest has its folder and nothing else: no other files, no network, no processes, no threads. Its
//! memory, its time, its output and what it writes are bounded; its clock starts at the same moment and
//! its random numbers are the same in every run.

mod disk;
mod install;
mod pack;
mod packs;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use shared::harness::{HARNESS, TestJob};
use shared::report::{Clock, Limits};
use tempfile::TempDir;
use tokio::io::{AsyncWrite, duplex};
use tokio::sync::oneshot;
use wasmtime::{Engine, Linker, Module, ResourceLimiter, Store, Trap, UpdateDeadline};
use wasmtime_wasi::cli::AsyncStdoutStream;
use wasmtime_wasi::p1::{self, WasiP1Ctx};
use wasmtime_wasi::p2::pipe::MemoryInputPipe;
use wasmtime_wasi::{FsPerms, HostWallClock, I32Exit, WasiCtxBuilder};

use self::disk::Disk;
pub use self::install::install;
pub(in crate::sandbox) use self::install::private_folder;
pub use self::pack::Pack;
pub use self::packs::PACKS;
use super::guest::{Exit, Guest};
use super::{About, Place, Placing, Sandbox, SandboxError};

/// What CPython lacks on WASI, before the harness.
const SHIMS: &str = include_str!("wasm/wasi.py");
/// Where a guest sees its folder.
const FOLDER: &str = "/work";
/// How long a guest runs before others may, and before it can be ended.
const TICK: Duration = Duration::from_millis(10);
/// 2023-10-10 12:00:00 UTC: a guest's clock starts here.
const CLOCK_STARTS: Duration = Duration::from_hours(471_372);
/// How much a guest may write before its listener has read it, in bytes.
const PIPE: usize = 64 * 1024;

/// The engine.
pub struct WasmSandbox {
    pack: &'static Pack,
    engine: Engine,
    module: Module,
    linker: Linker<State>,
    /// What guests see of the pack, where that is not in its program.
    files: Option<PathBuf>,
}

/// What a guest's store holds.
struct State {
    wasi: WasiP1Ctx,
    disk: Disk,
    memory: Memory,
}

impl WasmSandbox {
    /// The engine of an installed pack, whose files are in `cache`.
    pub fn open(pack: &'static Pack, cache: &Path) -> Result<Self, SandboxError> {
        let engine = pack::engine().map_err(|e| pack.failed(&e))?;
        let module = pack.load(&engine, cache)?;
        let mut linker = Linker::new(&engine);
        p1::add_to_linker_async(&mut linker, |state: &mut State| &mut state.wasi)
            .and_then(|()| disk::bound(&mut linker))
            .and_then(|()| no_host(&mut linker))
            .map_err(|e| pack.failed(&e))?;
        tick(&engine);
        Ok(Self {
            pack,
            engine,
            module,
            linker,
            files: pack.has_files().then(|| pack.files(cache)),
        })
    }
}

/// A program may ask for a host that answers its calls: there is none.
fn no_host(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.func_wrap("host", "call", |_: i32, _: i32, _: i32, _: i32| -1_i32)?;
    Ok(())
}

/// Lets guests be interrupted as long as the engine is there.
fn tick(engine: &Engine) {
    let engine = engine.weak();
    std::thread::spawn(move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
        }
    });
}

impl Sandbox for WasmSandbox {
    fn about(&self) -> About {
        About {
            engine: self.pack.slug,
            python: self.pack.python.to_owned(),
            folder: FOLDER,
            fixes_clock: true,
            seeds_hashes: self.pack.seeds_hashes,
            has_hosts: false,
        }
    }

    fn place<'a>(&'a self, job: &'a TestJob) -> Placing<'a> {
        let place = folder().map_err(SandboxError::Folder).map(|folder| {
            let sandbox = self;
            Box::new(WasmPlace {
                sandbox,
                job,
                folder,
            }) as Box<dyn Place>
        });
        ready(place).boxed()
    }
}

/// A job's folder.
struct WasmPlace<'a> {
    sandbox: &'a WasmSandbox,
    job: &'a TestJob,
    folder: TempDir,
}

/// A folder for a program's files (`work`) and for those that are nobody's (`tmp`).
fn folder() -> std::io::Result<TempDir> {
    let folder = TempDir::with_prefix("ctxlab-")?;
    for name in ["work", "tmp"] {
        std::fs::create_dir(folder.path().join(name))?;
    }
    Ok(folder)
}

impl Place for WasmPlace<'_> {
    fn start(&mut self, input: String) -> BoxFuture<'_, Result<Guest, SandboxError>> {
        ready(self.guest(input)).boxed()
    }
}

impl WasmPlace<'_> {
    fn guest(&self, input: String) -> Result<Guest, SandboxError> {
        let (sandbox, job) = (self.sandbox, self.job);
        let (output, errors) = (duplex(PIPE), duplex(PIPE));
        let wasi = self
            .wasi(input, output.0, errors.0)
            .map_err(|e| sandbox.pack.failed(&e))?;
        let state = State {
            wasi,
            disk: Disk::new(&job.limits),
            memory: Memory::new(&job.limits),
        };
        let mut store = Store::new(&sandbox.engine, state);
        store.limiter(|state| &mut state.memory);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Yield(1)));
        let (tell, exit) = oneshot::channel();
        let (stop, mut stopped) = oneshot::channel::<()>();
        let (module, linker) = (sandbox.module.clone(), sandbox.linker.clone());
        let entry = sandbox.pack.entry;
        let runtime = tokio::runtime::Handle::current();
        // A thread of its own: a guest computes, and the server's threads have to answer.
        tokio::task::spawn_blocking(move || {
            let ended = runtime.block_on(async {
                tokio::select! {
                    ended = call(&mut store, &linker, &module, entry) => Some(ended),
                    _ = &mut stopped => None,
                }
            });
            let was_refused = store.data().memory.was_refused;
            // Its pipes close with it: whoever listens comes to the end.
            drop(store);
            if let Some(ended) = ended {
                // Nobody may be listening any more.
                drop(tell.send(exit_of(ended, was_refused)));
            }
        });
        Ok(Guest {
            output: Box::new(output.1),
            errors: Box::new(errors.1),
            exit,
            stop,
        })
    }

    /// What a guest sees of the world.
    fn wasi(
        &self,
        input: String,
        output: impl AsyncWrite + Send + Sync + 'static,
        errors: impl AsyncWrite + Send + Sync + 'static,
    ) -> wasmtime::Result<WasiP1Ctx> {
        let (folder, mut wasi) = (self.folder.path(), WasiCtxBuilder::new());
        if let Some(files) = &self.sandbox.files {
            for (name, place) in [("lib", "/usr/local/lib"), ("site", "/site")] {
                wasi.preopened_dir(files.join(name), place, FsPerms::ReadOnly)?;
            }
        }
        let hosts = self.job.surroundings.hosts.iter();
        let hosts: serde_json::Map<_, _> = hosts
            .map(|host| (host.address.clone(), host.name.clone().into()))
            .collect();
        // Text and nothing else: as JSON has it, so does Python.
        let hosts = serde_json::Value::Object(hosts);
        wasi.args(&[
            "python",
            "-B",
            "-c",
            &format!("HOSTS = {hosts}\n{SHIMS}{HARNESS}"),
        ])
        .env(
            "PYTHONHASHSEED",
            self.job.surroundings.hash_seed.to_string(),
        )
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PWD", FOLDER)
        .stdin(MemoryInputPipe::new(input))
        .stdout(AsyncStdoutStream::new(PIPE, output))
        .stderr(AsyncStdoutStream::new(PIPE, errors))
        .preopened_dir(folder.join("work"), FOLDER, FsPerms::ReadWrite)?
        .preopened_dir(folder.join("tmp"), "/tmp", FsPerms::ReadWrite)?
        .allow_tcp(false)
        .allow_udp(false)
        .allow_ip_name_lookup(false);
        if self.job.surroundings.clock == Clock::Fixed {
            wasi.wall_clock(FixedClock(Instant::now()));
        }
        Ok(wasi.build_p1())
    }
}

/// Runs Python; gives its exit code.
async fn call(
    store: &mut Store<State>,
    linker: &Linker<State>,
    module: &Module,
    entry: &str,
) -> wasmtime::Result<i32> {
    let instance = linker.instantiate_async(&mut *store, module).await?;
    if let Ok(initialize) = instance.get_typed_func::<(), ()>(&mut *store, "_initialize") {
        initialize.call_async(&mut *store, ()).await?;
    }
    if let Ok(run) = instance.get_typed_func::<(), i32>(&mut *store, entry) {
        return run.call_async(&mut *store, ()).await;
    }
    let start = instance.get_typed_func::<(), ()>(&mut *store, entry)?;
    start.call_async(&mut *store, ()).await.map(|()| 0)
}

fn exit_of(ended: wasmtime::Result<i32>, was_refused: bool) -> Exit {
    let why = match ended {
        Ok(code) => return Exit::Code(code),
        Err(why) => why,
    };
    if let Some(I32Exit(code)) = why.downcast_ref() {
        return Exit::Code(*code);
    }
    match why.downcast_ref::<Trap>() {
        Some(_) if was_refused => Exit::OutOfMemory,
        Some(trap) => Exit::Fault(format!("the interpreter stopped: {trap}")),
        None => Exit::Failed(format!("{why:#}")),
    }
}

/// A clock that starts at the same moment in every run, and goes.
struct FixedClock(Instant);

impl HostWallClock for FixedClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        CLOCK_STARTS + self.0.elapsed()
    }
}

/// The bound of a guest's memory.
struct Memory {
    most: usize,
    was_refused: bool,
}

impl Memory {
    fn new(limits: &Limits) -> Self {
        Self {
            most: limits.memory_mib as usize * 1024 * 1024,
            was_refused: false,
        }
    }
}

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let fits = desired <= self.most;
        self.was_refused |= !fits;
        Ok(fits)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= 1_000_000)
    }
}
