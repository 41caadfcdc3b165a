//! What lock and announcement say that a run holds.

use prereg_declaration::{Declaration, Interval};
use prereg_ledger::RunSeeds;

/// What lock and announcement say that a run holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The arms of the slots of each session that counts, in order.
    pub orders: Vec<Vec<String>>,
    /// Locked number of sessions; more than there are orders where the run stopped before.
    pub announced: u32,
    /// Measured steps of a slot.
    pub steps_per_slot: u32,
    /// Whether a program reports the steps, so that they lie within the wall time of its process instead of filling it.
    pub reported: bool,
    /// Whether a step may lack a column: of figures that were there, not of measurements.
    pub sparse: bool,
}

impl Planned {
    /// The plan of a run of a locked declaration: every arm has two slots a session, with half of
    /// the measured steps each. `stopped` is the number of sessions after which the run ended, where
    /// that was before the locked number.
    #[must_use]
    pub fn new(declaration: &Declaration, seeds: &RunSeeds, stopped: Option<u32>) -> Self {
        let arms = || declaration.arms.keys().map(String::as_str);
        let announced = declaration.protocol.sessions;
        let sessions = 0..stopped.unwrap_or(announced).min(announced);
        Self {
            orders: sessions
                .map(|session| seeds.mirror_order(arms(), session))
                .collect(),
            announced,
            steps_per_slot: declaration.protocol.measured_steps / 2,
            reported: declaration.workload.command().is_some(),
            sparse: declaration.inference.interval == Interval::Census,
        }
    }
}
