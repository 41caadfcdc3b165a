//! The sign-mixture confidence sequence of the median: bounds that may be looked at after every
//! session, under any continuous law.
//!
//! Given the median θ, each session lies above it with probability ½. Betting against that with a
//! Beta(½, ½) mixture over the probability multiplies a capital of 1 to
//! Eₙ(θ) = 2ⁿ B(k + ½, n − k + ½) / B(½, ½) after n sessions of which k lie above θ. The capital is a
//! martingale, so by Ville's inequality it ever reaches 1/α with probability at most α: the set
//! {θ : Eₙ(θ) < 1/α} contains the median at every n, together, with probability 1 − α. Both sides
//! share the α.

use crate::{Alpha, Bound, Comparison, Sessions, order_statistic};

/// The rank of the bounds among `sessions` values: the largest r for which `sessions` + 1 − r values
/// on one side of a number exclude it. `None` where even all of them do not.
///
/// The lower bound is the r-th smallest value, the upper one the r-th largest.
#[must_use]
pub fn rank(sessions: usize, alpha: Alpha) -> Option<usize> {
    let excludes = |holding| log_capital(sessions, holding) >= -libm::log(alpha.get());
    let ranks = (sessions / 2 + 1..=sessions)
        .rev()
        .take_while(|holding| excludes(*holding))
        .count();
    (ranks > 0).then_some(ranks)
}

/// The smallest number of sessions that gives bounds at two-sided `alpha`.
#[must_use]
pub fn sessions_needed(alpha: Alpha) -> usize {
    // The capital of n sessions on one side is about 2ⁿ / √(πn), and 1/α at most 2^1074.
    let mut sessions = 1;
    while rank(sessions, alpha).is_none() {
        sessions += 1;
    }
    sessions
}

/// The lower and the upper end of the set at two-sided `alpha`; missing sessions count as −∞ below
/// and as +∞ above.
#[must_use]
pub fn bounds(sessions: &Sessions, alpha: Alpha) -> [Bound; 2] {
    order_statistic::at_rank(sessions, rank(sessions.count(), alpha), || {
        sessions_needed(alpha)
    })
}

/// The p-value of "the comparison is true of the median", valid at any stopping time: 1/Eₙ where
/// more than half of the sessions show it, else 1. Missing sessions count as not holding.
#[must_use]
pub fn p_value(sessions: &Sessions, comparison: Comparison, threshold: f64) -> f64 {
    let holding = order_statistic::holding(sessions, comparison, threshold);
    if 2 * holding <= sessions.count() {
        return 1.0;
    }
    libm::exp(-log_capital(sessions.count(), holding)).min(1.0)
}

/// ln Eₙ with k = `above` of n = `sessions`; B(½, ½) is π.
fn log_capital(sessions: usize, above: usize) -> f64 {
    let (n, k) = (sessions as f64, above as f64);
    n * std::f64::consts::LN_2 + libm::lgamma(k + 0.5) + libm::lgamma(n - k + 0.5)
        - libm::lgamma(n + 1.0)
        - libm::log(std::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unbounded;

    fn alpha() -> Alpha {
        Alpha::new(0.05).unwrap()
    }

    fn one_to(n: usize, missing: usize) -> Sessions {
        let values: Vec<f64> = (1..=n - missing).map(|i| i as f64).collect();
        Sessions::new(&values, missing).unwrap()
    }

    #[test]
    fn ranks_are_the_published_ones() {
        let ranks = [6, 7, 10, 20, 50].map(|n| rank(n, alpha()));
        assert_eq!(ranks, [None, Some(1), Some(1), Some(4), Some(14)]);
        assert_eq!(sessions_needed(alpha()), 7);
    }

    #[test]
    fn the_capital_is_the_product_of_its_bets() {
        // The mixture bets on session n + 1 with the probability (k + ½)/(n + 1) that it lies above.
        let above = [true, true, false, true, false, true, true, true];
        let (mut capital, mut k) = (1.0, 0);
        for (n, is_above) in above.into_iter().enumerate() {
            let p_above = (f64::from(k) + 0.5) / (n as f64 + 1.0);
            capital *= 2.0 * if is_above { p_above } else { 1.0 - p_above };
            k += i32::from(is_above);
            let found = libm::exp(log_capital(n + 1, k as usize));
            assert!((found / capital - 1.0).abs() < 1e-12, "n {}", n + 1);
        }
    }

    #[test]
    fn a_missing_session_widens_both_sides() {
        let [lower, upper] = bounds(&one_to(20, 1), alpha());
        assert_eq!((lower, upper), (Bound::Finite(3.0), Bound::Finite(17.0)));
    }

    #[test]
    fn six_sessions_leave_the_set_open() {
        let reason = Unbounded::TooFewSessions {
            sessions: 6,
            needed: 7,
        };
        assert_eq!(
            bounds(&one_to(6, 0), alpha()),
            [Bound::Unbounded(reason); 2]
        );
    }

    #[test]
    fn missing_sessions_count_as_not_holding() {
        let p = |missing| p_value(&one_to(10, missing), Comparison::Greater, 0.0);
        assert!((p(0) * libm::exp(log_capital(10, 10)) - 1.0).abs() < 1e-12);
        assert!((p(1) * libm::exp(log_capital(10, 9)) - 1.0).abs() < 1e-12);
        assert_eq!(p(5), 1.0);
    }

    #[test]
    fn the_smallest_level_ends() {
        let smallest = Alpha::new(f64::from_bits(1)).unwrap();
        assert!(sessions_needed(smallest) > 1074);
    }
}
