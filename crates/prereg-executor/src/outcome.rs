//! What the ledger says about a session, from what its folder says.

use prereg_ledger::{MissingReason, SessionOutcome};
use prereg_runs::{Outcome, SessionState};

/// What the ledger is to say about a session; `None` where it never started. `why` tells how a torn one ended.
pub(crate) fn outcome(state: &SessionState, why: &str) -> Option<SessionOutcome> {
    match state {
        SessionState::NeverStarted => None,
        SessionState::Torn => Some(torn(why)),
        SessionState::Done { record, digest } => Some(match &record.outcome {
            Outcome::Complete => SessionOutcome::Complete { done: *digest },
            Outcome::Failed { message } => SessionOutcome::Missing {
                reason: MissingReason::Failed,
                message: message.clone(),
            },
            Outcome::TimedOut => SessionOutcome::Missing {
                reason: MissingReason::TimedOut,
                message: "ran past the locked time-out and was ended".to_owned(),
            },
        }),
    }
}

pub(crate) fn torn(why: &str) -> SessionOutcome {
    SessionOutcome::Missing {
        reason: MissingReason::Torn,
        message: why.to_owned(),
    }
}
