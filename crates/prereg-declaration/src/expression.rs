//! The expression language after type and unit checks: numbers, predicates over them, and the
//! restricted conditions that may kill a claim. There is nothing else: the language is closed.

mod print;
pub(crate) mod vocabulary;

pub(crate) use print::Thresholds;

use prereg_units::{Dimension, Quantity};

/// A number-valued expression. In an `across-sessions` gate, [`Number::OverSessions`] appears and
/// the within-session parts do not.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A literal with its unit.
    Literal(Quantity),
    /// A constant of workload or target, resolved at the lock (`weights_bytes[graphed]`).
    Constant(ConstantName),
    /// Another metric, one number a session.
    Metric(String),
    /// A statistic of one column within a session.
    OverSteps(Statistic, Column),
    /// A statistic of a metric over the sessions.
    OverSessions(Statistic, String),
    /// Unary minus.
    Negate(Box<Number>),
    /// Arithmetic.
    Binary(Arithmetic, Box<Number>, Box<Number>),
}

/// A truth-valued expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// A comparison of numbers of one dimension.
    Compare(Comparison, Box<Number>, Box<Number>),
    /// Every step of every slot of two arms has the same logits.
    SameLogits(String, String),
    /// Every step of every slot of two arms has the same output, by the digests that a program reports.
    SameOutput(String, String),
    /// The answer to a fact of a command is this text.
    FactIs(String, String),
    /// All hold.
    And(Vec<Predicate>),
    /// Any holds.
    Or(Vec<Predicate>),
    /// Does not hold.
    Not(Box<Predicate>),
}

/// A kill condition: comparisons of a metric with a constant, joined by and/or/not.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `metric op threshold`.
    Compare {
        /// Name of the metric.
        metric: String,
        /// The operator.
        comparison: Comparison,
        /// The constant on the right.
        threshold: Quantity,
    },
    /// All hold.
    And(Vec<Condition>),
    /// Any holds.
    Or(Vec<Condition>),
    /// Does not hold.
    Not(Box<Condition>),
}

/// A constant: its name, and the arm for those that have one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConstantName {
    /// `weights_bytes`, `kv_bytes`, `launches`, `peak_bandwidth`, `hourly_rate`, `rated_sm_clock`,
    /// `context`.
    pub name: String,
    /// The arm, for `weights_bytes`, `kv_bytes` and `launches`.
    pub arm: Option<String>,
}

/// A column of observations within a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    /// `step_time`, `tokens` and what a program reports by arm; `read_bandwidth`, `last_level_cache` and telemetry
    /// (`sm_clock`, `power`, …) without.
    pub name: String,
    /// The arm, for columns by arm.
    pub arm: Option<String>,
    /// Dimension of its numbers, which are in base units.
    pub dimension: Dimension,
}

/// The fixed list of statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// Midpoint median.
    Median,
    /// Arithmetic mean.
    Mean,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// Type-7 quantile at this p.
    Quantile(f64),
    /// Sample standard deviation.
    Sd,
    /// Over steps: sd/mean. Over sessions: sqrt(exp(s²)−1) of the logs.
    Cv,
    /// Number of observations.
    Count,
    /// Sum.
    Sum,
    /// Of the steps of a slot, in their order: |ln(median of the first third / median of the last
    /// third)|, each third of ⌊n/3⌋ steps. Of an arm's `step_time`, or of the readings of `read_bandwidth`.
    Unsteadiness,
    /// Of a column without arm: changes of value between consecutive readings of a slot, summed over the slots.
    Updates,
    /// Of a column without arm: its updates, divided by the time from the first to the last reading of each slot, summed.
    UpdateRate,
    /// Of a column without arm: the share of the measured slots that have a reading.
    Coverage,
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// Comparison operators; `==` exists for logits only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}
