//! What is wrong with a record that does not fit the life of its lock or run.

/// What is wrong with a record that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LifeProblem {
    /// The experiment cannot be a folder's name.
    #[error("a lock names an experiment that is not an identifier")]
    Experiment,
    /// An announcement of a lock that its writer cannot have seen.
    #[error("a run was announced of a lock that was not recorded before")]
    UnknownLock,
    /// A lock that was recorded as something else: with other digests, or as a plan where this is
    /// a pilot, or, where the writer had seen it, as an amendment of another lock or of none.
    #[error("a lock is recorded otherwise than before")]
    LockedOtherwise,
    /// An amendment of a lock that its writer cannot have seen.
    #[error("a lock amends one that was not recorded before")]
    UnknownParent,
    /// An amendment of another experiment's lock.
    #[error("a lock amends one of another experiment")]
    ParentOfOtherExperiment,
    /// An amendment of what was frozen for a pilot.
    #[error("a lock amends the draft of a pilot")]
    ParentIsPilot,
    /// A withdrawal of a lock that its writer cannot have seen.
    #[error("a lock was withdrawn that was not recorded before")]
    WithdrawalOfUnknown,
    /// A withdrawal of a lock that its writer had seen withdrawn.
    #[error("a lock was withdrawn twice")]
    WithdrawnTwice,
    /// An announcement of a lock that its writer had seen withdrawn.
    #[error("a run was announced of a lock that had been withdrawn")]
    WithdrawnLock,
    /// An announcement that does not agree with the lock's record.
    #[error("a run was announced with another experiment than its lock has")]
    OtherExperiment,
    /// The target cannot be part of a run's name.
    #[error("a run was announced on a target that is not an identifier")]
    Target,
    /// A record about a run of another chain, or of none.
    #[error("{kind} of a run that this chain did not announce")]
    ForeignRun {
        /// Kind of the record.
        kind: &'static str,
    },
    /// A record about a run that is in another state.
    #[error("{kind} of a run that is {status}")]
    Status {
        /// Kind of the record.
        kind: &'static str,
        /// State of the run.
        status: &'static str,
    },
    /// A session that began twice, began after its end, or ended twice.
    #[error("session {session} was recorded twice")]
    SessionTwice {
        /// Its index.
        session: u32,
    },
    /// A session beyond the announced number.
    #[error("session {session} is not one of the {announced} announced")]
    NoSuchSession {
        /// Its index.
        session: u32,
        /// Announced number of sessions.
        announced: u32,
    },
    /// An abort after a session.
    #[error("a run was aborted after a session of it had begun")]
    AbortAfterSession,
    /// A stop that does not leave exactly the sessions that had ended.
    #[error(
        "a run of {announced} sessions stopped after {sessions}, and these are not the sessions that had ended"
    )]
    Stop {
        /// Sessions after which it stopped.
        sessions: u32,
        /// Announced number of sessions.
        announced: u32,
    },
    /// A stop of a run that had stopped.
    #[error("a run stopped twice")]
    StoppedTwice,
    /// A stop of a run whose plan has a fixed number of sessions.
    #[error("a run stopped before the number of sessions that its lock fixes")]
    StoppedFixed,
    /// A session after the stop.
    #[error("session {session} was recorded after the run had stopped")]
    SessionAfterStop {
        /// Its index.
        session: u32,
    },
    /// A verdict on a pilot.
    #[error("a verdict of a pilot, which says nothing about a claim")]
    VerdictOfPilot,
}
