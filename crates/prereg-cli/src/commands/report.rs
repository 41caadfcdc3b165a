//! `prereg report`: writes the report of a lock from its record.

use crate::analysis::Analysis;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::say;
use crate::{open, record};

/// Arguments of `prereg report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg report replay_tax")]
pub(crate) struct Arguments {
    /// An experiment's id, the beginning of a lock's or run's id, or a locked declaration.
    id: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let analysis = Analysis::named(&study, &history, &arguments.id)?;
    let path = record::write_report(&study, &history, &analysis)?;
    say!("wrote {}", path.display());
    Ok(Exit::Success)
}
