//! `run.json`: which run a folder is.

use prereg_declaration::Digest;
use prereg_ledger::{Announced, Announcement, Origin, Run, RunId};
use serde::{Deserialize, Serialize};

/// `run.json`, written when the run is announced, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// [`RunRecord::SCHEMA`].
    pub schema: String,
    /// The run.
    pub run: RunId,
    /// Its lock.
    pub lock: Digest,
    /// Its experiment.
    pub experiment: String,
    /// Its target.
    pub target: String,
    /// Where the numbers come from.
    pub origin: Origin,
    /// Digest of its announcement.
    pub announcement: Digest,
    /// When it was announced.
    pub announced: String,
    /// Locked number of sessions.
    pub sessions: u32,
    /// Version of the tool.
    pub version: String,
    /// Digest of the executable.
    pub executable: Digest,
    /// How the target is reached.
    pub launcher: String,
}

impl RunRecord {
    /// The format that this version writes and reads.
    pub const SCHEMA: &str = "prereg-run/1";

    /// The record of a run that was just announced.
    #[must_use]
    pub fn of_announced(announced: &Announced, announcement: &Announcement) -> Self {
        Self::new(
            &announced.run,
            announced.record.digest,
            &announced.record.time,
            announcement,
        )
    }

    /// The record of a run, as the ledger tells it.
    #[must_use]
    pub fn of_run(run: &Run) -> Self {
        Self::new(&run.id, run.announcement, &run.time, &run.announced)
    }

    fn new(run: &RunId, digest: Digest, time: &str, announcement: &Announcement) -> Self {
        Self {
            schema: Self::SCHEMA.into(),
            run: run.clone(),
            lock: announcement.lock,
            experiment: announcement.experiment.clone(),
            target: announcement.target.clone(),
            origin: announcement.origin,
            announcement: digest,
            announced: time.into(),
            sessions: announcement.sessions,
            version: announcement.version.clone(),
            executable: announcement.executable,
            launcher: announcement.launcher.clone(),
        }
    }
}
