//! Runs as tables: JSONL records → Parquet at the seal, sealed Parquet → the samples that are judged.
//!
//! ```text
//! sessions/<n>/*.jsonl ──write_tables──▶ slots.parquet, steps.parquet, telemetry.parquet
//!                      ◀─check_agreement─                    │ samples
//!                                                            ▼
//!                                              prereg_judgement::Samples
//! ```
//!
//! [`schema`] describes the tables. Polars reads and writes them and does no statistics: every
//! estimator has one definition, elsewhere.
//!
//! Invariants: the JSONL is the record and the tables are rebuilt from it byte for byte; samples
//! come from files whose digests the seal holds (but for [`samples_so_far`], which judges nothing
//! that is recorded); every session that counts is there, complete or missing with its reason; no value that is not finite, and no duration
//! that is not positive, reaches a judgement.

mod agreement;
mod column;
mod export;
mod frames;
mod planned;
mod recorded;
mod rows;
mod samples;
pub mod schema;
mod sealed;
mod session_lines;
mod table;
mod worth;

pub use agreement::{AgreementError, Mismatch, check_agreement};
pub use export::{ExportError, write_tables};
pub use planned::Planned;
pub use samples::{SamplesError, samples, samples_so_far};
pub use sealed::SealedError;
pub use session_lines::ReadingError;
pub use table::TableError;
