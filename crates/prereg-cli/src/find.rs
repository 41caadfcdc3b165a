//! From what a person types to a declaration file or a lock.

use std::path::{Path, PathBuf};

use prereg_declaration::{Declaration, Digest, Targets, check};
use prereg_ledger::{History, LockedExperiment, Run, Study, id};

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

    /// Whether `argument` names a file.
    pub(crate) fn exists(study: &Study, argument: &str) -> bool {
        path_of(study, argument).is_some()
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
    let runs = history.runs().iter().map(|run| run.id.as_str());
    let found = id::resolve(argument, locks.iter().map(String::as_str).chain(runs))
        .map_err(|error| CommandError::caused(Exit::Missing, &error))?;
    let of_run = run(history, found).and_then(|run| history.lock(run.announced.lock));
    let of_id = || found.parse().ok().and_then(|id| history.lock(id));
    of_run.or_else(of_id).ok_or_else(|| {
        CommandError::new(
            Exit::Inconsistent,
            format!("the lock of run {found} is not recorded"),
        )
        .hint("prereg verify shows the whole record")
    })
}

/// The run whose id begins with `argument`, where it is the only one. An experiment of that id comes first.
pub(crate) fn run<'h>(history: &'h History, argument: &str) -> Option<&'h Run> {
    if history.locks_of(argument).next().is_some() {
        return None;
    }
    let ids = history.runs().iter().map(|run| run.id.as_str());
    let found = id::resolve(argument, ids).ok()?;
    history.runs().iter().find(|run| run.id.as_str() == found)
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
