//! What must hold before a run is announced: the machine is the target, has what the declaration asks for, and its
//! instruments can satisfy the gates in a session of the declared length. What was read goes to the ledger, whether it
//! passes or not.

mod error;
mod feasible;
mod probe;
mod readings;

use std::path::Path;

use prereg_declaration::{Arm, Command, Declaration, Decode, Target, Weights, Workload, fill};
use prereg_decode::shape::Shape;
use prereg_ledger::PreflightReadings;

use crate::environment::Machine;
use crate::identity::{Identity, identify};
use crate::model;
use crate::session::{DEFAULT_PATH, find_program};
use crate::spec::{slot_steps, threads};

pub use error::PreflightError;
pub use feasible::Infeasible;

/// What a look at a machine gave.
#[derive(Debug)]
pub struct Preflight {
    /// What was read, as far as it was.
    pub readings: PreflightReadings,
    /// The machine, or the first thing that is missing.
    pub outcome: Result<Identity, PreflightError>,
}

/// Checks that `machine` is `target` and can run `declaration`, whose paths are looked for from `study`, and reads its
/// timer, instruments, bandwidth, memory and disk. A run takes `disk_bytes`. No step of the workload is made.
#[must_use]
pub fn preflight(
    declaration: &Declaration,
    target: &Target,
    study: &Path,
    machine: &Machine,
    disk_bytes: u64,
) -> Preflight {
    let mut readings = PreflightReadings {
        identity: Identity::of(machine).to_string(),
        ..PreflightReadings::default()
    };
    let outcome = identify(target, machine).map_err(PreflightError::from);
    let outcome = outcome.and_then(|identity| {
        readings::read(&mut readings, study, machine);
        check_disk(&readings, disk_bytes)?;
        check_processors(declaration, machine)?;
        match &declaration.workload {
            Workload::Decode(decode) => check_decode(declaration, decode, study, &readings)?,
            Workload::Command(command) => {
                check_command(declaration, command, study, &mut readings)?;
            }
        }
        feasible::check(declaration, target, &readings)?;
        Ok(identity)
    });
    Preflight { readings, outcome }
}

fn check_disk(readings: &PreflightReadings, needed: u64) -> Result<(), PreflightError> {
    match readings.disk_available_bytes {
        Some(available) if available < needed => Err(PreflightError::Disk { needed, available }),
        _ => Ok(()),
    }
}

fn check_decode(
    declaration: &Declaration,
    decode: &Decode,
    study: &Path,
    readings: &PreflightReadings,
) -> Result<(), PreflightError> {
    let shape = match decode.weights {
        Weights::Random => model::shape(study, &decode.model)?,
        // Opened whole, so that a missing tensor shows before a run is announced.
        Weights::Checkpoint => model::checkpoint_weights(study, &decode.model)?
            .shape()
            .clone(),
    };
    check_positions(declaration, decode, &shape)?;
    let positions = positions(declaration, decode);
    let needed = memory(&shape, positions, slot_rows(declaration));
    match readings.memory_available_bytes {
        Some(available) if available < needed => Err(PreflightError::Memory { needed, available }),
        _ => Ok(()),
    }
}

/// The program of every arm is there, and the probe, where there is one, gives readings.
fn check_command(
    declaration: &Declaration,
    command: &Command,
    study: &Path,
    readings: &mut PreflightReadings,
) -> Result<(), PreflightError> {
    let path = search_path(declaration, command);
    let first = command.words.first().map_or("", String::as_str);
    for (name, arm) in &declaration.arms {
        let value = |key: &str| match (key, arm) {
            ("arm", _) => Some(name.clone()),
            (key, Arm::Command(values)) => values.get(key).cloned(),
            (_, Arm::Decode(_)) => None,
        };
        // One that depends on the slot is looked for when its slot begins.
        if let Some(program) = fill(first, value)
            && find_program(study, &program, Some(&path)).is_none()
        {
            return Err(PreflightError::Program { program });
        }
    }
    if let Some(probe) = &command.probe {
        let followed = probe::follow(declaration, command, probe, study)?;
        readings.instruments.extend(followed);
    }
    Ok(())
}

/// Where sessions look for programs.
fn search_path(declaration: &Declaration, command: &Command) -> String {
    let own = command.environment.get("PATH").cloned();
    let is_passed = declaration
        .protocol
        .environment
        .iter()
        .any(|name| name == "PATH");
    let passed = || std::env::var("PATH").ok().filter(|_| is_passed);
    own.or_else(passed)
        .unwrap_or_else(|| DEFAULT_PATH.to_owned())
}

/// Whether a slot fits into the positions that the model is declared for: true or false on every machine, so a plan is
/// checked for it before it is locked.
///
/// # Errors
/// [`PreflightError::Context`].
pub fn check_positions(
    declaration: &Declaration,
    decode: &Decode,
    shape: &Shape,
) -> Result<(), PreflightError> {
    let (positions, longest) = (positions(declaration, decode), shape.max_position);
    if positions <= longest {
        return Ok(());
    }
    Err(PreflightError::Context {
        model: decode.model.clone(),
        positions,
        longest,
    })
}

/// Positions of the KV cache that a slot reaches.
fn positions(declaration: &Declaration, decode: &Decode) -> usize {
    decode.context as usize + slot_rows(declaration) as usize
}

/// Steps of a slot, warm-up or measured, whichever are more: each has a row of logits.
fn slot_rows(declaration: &Declaration) -> u32 {
    slot_steps(declaration).max(declaration.protocol.warmup_steps)
}

