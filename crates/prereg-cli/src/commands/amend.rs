//! `prereg amend`: locks a changed plan as the successor of the one before, with the reason.

use prereg_declaration::{Declaration, differences};
use prereg_ledger::{History, Locked, LockedExperiment};

use super::withdraw::one_line;
use crate::draft::Draft;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::lock_of_file;
use crate::output::say;
use crate::{open, seen};

/// Arguments of `prereg amend`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  prereg amend replay_tax --reason \"13 sessions waste two: 11 decide as well\"\n\n\
    The new lock names the one before as its parent. Reports show what changed from the first lock to\n\
    the last, whether data had been seen, and which attempt this is."
)]
pub(crate) struct Arguments {
    /// A changed declaration of an experiment that is locked: a path, or a name under experiments/.
    file: String,
    /// Why, in one line.
    #[arg(long)]
    reason: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let reason = one_line(&arguments.reason)?;
    let study = open::study()?;
    let draft = Draft::accepted(&study, &arguments.file)?;
    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    let parent = parent(&history, &draft, &arguments.file)?;
    let before =
        Locked::load(&history, parent.event.lock).map_err(|error| open::not_loaded(&error))?;
    seen::require(&history, &draft)?;
    let parent = parent.event.lock;
    let (id, _) = writer
        .amend(&draft.lock, &draft.file.bytes, parent, &reason)
        .map_err(|error| CommandError::io(&error))?;

    let experiment = &draft.declaration.id;
    say!(
        "amended {experiment}: lock {} follows {}",
        id.prefix(12),
        parent.prefix(12)
    );
    say!("  lock         {id}");
    say!("  declaration  {}", draft.lock.declaration);
    say!("  meaning      {}", draft.lock.meaning);
    say!("  question     {}", draft.lock.question);
    say_differences(before.declaration(), &draft.declaration);
    if let Some(attempt) = open::history(&study)?.attempt(id) {
        say!("  attempt      {} of {}", attempt.number, attempt.of);
    }
    say!(
        "\ncommit prereg/ now, then: prereg run {} --on {}",
        arguments.file,
        draft.declaration.targets.join(" | ")
    );
    Ok(Exit::Success)
}

/// The newest lock of the experiment, which this draft is not.
fn parent<'h>(
    history: &'h History,
    draft: &'h Draft,
    argument: &str,
) -> Result<&'h LockedExperiment, CommandError> {
    let (name, id) = (&draft.file.name, &draft.declaration.id);
    if let Some(locked) = lock_of_file(history, &draft.file) {
        let short = locked.event.lock.prefix(12);
        let newest = history.locks_of(id).last();
        if newest.is_some_and(|newest| newest.event.lock == locked.event.lock) {
            let message = format!("{name} is locked as it stands, as {short}: nothing to amend");
            return Err(CommandError::new(Exit::Missing, message));
        }
        let message = format!(
            "{name} has the bytes of lock {short}, which was amended: a lock is recorded once"
        );
        return Err(CommandError::new(Exit::Missing, message)
            .hint("change a comment to lock the old text as a new attempt"));
    }
    history.locks_of(id).last().ok_or_else(|| {
        let message = format!("experiment `{id}` was never locked: nothing to amend");
        CommandError::new(Exit::Missing, message).hint(format!("prereg lock {argument}"))
    })
}

fn say_differences(before: &Declaration, after: &Declaration) {
    let differences = differences(before, after);
    if differences.is_empty() {
        say!("  changed      bytes only, the meaning is the same");
    }
    for difference in &differences {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        say!(
            "  changed      {}: {} became {}",
            difference.path,
            value(&difference.before),
            value(&difference.after)
        );
    }
}
