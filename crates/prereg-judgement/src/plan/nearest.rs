//! Plans near to one that does not decide.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

/// The change of a plan that makes it decide, the smallest of its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum NearestPlan {
    /// The same without a gate that costs the power.
    WithoutGate {
        /// The gate.
        gate: String,
    },
    /// The same with a control or a calibrated range wide enough to cost no power.
    Wider {
        /// The control or the range.
        place: String,
    },
    /// Another number of sessions; every claim decides with it.
    Sessions {
        /// The fewest.
        sessions: u32,
    },
    /// Another threshold, at the declared sessions.
    Threshold {
        /// The kill condition with it.
        condition: String,
        /// The declared sessions.
        sessions: u32,
    },
    /// A smaller spread of the claim's metrics, at the declared sessions.
    Spread {
        /// What the assumed spreads must be multiplied by.
        factor: f64,
        /// The declared sessions.
        sessions: u32,
    },
}

impl Display for NearestPlan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithoutGate { gate } => write!(
                f,
                "without gate `{gate}` it would do: loosen the gate, or leave it out"
            ),
            Self::Wider { place } => write!(f, "with {place} wide enough it would do"),
            Self::Sessions { sessions } => write!(f, "{sessions} sessions would do"),
            Self::Threshold {
                condition,
                sessions,
            } => write!(f, "at {sessions} sessions `{condition}` would do"),
            Self::Spread { factor, sessions } => write!(
                f,
                "at {sessions} sessions {factor:.2} times the assumed spread would do"
            ),
        }
    }
}
