//! Looking after every session: the sequence, and what peeking with a fixed-number interval does.
//! A miss is a bound on the wrong side of the true value at any look.

use prereg_stats::{Alpha, Method, Scale, Seed, Sessions};

use crate::row::Row;
use crate::simulation::{lognormals, rate};

/// Looks are taken from here on.
const FIRST_LOOK: usize = 5;
const MOST_SESSIONS: u32 = 50;
const ALPHA: f64 = 0.05;

pub(crate) fn rows(experiments: u64) -> Vec<Row> {
    let methods = [
        ("sequence", Method::Sequence, 1.0),
        ("student-t", Method::StudentT(Scale::Log), 0.5),
        ("order-statistic", Method::OrderStatistic, 0.5),
    ];
    methods
        .into_iter()
        .map(|(interval, method, share)| {
            let what = format!("two-sided miss at any look from {FIRST_LOOK} sessions on");
            // The set of a sequence is two-sided; the others have half of α on each side.
            let alpha = Alpha::new(ALPHA * share).ok();
            let misses = |values: &[f64]| {
                let (Some(alpha), Ok(sessions)) = (alpha, Sessions::new(values, 0)) else {
                    return false;
                };
                let [lower, upper] = method.bounds(&sessions, alpha, alpha, Seed([1; 32]));
                lower.finite().is_some_and(|lower| lower > 1.0)
                    || upper.finite().is_some_and(|upper| upper < 1.0)
            };
            Row {
                rate: rate(&format!("{what} {interval}"), experiments, |generator| {
                    let values = lognormals(generator, MOST_SESSIONS);
                    (FIRST_LOOK..=values.len()).any(|look| misses(&values[..look]))
                }),
                what,
                interval,
                sessions: MOST_SESSIONS,
                nominal: ALPHA,
                experiments,
            }
        })
        .collect()
}
