//! Numbers for readers: five significant digits, a fitting unit, never NaN or an infinity.

use prereg_units::{Dimension, Quantity, Unit};

/// Significant digits of a measured value.
const DIGITS: usize = 5;

/// Digits beyond which two values that print alike are called equal.
const MOST_DIGITS: usize = 12;

/// A value in base units, with a fitting prefix.
pub(crate) fn measured(value: f64, dimension: Dimension) -> String {
    with_digits(value, dimension, DIGITS)
}

/// The same, a dash where there is no value.
pub(crate) fn measured_or_dash(value: Option<f64>, dimension: Dimension) -> String {
    value.map_or_else(|| "–".to_owned(), |value| measured(value, dimension))
}

/// A measured value beside the threshold that it is compared with: as many digits as tell the two
/// apart, so that a bound of 1.149996 does not read as the threshold 1.15.
pub(crate) fn beside_threshold(value: f64, threshold: Quantity) -> String {
    let dimension = threshold.dimension();
    if value == threshold.value() {
        return measured(value, dimension);
    }
    (DIGITS..=MOST_DIGITS)
        .map(|digits| {
            (
                with_digits(value, dimension, digits),
                with_digits(threshold.value(), dimension, digits),
            )
        })
        .find(|(value, threshold)| value != threshold)
        .map_or_else(|| measured(value, dimension), |(value, _)| value)
}

/// A value in a unit given as text (`B/s`, empty for a plain number), with a fitting prefix.
pub(crate) fn in_unit(value: f64, unit: &str) -> String {
    Unit::parse(unit).map_or_else(
        |_| format!("{value} {unit}"),
        |unit| measured(unit.scale() * value, unit.dimension()),
    )
}

/// A ratio as a percentage of three significant digits.
pub(crate) fn percent(ratio: f64) -> String {
    format!("{} %", with_digits(ratio * 100.0, Dimension::NONE, 3))
}

/// A probability: three significant digits, small ones as a bound.
pub(crate) fn probability(p: f64) -> String {
    if p > 0.0 && p < 1e-4 {
        return "< 0.0001".to_owned();
    }
    with_digits(p, Dimension::NONE, 3)
}

/// The unit that suits a magnitude: base units in one of it, and its symbol (empty for plain numbers).
pub(crate) fn fitting_unit(magnitude: f64, dimension: Dimension) -> (f64, String) {
    let plain = (1.0, dimension.to_string());
    let Ok(quantity) = Quantity::new(magnitude, dimension) else {
        return plain;
    };
    let text = quantity.to_string();
    let Some((_, symbol)) = text.split_once(' ') else {
        return plain;
    };
    Unit::parse(symbol).map_or(plain, |unit| (unit.scale(), symbol.to_owned()))
}

fn with_digits(value: f64, dimension: Dimension, digits: usize) -> String {
    Quantity::new(value, dimension).map_or_else(
        |_| "not finite".to_owned(),
        |quantity| format!("{quantity:.digits$}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_carry_five_digits_and_a_fitting_unit() {
        assert_eq!(measured(0.012_345_678, Dimension::TIME), "12.346 ms");
        assert_eq!(measured(1.234_567, Dimension::NONE), "1.2346");
    }

    #[test]
    fn a_bound_never_reads_as_the_threshold_that_it_differs_from() {
        let threshold: Quantity = "1.15".parse().unwrap();
        assert_eq!(beside_threshold(1.149_996, threshold), "1.149996");
        assert_eq!(beside_threshold(1.15, threshold), "1.15");
        assert_eq!(beside_threshold(1.211_562, threshold), "1.2116");
    }

    #[test]
    fn nothing_prints_as_nan() {
        assert_eq!(measured(f64::NAN, Dimension::TIME), "not finite");
        assert_eq!(measured_or_dash(None, Dimension::TIME), "–");
    }

    #[test]
    fn small_probabilities_read_as_a_bound() {
        assert_eq!(probability(0.010_742), "0.0107");
        assert_eq!(probability(1e-9), "< 0.0001");
        assert_eq!(probability(0.0), "0");
    }

    #[test]
    fn the_unit_of_an_axis_is_the_one_that_its_largest_value_prints_in() {
        assert_eq!(
            fitting_unit(0.0123, Dimension::TIME),
            (1e-3, "ms".to_owned())
        );
        assert_eq!(fitting_unit(1.2, Dimension::NONE), (1.0, String::new()));
        assert_eq!(
            fitting_unit(24.1e9, Dimension::BANDWIDTH),
            (1e9, "GB/s".to_owned())
        );
    }
}
