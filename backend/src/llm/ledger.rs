//! What was spent: `<data>/llm/spent/<day>.jsonl`, a line an exchange, days by UTC.
//!
//! Lines are only ever added, each in one write, so that several programs over one data folder share a day's
//! budget, and whoever is killed loses at most its own last line.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use shared::llm::{ExchangeKey, ModelId, Usage};

use super::budget::{Cost, Purse};
use crate::config::LlmBounds;

/// The folder, and the day that is under way.
pub(super) struct Ledger {
    folder: PathBuf,
    bounds: LlmBounds,
    day: Mutex<Option<Day>>,
}

struct Day {
    name: String,
    purse: Purse,
    /// How much of the file is counted.
    read: u64,
}

/// One exchange's line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Spent {
    /// When it ended.
    pub(super) at: Timestamp,
    pub(super) provider: String,
    pub(super) model: ModelId,
    pub(super) key: ExchangeKey,
    #[serde(flatten)]
    pub(super) usage: Usage,
    pub(super) nano_usd: u64,
    /// Whether the reply came whole. What broke off, or was given up, is counted by what was heard.
    pub(super) is_whole: bool,
}

impl Ledger {
    pub(super) fn new(folder: PathBuf, bounds: LlmBounds) -> Self {
        let day = Mutex::default();
        Self {
            folder,
            bounds,
            day,
        }
    }

    /// The purse of a day, with what all programs have spent by now.
    pub(super) fn purse(&self, now: Timestamp) -> io::Result<Purse> {
        let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        self.of(&mut day, now).map(|day| day.purse.clone())
    }

    /// Adds a line.
    pub(super) fn add(&self, spent: &Spent) -> io::Result<()> {
        let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir_all(&self.folder)?;
        let path = self.path(&name(spent.at));
        let mut line = serde_json::to_vec(spent)?;
        line.push(b'\n');
        // If the last line is another program's that was killed, it must not swallow this one.
        if !ends_a_line(&path)? {
            line.insert(0, b'\n');
        }
        let mut file = File::options().append(true).create(true).open(path)?;
        file.write_all(&line)?;
        file.sync_data()?;
        self.of(&mut day, spent.at)?;
        Ok(())
    }

    /// The day, after what was added to its file.
    fn of<'a>(&self, day: &'a mut Option<Day>, now: Timestamp) -> io::Result<&'a Day> {
        let name = name(now);
        if day.as_ref().is_some_and(|day| day.name != name) {
            *day = None;
        }
        let day = day.get_or_insert_with(|| Day {
            purse: Purse::new(self.bounds),
            name: name.clone(),
            read: 0,
        });
        let mut file = match File::open(self.path(&name)) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(day),
            Err(e) => return Err(e),
        };
        file.seek(SeekFrom::Start(day.read))?;
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let n = lines.read_until(b'\n', &mut line)?;
            // Another program may be writing the rest of it.
            if line.last() != Some(&b'\n') {
                return Ok(day);
            }
            day.read += n as u64;
            if let Ok(spent) = serde_json::from_slice::<Spent>(&line) {
                day.purse.spend(Cost {
                    nano_usd: spent.nano_usd,
                    tokens: spent.usage.total(),
                });
            }
        }
    }

    fn path(&self, day: &str) -> PathBuf {
        self.folder.join(day).with_extension("jsonl")
    }
}

fn name(at: Timestamp) -> String {
    TimeZone::UTC.to_datetime(at).date().to_string()
}

fn ends_a_line(path: &PathBuf) -> io::Result<bool> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    io::Read::read_exact(&mut file, &mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(at: &str, tokens: u64) -> Spent {
        Spent {
            at: at.parse().unwrap(),
            provider: "p".to_owned(),
            model: ModelId("m".to_owned()),
            key: ExchangeKey("k".to_owned()),
            usage: Usage {
                prompt_tokens: tokens,
                ..Usage::default()
            },
            nano_usd: 7,
            is_whole: true,
        }
    }

    #[test]
    fn programs_share_a_day_and_a_torn_line_is_nobody_s() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Ledger::new(folder.path().join("spent"), LlmBounds::default());
        let (one, other) = (open(), open());
        let noon = "2026-01-02T12:00:00Z";
        let state = |ledger: &Ledger, at: &str| {
            let purse = ledger.purse(at.parse().unwrap()).unwrap().state();
            (purse.tokens, purse.nano_usd)
        };
        assert_eq!(state(&one, noon), (0, 0));
        one.add(&spent(noon, 5)).unwrap();
        assert_eq!((state(&one, noon), state(&other, noon)), ((5, 7), (5, 7)));
        // Killed while it wrote.
        let path = folder.path().join("spent/2026-01-02.jsonl");
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"{\"at\": \"2026").unwrap();
        assert_eq!(state(&one, noon), (5, 7));
        other.add(&spent(noon, 6)).unwrap();
        assert_eq!(
            (state(&one, noon), state(&other, noon)),
            ((11, 14), (11, 14))
        );
        assert_eq!(state(&open(), noon), (11, 14));
        assert_eq!(state(&one, "2026-01-03T00:00:00Z"), (0, 0));
        assert_eq!(state(&one, "2026-01-02T23:59:59Z"), (11, 14));
    }
}
