//! One metric over the sessions of a run.

use serde::Serialize;

/// One metric over the sessions of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricResult {
    /// The author's text.
    pub expression: String,
    /// Unit of every number here, base units (`s`, `B/s`, `1`).
    pub unit: String,
    /// One entry a session, `null` where missing.
    pub values: Vec<Option<f64>>,
    /// With blocks: one entry a block, the declared estimand's own summary of the block's sessions,
    /// `null` where a session of the block is missing. These are then what the intervals count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<Option<f64>>>,
    /// The declared estimand (median, geometric mean or mean) of the values present.
    pub estimate: Option<f64>,
    /// The interval that verdicts read, where it is not the order-statistic interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<DeclaredInterval>,
    /// Order-statistic interval of the median, two-sided. Under a census there is neither this nor
    /// anything else below that is inferred.
    pub order_statistic: Option<Interval>,
    /// Percentile bootstrap of the declared estimand, two-sided; not given with missing sessions.
    pub bootstrap_percentile: Option<Interval>,
    /// sqrt(exp(s²) − 1) of the logs.
    pub cv: Option<f64>,
    /// sd / mean.
    pub cv_plain: Option<f64>,
    /// Set when the values are equal to rounding.
    pub degenerate: bool,
    /// Spearman's correlation of the values with the order in which they were taken (of blocks,
    /// where a block is what counts).
    pub drift: Option<Association>,
    /// Sessions that started with the baseline against the others; `None` without both groups.
    pub order_effect: Option<OrderEffect>,
    /// Correlation of the ranks of consecutive values (of blocks, where a block is what counts).
    pub serial: Option<Association>,
    /// What the three above show at p < 0.01, a sentence each.
    pub warnings: Vec<String>,
}

/// A two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Nominal level (0.95; 1 under a census, of which every session lies in the interval).
    pub level: f64,
    /// Lower end; `None` is unbounded.
    pub lower: Option<f64>,
    /// Upper end; `None` is unbounded.
    pub upper: Option<f64>,
    /// Exact coverage for any continuous law, where there is one.
    pub exact_coverage: Option<f64>,
}

/// The interval that a declaration chose, two-sided at the level of the others that are reported.
/// (Verdicts read its one-sided bounds at their own α: [`crate::Bounds`].)
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeclaredInterval {
    /// What it is, in words: `student-t of the geometric mean`.
    pub method: String,
    /// Its ends.
    #[serde(flatten)]
    pub interval: Interval,
    /// Why an end is unbounded, if one is.
    pub unbounded: Option<String>,
    /// The coverage that was measured for this many values; `None` for an exact interval.
    pub measured_coverage: Option<MeasuredCoverage>,
}

/// Coverage measured by simulation, nominal 0.95, over the laws of the committed table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredCoverage {
    /// The least over the laws.
    pub worst: f64,
    /// The most over the laws.
    pub best: f64,
}

/// A rank correlation, and how often chance alone gives one as far from zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Association {
    /// Between −1 and 1.
    pub rho: f64,
    /// Two-sided permutation p-value.
    pub p: f64,
}

/// What the order of arms inside a session does to a metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OrderEffect {
    /// Median over the sessions that started with the baseline, divided by that over the others.
    pub ratio: f64,
    /// How many sessions started with the baseline.
    pub baseline_first: usize,
    /// How many did not.
    pub others: usize,
    /// Two-sided permutation p-value of the rank test.
    pub p: f64,
}

impl MetricResult {
    /// Standard deviation of the logarithms over sessions, √ln(1 + CV²): what a declaration's
    /// `assumed-cv` is.
    #[must_use]
    pub fn log_sd(&self) -> Option<f64> {
        self.cv.map(|cv| libm::sqrt(libm::log1p(cv * cv)))
    }
}
