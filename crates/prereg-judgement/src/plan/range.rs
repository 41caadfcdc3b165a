//! Intervals of reals with open and closed ends, and arithmetic on them.
//!
//! A range contains every value that a number can take; it may contain more. Ends at infinity are
//! open.

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    value: f64,
    open: bool,
}

/// All reals between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    lower: End,
    upper: End,
}

impl Range {
    pub(super) const REAL: Self = Self::new(f64::NEG_INFINITY, true, f64::INFINITY, true);
    pub(super) const NON_NEGATIVE: Self = Self::new(0.0, false, f64::INFINITY, true);
    pub(super) const POSITIVE: Self = Self::new(0.0, true, f64::INFINITY, true);
    /// At least 1.
    pub(super) const AT_LEAST_ONE: Self = Self::new(1.0, false, f64::INFINITY, true);
    /// Above 0, at most 1.
    pub(super) const FRACTION: Self = Self::new(0.0, true, 1.0, false);
    /// 0 for false, 1 for true.
    pub(super) const BOOLEAN: Self = Self::new(0.0, false, 1.0, false);

    const fn new(lower: f64, lower_open: bool, upper: f64, upper_open: bool) -> Self {
        Self {
            lower: End {
                value: lower,
                open: lower_open,
            },
            upper: End {
                value: upper,
                open: upper_open,
            },
        }
    }

    /// Both ends belong to it.
    pub(super) const fn between(lower: f64, upper: f64) -> Self {
        Self::new(lower, false, upper, false)
    }

    pub(super) const fn exactly(value: f64) -> Self {
        Self::between(value, value)
    }

    /// The only value, where there is only one.
    pub(super) fn single(self) -> Option<f64> {
        (self.lower.value == self.upper.value).then_some(self.lower.value)
    }

    pub(super) fn contains(self, value: f64) -> bool {
        let above = value > self.lower.value || value == self.lower.value && !self.lower.open;
        let below = value < self.upper.value || value == self.upper.value && !self.upper.open;
        above && below
    }

    pub(super) fn is_positive(self) -> bool {
        self.lower.value > 0.0 || self.lower.value == 0.0 && self.lower.open
    }

    pub(super) fn is_non_negative(self) -> bool {
        self.lower.value >= 0.0
    }

    /// The finite ends, each with whether it is open: lower, upper.
    pub(super) fn ends(self) -> [Option<(f64, bool)>; 2] {
        [self.lower, self.upper].map(|end| end.value.is_finite().then_some((end.value, end.open)))
    }

    /// What both contain; the first where they share nothing, which only rounding can bring about.
    pub(super) fn and(self, other: Self) -> Self {
        let lower = self.lower.later(other.lower, |a, b| a > b);
        let upper = self.upper.later(other.upper, |a, b| a < b);
        if lower.value > upper.value {
            return self;
        }
        Self { lower, upper }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self::of(self.lower.plus(other.lower), self.upper.plus(other.upper))
    }

    pub(super) fn times(self, other: Self) -> Self {
        let corners = [
            self.lower.times(other.lower),
            self.lower.times(other.upper),
            self.upper.times(other.lower),
            self.upper.times(other.upper),
        ];
        let (mut lower, mut upper) = (corners[0], corners[0]);
        for corner in corners {
            lower = lower.earlier(corner, |a, b| a < b);
            upper = upper.earlier(corner, |a, b| a > b);
        }
        Self::of(lower, upper)
    }

    /// The range of 1/x; x = 0 gives no number.
    fn reciprocal(self) -> Self {
        if self.is_non_negative() {
            Self::of(self.upper.reciprocal(), self.lower.reciprocal())
        } else if self.upper.value <= 0.0 {
            self.times(Self::exactly(-1.0))
                .reciprocal()
                .times(Self::exactly(-1.0))
        } else {
            Self::REAL
        }
    }

    pub(super) fn power(self, exponent: i32) -> Self {
        let base = if exponent < 0 {
            self.reciprocal()
        } else {
            self
        };
        let mut power = Self::exactly(1.0);
        for _ in 0..exponent.unsigned_abs() {
            power = power.times(base);
        }
        if exponent % 2 == 0 {
            power.and(Self::NON_NEGATIVE)
        } else {
            power
        }
    }

