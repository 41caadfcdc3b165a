//! Calibrated ranges: the values of a metric for which claims are made at all.
//!
//! A range is read as a gate over each session: every session that is not missing must lie in it.

use prereg_declaration::{CalibratedRange, Comparison, Number, Predicate};
use prereg_stats::Truth;

use crate::evaluate::SessionReader;
use crate::gate;
use crate::verdict::RangeResult;

/// `metric >= from and metric <= to`.
pub(crate) fn predicate(metric: &str, range: &CalibratedRange) -> Predicate {
    let compared = |comparison, end| {
        let metric = Number::Metric(metric.to_owned());
        Predicate::Compare(comparison, Box::new(metric), Box::new(Number::Literal(end)))
    };
    Predicate::And(vec![
        compared(Comparison::GreaterOrEqual, range.from),
        compared(Comparison::LessOrEqual, range.to),
    ])
}

/// Reads the range of a metric in every session that is there.
pub(crate) fn read(
    metric: &str,
    range: &CalibratedRange,
    sessions: &mut [Option<SessionReader<'_>>],
) -> RangeResult {
    let states = gate::read_sessions(&predicate(metric, range), sessions);
    let with = |wanted: Truth| {
        let sessions = states.iter().enumerate();
        let wanted = sessions.filter(move |(_, state)| **state == Some(wanted));
        wanted.map(|(session, _)| session).collect()
    };
    RangeResult {
        from: range.from,
        to: range.to,
        state: gate::state(&states),
        outside: with(Truth::False),
        unobserved: with(Truth::Undetermined),
    }
}
