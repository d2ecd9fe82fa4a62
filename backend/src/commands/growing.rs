//! A file of records that grows while work is done, and is gone on with after a stop.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, bail};
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};

/// After so many failures in a row nothing more is tried: what they want is not there.
const MOST_FAILURES: usize = 10;

/// What is to be done, and how many at a time.
pub(super) struct Work<T> {
    pub(super) items: Vec<T>,
    /// Absent: as many as there are cores.
    pub(super) at_once: Option<NonZeroUsize>,
}

/// Does all of it and adds a line to the file for each item, in their order, the moment it is there.
///
/// An item that fails is told by `name` and left out; the others go on. Gives how many failed.
pub(super) async fn add<T, R, N: Display>(
    path: &Path,
    work: Work<T>,
    name: impl Fn(&T) -> N,
    one: impl AsyncFn(T) -> Result<R>,
    mut line: impl FnMut(R) -> String,
) -> Result<usize> {
    let mut file = to_go_on(path)
        .with_context(|| format!("cannot write {}; check the folder", path.display()))?;
    let at_once = work.at_once.or_else(|| available_parallelism().ok());
    let bar = ProgressBar::new(work.items.len() as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {per_sec}, {eta} left")?;
    bar.set_style(style);
    let named = async |item: T| {
        let name = name(&item);
        (name, one(item).await)
    };
    let running = futures_util::stream::iter(work.items.into_iter().map(named));
    let mut running = running.buffered(at_once.map_or(1, NonZeroUsize::get));
    let (mut n_failed, mut in_a_row) = (0, 0);
    while let Some((name, done)) = running.next().await {
        bar.inc(1);
        match done {
            Ok(record) => {
                in_a_row = 0;
                file.write_all(line(record).as_bytes())?;
                file.flush()?;
            }
            Err(why) => {
                n_failed += 1;
                in_a_row += 1;
                bar.suspend(|| eprintln!("{name}: {why:#}"));
                if in_a_row == MOST_FAILURES {
                    bail!(
                        "{MOST_FAILURES} in a row failed, the last with: {why:#}; what is done is kept in {}",
                        path.display()
                    );
                }
            }
        }
    }
    bar.finish_and_clear();
    Ok(n_failed)
}

/// What to say at the end where items failed.
pub(super) fn some_failed(n: usize) -> String {
    format!("{n} could not be done; run the command again to do these alone")
}

/// A file to add lines to. A line that was cut when its writer was killed stays alone: what follows is whole.
fn to_go_on(path: &Path) -> io::Result<File> {
    let mut file = File::options()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use anyhow::{Result, ensure};

    use super::{MOST_FAILURES, Work, add, to_go_on};

    #[test]
    fn a_line_that_was_cut_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports.jsonl");
        for (before, after) in [("", "new\n"), ("old\n", "old\nnew\n"), ("cu", "cu\nnew\n")] {
            fs::write(&path, before).unwrap();
            to_go_on(&path).unwrap().write_all(b"new\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after, "{before:?}");
        }
    }

    /// The lines that come of items of which the odd ones, or all, fail.
    async fn lines(items: Vec<usize>, fails: impl Fn(usize) -> bool) -> (Result<usize>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports.jsonl");
        let one = async |item: usize| {
            ensure!(!fails(item), "{item} fails");
            Ok(item)
        };
        let work = Work {
            items,
            at_once: None,
        };
        let n_failed = add(&path, work, |item| *item, one, |item| format!("{item}\n")).await;
        (n_failed, fs::read_to_string(&path).unwrap())
    }

    #[tokio::test]
    async fn what_fails_is_left_out_and_the_others_go_on() {
        let (n_failed, text) = lines((0..40).collect(), |item| item % 2 == 1).await;
        assert_eq!(n_failed.unwrap(), 20);
        let kept: Vec<usize> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert!(kept.into_iter().eq((0..40).step_by(2)), "{text}");
    }

    #[tokio::test]
    async fn where_nothing_works_it_stops_and_keeps_what_is_done() {
        let (n_failed, text) = lines((0..40).collect(), |item| item > 1).await;
        let why = n_failed.unwrap_err().to_string();
        let last = 1 + MOST_FAILURES;
        assert!(why.contains(&format!("{last} fails")), "{why}");
        assert_eq!(text, "0\n1\n");
    }
}
