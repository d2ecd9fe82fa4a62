//! A child process that ends, with all its own children, when it is dropped.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

/// A running program and the group of processes that it leads.
pub(crate) struct Process {
    child: Child,
    /// Kept open, or the program would fail when it writes.
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let output = child.stdout.take().context("the output is not piped")?;
        let output = BufReader::new(output);
        Ok(Self { child, output })
    }

    /// The first line of its output that `wanted` makes something of.
    pub(crate) fn line<T>(&mut self, wanted: impl Fn(&str) -> Option<T>) -> Result<T> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the program ended without saying that it is ready");
            }
            if let Some(found) = wanted(line.trim()) {
                return Ok(found);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            // It may have ended before.
            let _gone = kill_process_group(group, Signal::KILL);
        }
        let _status = self.child.wait();
    }
}
