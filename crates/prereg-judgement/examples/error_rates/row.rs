//! One rate.

/// How often something happened in simulated experiments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// What was planned and what was counted.
    pub(crate) what: String,
    /// The deciding interval.
    pub(crate) interval: &'static str,
    /// Sessions of an experiment.
    pub(crate) sessions: u32,
    /// The rate that the plan allows.
    pub(crate) nominal: f64,
    /// The rate that was found.
    pub(crate) rate: f64,
    /// Simulated experiments.
    pub(crate) experiments: u64,
}

impl Row {
    /// Whether the rate keeps what an exact interval promises: at most α, give or take three
    /// standard errors of the simulation.
    pub(crate) fn keeps(&self) -> bool {
        let error = (self.nominal * (1.0 - self.nominal) / self.experiments as f64).sqrt();
        self.rate <= self.nominal + 3.0 * error
    }
}
