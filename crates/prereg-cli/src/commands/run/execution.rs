//! From an announcement to a seal: what runs of locks and pilots have in common.

use prereg_executor::{
    Decided, Interrupt, Launcher, LocalProcess, MeasureError, Measurement, executable_digest, tree,
};
use prereg_ledger::{
    Announcement, Event, History, Locked, Origin, PreflightEvent, Run, RunId, SealEvent, Standing,
    Study, Writer,
};
use prereg_runs::{RunFolder, RunRecord, SessionState};
use prereg_tables::write_tables;

use super::preflight::{entry, in_words, look, refused};
use crate::analysis::{Problem, Problems, decided_so_far};
use crate::error::{CommandError, chain};
use crate::exit::Exit;
use crate::open;
use crate::output::note;
use crate::progress::Sessions;
use crate::{code, draft};

/// What is run, where, and how the user asked for it.
pub(super) struct Execution<'a> {
    pub(super) study: &'a Study,
    pub(super) locked: &'a Locked,
    pub(super) target: &'a str,
    /// The command that goes on where this one stops.
    pub(super) resume_command: String,
}

impl Execution<'_> {
    /// Announces, or goes on with what was announced; measures; seals. Returns the run's id.
    pub(super) fn run(&self, writer: &mut Writer, resume: bool) -> Result<RunId, CommandError> {
        self.check_here()?;
        // What a program leaves behind becomes this process's own, to be ended.
        tree::adopt_orphans();
        // From here on a request to stop is heard, so that an announced run is never left without a word.
        let (interrupt, _guard) =
            Interrupt::on_signals().map_err(|error| CommandError::io(&error))?;
        let environment = &self.locked.declaration().protocol.environment;
        let launcher = LocalProcess::this_program(self.study.root(), environment)
            .map_err(|error| CommandError::io(&error))?;
        let history = open::history(self.study)?;
        let own = writer.id().clone();
        let unsealed = history.unsealed_of(&own).find(|run| {
            run.announced.lock == self.locked.id() && run.announced.target == self.target
        });
        let run = match (unsealed, resume) {
            (Some(run), false) => {
                let message = format!(
                    "run {} of this experiment was announced here and is not sealed",
                    run.id
                );
                return Err(CommandError::new(Exit::Usage, message).hint(&self.resume_command));
            }
            (None, true) => {
                let message = format!(
                    "nothing to resume: no run of this experiment on {} was left unsealed here",
                    self.target
                );
                return Err(CommandError::new(Exit::Missing, message));
            }
            (Some(run), true) => {
                let mut problems = Problems::default();
                problems.check_run(self.study, &history, self.locked, run);
                sound(problems.as_slice(), &self.locked.lock().experiment)?;
                note!("resuming run {}", run.id);
                if self.has_waiting(run)? {
                    self.preflight(writer)?;
                }
                run.clone()
            }
            (None, false) => {
                self.preflight(writer)?;
                self.announce(writer, &launcher)?
            }
        };
        let folder = RunFolder::create(self.study, RunRecord::of_run(&run))
            .map_err(|error| CommandError::io(&error))?;
        let decided = |over| decided_so_far(self.study, self.locked, &run, over);
        self.measure(writer, &run, &folder, &launcher, &interrupt, &decided)?;
        seal(writer, &folder)?;
        Ok(run.id)
    }

    /// Whether a session of an announced run never started.
    fn has_waiting(&self, run: &Run) -> Result<bool, CommandError> {
        let folder = RunFolder::create(self.study, RunRecord::of_run(run))
            .map_err(|error| CommandError::io(&error))?;
        let states = folder.states().map_err(|error| CommandError::io(&error))?;
        Ok(states.contains(&SessionState::NeverStarted))
    }

    /// Looks at the machine, and says in the ledger what was read, whether a run may begin or not.
    fn preflight(&self, writer: &mut Writer) -> Result<(), CommandError> {
        let (declaration, targets) = (self.locked.declaration(), self.locked.targets());
        let entry = entry(declaration, targets, self.target)?;
        let found = look(self.study, declaration, entry);
        let refusal = found.outcome.as_ref().err().map(|error| chain(error));
        let event = PreflightEvent {
            lock: self.locked.id(),
            target: self.target.to_owned(),
            refusal,
            readings: found.readings,
        };
        note!("preflight: {}", in_words(&event.readings));
        writer
            .append(Event::Preflight(event))
            .map_err(|error| CommandError::io(&error))?;
        found.outcome.map(drop).map_err(refused)
    }

    /// The target is declared, and the files that the plan names are those that were locked.
    fn check_here(&self) -> Result<(), CommandError> {
        let (locked, declaration) = (self.locked, self.locked.declaration());
        entry(declaration, locked.targets(), self.target)?;
        if let Some(changed) = locked.changed_inputs(self.study).first() {
            return Err(CommandError::caused(Exit::Declaration, changed));
        }
        let files = draft::files(self.study, declaration)?;
        if let Some(path) = files
            .keys()
            .find(|path| !locked.lock().files.contains_key(*path))
        {
            let message = format!("`{path}` was not there at the lock, and the plan names it");
            return Err(CommandError::new(Exit::Declaration, message)
                .hint("remove it, or lock the plan with it: prereg amend … --reason …"));
        }
        let same_code =
            locked.lock().kernels == code::kernels() && locked.lock().version == code::VERSION;
        match (same_code, declaration.protocol.same_code) {
            (true, _) => Ok(()),
            (false, false) => {
                note!("this is other code than at the lock; the report says so");
                Ok(())
            }
            (false, true) => {
                let message = "this is other code than at the lock, and the declaration says same-code = true";
                Err(CommandError::new(Exit::Declaration, message)
                    .hint(format!("use version {} of prereg", locked.lock().version)))
            }
        }
    }

    /// Says in the ledger that a run begins, before any sample of it exists.
    fn announce(&self, writer: &mut Writer, launcher: &dyn Launcher) -> Result<Run, CommandError> {
        let executable = executable_digest().ok_or_else(|| {
            CommandError::new(
                Exit::Io,
                "the running executable cannot be read, so its digest is unknown",
            )
        })?;
        let declaration = self.locked.declaration();
        let announced = writer
            .announce(Announcement {
                lock: self.locked.id(),
                experiment: declaration.id.clone(),
                target: self.target.to_owned(),
                origin: Origin::Measured,
                launcher: launcher.name().to_owned(),
                sessions: declaration.protocol.sessions,
                version: code::VERSION.to_owned(),
                kernels: code::kernels(),
                executable,
            })
            .map_err(|error| CommandError::io(&error))?;
        let history = open::history(self.study)?;
        let run = recorded(&history, &announced.run)?;
        let mut first = history.runs_of_record(self.locked.id(), self.target);
        let kind = match (run.standing, first.next()) {
            (Standing::OfRecord, _) => "the run of record".to_owned(),
            (Standing::Replication(_), Some(first)) => {
                format!("a replication; the run of record is {}", first.id)
            }
            (standing, _) => format!("a {standing}"),
        };
        note!("announced run {} of {}: {kind}", run.id, declaration.id);
        Ok(run.clone())
    }

    fn measure(
        &self,
        writer: &mut Writer,
        run: &Run,
        folder: &RunFolder,
        launcher: &dyn Launcher,
        interrupt: &Interrupt,
        decided: &Decided<'_>,
    ) -> Result<(), CommandError> {
        let mut progress = Sessions::new(self.locked.declaration().protocol.sessions);
        let measured = Measurement {
            study: self.study,
            locked: self.locked,
            folder,
            run,
            launcher,
            interrupt,
            decided,
        }
        .run(writer, &mut progress);
        let _left = tree::clear();
        progress.end();
        match measured {
            Ok(tally) => {
                let spared = match tally.spared {
                    0 => String::new(),
                    spared => format!(", {spared} not needed"),
                };
                note!(
                    "measured: {} sessions complete, {} missing{spared}",
                    tally.complete,
                    tally.missing
                );
                Ok(())
            }
            Err(error) => {
                let exit = match error {
                    MeasureError::Interrupted { .. } => Exit::Interrupted,
                    _ => Exit::Io,
                };
                Err(CommandError::caused(exit, &error).hint(&self.resume_command))
            }
        }
    }
}

/// A run that the ledger must have, since it was announced or sealed a moment ago.
pub(super) fn recorded<'h>(history: &'h History, id: &RunId) -> Result<&'h Run, CommandError> {
    history
        .run(id)
        .ok_or_else(|| CommandError::new(Exit::Internal, format!("run {id} is not in the ledger")))
}

/// Nothing is measured on top of a record that would void it.
pub(super) fn sound(problems: &[Problem], experiment: &str) -> Result<(), CommandError> {
    if problems.is_empty() {
        return Ok(());
    }
    let refusal = CommandError::new(
        Exit::Inconsistent,
        format!("the record of {experiment} is inconsistent, so nothing is measured"),
    );
    Err(problems.iter().fold(refusal, |refusal, problem| {
        refusal.because(&problem.message).hint(&problem.fix)
    }))
}

fn seal(writer: &mut Writer, folder: &RunFolder) -> Result<(), CommandError> {
    write_tables(folder).map_err(|error| CommandError::io(&error))?;
    let seal = folder.seal().map_err(|error| CommandError::io(&error))?;
    let run = folder.record().run.clone();
    writer
        .append(Event::Sealed(SealEvent { run, seal }))
        .map_err(|error| CommandError::io(&error))?;
    Ok(())
}