    /// Of two ends; one beyond the reach of f64 stays at its edge.
    fn of(lower: End, upper: End) -> Self {
        let (least, most) = (f64::MIN, f64::MAX);
        Self::new(
            lower.value.min(most),
            lower.open || lower.value == f64::NEG_INFINITY,
            upper.value.max(least),
            upper.open || upper.value == f64::INFINITY,
        )
    }
}

impl End {
    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            open: self.open || other.open,
        }
    }

    fn times(self, other: Self) -> Self {
        let is_zero = |end: Self| end.value == 0.0;
        let reaches_zero = |end: Self| is_zero(end) && !end.open;
        if is_zero(self) || is_zero(other) {
            return Self {
                value: 0.0,
                open: !(reaches_zero(self) || reaches_zero(other)),
            };
        }
        Self {
            value: self.value * other.value,
            open: self.open || other.open,
        }
    }

    fn reciprocal(self) -> Self {
        if self.value == 0.0 {
            return Self {
                value: f64::INFINITY,
                open: true,
            };
        }
        Self {
            value: 1.0 / self.value,
            open: self.open,
        }
    }

    /// The end that `comes` further in, the open one of two equal ones.
    fn later(self, other: Self, comes: fn(f64, f64) -> bool) -> Self {
        if comes(other.value, self.value) || other.value == self.value && other.open {
            other
        } else {
            self
        }
    }

    /// The end that `comes` further out, the closed one of two equal ones.
    fn earlier(self, other: Self, comes: fn(f64, f64) -> bool) -> Self {
        if comes(other.value, self.value) || other.value == self.value && !other.open {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_ratio_of_positive_numbers_is_positive_and_has_no_end() {
        let ratio = Range::POSITIVE.times(Range::POSITIVE.power(-1));
        assert_eq!(ratio, Range::POSITIVE);
    }

    #[test]
    fn an_open_end_makes_the_result_open() {
        let sum = Range::POSITIVE.plus(Range::between(1.0, 2.0));
        assert!(!sum.contains(1.0) && sum.contains(1.0 + 1e-9));
        let product = Range::FRACTION.times(Range::between(2.0, 3.0));
        assert!(product.contains(3.0) && !product.contains(0.0));
    }

    #[test]
    fn zero_reached_times_anything_is_zero_reached() {
        let product = Range::NON_NEGATIVE.times(Range::POSITIVE);
        assert_eq!(product, Range::NON_NEGATIVE);
    }

    #[test]
    fn what_is_divided_by_zero_is_no_number() {
        let inverse = Range::between(0.0, 2.0).power(-1);
        assert!(inverse.contains(0.5) && inverse.contains(1e300) && !inverse.contains(0.4));
        assert_eq!(Range::between(-1.0, 1.0).power(-1), Range::REAL);
    }

    #[test]
    fn an_even_power_is_not_negative() {
        assert_eq!(
            Range::between(-2.0, 1.0).power(2).ends()[0],
            Some((0.0, false))
        );
        assert_eq!(
            Range::between(-2.0, 1.0).power(3).ends()[0],
            Some((-8.0, false))
        );
    }

    fn range() -> impl Strategy<Value = (Range, f64)> {
        (-5.0..5.0_f64, 0.0..5.0_f64, 0.0..=1.0_f64).prop_map(|(lower, width, at)| {
            let range = Range::between(lower, lower + width);
            (range, (lower + width * at).min(lower + width))
        })
    }

    proptest! {
        #[test]
        fn arithmetic_stays_inside((a, x) in range(), (b, y) in range(), exponent in -3..4_i32) {
            // Ends are rounded as any arithmetic is.
            let inside = |range: Range, value: f64| {
                let [lower, upper] = range.ends().map(|end| end.map(|end| end.0));
                let slack = 1e-9 * value.abs().max(1.0);
                lower.is_none_or(|end| end - slack <= value)
                    && upper.is_none_or(|end| value <= end + slack)
            };
            prop_assert!(inside(a.plus(b), x + y));
            prop_assert!(inside(a.times(b), x * y));
            if x != 0.0 {
                prop_assert!(inside(a.power(exponent), x.powi(exponent)));
            }
        }
    }
}
