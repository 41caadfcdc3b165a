//! What programs print, read as observations.
//!
//! | format | written by | `step_time` is | to |
//! |---|---|---|---|
//! | `lines` | any program, by the protocol of [`lines`] | what the program timed as a step | standard output |
//! | `hyperfine` | `hyperfine --export-json` | a run of the command, process start-up included | a file |
//! | `llama-bench` | `llama-bench -o json` or `-o jsonl` | a repetition of the test | standard output |
//! | `nvbench` | a benchmark of nvbench with `--json` | the mean of all isolated executions on the GPU | a file |
//! | `google-benchmark` | `--benchmark_out`, JSON | an iteration, averaged over a repetition | a file |
//! | `criterion` | `sample.json` or `estimates.json` of a benchmark | an iteration, averaged over a batch | a file |
//! | `vllm-latency` | `vllm bench latency --output-json` | a batch of requests, from start to end | a file |
//!
//! [`read`] gives a [`Reading`]: columns with units, observations in the order in which they were made, telemetry.
//! [`detect`] names the format of a file. [`Format`] says what each format holds and what it cannot support.
//!
//! Invariants: values are finite and in base units (s, B, K, J, token, step, USD and their products), not
//! clamped (a time that is not positive is read as it stands); a summary is never read where the samples stand beside it, and where only a summary exists it is one
//! observation with a note; a result of another tool, of several benchmarks, of an unknown layout or of a failed run is
//! refused; memory is bounded by the limits that [`read`] states, whatever the input.

mod criterion;
mod detect;
mod document;
mod format;
mod google_benchmark;
mod hyperfine;
pub mod lines;
mod llama_bench;
mod number;
mod nvbench;
mod read;
mod reading;
mod vllm_latency;

pub use detect::detect;
pub use format::{Format, KnownColumn};
pub use lines::LinesError;
pub use read::{FILE_LIMIT, OBSERVATION_LIMIT, ReadError, read};
pub use reading::{Observation, ReadColumn, Reading, Sample};
