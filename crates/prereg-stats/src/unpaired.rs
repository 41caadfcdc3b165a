//! The ratio of the medians of two targets, whose sessions have nothing in common.

use crate::{Alpha, Bound, Sessions, Unbounded, order_statistic};

/// Bounds on θ1/θ2, the median of `first` over that of `second`: with order-statistic bounds L and U
/// of each, the ratio lies in [L1/U2, U1/L2]. Each of the two bounds in a quotient is taken at half
/// of the one-sided α, so that by Boole's inequality the quotient errs at most with α, under any
/// continuous laws.
///
/// Both targets' values must be positive. At α = .05, 6 sessions on each target are the fewest that
/// give a bound. Missing sessions count adversely on both.
#[must_use]
pub fn ratio_bounds(
    first: &Sessions,
    second: &Sessions,
    alpha_lower: Alpha,
    alpha_upper: Alpha,
) -> [Bound; 2] {
    // Ascending: the first value is the smallest.
    let smallest = [first, second].map(|sessions| sessions.observed().first());
    if smallest.into_iter().flatten().any(|value| *value <= 0.0) {
        return [Bound::Unbounded(Unbounded::NotPositive); 2];
    }
    let (lower, upper) = (alpha_lower.share(2), alpha_upper.share(2));
    [
        quotient(
            order_statistic::lower_bound(first, lower),
            order_statistic::upper_bound(second, lower),
        ),
        quotient(
            order_statistic::upper_bound(first, upper),
            order_statistic::lower_bound(second, upper),
        ),
    ]
}

fn quotient(numerator: Bound, denominator: Bound) -> Bound {
    match (numerator, denominator) {
        (Bound::Finite(numerator), Bound::Finite(denominator)) => {
            Bound::of(numerator / denominator)
        }
        (open @ Bound::Unbounded(_), _) | (_, open) => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha() -> Alpha {
        Alpha::new(0.05).unwrap()
    }

    fn ratio(first: &[f64], second: &[f64], missing: usize) -> [Bound; 2] {
        let first = Sessions::new(first, missing).unwrap();
        let second = Sessions::new(second, 0).unwrap();
        ratio_bounds(&first, &second, alpha(), alpha())
    }

    const SIX: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0];

    #[test]
    fn six_sessions_a_target_give_the_widest_quotients() {
        let found = ratio(&SIX, &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0], 0);
        assert_eq!(found, [Bound::Finite(0.5), Bound::Finite(8.0)]);
    }

    #[test]
    fn five_sessions_on_either_target_are_too_few() {
        let reason = Bound::Unbounded(Unbounded::TooFewSessions {
            sessions: 5,
            needed: 6,
        });
        assert_eq!(ratio(&SIX[..5], &SIX, 0), [reason; 2]);
        assert_eq!(ratio(&SIX, &SIX[..5], 0), [reason; 2]);
    }

    #[test]
    fn a_missing_session_on_one_target_opens_both_sides() {
        let reason = Bound::Unbounded(Unbounded::MissingSessions {
            missing: 1,
            allowed: 0,
        });
        assert_eq!(ratio(&SIX[..5], &SIX, 1), [reason; 2]);
    }

    #[test]
    fn values_that_are_not_positive_have_no_ratio() {
        let reason = Bound::Unbounded(Unbounded::NotPositive);
        for value in [0.0, -0.0, -1.0] {
            let with = [value, 3.0, 4.0, 5.0, 6.0, 8.0];
            assert_eq!(ratio(&with, &SIX, 0), [reason; 2]);
            assert_eq!(ratio(&SIX, &with, 0), [reason; 2]);
        }
    }

    #[test]
    fn a_quotient_beyond_the_range_leaves_its_side_open() {
        let [lower, upper] = ratio(&SIX.map(|v| v * 1e300), &SIX.map(|v| v * 1e-300), 0);
        let reason = Bound::Unbounded(Unbounded::OutOfRange);
        assert_eq!([lower, upper], [reason; 2]);
    }
}
