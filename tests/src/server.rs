//! The `ctxlab` program: a server of one's own, and the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::process::Process;
use crate::{skipped, workspace};

/// The setting that says where interpreters lie.
const ENGINES_DIR: &str = "CTXLAB_ENGINES_DIR";

/// A server on a free port with an empty data folder.
pub struct Server {
    process: Option<Process>,
    data: TempDir,
    /// `http://` and where it listens, without a slash at the end.
    pub origin: String,
}

impl Server {
    /// Starts it.
    pub fn start() -> Result<Self> {
        Self::with_data(tempfile::tempdir()?)
    }

    /// Starts it with a benchmark that was imported before, as `ctxlab dataset import` does.
    pub fn with_benchmark(file: &Path) -> Result<Self> {
        Self::with_data(imported(file)?)
    }

    /// Starts it with these engines installed, which the tests keep among themselves; `None`, and why it is
    /// told, where one cannot be had.
    pub fn with_engines(names: &[&str], what_is_skipped: &str) -> Result<Option<Self>> {
        Self::with_engines_over(names, tempfile::tempdir()?, what_is_skipped)
    }

    /// The same with a benchmark that was imported before.
    pub fn with_engines_and_benchmark(
        names: &[&str],
        file: &Path,
        what_is_skipped: &str,
    ) -> Result<Option<Self>> {
        Self::with_engines_over(names, imported(file)?, what_is_skipped)
    }

    fn with_engines_over(
        names: &[&str],
        data: TempDir,
        what_is_skipped: &str,
    ) -> Result<Option<Self>> {
        let engines = engines();
        for name in names {
            let install = program()?
                .args(["engine", "install", name])
                .env(ENGINES_DIR, &engines)
                .output()?;
            if !install.status.success() {
                let why = String::from_utf8_lossy(&install.stderr);
                skipped(&format!("{what_is_skipped} ({})", why.trim()));
                return Ok(None);
            }
        }
        // It has these and no others, whatever else is kept.
        let own = data.path().join("engines");
        std::fs::create_dir(&own)?;
        for entry in std::fs::read_dir(engines)? {
            let (name, path) = entry.map(|it| (it.file_name(), it.path()))?;
            let is_of = |of: &&str| name.to_string_lossy().starts_with(&format!("{of}-"));
            if names.iter().any(is_of) {
                std::os::unix::fs::symlink(path.canonicalize()?, own.join(name))?;
            }
        }
        let mut command = program()?;
        command.env(ENGINES_DIR, own);
        Self::run(command, data).map(Some)
    }

    fn with_data(data: TempDir) -> Result<Self> {
        Self::run(program()?, data)
    }

    fn run(mut command: Command, data: TempDir) -> Result<Self> {
        command
            .args(["serve", "--addr", "127.0.0.1:0", "--site"])
            .arg(site()?)
            .arg("--data")
            .arg(data.path())
            .env("CTXLAB_LOG", "warn")
            // What this machine has is not to be found: a test says which engines there are.
            .env("CTXLAB_PYTHON", "/nowhere/python3")
            .env("CTXLAB_DOCKER_HOSTS", "none");
        let mut process = Process::start(command)?;
        let origin = process.line(|line| line.starts_with("http://").then(|| line.to_owned()))?;
        let process = Some(process);
        Ok(Self {
            process,
            data,
            origin,
        })
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Where it keeps its benchmarks.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Ends it at once.
    pub fn stop(&mut self) {
        self.process = None;
    }
}

/// A data folder with a benchmark, as `ctxlab dataset import` makes it.
fn imported(file: &Path) -> Result<TempDir> {
    let data = tempfile::tempdir()?;
    let import = program()?
        .args(["dataset", "import"])
        .arg(file)
        .arg("--data")
        .arg(data.path())
        .output()?;
    let said = String::from_utf8_lossy(&import.stderr).into_owned();
    ensure!(import.status.success(), "the import failed: {said}");
    Ok(data)
}

/// Where the tests keep interpreters.
fn engines() -> PathBuf {
    workspace().join("target/engines")
}

/// What `ctxlab` with these arguments prints.
pub fn ctxlab(args: &[&str]) -> Result<Vec<u8>> {
    let data = tempfile::tempdir()?;
    let output = program()?
        .args(args)
        .arg("--data")
        .arg(data.path())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(
        output.status.success(),
        "ctxlab {} failed: {said}",
        args.join(" ")
    );
    Ok(output.stdout)
}

/// The built page.
pub fn site() -> Result<PathBuf> {
    let site = std::env::var_os("CTXLAB_SITE_DIR")
        .map_or_else(|| workspace().join("target/site"), PathBuf::from);
    let found = site.join("index.html").exists();
    ensure!(found, "no page: build it with `cargo xtask web --release`");
    Ok(site)
}

/// The program that was built beside the tests.
fn program() -> Result<Command> {
    let tests = std::env::current_exe()?;
    let folder = tests
        .ancestors()
        .nth(2)
        .context("the tests lie in no folder")?;
    let program = folder.join("ctxlab");
    let found = program.exists();
    ensure!(found, "no server: build it with `cargo build -p backend`");
    Ok(Command::new(program))
}
