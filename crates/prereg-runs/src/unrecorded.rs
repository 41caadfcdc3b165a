//! Run folders that no announcement stands for.
//!
//! A run is announced before its folder exists. A folder without an announcement means that the
//! ledger lost records, or that the folder was made by other means: in both cases the first run of
//! its experiment may not be the one that the ledger shows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prereg_ledger::{Run, RunId, Study};

use crate::finding::RunFinding;
use crate::lines::ReadError;

/// Every run folder of `experiment` that none of `runs` announced, by name. Folders that are not
/// named as a run are passed over.
///
/// # Errors
/// [`ReadError`] when the folder of the experiment is there and cannot be listed.
pub fn unrecorded(
    study: &Study,
    experiment: &str,
    runs: &[Run],
) -> Result<Vec<RunFinding>, ReadError> {
    let announced = |id: &RunId| {
        runs.iter()
            .any(|run| run.id == *id && run.announced.experiment == experiment)
    };
    let mut ids: Vec<RunId> = folders(&study.runs().join(experiment))?
        .iter()
        .filter_map(|name| name.parse().ok())
        .filter(|id| !announced(id))
        .collect();
    ids.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    let finding = |run| RunFinding::Unrecorded {
        experiment: experiment.to_owned(),
        run,
    };
    Ok(ids.into_iter().map(finding).collect())
}

/// The experiments that have a folder of runs, by name.
///
/// # Errors
/// [`ReadError`] when the folder of all runs is there and cannot be listed.
pub fn experiments_with_runs(study: &Study) -> Result<Vec<String>, ReadError> {
    let mut names = folders(&study.runs())?;
    names.sort();
    Ok(names)
}

fn folders(path: &Path) -> Result<Vec<String>, ReadError> {
    let unreadable = |source| ReadError::Unreadable {
        path: PathBuf::from(path),
        source,
    };
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(unreadable(source)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        if entry.path().is_dir() {
            names.extend(entry.file_name().into_string().ok());
        }
    }
    Ok(names)
}
