//! A pilot: measures the spread and the feasibility of a draft, and never a verdict.

use clap::ValueEnum;
use prereg_judgement::RunJudgement;
use prereg_ledger::{Locked, PilotArms, RunId, Study};

use super::execution::{Execution, recorded};
use super::preflight::can_run;
use crate::analysis::judge_run;
use crate::draft::Draft;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{note, say};

/// What `--pilot` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Arms {
    /// The baseline in place of every arm: spread, no effect.
    Baseline,
    /// Every arm as declared: what is claimed is seen, so the plan must say data-seen = "this-data".
    AllArms,
}

impl From<Arms> for PilotArms {
    fn from(arms: Arms) -> Self {
        match arms {
            Arms::Baseline => Self::Baseline,
            Arms::AllArms => Self::All,
        }
    }
}

/// Runs a pilot of the draft that `argument` names on `target`.
pub(super) fn run(
    argument: &str,
    target: &str,
    arms: Arms,
    resume: bool,
) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let draft = Draft::read(&study, argument)?;
    // A draft that cannot run here leaves nothing in the ledger.
    can_run(&study, &draft.declaration, &open::targets(&study)?, target)?;
    let mut writer = open::writer(&study)?;
    let (lock, _) = writer
        .pilot(&draft.lock, &draft.file.bytes, arms.into())
        .map_err(|error| CommandError::io(&error))?;
    let history = open::history(&study)?;
    let locked = Locked::load(&history, lock).map_err(|error| open::not_loaded(&error))?;
    let flag = match arms {
        Arms::Baseline => "--pilot",
        Arms::AllArms => "--pilot=all-arms",
    };
    let run = Execution {
        study: &study,
        locked: &locked,
        target,
        resume_command: format!("prereg run {argument} --on {target} {flag} --resume"),
    }
    .run(&mut writer, resume)?;
    conclude(&study, &locked, arms, &run)
}

fn conclude(study: &Study, locked: &Locked, arms: Arms, run: &RunId) -> Result<Exit, CommandError> {
    let history = open::history(study)?;
    let run = recorded(&history, run)?;
    let judgement = judge_run(study, locked, run)?;
    say!("\npilot {} on {}: no verdict", run.id, judgement.target);
    spreads(&judgement);
    for (name, gate) in &judgement.gates {
        say!("  gate {name}: {}", gate.state.as_str());
    }
    let least = match arms {
        Arms::Baseline => "pilot",
        Arms::AllArms => "this-data",
    };
    note!("the plan must say data-seen = \"{least}\" from now on; reports count this pilot");
    Ok(Exit::Success)
}

/// The spread of every metric over sessions, as the line that a declaration takes.
fn spreads(judgement: &RunJudgement) {
    let mut assumed = Vec::new();
    for (name, metric) in &judgement.metrics {
        match metric.log_sd() {
            Some(spread) => {
                let percent = 100.0 * spread;
                say!("  {name}: spread between sessions {percent:.2} %");
                assumed.push(format!("{name} = \"{percent:.2} %\""));
            }
            None => say!("  {name}: no spread, since it has fewer than two positive values"),
        }
    }
    say!("  assumed-cv = {{ {} }}", assumed.join(", "));
}
