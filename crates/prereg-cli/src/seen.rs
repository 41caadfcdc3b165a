//! What a plan must admit to have been seen, by the record.

use prereg_declaration::DataSeen;
use prereg_ledger::{DataSeenByRecord, History, RunId};

use crate::draft::Draft;
use crate::error::CommandError;
use crate::exit::Exit;

/// Whoever plans what a run or a pilot in this ledger has measured has seen its data, and says so.
pub(crate) fn require(history: &History, draft: &Draft) -> Result<(), CommandError> {
    let (declaration, question) = (&draft.declaration, draft.lock.question);
    let (least, what) = match history.data_seen(&declaration.id, question) {
        DataSeenByRecord::Nothing => return Ok(()),
        DataSeenByRecord::Pilot { runs } => (
            DataSeen::Pilot,
            format!("pilot {} has measured its baseline", listed(&runs)),
        ),
        DataSeenByRecord::PilotOfAllArms { runs } => (
            DataSeen::ThisData,
            format!("pilot {} has measured all its arms", listed(&runs)),
        ),
        DataSeenByRecord::Run { runs } => (
            DataSeen::ThisData,
            format!("run {} has measured the same question", listed(&runs)),
        ),
    };
    if declaration.data_seen >= least {
        return Ok(());
    }
    let message = format!(
        "{what}, and data-seen of {} is \"{}\"",
        draft.file.name,
        declaration.data_seen.name()
    );
    Err(CommandError::new(Exit::Declaration, message).hint(format!(
        "write data-seen = \"{}\" and quote its figures in data-seen-figures",
        least.name()
    )))
}

fn listed(runs: &[RunId]) -> String {
    runs.iter()
        .map(RunId::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}
