//! Thresholds in few digits.

use prereg_units::Quantity;

/// A kill condition halfway between the rival and the expected value, in few digits: what lies on
/// the rival's side kills. `None` where there is nothing between them.
pub(super) fn threshold_between(
    metric: &str,
    expected: Quantity,
    rival: Quantity,
) -> Option<String> {
    let (low, high) = if rival.value() < expected.value() {
        (rival.value(), expected.value())
    } else {
        (expected.value(), rival.value())
    };
    let middle = if low > 0.0 {
        libm::sqrt(low) * libm::sqrt(high)
    } else {
        f64::midpoint(low, high)
    };
    let operator = if rival.value() < expected.value() {
        '<'
    } else {
        '>'
    };
    (3..=12)
        .map(|digits| in_digits(middle, digits))
        .find(|value| low < *value && *value < high)
        .and_then(|value| Quantity::new(value, expected.dimension()).ok())
        .map(|threshold| format!("{metric} {operator} {}", spelled(threshold)))
}

/// As a declaration may spell it: as short as it reads back the same.
pub(super) fn spelled(quantity: Quantity) -> String {
    let short = quantity.to_string();
    if short.parse() == Ok(quantity) {
        short
    } else if quantity.dimension().is_none() {
        quantity.value().to_string()
    } else {
        quantity.canonical()
    }
}

/// The nearest number of so many significant digits.
pub(super) fn in_digits(value: f64, digits: usize) -> f64 {
    format!("{value:.0$e}", digits.saturating_sub(1))
        .parse()
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use prereg_units::Dimension;

    use super::*;

    fn between(expected: f64, rival: f64) -> Option<String> {
        let plain = |value| Quantity::new(value, Dimension::NONE).unwrap();
        threshold_between("speedup", plain(expected), plain(rival))
    }

    #[test]
    fn the_threshold_lies_halfway_and_kills_on_the_rivals_side() {
        assert_eq!(between(1.26, 1.02).as_deref(), Some("speedup < 1.13"));
        assert_eq!(between(1.0, 1.2).as_deref(), Some("speedup > 1.1"));
        assert_eq!(between(1.002, 1.001).as_deref(), Some("speedup < 1.0015"));
    }

    #[test]
    fn equal_values_have_nothing_between_them() {
        assert_eq!(between(1.1, 1.1), None);
    }
}
