//! `[inference]`: how the numbers of a run are read.
//!
//! Intervals, estimands and scales that go together:
//!
//! | interval | of a median | of a geometric mean (`log`) or a mean (`linear`) |
//! |---|---|---|
//! | `order-statistic` | yes | – |
//! | `student-t`, `bootstrap-t` | – | yes |
//! | `bootstrap-percentile`, `bootstrap-bca` | yes | yes |
//! | `census` | yes | – |
//!
//! A `census` infers nothing: the sessions are all there are, as for figures that are published already, so it asks for
//! `data-seen = "this-data"`.
//!
//! A median has no scale and keeps the default, `log`. The stopping rule `sequence` goes with the order statistic, and
//! with sessions that stand in one block.

use std::collections::BTreeMap;

/// `[inference]`; a value that [`crate::check`] returns holds only what goes together.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// What the verdict reads.
    pub interval: Interval,
    /// The number over sessions that the interval is about.
    pub estimand: Estimand,
    /// The scale on which a mean is taken; says nothing about a median.
    pub scale: Scale,
    /// When a run ends.
    pub stopping: Stopping,
    /// Bound on P(false pass), in (0, ½).
    pub alpha_pass: f64,
    /// Bound on P(false falsified), in (0, ½).
    pub alpha_falsified: f64,
    /// Log standard deviation over sessions, by metric, assumed for power.
    pub assumed_cv: BTreeMap<String, f64>,
}

/// The interval that decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interval {
    /// Of the sign test: exact for the median under any continuous law.
    #[default]
    OrderStatistic,
    /// Student's, of a mean; to choose it declares that the metrics are approximately symmetric on its scale.
    StudentT,
    /// Quantiles of the session bootstrap.
    BootstrapPercentile,
    /// The same, bias-corrected and accelerated.
    BootstrapBca,
    /// Studentised session bootstrap of a mean.
    BootstrapT,
    /// The smallest and the largest number of the sessions, which are no sample.
    Census,
}

/// The number over sessions that a claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimand {
    /// Median of the sessions' numbers.
    #[default]
    Median,
    /// Their geometric mean.
    GeometricMean,
    /// Their arithmetic mean.
    Mean,
}

/// The scale on which a mean is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Logarithms: the geometric mean.
    #[default]
    Log,
    /// The values: the arithmetic mean.
    Linear,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stopping {
    /// After the locked number of sessions.
    #[default]
    Fixed,
    /// As soon as every claim decides, at the latest after the locked number of sessions; read on
    /// the sign-mixture confidence sequence.
    Sequence,
}
