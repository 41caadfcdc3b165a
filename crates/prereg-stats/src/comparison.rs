//! Comparisons of an unknown quantity with a threshold, decided on its bounds.

use crate::{Bound, Truth};

/// A comparison `θ op threshold`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

impl Comparison {
    /// Whether it holds for a known number.
    #[must_use]
    pub fn holds(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::Less => value < threshold,
            Self::LessOrEqual => value <= threshold,
            Self::Greater => value > threshold,
            Self::GreaterOrEqual => value >= threshold,
        }
    }

    /// The comparison that holds exactly where this one does not.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Whether small values make it hold.
    #[must_use]
    pub const fn is_upper_limit(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual)
    }

    /// True iff it holds for every value within the bounds, false iff it holds for none, else
    /// undetermined: `θ < c` is true iff `upper < c` and false iff `lower >= c`. An unbounded side
    /// shows nothing.
    #[must_use]
    pub fn decide(self, lower: Bound, upper: Bound, threshold: f64) -> Truth {
        let (for_true, for_false) = if self.is_upper_limit() {
            (upper, lower)
        } else {
            (lower, upper)
        };
        if for_true
            .finite()
            .is_some_and(|bound| self.holds(bound, threshold))
        {
            Truth::True
        } else if for_false
            .finite()
            .is_some_and(|bound| !self.holds(bound, threshold))
        {
            Truth::False
        } else {
            Truth::Undetermined
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unbounded;

    const ALL: [Comparison; 4] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    fn decide(comparison: Comparison, lower: f64, upper: f64) -> Truth {
        comparison.decide(Bound::Finite(lower), Bound::Finite(upper), 1.0)
    }

    #[test]
    fn bounds_that_touch_the_threshold_follow_the_operator() {
        use Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
        assert_eq!(decide(Less, 0.5, 1.0), Truth::Undetermined);
        assert_eq!(decide(LessOrEqual, 0.5, 1.0), Truth::True);
        assert_eq!(decide(Less, 1.0, 2.0), Truth::False);
        assert_eq!(decide(LessOrEqual, 1.0, 2.0), Truth::Undetermined);
        assert_eq!(decide(Greater, 1.0, 2.0), Truth::Undetermined);
        assert_eq!(decide(GreaterOrEqual, 1.0, 2.0), Truth::True);
        assert_eq!(decide(Greater, 0.5, 1.0), Truth::False);
        assert_eq!(decide(GreaterOrEqual, 0.5, 1.0), Truth::Undetermined);
    }

    #[test]
    fn a_threshold_inside_the_bounds_is_undetermined_for_every_operator() {
        for comparison in ALL {
            assert_eq!(
                decide(comparison, 0.5, 2.0),
                Truth::Undetermined,
                "{comparison:?}"
            );
        }
    }

    #[test]
    fn the_negated_comparison_has_the_negated_truth() {
        let ends = [0.5, 1.0, 2.0];
        for comparison in ALL {
            for (lower, upper) in ends.into_iter().flat_map(|l| ends.map(|u| (l, u))) {
                if lower <= upper {
                    let truth = decide(comparison, lower, upper);
                    assert_eq!(decide(comparison.negated(), lower, upper), !truth);
                }
            }
        }
    }

    #[test]
    fn an_unbounded_side_shows_nothing() {
        let open = Bound::Unbounded(Unbounded::Degenerate);
        for comparison in ALL {
            assert_eq!(comparison.decide(open, open, 1.0), Truth::Undetermined);
        }
        assert_eq!(
            Comparison::Less.decide(Bound::Finite(1.0), open, 1.0),
            Truth::False
        );
        assert_eq!(
            Comparison::Less.decide(open, Bound::Finite(0.9), 1.0),
            Truth::True
        );
    }
}
