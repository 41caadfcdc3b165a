//! The names of the expression language: columns, constants and statistics, with their dimensions.

use prereg_units::Dimension;

use super::{ConstantName, Statistic};

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
pub(crate) const COLUMNS: [Entry; 12] = [
    by_arm("step_time", Dimension::TIME),
    by_arm("tokens", Dimension::TOKENS),
    plain("context_switches", Dimension::FREQUENCY),
    plain("cpu_clock", Dimension::FREQUENCY),
    plain("cpu_pressure", Dimension::NONE),
    plain("foreign_load", Dimension::NONE),
    plain("last_level_cache", Dimension::DATA),
    plain("power", Dimension::POWER),
    plain("read_bandwidth", Dimension::BANDWIDTH),
    plain("sm_clock", Dimension::FREQUENCY),
    plain("steal", Dimension::NONE),
    plain("temperature", Dimension::TEMPERATURE),
];

/// Columns that are read on a CUDA device only.
pub(crate) const CUDA_COLUMNS: [&str; 1] = ["sm_clock"];

/// Columns that the tool reads and no program reports.
pub(crate) const OWN_COLUMNS: [&str; 6] = [
    "context_switches",
    "cpu_pressure",
    "foreign_load",
    "last_level_cache",
    "read_bandwidth",
    "steal",
];

/// The answers of a command.
pub(crate) const FACT: &str = "fact";

/// The column of a program that is compared for equality only.
pub(crate) const OUTPUT: &str = "output";

/// What is compared for equality only.
pub(crate) const EQUALITY_ONLY: [&str; 3] = [FACT, LOGITS, OUTPUT];

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
pub(crate) const STATISTICS: [(&str, Statistic); 12] = [
    ("count", Statistic::Count),
    ("coverage", Statistic::Coverage),
    ("cv", Statistic::Cv),
    ("max", Statistic::Max),
    ("mean", Statistic::Mean),
    ("median", Statistic::Median),
    ("min", Statistic::Min),
    ("sd", Statistic::Sd),
    ("sum", Statistic::Sum),
    ("unsteadiness", Statistic::Unsteadiness),
    ("update_rate", Statistic::UpdateRate),
    ("updates", Statistic::Updates),
];

/// The statistic with an argument of its own.
pub(crate) const QUANTILE: &str = "quantile";

/// A column of numbers that the language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownColumn {
    /// Its name.
    pub name: &'static str,
    /// Whether each arm has its own.
    pub by_arm: bool,
    /// Dimension of its values, which are in base units.
    pub dimension: Dimension,
    /// Whether only a CUDA device gives it.
    pub cuda_only: bool,
}

/// Every column of numbers that the language has.
pub fn columns() -> impl Iterator<Item = KnownColumn> {
    COLUMNS.iter().map(|column| KnownColumn {
        name: column.name,
        by_arm: column.by_arm,
        dimension: column.dimension,
        cuda_only: CUDA_COLUMNS.contains(&column.name),
    })
}

/// Every name of a statistic.
pub fn statistic_names() -> impl Iterator<Item = &'static str> {
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
            Self::Updates => "updates",
            Self::UpdateRate => "update_rate",
            Self::Coverage => "coverage",
        }
    }

    /// The dimension of this statistic of numbers of `dimension`.
    #[must_use]
    pub fn dimension(self, dimension: Dimension) -> Dimension {
        match self {
            Self::Cv | Self::Count | Self::Unsteadiness | Self::Updates | Self::Coverage => {
                Dimension::NONE
            }
            Self::UpdateRate => Dimension::FREQUENCY,
            _ => dimension,
        }
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
