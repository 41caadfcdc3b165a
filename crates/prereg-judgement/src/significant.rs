//! Twelve significant digits: what a result carries, so that the last bits of a platform's
//! arithmetic never show.

use prereg_units::Quantity;

/// The nearest number of twelve significant digits.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// The same for a quantity.
pub(crate) fn rounded_quantity(quantity: Quantity) -> Quantity {
    Quantity::new(rounded(quantity.value()), quantity.dimension()).unwrap_or(quantity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirteen_digits_become_twelve() {
        assert_eq!(rounded(1.234_567_890_123_4), 1.234_567_890_12);
        assert_eq!(rounded(0.1 + 0.2), 0.3);
        assert_eq!(rounded(-1e-300), -1e-300);
    }
}
