//! One row of the table: an interval, a population and a number of sessions.

use prereg_stats::Interval;

use crate::cell::Cell;
use crate::interval::Found;

/// How often one interval covered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) interval: &'static str,
    pub(crate) estimand: &'static str,
    pub(crate) cell: Cell,
    data_sets: u64,
    covered: u64,
    bounded: u64,
}

impl Row {
    pub(crate) fn new(found: &Found, cell: Cell) -> Self {
        Self {
            interval: found.name,
            estimand: found.estimand.name(),
            cell,
            data_sets: 0,
            covered: 0,
            bounded: 0,
        }
    }

    /// Counts one data set. An unbounded side covers everything on it.
    pub(crate) fn count(&mut self, interval: Interval, truth: f64) {
        let (lower, upper) = (interval.lower.finite(), interval.upper.finite());
        let covers =
            lower.is_none_or(|lower| lower <= truth) && upper.is_none_or(|upper| truth <= upper);
        self.data_sets += 1;
        self.covered += u64::from(covers);
        self.bounded += u64::from(lower.is_some() || upper.is_some());
    }

    /// The share of data sets in which the interval covered, infinite where it never had a bound.
    pub(crate) fn coverage(&self) -> f64 {
        if self.bounded == 0 {
            f64::INFINITY
        } else {
            self.covered as f64 / self.data_sets as f64
        }
    }
}
