//! What must hold before a run is announced: the machine is the target, and has what the declaration asks for.

use std::path::Path;

use prereg_declaration::{Declaration, Target, Weights};
use prereg_decode::shape::Shape;

use crate::environment::Machine;
use crate::identity::{Identity, Unavailable, identify};
use crate::model::{self, ModelError};
use crate::spec::{slot_steps, threads};

/// Checks that `machine` is `target` and can run `declaration`, whose paths are looked for from `study`. Nothing is
/// measured.
///
/// # Errors
/// [`PreflightError`]: the first thing that is missing.
pub fn preflight(
    declaration: &Declaration,
    target: &Target,
    study: &Path,
    machine: &Machine,
) -> Result<Identity, PreflightError> {
    let identity = identify(target, machine)?;
    check_processors(declaration, machine)?;
    let shape = match declaration.workload.weights {
        Weights::Random => model::shape(study, &declaration.workload.model)?,
        // Opened whole, so that a missing tensor shows before a run is announced.
        Weights::Checkpoint => model::checkpoint_weights(study, &declaration.workload.model)?
            .shape()
            .clone(),
    };
    check_positions(declaration, &shape)?;
    let rows = slot_rows(declaration);
    let needed = memory(&shape, positions(declaration), rows);
    let limit = machine.limits().memory_bytes;
    let available = machine
        .memory_available_bytes()
        .into_iter()
        .chain(limit)
        .min();
    match available.filter(|&available| available < needed) {
        Some(available) => Err(PreflightError::Memory { needed, available }),
        None => Ok(identity),
    }
}

/// Whether a slot fits into the positions that the model is declared for: true or false on every machine, so a plan is
/// checked for it before it is locked.
///
/// # Errors
/// [`PreflightError::Context`].
pub fn check_positions(declaration: &Declaration, shape: &Shape) -> Result<(), PreflightError> {
    let (positions, longest) = (positions(declaration), shape.max_position);
    if positions <= longest {
        return Ok(());
    }
    Err(PreflightError::Context {
        model: declaration.workload.model.clone(),
        positions,
        longest,
    })
}

/// Positions of the KV cache that a slot reaches.
fn positions(declaration: &Declaration) -> usize {
    declaration.workload.context as usize + slot_rows(declaration) as usize
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

/// A run cannot begin here.
#[derive(Debug, thiserror::Error)]
pub enum PreflightError {
    /// The machine is not the target.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The model cannot be had.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// More threads than processors.
    #[error(
        "the declaration asks for {threads} threads, and this process may use {available} processors; run it where it may use more"
    )]
    Threads {
        /// Declared.
        threads: u32,
        /// Processors that this process may run on.
        available: usize,
    },
    /// A processor of the affinity is not there.
    #[error(
        "the declaration pins a thread to processor {processor}, and this process may use {available:?}; run it where it may use that one"
    )]
    Processor {
        /// Declared.
        processor: u32,
        /// Processors that this process may run on.
        available: Vec<u32>,
    },
    /// A slot would run past the model's longest context.
    #[error(
        "a slot needs {positions} positions, and `{model}` is declared for {longest}; shorten context, warm-up or measured steps"
    )]
    Context {
        /// The model.
        model: String,
        /// Context and steps of a slot.
        positions: usize,
        /// Longest context of the model.
        longest: usize,
    },
    /// Too little memory.
    #[error(
        "a session needs {needed} B of memory, and {available} B are available; free some or use a larger machine"
    )]
    Memory {
        /// Weights, keys and values, and logits.
        needed: u64,
        /// What can be had without swapping, within the control group's limit.
        available: u64,
    },
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{Targets, check};

    use super::*;
    use crate::environment::fake::machine;

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
        preflight(
            &declaration,
            targets.get("cpu").unwrap(),
            study.path(),
            &machine(&files),
        )
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
