//! The records of the complete sessions of a run, as their JSONL says, checked where numbers enter.

use prereg_runs::{Outcome, ReadError, RunFolder, SessionState, StepLine, TelemetryLine};

/// The records of one complete session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SessionLines {
    /// Index of the session.
    pub(crate) session: u32,
    /// `steps.jsonl`.
    pub(crate) steps: Vec<StepLine>,
    /// `telemetry.jsonl`.
    pub(crate) telemetry: Vec<TelemetryLine>,
}

/// A reading that no device gives.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "session {session}: {column} reads {value}; a reading is finite and not negative, an absent one has no row"
)]
pub struct ReadingError {
    /// The session.
    pub session: u32,
    /// What was read.
    pub column: String,
    /// What it said.
    pub value: f64,
}

/// The records of every complete session, in index order.
pub(crate) fn read(run: &RunFolder) -> Result<Vec<SessionLines>, ReadError> {
    let mut sessions = Vec::new();
    for (session, state) in (0..).zip(run.states()?) {
        if matches!(state, SessionState::Done { record, .. } if record.outcome == Outcome::Complete)
        {
            let folder = run.session(session);
            sessions.push(SessionLines {
                session,
                steps: folder.steps()?,
                telemetry: folder.telemetry()?,
            });
        }
    }
    Ok(sessions)
}

/// Refuses a reading that is negative or not finite.
pub(crate) fn check_reading(session: u32, column: &str, value: f64) -> Result<f64, ReadingError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(ReadingError {
            session,
            column: column.to_owned(),
            value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_readings_that_are_not_negative_enter() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e-300] {
            assert_eq!(
                check_reading(3, "power", value).unwrap_err().column,
                "power"
            );
        }
        assert_eq!(check_reading(3, "power", 0.0), Ok(0.0));
    }
}
