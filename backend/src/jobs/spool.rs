//! Jobs on disk: `<data>/jobs/<id>.json`, a file for each that has not ended.

use std::fs;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use shared::api::JobId;

use super::Task;
use crate::store::files::{remove_quietly, sweep_unfinished, write_whole};

/// The folder.
pub(super) struct Spool(PathBuf);

/// A job that has not ended.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) id: JobId,
    pub(super) client: IpAddr,
    pub(super) request: Task,
}

impl Spool {
    /// The folder and what is kept there, the oldest first. What cannot be read is left where it is, and said.
    pub(super) fn open(folder: PathBuf) -> (Self, Vec<Kept>) {
        sweep_unfinished(&folder);
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let made = entry.metadata().and_then(|it| it.modified());
            let kept = fs::read(&path).map_err(anyhow::Error::from);
            match kept.and_then(|text| Ok(serde_json::from_slice::<Kept>(&text)?)) {
                Ok(kept) => found.push((made.ok(), kept)),
                Err(why) => {
                    tracing::warn!("{} is no job ({why}); it is left there", path.display());
                }
            }
        }
        found.sort_by_key(|(made, _)| *made);
        (
            Self(folder),
            found.into_iter().map(|(_, kept)| kept).collect(),
        )
    }

    /// Keeps a job: it is on the disk when this returns.
    pub(super) fn keep(&self, kept: &Kept) -> Result<()> {
        fs::create_dir_all(&self.0)
            .with_context(|| format!("cannot make the folder {}", self.0.display()))?;
        write_whole(&self.path(&kept.id), &serde_json::to_vec(kept)?)?;
        Ok(())
    }

    /// Forgets a job that has ended.
    pub(super) fn forget(&self, id: &JobId) {
        remove_quietly(&self.path(id));
    }

    fn path(&self, id: &JobId) -> PathBuf {
        self.0.join(format!("{id}.json"))
    }
}

/// An id that nobody guesses: whoever has it may listen and cancel.
pub(super) fn new_id() -> Result<JobId> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("the system gives no random numbers")?;
    Ok(JobId(format!("{:032x}", u128::from_ne_bytes(bytes))))
}
