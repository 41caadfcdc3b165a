//! What is known after a number of sessions at which a run could stop.

use std::ops::RangeInclusive;

use prereg_declaration::{Declaration, Stopping};
use prereg_stats::{Bound, Method, Unbounded};

use crate::level::Leaf;

/// The bounds of values with median 1.
pub(super) struct Look {
    pub(super) sessions: usize,
    /// Of each comparison, by kill condition.
    pub(super) of_comparisons: Vec<Vec<[Bound; 2]>>,
    /// In the order of the simulation's controls.
    pub(super) of_controls: Vec<[Bound; 2]>,
}

/// The numbers of sessions at which the run could stop.
pub(super) fn sessions(
    declaration: &Declaration,
    leaves: &[Vec<Leaf<'_>>],
) -> RangeInclusive<usize> {
    let sessions = declaration.protocol.sessions as usize;
    match declaration.inference.stopping {
        Stopping::Sequence => fewest(leaves).min(sessions)..=sessions,
        Stopping::Fixed => sessions..=sessions,
    }
}

/// The fewest sessions that give any comparison a bound.
fn fewest(leaves: &[Vec<Leaf<'_>>]) -> usize {
    let alphas = leaves
        .iter()
        .flatten()
        .map(|leaf| leaf.levels.to_true.min(leaf.levels.to_false));
    let needed = alphas.map(|alpha| Method::Sequence.least_sessions(alpha));
    needed.min().unwrap_or(1)
}

/// The bound of values that are so many times greater.
pub(in crate::plan::power) fn scaled(bound: Bound, value: f64) -> Bound {
    match bound {
        Bound::Finite(bound) if (bound * value).is_finite() => Bound::Finite(bound * value),
        Bound::Finite(_) => Bound::Unbounded(Unbounded::OutOfRange),
        unbounded @ Bound::Unbounded(_) => unbounded,
    }
}
