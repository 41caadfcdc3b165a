//! What a person may see while a run is measured. Nothing here knows an arm or a step time.

use std::time::Duration;

/// Hears how far a run is.
pub trait Progress {
    /// A session begins.
    fn started(&mut self, advance: Advance);

    /// The next block begins only after `left`.
    fn waiting(&mut self, block: u32, blocks: u32, left: Duration);

    /// A session is over.
    fn finished(&mut self, advance: Advance, session: &Finished);
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Index of the session in question.
    pub session: u32,
    /// Sessions that are over, complete or missing, those of earlier sittings included.
    pub over: u32,
    /// Sessions that are locked.
    pub total: u32,
    /// Time that the remaining sessions will take if they take as long as those of this sitting; `None` before the
    /// first of them is over.
    pub remaining: Option<Duration>,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finished {
    /// Its record is complete.
    Complete,
    /// It has no number, and never will.
    Missing {
        /// One line for people.
        why: String,
        /// What the session's process wrote to its error stream; shown, never recorded.
        stderr: String,
    },
}
