//! A run: its life in the ledger, and what was recorded of the machine before and beside its sessions.

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_judgement::{ColumnSummary, telemetry};
use prereg_ledger::{History, Locked, PreflightEvent, Run, SessionOutcome, Status, Study};
use prereg_report::words;

use crate::analysis::samples_of;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{self, counted, say};
use crate::record::environments;

/// Prints a run: its announcement, what was read before it, its sessions, what they recorded, its verdicts.
pub(super) fn show(
    study: &Study,
    history: &History,
    run: &Run,
    json: bool,
) -> Result<Exit, CommandError> {
    let recorded = Recorded::of(study, history, run);
    if json {
        output::json(&serde_json::json!({
            "schema": "prereg-run-history/1",
            "run": run.id,
            "status": run.status.as_str(),
            "standing": run.standing.code(),
            "replication": run.standing.replication(),
            "announced": run.time,
            "announcement": run.announced,
            "preflight": recorded.preflight.map(|(time, event)| serde_json::json!({
                "time": time,
                "readings": event.readings,
            })),
            "sessions": run.sessions,
            "telemetry": recorded.telemetry(),
            "verdicts": run.verdicts,
        }))?;
        return Ok(Exit::Success);
    }
    let announced = &run.announced;
    say!(
        "run {} of {} (lock {})",
        run.id,
        announced.experiment,
        announced.lock.prefix(12)
    );
    say!(
        "announced {} by chain {}, launcher {}, version {}",
        run.time,
        run.writer,
        announced.launcher,
        announced.version
    );
    say!("{}, {}", run.status.as_str(), run.standing);
    match &run.status {
        Status::Announced => {}
        Status::Sealed { seal, time } => say!("sealed {time}: {seal}"),
        Status::Aborted { reason } => say!("aborted because {reason}"),
    }
    if let Some(sessions) = run.stopped {
        say!(
            "decided after {sessions} of {} sessions",
            announced.sessions
        );
    }
    recorded.print_preflight();
    for (session, outcome) in &run.sessions {
        match outcome {
            SessionOutcome::Complete { done } => {
                say!("  session {session} complete {}", done.prefix(12));
            }
            SessionOutcome::Missing { message, .. } => {
                say!("  session {session} missing: {message}");
            }
        }
    }
    recorded.print_sessions();
    for verdict in &run.verdicts {
        say!("  {}: {}", verdict.claim, verdict.verdict);
    }
    Ok(Exit::Success)
}

/// What was recorded of the machine.
struct Recorded<'h> {
    /// The look at it that let the run begin, with its time.
    preflight: Option<(&'h str, &'h PreflightEvent)>,
    /// Of a sealed run: its sessions, or why they cannot be read.
    sessions: Option<Result<Sessions, CommandError>>,
}

/// What the complete sessions of a run recorded beside their steps.
struct Sessions {
    declaration: Declaration,
    telemetry: BTreeMap<String, ColumnSummary>,
    /// The program and its facts.
    program: Vec<(String, String)>,
}

impl<'h> Recorded<'h> {
    fn of(study: &Study, history: &'h History, run: &Run) -> Self {
        let is_sealed = matches!(run.status, Status::Sealed { .. });
        Self {
            preflight: history.preflight_of(run),
            sessions: is_sealed.then(|| Sessions::of(study, history, run)),
        }
    }

    /// Columns without an arm, where they could be read.
    fn telemetry(&self) -> Option<&BTreeMap<String, ColumnSummary>> {
        let sessions = self.sessions.as_ref()?.as_ref().ok()?;
        Some(&sessions.telemetry)
    }

    fn print_preflight(&self) {
        if let Some((time, event)) = self.preflight {
            say!("preflight {time}");
            for (name, said) in words::preflight(&event.readings) {
                say!("  {name}: {said}");
            }
        }
    }

    fn print_sessions(&self) {
        match &self.sessions {
            None => {}
            Some(Ok(sessions)) => sessions.print(),
            Some(Err(_)) => {
                say!("  what the sessions recorded cannot be read: prereg verify says why");
            }
        }
    }
}

impl Sessions {
    fn of(study: &Study, history: &History, run: &Run) -> Result<Self, CommandError> {
        let locked =
            Locked::load(history, run.announced.lock).map_err(|error| open::not_loaded(&error))?;
        let declaration = locked.declaration().clone();
        let program = match declaration.workload.command() {
            Some(command) => words::program(command, &environments(study, run)?),
            None => Vec::new(),
        };
        Ok(Self {
            telemetry: telemetry(&samples_of(study, &locked, run)?),
            program,
            declaration,
        })
    }

    fn print(&self) {
        for (name, found) in &self.program {
            say!("  {name}: {found}");
        }
        for column in words::telemetry(&self.declaration, &self.telemetry) {
            say!(
                "  {}: {} to {}, median {}, {} in {}{}",
                column.name,
                column.smallest,
                column.largest,
                column.median,
                counted(column.readings, "reading"),
                counted(column.sessions, "session"),
                match &column.update_rate {
                    Some(rate) => format!(", changes at {rate} or more"),
                    None => String::new(),
                }
            );
        }
    }
}
