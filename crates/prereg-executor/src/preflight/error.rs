//! What stands in the way of a run.

use super::Infeasible;
use crate::identity::Unavailable;
use crate::model::ModelError;

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
    /// The program of a command is not there.
    #[error(
        "there is no program `{program}`; install it, or pass on a `PATH` that leads to it in `protocol.environment`"
    )]
    Program {
        /// Its name in the declaration.
        program: String,
    },
    /// The probe gives no readings.
    #[error("the probe gives no readings: {why}")]
    Probe {
        /// What happened.
        why: String,
    },
    /// A gate asks for more than an instrument gives.
    #[error(transparent)]
    Infeasible(#[from] Box<Infeasible>),
    /// Too little space on disk.
    #[error("the run takes about {needed} B on disk, and {available} B are free; free some")]
    Disk {
        /// What the run takes, roughly.
        needed: u64,
        /// What is free.
        available: u64,
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
