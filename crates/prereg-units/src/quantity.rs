//! A number in base units with its dimension.

use std::cmp::Ordering;
use std::str::FromStr;

use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::{Dimension, DimensionOverflow, Unit, UnitError};

/// Why a quantity could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// No number stands where one should.
    #[error(
        "`{text}` does not start with a number; write a decimal number and a unit, as in `22 us`"
    )]
    Number {
        /// The text as written.
        text: String,
    },
    /// The value is NaN or infinite, or is so after its unit is applied.
    #[error("the value is not finite; write a number that fits in 64-bit floating point")]
    NotFinite,
    /// The unit could not be read.
    #[error(transparent)]
    Unit(#[from] UnitError),
}

/// Why two quantities do not combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ArithmeticError {
    /// Sum, difference or comparison of different dimensions.
    #[error("{} and {} do not compare or add; give both sides the same unit", named(*.left), named(*.right))]
    Mismatch {
        /// The left operand's dimension.
        left: Dimension,
        /// The right operand's dimension.
        right: Dimension,
    },
    /// A quotient with a zero denominator.
    #[error("division by zero")]
    DivisionByZero,
    /// The result does not fit in f64.
    #[error("the result is not finite")]
    NotFinite,
    /// The result's dimension is out of range.
    #[error(transparent)]
    Dimension(#[from] DimensionOverflow),
}

fn named(dimension: Dimension) -> String {
    if dimension.is_none() {
        "a plain number".to_owned()
    } else {
        format!("`{dimension}`")
    }
}

/// A finite number of base units, never −0.
///
/// `Display` is for readers: four significant digits (or the precision asked for) and a fitting prefix.
/// [`Quantity::canonical`] is exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    value: f64,
    dimension: Dimension,
}

impl Quantity {
    /// `value` base units of `dimension`.
    ///
    /// # Errors
    /// [`QuantityError::NotFinite`] for NaN and infinities.
    pub fn new(value: f64, dimension: Dimension) -> Result<Self, QuantityError> {
        // Adding zero turns −0 into 0, so that equal quantities have one canonical form.
        finite(value)
            .map(|value| Self {
                value: value + 0.0,
                dimension,
            })
            .ok_or(QuantityError::NotFinite)
    }

    /// A decimal number, as written, of `unit`.
    ///
    /// The power of ten goes into the literal before it is rounded, so `1.1 us` and `0.0000011 s` are the same bits.
    ///
    /// # Errors
    /// [`QuantityError::Number`] where `number` is not a decimal number, [`QuantityError::NotFinite`] on overflow.
    pub fn from_literal(number: &str, unit: Unit) -> Result<Self, QuantityError> {
        let wrong = || QuantityError::Number {
            text: number.to_owned(),
        };
        if number_len(number) != number.len() {
            return Err(wrong());
        }
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let exponent: i32 = exponent.parse().map_err(|_| wrong())?;
        let exponent = exponent.saturating_add(unit.ten());
        let value: f64 = format!("{mantissa}e{exponent}")
            .parse()
            .map_err(|_| wrong())?;
        Self::new(unit.without_ten().in_base_units(value), unit.dimension())
    }

    /// The number of base units.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }

    /// The dimension.
    #[must_use]
    pub const fn dimension(self) -> Dimension {
        self.dimension
    }

    /// The sum.
    ///
    /// # Errors
    /// [`ArithmeticError`] for different dimensions or an infinite result.
    pub fn checked_add(self, other: Self) -> Result<Self, ArithmeticError> {
        self.same_dimension(other)?;
        result(self.value + other.value, self.dimension)
    }

    /// The difference.
    ///
    /// # Errors
    /// [`ArithmeticError`] for different dimensions or an infinite result.
    pub fn checked_sub(self, other: Self) -> Result<Self, ArithmeticError> {
        self.same_dimension(other)?;
        result(self.value - other.value, self.dimension)
    }

    /// The product.
    ///
    /// # Errors
    /// [`ArithmeticError`] for a dimension or a value out of range.
    pub fn checked_mul(self, other: Self) -> Result<Self, ArithmeticError> {
        result(
            self.value * other.value,
            self.dimension.checked_mul(other.dimension)?,
        )
    }

    /// The quotient.
    ///
    /// # Errors
    /// [`ArithmeticError`] for a zero denominator, or a dimension or a value out of range.
    pub fn checked_div(self, other: Self) -> Result<Self, ArithmeticError> {
        if other.value == 0.0 {
            return Err(ArithmeticError::DivisionByZero);
        }
        result(
            self.value / other.value,
            self.dimension.checked_div(other.dimension)?,
        )
    }

    /// The order of two quantities of one dimension.
    ///
    /// # Errors
    /// [`ArithmeticError::Mismatch`] for different dimensions.
    pub fn compare(self, other: Self) -> Result<Ordering, ArithmeticError> {
        self.same_dimension(other)?;
        Ok(self.value.total_cmp(&other.value))
    }

    /// The exact text for digests: the shortest decimal that reads back to the same f64, in scientific notation without
    /// padding (`3.35e12`, `4.1e-2`, `1e0`), then a space and the dimension where there is one.
    #[must_use]
    pub fn canonical(self) -> String {
        let separator = if self.dimension.is_none() { "" } else { " " };
        format!("{:e}{separator}{}", self.value, self.dimension)
    }

