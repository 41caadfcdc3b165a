//! Opening a study, its targets and its history, with errors that the terminal can show.

use std::io::IsTerminal;
use std::path::Path;

use prereg_declaration::{Diagnostics, Targets};
use prereg_ledger::{History, LoadError, OpenError, Study, StudyError, Writer};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::counted;

/// The study that holds the working folder.
pub(crate) fn study() -> Result<Study, CommandError> {
    Study::discover(Path::new(".")).map_err(|error| {
        let exit = match error {
            StudyError::Unreadable { .. } => Exit::Io,
            StudyError::NotAStudy { .. } | StudyError::NotFound { .. } => Exit::Missing,
        };
        CommandError::caused(exit, &error)
    })
}

/// The study's targets.
pub(crate) fn targets(study: &Study) -> Result<Targets, CommandError> {
    let path = study.targets();
    let bytes = std::fs::read(&path)
        .map_err(|error| CommandError::new(Exit::Io, format!("{}: {error}", path.display())))?;
    Targets::parse("experiments/targets.toml", &bytes)
        .map_err(|diagnostics| refused("experiments/targets.toml", &diagnostics))
}

/// What the ledger and the locks say.
pub(crate) fn history(study: &Study) -> Result<History, CommandError> {
    let history = History::read(study).map_err(|error| CommandError::io(&error))?;
    if let Some((writer, record)) = history.unknown_records().next() {
        let message = format!(
            "cannot judge: chain {writer} has a record of kind `{}`, which this version does not know",
            record.event.kind()
        );
        return Err(CommandError::new(Exit::Internal, message)
            .hint("use the version of prereg that wrote it, or a later one"));
    }
    Ok(history)
}

/// The right to append to the ledger.
pub(crate) fn writer(study: &Study) -> Result<Writer, CommandError> {
    Writer::open(study).map_err(|error| match error {
        OpenError::Busy { .. } => {
            CommandError::io(&error).hint("wait until the other command has ended, then try again")
        }
        error => CommandError::io(&error),
    })
}

/// A file with problems, all of them shown.
pub(crate) fn refused(name: &str, diagnostics: &Diagnostics) -> CommandError {
    let problems = counted(diagnostics.iter().count(), "problem");
    CommandError::rendered(
        Exit::Declaration,
        format!("{name} has {problems}"),
        diagnostics.render(std::io::stderr().is_terminal()),
    )
}

/// A lock that cannot be used.
pub(crate) fn not_loaded(error: &LoadError) -> CommandError {
    match error {
        LoadError::NotLocked { .. } => CommandError::caused(Exit::Missing, error),
        LoadError::Void { .. } => CommandError::caused(Exit::Inconsistent, error)
            .hint("prereg verify shows the whole record"),
        LoadError::Refused { diagnostics, .. } => {
            CommandError::rendered(Exit::Internal, error.to_string(), diagnostics.to_string())
        }
        LoadError::UnknownRules { .. } | LoadError::OtherMeaning { .. } => {
            CommandError::internal(error)
        }
    }
}
