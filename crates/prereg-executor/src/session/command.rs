//! A session whose slots are runs of a program.
//!
//! ```text
//! facts, environment                                        start
//! bandwidth | counters  process  counters | … | bandwidth   each slot, in order
//! environment, done.json                                    end
//! ```
//!
//! What the program reports of a slot becomes records only after its process, and every process that it started, is
//! gone. The first slot that gives nothing that counts ends the session, which is then missing.

mod error;
mod exec;
mod facts;
mod observations;
mod placeholder;
mod program;
mod record;
mod watched;

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use prereg_declaration::Digest;
use prereg_readers::Format;
use prereg_runs::{ENVIRONMENT_SCHEMA, EnvironmentRecord, Program, SessionFolder, TelemetryLine};

pub use error::ProgramError;
pub use exec::become_program;

pub(crate) use program::DEFAULT_PATH;
pub use program::find_program;
pub(crate) use watched::Watched;

use super::error::SessionError;
use crate::bandwidth;
use crate::environment::{Machine, conditions, host};
use crate::spec::{CommandSpec, SessionSpec};
use crate::telemetry::{HostCounters, between, own_cpu_time};
use crate::tree;
use placeholder::Values;
use program::Slot;

/// Measures every slot of the session and writes its records; `done.json` is the caller's. `study` is the study's root.
pub(super) fn measure(
    spec: &SessionSpec,
    command: &CommandSpec,
    folder: &SessionFolder,
    study: &Path,
) -> Result<(), SessionError> {
    let deadline = Instant::now() + Duration::from_millis(command.limit_ms);
    tree::adopt_orphans();
    program::pin(&spec.affinity);
    let machine = Machine::here();
    let format = Format::named(&command.reader).unwrap_or(Format::Lines);
    let start = conditions(&machine, study);
    check_files(command, study)?;
    let facts = facts::answers(command, deadline)?;
    let mut steps = folder.write_steps()?;
    let mut telemetry = folder.write_telemetry()?;
    let slots = spec.order.len() as u32;
    let mut program = None;
    let sweeps = |before| {
        if command.read_bandwidth {
            bandwidth::sweeps(before)
        } else {
            Vec::new()
        }
    };
    for sweep in sweeps(0) {
        telemetry.write(&TelemetryLine::Sweep(sweep))?;
    }
    for (slot, arm) in (0..).zip(&spec.order) {
        let failed = |source| match source {
            ProgramError::TimedOut => SessionError::TimedOut,
            source => SessionError::Slot {
                slot,
                arm: arm.clone(),
                source,
            },
        };
        let values = Values {
            spec,
            arm,
            arms: &command.arms,
            slot,
            out: folder.output(slot, "result")?,
        };
        let planned = Slot::of(command, format, &values).map_err(failed)?;
        program.get_or_insert_with(|| planned.program());
        let before = HostCounters::now(&machine, own_cpu_time());
        let ran = planned.run(deadline, &folder.output(slot, "stderr")?);
        let after = HostCounters::now(&machine, own_cpu_time());
        let clean = record::keep_clean(folder, slot);
        let ran = ran.map_err(failed)?;
        clean.map_err(failed)?;
        let lines = observations::of(command, spec, slot, arm, &ran).map_err(failed)?;
        for line in &lines.steps {
            steps.write(line)?;
        }
        let reported = |column: &str| lines.telemetry.iter().any(|own| own.column == column);
        let host = between(&before, &after, slot);
        let host = host.into_iter().filter(|own| !reported(&own.column));
        for sample in host.chain(lines.telemetry.iter().cloned()) {
            telemetry.write(&TelemetryLine::Sample(sample))?;
        }
    }
    for sweep in sweeps(slots) {
        telemetry.write(&TelemetryLine::Sweep(sweep))?;
    }
    check_files(command, study)?;
    steps.finish()?;
    telemetry.finish()?;
    let end = conditions(&machine, study);
    folder.write_environment(&EnvironmentRecord {
        schema: ENVIRONMENT_SCHEMA.to_owned(),
        host: host(&machine, "", 0),
        start,
        end,
        program: program.map(|(name, digest)| Program {
            name,
            digest,
            facts,
        }),
    })?;
    Ok(())
}

/// Whether the locked files are still what was locked: they may be changed while a run goes on.
fn check_files(command: &CommandSpec, study: &Path) -> Result<(), SessionError> {
    let is_locked = |(path, locked): &(&String, &Digest)| {
        let digest = File::open(study.join(path)).and_then(Digest::read);
        digest.is_ok_and(|digest| digest == **locked)
    };
    match command.files.iter().find(|file| !is_locked(file)) {
        None => Ok(()),
        Some((path, _)) => Err(SessionError::Changed { path: path.clone() }),
    }
}