    fn same_dimension(self, other: Self) -> Result<(), ArithmeticError> {
        if self.dimension == other.dimension {
            return Ok(());
        }
        Err(ArithmeticError::Mismatch {
            left: self.dimension,
            right: other.dimension,
        })
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn result(value: f64, dimension: Dimension) -> Result<Quantity, ArithmeticError> {
    Quantity::new(value, dimension).map_err(|_| ArithmeticError::NotFinite)
}

impl FromStr for Quantity {
    type Err = QuantityError;

    /// Reads `[+-]digits[.digits][e[+-]digits]`, optional spaces, and a unit (see [`Unit::parse`]).
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let text = text.trim();
        let (number, unit) = text.split_at(number_len(text));
        if number.is_empty() {
            return Err(QuantityError::Number {
                text: text.to_owned(),
            });
        }
        let unit = unit.trim_start();
        if unit == "1" {
            // The unit of a plain number in serialized form; after a number it is a slip.
            return Err(UnitError::Unknown {
                symbol: unit.to_owned(),
            }
            .into());
        }
        Self::from_literal(number, Unit::parse(unit)?)
    }
}

/// How many bytes of `text` are a decimal number; 0 where it starts with none.
fn number_len(text: &str) -> usize {
    let digits = |from: usize| {
        text.as_bytes()[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let mut end = sign + whole;
    if text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    end
}

impl Serialize for Quantity {
    /// `{"value": number of base units, "unit": base units}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Quantity", 2)?;
        object.serialize_field("value", &self.value)?;
        object.serialize_field("unit", &self.dimension)?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Quantity {
    /// The inverse of the serialized form; any unit is read, base or not.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Form {
            value: f64,
            unit: String,
        }
        let form = Form::deserialize(deserializer)?;
        let unit = Unit::parse(&form.unit).map_err(D::Error::custom)?;
        Self::new(unit.in_base_units(form.value), unit.dimension()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        text.parse().unwrap()
    }

    #[test]
    fn reads_numbers_with_units() {
        let cases = [
            ("22 us", 22e-6, Dimension::TIME),
            ("22us", 22e-6, Dimension::TIME),
            ("1.1 \u{b5}s", 1.1e-6, Dimension::TIME),
            ("1.5 %", 0.015, Dimension::NONE),
            ("3350 GB/s", 3.35e12, Dimension::BANDWIDTH),
            ("3.5 USD/h", 3.5 / 3600.0, Dimension::CURRENCY_RATE),
            ("10 min", 600.0, Dimension::TIME),
            ("810 MHz", 810e6, Dimension::FREQUENCY),
            ("-4e-3 s", -4e-3, Dimension::TIME),
            ("1.15", 1.15, Dimension::NONE),
            ("1e3", 1e3, Dimension::NONE),
        ];
        for (text, value, dimension) in cases {
            assert_eq!(quantity(text), Quantity { value, dimension }, "{text}");
        }
    }

    #[test]
    fn spellings_of_one_decimal_quantity_are_the_same_bits() {
        for (left, right) in [
            ("1.1 us", "0.0000011 s"),
            ("0.3 %", "0.003"),
            ("24.1 GB/s", "24100 MB/s"),
        ] {
            assert_eq!(quantity(left), quantity(right), "{left} = {right}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_finite_decimal_number() {
        for text in ["", "ms", "nan", "inf s", "-inf", ".5 s", "+ 5"] {
            assert!(
                matches!(text.parse::<Quantity>(), Err(QuantityError::Number { .. })),
                "{text}"
            );
        }
        for text in ["1e999", "1e308 GB", "1e99999999999 s"] {
            assert!(text.parse::<Quantity>().is_err(), "{text}");
        }
        assert_eq!(
            Quantity::new(f64::NAN, Dimension::NONE),
            Err(QuantityError::NotFinite)
        );
    }

    #[test]
    fn trailing_text_is_an_unknown_unit() {
        for text in ["5. s", "5 1", "1e s", "3 ms later", "1 000 s", "0x10"] {
            assert!(
                matches!(text.parse::<Quantity>(), Err(QuantityError::Unit(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn negative_zero_becomes_zero() {
        assert_eq!(quantity("-0 s").canonical(), "0e0 s");
    }

    #[test]
    fn sums_and_comparisons_need_one_dimension() {
        let (time, data) = (quantity("1 s"), quantity("1 B"));
        let mismatch = ArithmeticError::Mismatch {
            left: Dimension::TIME,
            right: Dimension::DATA,
        };
        assert_eq!(time.checked_add(data), Err(mismatch));
        assert_eq!(time.checked_sub(data), Err(mismatch));
        assert_eq!(time.compare(data), Err(mismatch));
        assert_eq!(time.compare(quantity("2 ms")), Ok(Ordering::Greater));
        assert_eq!(
            mismatch.to_string(),
            "`s` and `B` do not compare or add; give both sides the same unit"
        );
    }

    #[test]
    fn results_that_are_not_finite_are_errors() {
        let huge = quantity("1e308");
        assert_eq!(huge.checked_add(huge), Err(ArithmeticError::NotFinite));
        assert_eq!(huge.checked_mul(huge), Err(ArithmeticError::NotFinite));
        assert_eq!(
            huge.checked_div(quantity("0")),
            Err(ArithmeticError::DivisionByZero)
        );
    }

    #[test]
    fn serializes_as_value_and_base_unit() {
        let bandwidth = quantity("3350 GB/s");
        let json = serde_json::to_string(&bandwidth).unwrap();
        assert_eq!(json, r#"{"value":3350000000000.0,"unit":"B/s"}"#);
        assert_eq!(serde_json::from_str::<Quantity>(&json).unwrap(), bandwidth);
        let ratio = quantity("1.15");
        let json = serde_json::to_string(&ratio).unwrap();
        assert_eq!(json, r#"{"value":1.15,"unit":"1"}"#);
        assert_eq!(serde_json::from_str::<Quantity>(&json).unwrap(), ratio);
    }
}
