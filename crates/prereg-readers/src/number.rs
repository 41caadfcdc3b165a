//! Numbers of a JSON document in base units.

use prereg_units::{Quantity, Unit};

/// `number` of `unit` in base units; nothing where it does not fit in f64.
///
/// The shortest decimal of `number` is scaled and rounded once: `12.5` ms and `0.0125` s are the same bits, as in a
/// declaration, and so is every number of up to 15 digits.
pub(crate) fn base_units(number: f64, unit: Unit) -> Option<f64> {
    let quantity = Quantity::from_literal(&format!("{number:e}"), unit).ok()?;
    Some(quantity.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_unit_is_rounded_once() {
        let milliseconds = Unit::parse("ms").unwrap();
        assert_eq!(base_units(12.5, milliseconds), Some(0.0125));
        assert_eq!(
            base_units(1.1, Unit::parse("us").unwrap()),
            Some(0.000_001_1)
        );
    }

    #[test]
    fn a_number_that_overflows_is_none() {
        assert_eq!(base_units(1e308, Unit::parse("TB").unwrap()), None);
        assert_eq!(base_units(f64::NAN, Unit::NONE), None);
    }
}
