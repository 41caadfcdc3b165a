//! `prereg analyze`: judges a lock from its sealed runs. Writes nothing.

use crate::analysis::Analysis;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::{open, output, summary};

/// Arguments of `prereg analyze`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg analyze replay_tax\n  prereg analyze replay_tax --json\n\n\
    Exit code: 0 pass, 1 falsified, 2 abstained, 3 inconsistent record."
)]
pub(crate) struct Arguments {
    /// An experiment's id, the beginning of a lock's or run's id, or a locked declaration.
    id: String,
    /// Print one JSON object (prereg-analysis/1), the same bytes for the same record.
    #[arg(long)]
    json: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let analysis = Analysis::named(&study, &history, &arguments.id)?;
    if arguments.json {
        output::json(&analysis.document())?;
    } else {
        summary::print(&analysis);
    }
    Ok(analysis.exit())
}
