//! The look at a machine before a run, in words and exit codes.

use prereg_declaration::{Declaration, Target, Targets};
use prereg_executor::{Machine, Preflight, PreflightError, preflight};
use prereg_ledger::{PreflightReadings, Study};

use crate::cost;
use crate::error::CommandError;
use crate::exit::Exit;

/// The declared target of this name.
pub(super) fn entry<'t>(
    declaration: &Declaration,
    targets: &'t Targets,
    target: &str,
) -> Result<&'t Target, CommandError> {
    let is_named = declaration.targets.iter().any(|named| named == target);
    targets.get(target).filter(|_| is_named).ok_or_else(|| {
        let message = format!("{} does not name target `{target}`", declaration.id);
        CommandError::new(Exit::Usage, message)
            .hint(format!("it names {}", declaration.targets.join(", ")))
    })
}

pub(super) fn look(study: &Study, declaration: &Declaration, target: &Target) -> Preflight {
    let disk_bytes = cost::disk_bytes(declaration);
    preflight(
        declaration,
        target,
        study.root(),
        &Machine::here(),
        disk_bytes,
    )
}

pub(super) fn refused(error: PreflightError) -> CommandError {
    match error {
        PreflightError::Unavailable(unavailable) => {
            CommandError::caused(Exit::Unavailable, &unavailable)
                .hint("prereg targets shows what is here")
        }
        PreflightError::Model(model) => CommandError::caused(Exit::Missing, &model),
        error => CommandError::caused(Exit::Unavailable, &error),
    }
}

/// What a preflight read, in a line.
pub(super) fn in_words(readings: &PreflightReadings) -> String {
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    let mut words = vec![readings.identity.clone()];
    if readings.timer_resolution_ns > 0 {
        words.push(format!(
            "timer resolves {} ns and takes {:.0} ns a read",
            readings.timer_resolution_ns, readings.timer_overhead_ns
        ));
    }
    let bandwidth = readings.read_bandwidth;
    words.extend(bandwidth.map(|rate| format!("reads {:.1} GB/s", rate / 1e9)));
    let memory = readings.memory_available_bytes;
    words.extend(memory.map(|bytes| format!("{} of memory available", gigabytes(bytes))));
    let disk = readings.disk_available_bytes;
    words.extend(disk.map(|bytes| format!("{} of disk free", gigabytes(bytes))));
    words.extend(readings.instruments.iter().map(|instrument| {
        let column = &instrument.column;
        match instrument.period_ns {
            Some(period) => format!("{column} changes every {:.1} ms", period as f64 / 1e6),
            None => format!("{column} was not seen to change"),
        }
    }));
    words.join("; ")
}

/// The target is declared, it is this machine, and this machine can do the work.
pub(super) fn can_run(
    study: &Study,
    declaration: &Declaration,
    targets: &Targets,
    target: &str,
) -> Result<(), CommandError> {
    let entry = entry(declaration, targets, target)?;
    let found = look(study, declaration, entry);
    found.outcome.map(drop).map_err(refused)
}
