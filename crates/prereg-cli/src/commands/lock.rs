//! `prereg lock`: freezes a declaration before any data exists.

use prereg_declaration::Declaration;
use prereg_ledger::History;

use crate::draft::Draft;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::lock_of_file;
use crate::output::say;
use crate::{open, seen};

/// Arguments of `prereg lock`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg lock experiments/replay_tax.toml\n\n\
    The lock's id is the SHA-256 of its lock.json. Commit prereg/ before the first run.")]
pub(crate) struct Arguments {
    /// A declaration: a path, or a name under experiments/.
    file: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let draft = Draft::accepted(&study, &arguments.file)?;
    let Draft {
        file,
        declaration,
        lock,
    } = &draft;
    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    let targets = declaration.targets.join(" | ");
    if let Some(locked) = lock_of_file(&history, file) {
        let message = format!(
            "{} is locked already, as {}",
            file.name,
            locked.event.lock.prefix(12)
        );
        return Err(CommandError::new(Exit::Missing, message)
            .hint(format!("prereg run {} --on {targets}", arguments.file)));
    }
    refuse_second_lock(&history, declaration, &arguments.file)?;
    seen::require(&history, &draft)?;
    let asked_before: Vec<String> = history
        .locks()
        .iter()
        .filter(|other| other.event.question == lock.question)
        .map(|other| {
            format!(
                "{} ({})",
                other.event.experiment,
                other.event.lock.prefix(12)
            )
        })
        .collect();
    let (id, _) = writer
        .lock(lock, &file.bytes)
        .map_err(|error| CommandError::io(&error))?;

    say!("locked {} as {}", declaration.id, id.prefix(12));
    say!("  lock         {id}");
    say!("  declaration  {}", lock.declaration);
    say!("  meaning      {}", lock.meaning);
    say!("  question     {}", lock.question);
    for (file, digest) in &lock.files {
        say!("  file         {file} {}", digest.prefix(12));
    }
    if !asked_before.is_empty() {
        say!("  asked before by {}", asked_before.join(", "));
    }
    say!("  evidence     {}", history.evidence_level().as_str());
    say!(
        "\ncommit prereg/ now, then: prereg run {} --on {targets}",
        arguments.file
    );
    Ok(Exit::Success)
}

/// A changed plan of a locked experiment is an amendment, or another experiment.
fn refuse_second_lock(
    history: &History,
    declaration: &Declaration,
    argument: &str,
) -> Result<(), CommandError> {
    let id = &declaration.id;
    match history.locks_of(id).last() {
        None => Ok(()),
        Some(lock) => Err(CommandError::new(
            Exit::Declaration,
            format!(
                "experiment `{id}` is locked already, as {}, with other content",
                lock.event.lock.prefix(12)
            ),
        )
        .hint(format!("prereg diff {argument} shows what changed"))
        .hint(format!(
            "prereg amend {argument} --reason \"…\" locks the changed plan as its successor"
        ))
        .hint("or give it an id of its own: then it is another experiment")),
    }
}
