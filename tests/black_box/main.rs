//! The real binary, run as a person runs it: every command, every exit code, and the life of a run from its lock to a
//! verified record. Verdicts are asserted on simulated runs only; real runs are asserted on what they record.

#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails its test"
)]

mod study;

mod amend;
mod analyze;
mod bad_checkpoint;
mod bad_declaration;
mod bad_program;
mod check;
mod closed_pipe;
mod command;
mod decode;
mod disk;
mod doctored;
mod gates;
mod help;
mod inference;
mod init;
mod interrupt;
mod list_show;
mod lock;
mod other_code;
mod own_study;
mod pilot;
mod preflight;
mod replication;
mod report;
mod result_file;
mod resume;
mod run;
mod targets;
mod trace;
mod usage;
mod verdict;
mod verify;
