//! From what a person types to a declaration file or a lock.

use std::path::{Path, PathBuf};

use prereg_declaration::{Declaration, Digest, Targets, check};
use prereg_ledger::{History, LockedExperiment, Study, id};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;

/// A declaration as it stands in a file.
#[derive(Debug)]
pub(crate) struct DeclarationFile {
    /// The path as messages print it.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
}

impl DeclarationFile {
    /// The file that `argument` names: a path, or a name under `experiments/` with or without `.toml`.
    pub(crate) fn read(study: &Study, argument: &str) -> Result<Self, CommandError> {
        let Some(path) = path_of(study, argument) else {
            let message = format!(
                "no declaration `{argument}`: neither a file nor a name under experiments/"
            );
            return Err(CommandError::new(Exit::Missing, message).hint(known(study)));
        };
        let name = path
            .strip_prefix(study.root())
            .unwrap_or(&path)
            .display()
            .to_string();
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Self { name, bytes }),
            Err(error) => Err(CommandError::new(Exit::Io, format!("{name}: {error}"))),
        }
    }

    /// Its meaning.
    pub(crate) fn check(&self, targets: &Targets) -> Result<Declaration, CommandError> {
        check(&self.name, &self.bytes, targets)
            .map_err(|diagnostics| open::refused(&self.name, &diagnostics))
    }

    /// Digest of its bytes.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

fn path_of(study: &Study, argument: &str) -> Option<PathBuf> {
    let candidates = [
        PathBuf::from(argument),
        study.experiments().join(argument),
        study.experiments().join(format!("{argument}.toml")),
    ];
    candidates.into_iter().find(|path| path.is_file())
}

fn known(study: &Study) -> String {
    let mut names: Vec<String> = std::fs::read_dir(study.experiments())
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|extension| extension == "toml")
        })
        .filter(|name| name != "targets.toml")
        .collect();
    names.sort();
    match &names[..] {
        [] => "experiments/ has no declarations".to_owned(),
        names => format!("experiments/ has {}", names.join(", ")),
    }
}

/// The lock that `argument` names: an experiment's id (its newest lock), the beginning of a lock's
/// or run's id, or a declaration file that is locked as it stands.
pub(crate) fn lock<'h>(
    study: &Study,
    history: &'h History,
    argument: &'h str,
) -> Result<&'h LockedExperiment, CommandError> {
    if let Some(lock) = history.locks_of(argument).last() {
        return Ok(lock);
    }
    if path_of(study, argument).is_some() {
        let file = DeclarationFile::read(study, argument)?;
        return lock_of_file(history, &file).ok_or_else(|| {
            let message = format!("{} is not locked as it stands", file.name);
            CommandError::new(Exit::Declaration, message).hint(format!("prereg lock {argument}"))
        });
    }
    let locks: Vec<String> = history
        .locks()
        .iter()
        .map(|lock| lock.event.lock.to_string())
        .collect();
    let runs: Vec<String> = history
        .runs()
        .iter()
        .map(|run| run.id.to_string())
        .collect();
    let found = id::resolve(argument, locks.iter().chain(&runs).map(String::as_str))
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    let id = match history
        .runs()
        .iter()
        .find(|run| run.id.to_string() == found)
    {
        Some(run) => run.announced.lock,
        None => found
            .parse()
            .map_err(|error| CommandError::caused(Exit::Internal, &error))?,
    };
    history
        .lock(id)
        .ok_or_else(|| CommandError::new(Exit::Missing, format!("no lock {id}")))
}

/// The lock of the very bytes of `file`; the newest, where the same bytes were locked twice.
pub(crate) fn lock_of_file<'h>(
    history: &'h History,
    file: &DeclarationFile,
) -> Option<&'h LockedExperiment> {
    let digest = file.digest();
    history
        .locks()
        .iter()
        .rfind(|lock| lock.event.declaration == digest)
}
