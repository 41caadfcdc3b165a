//! Why the program of a slot gave nothing that counts.

use std::io;

use prereg_ledger::WriteError;

/// A program gave nothing that counts. No message holds a path outside the study.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// A word or a variable cannot be filled in.
    #[error("`{text}` cannot be filled in")]
    Placeholder {
        /// The text.
        text: String,
    },
    /// It could not be started.
    #[error("`{program}` cannot be started")]
    Start {
        /// The program.
        program: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The session's time is over.
    #[error("the program ran past the session's time")]
    TimedOut,
    /// It cannot be waited for.
    #[error("the end of the program cannot be waited for")]
    Wait(#[source] io::Error),
    /// It failed.
    #[error("the program ended with {status}; its error stream is kept beside this record")]
    Status {
        /// How it ended (`exit status: 3`, `signal: 9 (SIGKILL)`).
        status: String,
    },
    /// Processes that it had started still ran.
    #[error("the program ended and left {processes} processes running, which were killed")]
    LeftBehind {
        /// How many.
        processes: usize,
    },
    /// It left no result file.
    #[error("the program left no result file where `{{out}}` says")]
    NoResult(#[source] io::Error),
    /// What it left cannot be read.
    #[error(transparent)]
    Read(#[from] prereg_readers::ReadError),
    /// It reported a column that is not declared.
    #[error(
        "the program reports `{column}`, which is not declared; name it in `{table}` with its unit"
    )]
    Undeclared {
        /// The column.
        column: String,
        /// Where it would be declared.
        table: &'static str,
    },
    /// It reported a column in a unit of another dimension than the declared one.
    #[error(
        "the program reports `{column}` in a unit that does not convert to the declared `{unit}`"
    )]
    Unit {
        /// The column.
        column: String,
        /// The declared unit.
        unit: String,
    },
    /// It reported another number of steps than the lock has.
    #[error("the program reports {found} steps where the lock gives {planned} a slot")]
    Count {
        /// Reported.
        found: usize,
        /// Half of `measured-steps`.
        planned: u32,
    },
    /// A column that is in some steps of a slot and not in others.
    #[error(
        "the program reports `{column}` in {found} of {steps} steps; a column is in every step of a slot or in none"
    )]
    Sparse {
        /// The column.
        column: String,
        /// Steps that have it.
        found: usize,
        /// Steps of the slot.
        steps: usize,
    },
    /// A time that is negative or longer than the process.
    #[error("the program reports a `{column}` of {seconds} s, and its process lasted {wall} s")]
    Time {
        /// The column.
        column: String,
        /// The time.
        seconds: f64,
        /// Wall time of the process.
        wall: f64,
    },
    /// A reading from before or after the process.
    #[error(
        "a reading of `{column}` was taken at {at_ns} ns of the monotonic clock, and the process ran from {start_ns} to {end_ns}"
    )]
    Instant {
        /// The column.
        column: String,
        /// Time of the reading.
        at_ns: u64,
        /// Start of the process.
        start_ns: u64,
        /// Its end.
        end_ns: u64,
    },
    /// The session's folder cannot be looked at.
    #[error("the session's folder cannot be read")]
    Folder(#[source] io::Error),
    /// A file where only the tool writes.
    #[error(
        "the program left `{name}` in the session's own folder, which was removed; only the result file belongs there"
    )]
    Planted {
        /// Its name.
        name: String,
    },
    /// Its error stream cannot be kept.
    #[error(transparent)]
    Stderr(#[from] WriteError),
}
