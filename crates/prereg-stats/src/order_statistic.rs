//! Exact bounds on the median from order statistics: the sign test turned around.
//!
//! Under any continuous law the number of sessions below the median is Bin(N, ½), so the k-th
//! smallest value lies above it with probability P(Bin(N, ½) ≤ k − 1). Missing sessions count as
//! −∞ in a lower bound and as +∞ in an upper one, and as not holding in a p-value.

use crate::distribution::binomial;
use crate::{Alpha, Bound, Comparison, Interval, Sessions, Unbounded, estimate};

/// The rank of the one-sided bounds among `sessions` values: the largest k with
/// P(Bin(N, ½) ≤ k − 1) ≤ α. `None` where even k = 1 is not enough.
///
/// The lower bound is the k-th smallest value, the upper one the k-th largest.
#[must_use]
pub fn rank(sessions: usize, alpha: Alpha) -> Option<usize> {
    let ranks = binomial::half_tails(sessions)
        .take_while(|tail| *tail <= alpha.get())
        .count();
    (ranks > 0).then_some(ranks)
}

/// The smallest number of sessions that gives a bound at this α, ⌈log₂(1/α)⌉.
#[must_use]
pub fn sessions_needed(alpha: Alpha) -> usize {
    // α is at least 2^−1074, so the search is short.
    let mut sessions = 1;
    while binomial::half_at_most(sessions, 0) > alpha.get() {
        sessions += 1;
    }
    sessions
}

/// The lower bound at one-sided `alpha`.
#[must_use]
pub fn lower_bound(sessions: &Sessions, alpha: Alpha) -> Bound {
    let [lower, _] = bounds(sessions, alpha);
    lower
}

/// The upper bound at one-sided `alpha`.
#[must_use]
pub fn upper_bound(sessions: &Sessions, alpha: Alpha) -> Bound {
    let [_, upper] = bounds(sessions, alpha);
    upper
}

fn bounds(sessions: &Sessions, alpha: Alpha) -> [Bound; 2] {
    at_rank(sessions, rank(sessions.count(), alpha), || {
        sessions_needed(alpha)
    })
}

/// The two-sided interval at nominal `alpha`, half on each side; the result carries the exact
/// probability of missing the median.
#[must_use]
pub fn interval(sessions: &Sessions, alpha: Alpha) -> Interval {
    let side = alpha.share(2);
    let missed = rank(sessions.count(), side).map_or(0.0, |k| {
        2.0 * binomial::half_at_most(sessions.count(), k - 1)
    });
    Interval {
        lower: lower_bound(sessions, side),
        upper: upper_bound(sessions, side),
        alpha: missed,
    }
}

/// The p-value of "the comparison is true of the median": P(Bin(N, ½) ≥ sessions where it holds).
///
/// It is at most α exactly where the bounds at α decide the comparison as true. The p-value of "is
/// false" is that of the [negated](Comparison::negated) comparison.
#[must_use]
pub fn p_value(sessions: &Sessions, comparison: Comparison, threshold: f64) -> f64 {
    binomial::half_at_least(sessions.count(), holding(sessions, comparison, threshold))
}

/// The probability that the bounds of `sessions` values at `alpha` all lie on one side of a
/// threshold, where each session alone does so with probability `p`: the power of a comparison.
#[must_use]
pub fn power(sessions: usize, alpha: Alpha, p: f64) -> f64 {
    rank(sessions, alpha).map_or(0.0, |k| binomial::at_least(sessions, p, sessions + 1 - k))
}

/// In how many sessions the comparison holds.
pub(crate) fn holding(sessions: &Sessions, comparison: Comparison, threshold: f64) -> usize {
    let observed = sessions.observed().iter();
    observed
        .filter(|value| comparison.holds(**value, threshold))
        .count()
}

/// The smallest and the largest value left when `rank` − 1 sessions are taken from each end, those
/// that are missing first. Without a rank, `needed` sessions would have one.
pub(crate) fn at_rank(
    sessions: &Sessions,
    rank: Option<usize>,
    needed: impl FnOnce() -> usize,
) -> [Bound; 2] {
    match position(sessions, rank, needed) {
        Ok(position) => {
            let observed = sessions.observed();
            [position, observed.len() - 1 - position].map(|position| Bound::of(observed[position]))
        }
        Err(reason) => [Bound::Unbounded(reason); 2],
    }
}

