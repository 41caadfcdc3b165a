//! What a run yields for judging: one entry for every locked session, complete or missing.
//!
//! A number that is not finite makes what is computed from it unreadable, and a session without a
//! number is missing: nothing is dropped, so nothing can be dropped to help a claim.

use std::collections::BTreeMap;

/// The sessions of one run, in index order, which is the order in which they were started: exactly
/// the locked N, or with `stopping = "sequence"` those up to where the run stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Entry `i` is session `i`.
    pub sessions: Vec<Session>,
}

/// One session.
#[derive(Clone, Debug, PartialEq)]
pub enum Session {
    /// Every slot was measured and no step was rejected.
    Complete(Observations),
    /// Counts against the claim and against its opposite.
    Missing(Missing),
}

/// Why a session has no number.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, strum::VariantNames)]
#[serde(tag = "reason", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Missing {
    /// No folder exists for it.
    NeverRun,
    /// It began and did not finish.
    Torn,
    /// It ran past the locked time-out.
    TimedOut,
    /// Steps with a non-positive duration, counted.
    RejectedSteps {
        /// How many.
        count: u64,
    },
    /// A gate with outcome `exclude` failed.
    Excluded {
        /// The gate.
        gate: String,
    },
    /// A gate with outcome `exclude` could not be read.
    Unobserved {
        /// The gate.
        gate: String,
    },
    /// Its own record says that it failed.
    Failed {
        /// What it said.
        message: String,
    },
}

/// Observations of a complete session.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    /// Slots in the order in which they ran.
    pub slots: Vec<Slot>,
    /// Columns without an arm, over all measured slots at once, in the order of their readings. A
    /// column that was never read is absent.
    pub columns: BTreeMap<String, Vec<Reading>>,
    /// Answers to the facts of a command; a fact that could not be had is absent.
    pub facts: BTreeMap<String, String>,
}

/// One reading of a column without an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Slot that it was taken in; none for what does not change in a session.
    pub slot: Option<u32>,
    /// Its value in the column's base unit (B/s, B, Hz, W); finite.
    pub value: f64,
    /// When, nanoseconds of the monotonic clock, where that is known.
    pub at_ns: Option<u64>,
}

/// One slot of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The arm.
    pub arm: String,
    /// Why the arm did not run as asked (a graph that was not captured and replayed), if so.
    pub invalid: Option<String>,
    /// Seconds of each step; finite and positive. A program need not report them.
    pub step_time: Vec<f64>,
    /// Tokens that each step produced.
    pub tokens: Vec<f64>,
    /// Digest of the logits of each step (SHA-256); of a program, of the output that it reports.
    pub logits: Vec<[u8; 32]>,
    /// Further columns by arm that a program reports, in base units; finite.
    pub columns: BTreeMap<String, Vec<f64>>,
}
