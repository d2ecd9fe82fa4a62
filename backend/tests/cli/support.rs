//! Runs `ctxlab` over a data folder of its own, without the caller's environment.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A benchmark of two classes and three methods.
pub(crate) const TWO_CLASSES: &str = include_str!("../../../tests/fixtures/api/two_classes.json");

pub(crate) struct Ctxlab {
    folder: TempDir,
}

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ctxlab {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and gives its path as an argument.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxlab"));
        command
            .env_clear()
            .current_dir(self.folder.path())
            .args(words);
        command
            .env("CTXLAB_DATA_DIR", self.path("data"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        Run::of(self.command(words).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, words: &[&str], input: &str) -> Run {
        let mut command = self.command(words);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        Run::of(child.wait_with_output().unwrap())
    }

    /// The ids that `dataset list` prints.
    pub(crate) fn ids(&self) -> Vec<String> {
        let list: serde_json::Value =
            serde_json::from_str(&self.run(&["dataset", "list", "--json"]).good()).unwrap();
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What a run that must succeed printed.
    pub(crate) fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// What a run that must fail with a code said.
    pub(crate) fn bad(self, code: i32) -> String {
        assert_eq!(
            (self.code, self.out.as_str()),
            (Some(code), ""),
            "{}",
            self.err
        );
        self.err
    }
}