fn position(
    sessions: &Sessions,
    rank: Option<usize>,
    needed: impl FnOnce() -> usize,
) -> Result<usize, Unbounded> {
    let Some(rank) = rank else {
        let (sessions, needed) = (sessions.count(), needed());
        return Err(Unbounded::TooFewSessions { sessions, needed });
    };
    let missing = sessions.missing();
    if missing >= rank {
        return Err(Unbounded::MissingSessions {
            missing,
            allowed: rank - 1,
        });
    }
    if sessions
        .sample()
        .is_none_or(|sample| estimate::is_degenerate(sample) == Ok(true))
    {
        return Err(Unbounded::Degenerate);
    }
    Ok(rank - 1 - missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha(value: f64) -> Alpha {
        Alpha::new(value).unwrap()
    }

    fn one_to(n: usize, missing: usize) -> Sessions {
        let values: Vec<f64> = (1..=n - missing).map(|i| i as f64).collect();
        Sessions::new(&values, missing).unwrap()
    }

    #[test]
    fn the_smallest_counts_that_give_a_bound_are_those_of_the_sign_test() {
        for (value, needed) in [(0.05, 5), (0.025, 6), (0.0125, 7), (1.0 / 32.0, 5)] {
            assert_eq!(sessions_needed(alpha(value)), needed);
            assert_eq!(rank(needed - 1, alpha(value)), None);
            assert_eq!(rank(needed, alpha(value)), Some(1));
        }
    }

    #[test]
    fn ranks_grow_where_the_level_is_used_best() {
        let ranks = |value| {
            (5..=15)
                .map(|n| rank(n, alpha(value)).unwrap_or(0))
                .collect::<Vec<_>>()
        };
        assert_eq!(ranks(0.05), [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]);
        assert_eq!(ranks(0.025), [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
    }

    #[test]
    fn the_interval_carries_its_exact_level() {
        let interval = interval(&one_to(10, 0), alpha(0.05));
        assert_eq!(
            (interval.lower, interval.upper),
            (Bound::Finite(2.0), Bound::Finite(9.0))
        );
        assert_eq!(interval.alpha, 22.0 / 1024.0);
    }

    #[test]
    fn a_missing_session_widens_both_sides() {
        let sessions = one_to(10, 1);
        assert_eq!(lower_bound(&sessions, alpha(0.05)), Bound::Finite(1.0));
        assert_eq!(upper_bound(&sessions, alpha(0.05)), Bound::Finite(9.0));
    }

    #[test]
    fn too_many_missing_sessions_leave_no_bound() {
        let reason = Bound::Unbounded(Unbounded::MissingSessions {
            missing: 2,
            allowed: 1,
        });
        assert_eq!(lower_bound(&one_to(10, 2), alpha(0.05)), reason);
        assert_eq!(upper_bound(&one_to(10, 2), alpha(0.05)), reason);
    }

    #[test]
    fn too_few_sessions_leave_no_bound() {
        for n in 0..=4 {
            let reason = Unbounded::TooFewSessions {
                sessions: n,
                needed: 5,
            };
            assert_eq!(
                lower_bound(&one_to(n, 0), alpha(0.05)),
                Bound::Unbounded(reason)
            );
        }
    }

    #[test]
    fn equal_values_leave_no_bound() {
        let sessions = Sessions::new(&[0.1; 10], 0).unwrap();
        assert_eq!(
            lower_bound(&sessions, alpha(0.05)),
            Bound::Unbounded(Unbounded::Degenerate)
        );
        assert_eq!(
            upper_bound(&sessions, alpha(0.05)),
            Bound::Unbounded(Unbounded::Degenerate)
        );
    }

    #[test]
    fn missing_sessions_count_as_not_holding() {
        assert_eq!(
            p_value(&one_to(10, 0), Comparison::Less, 10.0),
            11.0 / 1024.0
        );
        assert_eq!(
            p_value(&one_to(10, 1), Comparison::Less, 10.0),
            11.0 / 1024.0
        );
        assert_eq!(
            p_value(&one_to(10, 1), Comparison::Greater, 0.0),
            11.0 / 1024.0
        );
        assert_eq!(
            p_value(&one_to(10, 0), Comparison::Greater, 0.0),
            1.0 / 1024.0
        );
    }

    #[test]
    fn power_matches_the_published_table() {
        // N = 10, threshold 1.15, α .05, true ratio and log standard deviation → P(pass), P(falsified).
        let table = [
            (1.15, 0.02, 0.011, 0.011),
            (1.17, 0.02, 0.39, 0.0),
            (1.20, 0.05, 0.38, 0.0),
            (1.25, 0.10, 0.37, 0.0),
            (1.10, 0.05, 0.0, 0.42),
            (1.05, 0.10, 0.0, 0.43),
        ];
        for (ratio, sigma, pass, falsified) in table {
            let above = crate::distribution::normal::cdf(libm::log(ratio / 1.15) / sigma);
            let found = [
                power(10, alpha(0.05), above),
                power(10, alpha(0.05), 1.0 - above),
            ];
            assert!(
                (found[0] - pass).abs() < 0.012,
                "{ratio} {sigma}: {found:?}"
            );
            assert!(
                (found[1] - falsified).abs() < 0.012,
                "{ratio} {sigma}: {found:?}"
            );
        }
    }
}
