//! Measures: runs the sessions of an announced run in fresh processes, in balanced order, with a record of what
//! surrounded them. It never sees a verdict.
//!
//! The parent's side:
//! - [`preflight`] reads timer, instruments, bandwidth, memory and disk, and says whether this machine is the target, can
//!   do the work and can satisfy the gates; [`Unavailable`] says what is here instead.
//! - [`Measurement`] runs what never started, through a [`Launcher`], and records each outcome in the ledger.
//! - [`Progress`] hears how far it is; [`Interrupt`] asks it to stop.
//!
//! The child's side is [`session`]: it is told a [`SessionSpec`] and leaves a session folder. What it reads beside the
//! slots is [`telemetry`]'s; how fast an instrument and a clock are is [`instrument`]'s; what a program leaves running is
//! ended by [`tree`].

mod bandwidth;
mod block;
mod cause;
mod environment;
mod identity;
pub mod instrument;
mod interrupt;
mod launcher;
mod measure;
pub mod model;
mod outcome;
mod preflight;
mod progress;
mod schedule;
pub mod session;
mod spec;
pub mod telemetry;
pub mod tree;

pub use environment::{Machine, executable_digest};
pub use identity::{Identity, Unavailable, identify};
pub use interrupt::{Interrupt, SignalGuard};
pub use launcher::{Ending, LaunchError, Launcher, LocalProcess};
pub use measure::{Decided, MeasureError, Measurement, Tally};
pub use preflight::{Infeasible, Preflight, PreflightError, check_positions, preflight};
pub use progress::{Advance, Finished, Progress};
pub use session::find_program;
pub use spec::{
    ArmSpec, CommandSpec, DecodeSpec, SESSION_SCHEMA, SessionSpec, WeightsSpec, WorkloadSpec,
};