/// Threads that share a processor would wait for each other inside every step.
fn check_processors(declaration: &Declaration, machine: &Machine) -> Result<(), PreflightError> {
    let available = machine.affinity();
    let threads = threads(declaration);
    if threads as usize > available.len() && !available.is_empty() {
        return Err(PreflightError::Threads {
            threads,
            available: available.len(),
        });
    }
    match declaration
        .protocol
        .affinity
        .iter()
        .find(|processor| !available.contains(processor))
    {
        Some(&processor) => Err(PreflightError::Processor {
            processor,
            available,
        }),
        None => Ok(()),
    }
}

/// Bytes that a session holds: weights, keys and values, and a row of logits for every step of a slot.
fn memory(shape: &Shape, positions: usize, rows: u32) -> u64 {
    shape.weight_bytes() + shape.kv_bytes(positions) + u64::from(rows) * shape.vocab as u64 * 4
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{Targets, check};

    use super::*;
    use crate::environment::fake::machine;
    use crate::model::ModelError;

    const TARGETS: &str = "[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";

    /// A declaration of one claim, with `workload` and `protocol` lines of its own.
    fn declaration(workload: &str, protocol: &str) -> String {
        format!(
            r#"
schema = "prereg/1"
id = "preflight"
title = "Can it run here?"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"
workload = {{ kind = "decode", plan = "fused", {workload} }}
[protocol]
sessions = 6
order = "mirror"
warmup-steps = 3
measured-steps = 20
sync = "per-step"
seed = "1"
{protocol}
[inference]
assumed-cv = {{ speedup = "1 %" }}
[arms]
eager = {{ launch = "eager" }}
graphed = {{ launch = "graph" }}
[metrics]
speedup = "median(step_time[eager]) / median(step_time[graphed])"
[claims.faster]
text = "Replay is faster."
on = ["cpu"]
expected = {{ speedup = 1.5 }}
rival = {{ speedup = 1.0 }}
kill = ["speedup < 1.2"]
"#
        )
    }

    const SMALL: &str = r#"model = "smollm2-135m", weights = "random", context = 512"#;

    /// What is found on a machine of three processors, 1 and 2 of which this process may use, and 1 GB of memory.
    fn found(
        workload: &str,
        protocol: &str,
        more: &[(&str, &str)],
    ) -> Result<Identity, PreflightError> {
        let targets = Targets::parse("targets.toml", TARGETS.as_bytes()).unwrap();
        let toml = declaration(workload, protocol);
        let declaration = check("preflight.toml", toml.as_bytes(), &targets).unwrap();
        let mut files = vec![
            ("proc/cpuinfo", "model name : Test CPU\n"),
            (
                "proc/meminfo",
                "MemTotal: 2000000 kB\nMemAvailable: 1000000 kB\n",
            ),
            ("proc/self/status", "Cpus_allowed_list:\t1-2\n"),
            ("sys/devices/system/cpu/online", "0-2\n"),
        ];
        files.extend(more);
        let study = tempfile::tempdir().unwrap();
        let target = targets.get("cpu").unwrap();
        preflight(&declaration, target, study.path(), &machine(&files), 0).outcome
    }

    #[test]
    fn a_machine_that_has_what_is_asked_for_passes() {
        let identity = found(SMALL, "threads = 2\naffinity = [1, 2]", &[]).unwrap();
        assert_eq!(identity.cpu_model.as_deref(), Some("Test CPU"));
    }

    #[test]
    fn more_threads_than_processors_are_refused() {
        let error = found(SMALL, "threads = 3", &[]).unwrap_err();
        assert!(
            matches!(
                error,
                PreflightError::Threads {
                    threads: 3,
                    available: 2
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn a_processor_that_this_process_may_not_use_is_refused() {
        let error = found(SMALL, "threads = 2\naffinity = [0, 1]", &[]).unwrap_err();
        assert!(
            matches!(error, PreflightError::Processor { processor: 0, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_model_that_does_not_fit_is_refused() {
        let error = found(
            r#"model = "qwen2.5-7b", weights = "random", context = 512"#,
            "threads = 1",
            &[],
        )
        .unwrap_err();
        assert!(
            matches!(
                error,
                PreflightError::Memory {
                    available: 1_024_000_000,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn the_limit_of_a_control_group_counts_as_what_is_available() {
        let group = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "100000000\n"),
        ];
        let error = found(SMALL, "threads = 1", &group).unwrap_err();
        assert!(
            matches!(
                error,
                PreflightError::Memory {
                    available: 100_000_000,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn a_checkpoint_that_is_not_there_is_refused_before_anything_is_announced() {
        let error = found(
            r#"model = "models/absent", weights = "checkpoint", context = 512"#,
            "threads = 1",
            &[],
        )
        .unwrap_err();
        assert!(
            matches!(error, PreflightError::Model(ModelError::Unknown { .. })),
            "{error}"
        );
    }

    #[test]
    fn a_context_that_leaves_no_room_for_the_steps_of_a_slot_is_refused() {
        let workload =
            |context| format!(r#"model = "smollm2-135m", weights = "random", context = {context}"#);
        // Ten steps a slot in the model's 8192 positions.
        assert!(found(&workload(8182), "threads = 1", &[]).is_ok());
        let error = found(&workload(8183), "threads = 1", &[]).unwrap_err();
        assert!(
            matches!(
                error,
                PreflightError::Context {
                    positions: 8193,
                    longest: 8192,
                    ..
                }
            ),
            "{error}"
        );
    }
}
