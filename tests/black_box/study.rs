//! A study in a temporary folder, the real binary run in it, and runs of made-up numbers.
//!
//! - [`TempStudy`]: the folder. It holds `models/tiny`, a real checkpoint of 250 KB, so that a session takes
//!   milliseconds.
//! - [`Plan`]: a declaration for it, changed by replacing text.
//! - [`Program`]: the same for a workload that is a shell script of the test.
//! - [`Simulation`]: an announced run whose sessions are written by the test, marked as simulated. The binary finds
//!   nothing left to start and seals, judges and reports it: verdicts are asserted on these, never on live timing.
//! - [`Finished`]: what a command said, with ids, digests, dates and paths redacted on request.

mod command;
mod environment;
mod folder;
mod plan;
mod program;
mod redact;
mod rewind;
mod simulation;

pub(crate) use command::{Finished, binary, prereg};
pub(crate) use folder::{TempStudy, fixture, flip, temporary_folder};
pub(crate) use plan::Plan;
pub(crate) use program::{Program, monotonic_offset};
pub(crate) use simulation::{Figures, Scripted, Simulation};
