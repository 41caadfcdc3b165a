//! `prereg withdraw`: gives a locked plan up, in the open.

use prereg_ledger::{Event, WithdrawalEvent};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{counted, say};
use crate::{find, open};

/// Arguments of `prereg withdraw`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  prereg withdraw replay_tax --reason \"the machine is gone\"\n\n\
    A withdrawn lock is never run again. It stays in the ledger, in `list` and in reports, with its\n\
    reason and with every run that was measured."
)]
pub(crate) struct Arguments {
    /// An experiment's id (its newest lock), the beginning of a lock's id, or a locked declaration.
    id: String,
    /// Why, in one line.
    #[arg(long)]
    reason: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let reason = one_line(&arguments.reason)?;
    let study = open::study()?;
    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    let lock = find::lock(&study, &history, &arguments.id)?;
    let (id, short) = (lock.event.lock, lock.event.lock.prefix(12));
    if let Some(withdrawn) = &lock.withdrawn {
        let message = format!(
            "lock {short} was withdrawn already, {}: {}",
            withdrawn.time, withdrawn.reason
        );
        return Err(CommandError::new(Exit::Missing, message));
    }
    writer
        .append(Event::Withdrawn(WithdrawalEvent { lock: id, reason }))
        .map_err(|error| CommandError::io(&error))?;
    say!("withdrew lock {short} of {}", lock.event.experiment);
    let runs = history.runs_of_lock(id).count();
    if runs > 0 {
        say!(
            "{} of it stays on record, with what it said",
            counted(runs, "run")
        );
    }
    Ok(Exit::Success)
}

/// A reason that people can read in a list.
pub(super) fn one_line(reason: &str) -> Result<String, CommandError> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().any(char::is_control) {
        return Err(CommandError::new(
            Exit::Usage,
            "the reason is empty or has control characters; give one line of text",
        ));
    }
    Ok(reason.to_owned())
}
