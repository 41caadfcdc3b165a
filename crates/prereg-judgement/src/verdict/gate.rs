//! One gate on one run.

use prereg_units::Quantity;
use serde::Serialize;

/// One gate on one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateResult {
    /// The author's text.
    pub expression: String,
    /// `each-session` or `across-sessions`.
    pub scope: &'static str,
    /// `abstain` or `exclude`.
    pub otherwise: &'static str,
    /// What it said.
    pub state: GateState,
    /// For `each-session`: one entry a session, `None` where it was not read.
    pub sessions: Vec<Option<bool>>,
    /// Observed values of the numbers in it, in words with units (worst session for
    /// `each-session`): `cv(eager_step) = 3.1 %`.
    pub observed: Vec<Observed>,
}

/// A number that a gate saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observed {
    /// The part of the expression.
    pub expression: String,
    /// Its value; `None` when it was not observed.
    pub value: Option<Quantity>,
    /// The session, for `each-session`.
    pub session: Option<usize>,
}

/// Outcome of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateState {
    /// It held wherever it was read.
    Held,
    /// It failed (for `exclude`: in at least one session, which is then missing).
    Failed,
    /// It could not be read. Not observed is not passed.
    Unobserved,
}

impl GateState {
    /// `held`, `failed` or `unobserved`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Failed => "failed",
            Self::Unobserved => "unobserved",
        }
    }
}
