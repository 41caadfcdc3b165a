//! Bounds where the sessions are all there are, such as the rows of a published table.
//!
//! Nothing is inferred: there is no law, no α and no p-value. The bounds are the smallest and the
//! largest value, so a comparison is true where it holds in every session and false where it holds in
//! none. Equal values are what they are, and no sign of a coarse timer.

use crate::{Bound, Sessions, Unbounded, estimate};

/// The smallest and the largest value. A missing session could have any value, so it leaves both
/// sides unbounded.
#[must_use]
pub fn bounds(sessions: &Sessions) -> [Bound; 2] {
    let missing = sessions.missing();
    if missing > 0 {
        let allowed = 0;
        return [Bound::Unbounded(Unbounded::MissingSessions { missing, allowed }); 2];
    }
    let Some(sample) = sessions.sample() else {
        let (sessions, needed) = (0, 1);
        return [Bound::Unbounded(Unbounded::TooFewSessions { sessions, needed }); 2];
    };
    [estimate::min(sample), estimate::max(sample)].map(Bound::Finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(values: &[f64], missing: usize) -> [Bound; 2] {
        bounds(&Sessions::new(values, missing).unwrap())
    }

    #[test]
    fn the_bounds_are_the_smallest_and_the_largest_session() {
        let found = bounds_of(&[3.0, 1.0, 2.0], 0);
        assert_eq!(found, [Bound::Finite(1.0), Bound::Finite(3.0)]);
    }

    #[test]
    fn one_session_is_a_census_of_one() {
        assert_eq!(bounds_of(&[2.0], 0), [Bound::Finite(2.0); 2]);
    }

    #[test]
    fn equal_values_are_not_degenerate() {
        assert_eq!(bounds_of(&[0.1; 10], 0), [Bound::Finite(0.1); 2]);
    }

    #[test]
    fn a_missing_session_leaves_both_sides_unbounded() {
        let reason = Unbounded::MissingSessions {
            missing: 1,
            allowed: 0,
        };
        assert_eq!(bounds_of(&[1.0, 2.0], 1), [Bound::Unbounded(reason); 2]);
    }

    #[test]
    fn no_sessions_have_no_bounds() {
        let reason = Unbounded::TooFewSessions {
            sessions: 0,
            needed: 1,
        };
        assert_eq!(bounds_of(&[], 0), [Bound::Unbounded(reason); 2]);
    }
}
