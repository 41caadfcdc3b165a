//! Run folders: sessions, step and telemetry records, environment, seals.
//!
//! ```text
//! runs/<experiment>/<run>/
//!   run.json                which run this is
//!   sessions/<n>/
//!     steps.jsonl           one line a step, one line a slot
//!     telemetry.jsonl       readings beside the slots
//!     environment.json      machine and conditions, at both ends
//!     output/               what programs left: error streams, result files
//!     done.json             how the session ended, with the digests of all of these
//!   slots.parquet, steps.parquet, telemetry.parquet, observations.parquet
//!                           the same as the JSONL, derived before the seal; the last only where programs reported
//!   seal.json               digests of all of it
//! ```
//!
//! Invariants: the JSON files are the record, everything else is derived from them; a session is
//! claimed by one process and never measured twice; nothing is written over; times are integer
//! nanoseconds of the monotonic clock.

mod audit;
mod done;
mod environment;
mod finding;
mod lines;
mod run_folder;
mod run_record;
mod seal;
mod session_folder;
mod step;
mod telemetry;
mod unrecorded;

pub use audit::{audit, check_seeds};
pub use done::{DoneRecord, Outcome, SeedRecord};
pub use environment::{
    Cache, CacheKind, Conditions, ENVIRONMENT_SCHEMA, EnvironmentRecord, Host, Limits, Program,
    SOURCE_NAMES, Source,
};
pub use finding::RunFinding;
pub use lines::{LineWriter, ReadError};
pub use run_folder::{ClaimError, CreateError, RunFolder, any_session_began};
pub use run_record::RunRecord;
pub use seal::{Seal, SealError};
pub use session_folder::{FinishError, SessionFolder, SessionState};
pub use step::{GraphRecord, ObservationRecord, SlotRecord, StepLine, StepRecord};
pub use telemetry::{SampleRecord, SweepRecord, TelemetryLine};
pub use unrecorded::{experiments_with_runs, unrecorded};
