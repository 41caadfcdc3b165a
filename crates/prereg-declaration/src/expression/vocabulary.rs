//! The names of the expression language: columns, constants and statistics, with their dimensions.

use prereg_units::Dimension;

use super::{Column, ConstantName, Statistic};

/// What is known of a column or a constant.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) by_arm: bool,
    pub(crate) dimension: Dimension,
}

const fn by_arm(name: &'static str, dimension: Dimension) -> Entry {
    Entry {
        name,
        by_arm: true,
        dimension,
    }
}

const fn plain(name: &'static str, dimension: Dimension) -> Entry {
    Entry {
        name,
        by_arm: false,
        dimension,
    }
}

/// The column that is compared for equality only.
pub(crate) const LOGITS: &str = "logits";

/// Columns of numbers. Power is in watts, temperature in kelvins.
pub(crate) const COLUMNS: [Entry; 7] = [
    by_arm("step_time", Dimension::TIME),
    by_arm("tokens", Dimension::TOKENS),
    plain("last_level_cache", Dimension::DATA),
    plain("power", Dimension::POWER),
    plain("read_bandwidth", Dimension::BANDWIDTH),
    plain("sm_clock", Dimension::FREQUENCY),
    plain("temperature", Dimension::TEMPERATURE),
];

/// Columns that are read on a CUDA device only.
pub(crate) const CUDA_COLUMNS: [&str; 3] = ["power", "sm_clock", "temperature"];

/// Constants, which workload and target give when an experiment is locked.
pub(crate) const CONSTANTS: [Entry; 7] = [
    plain("context", Dimension::TOKENS),
    plain("hourly_rate", Dimension::CURRENCY_RATE),
    by_arm("kv_bytes", Dimension::DATA),
    by_arm("launches", Dimension::NONE),
    plain("peak_bandwidth", Dimension::BANDWIDTH),
    plain("rated_sm_clock", Dimension::FREQUENCY),
    by_arm("weights_bytes", Dimension::DATA),
];

/// The constants that a target gives.
pub(crate) const TARGET_CONSTANTS: [&str; 3] = ["hourly_rate", "peak_bandwidth", "rated_sm_clock"];

/// Statistics by name; `quantile` takes its p besides.
pub(crate) const STATISTICS: [(&str, Statistic); 9] = [
    ("count", Statistic::Count),
    ("cv", Statistic::Cv),
    ("max", Statistic::Max),
    ("mean", Statistic::Mean),
    ("median", Statistic::Median),
    ("min", Statistic::Min),
    ("sd", Statistic::Sd),
    ("sum", Statistic::Sum),
    ("unsteadiness", Statistic::Unsteadiness),
];

/// The statistic with an argument of its own.
pub(crate) const QUANTILE: &str = "quantile";

/// Every name of a statistic.
pub(crate) fn statistic_names() -> impl Iterator<Item = &'static str> {
    STATISTICS.iter().map(|(name, _)| *name).chain([QUANTILE])
}

impl Statistic {
    /// The name, as an expression spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quantile(_) => QUANTILE,
            Self::Median => "median",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sd => "sd",
            Self::Cv => "cv",
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Unsteadiness => "unsteadiness",
        }
    }

    /// The dimension of this statistic of numbers of `dimension`.
    #[must_use]
    pub fn dimension(self, dimension: Dimension) -> Dimension {
        match self {
            Self::Cv | Self::Count | Self::Unsteadiness => Dimension::NONE,
            _ => dimension,
        }
    }
}

impl Column {
    /// The dimension of its numbers: those are in base units. Nothing for a name that the language does not have.
    #[must_use]
    pub fn dimension(&self) -> Option<Dimension> {
        COLUMNS
            .iter()
            .find(|entry| entry.name == self.name)
            .map(|entry| entry.dimension)
    }
}

impl ConstantName {
    /// The dimension of its value. Nothing for a name that the language does not have.
    #[must_use]
    pub fn dimension(&self) -> Option<Dimension> {
        CONSTANTS
            .iter()
            .find(|entry| entry.name == self.name)
            .map(|entry| entry.dimension)
    }

    /// Whether the target gives it; the workload gives the others.
    #[must_use]
    pub fn is_of_target(&self) -> bool {
        TARGET_CONSTANTS.contains(&self.name.as_str())
    }
}
