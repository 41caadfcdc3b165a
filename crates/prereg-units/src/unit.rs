//! Units as they are written behind a number: `us`, `GB/s`, `USD/h`, `%`, `s^2`, `1/s`.

use thiserror::Error;

use crate::symbol::{self, KNOWN};
use crate::{Dimension, DimensionOverflow};

/// Why a unit could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnitError {
    /// Nothing stands where a symbol should.
    #[error("`{unit}` is not a unit: a symbol is missing; write it as in `GB/s`")]
    Missing {
        /// The whole unit as written.
        unit: String,
    },
    /// A symbol that is not known.
    #[error("unknown unit `{symbol}`; the units are {KNOWN}")]
    Unknown {
        /// The symbol as written.
        symbol: String,
    },
    /// An exponent that is not an integer from −9 to 9.
    #[error("`{exponent}` is not an exponent; write an integer from -9 to 9, as in `s^2`")]
    Exponent {
        /// The exponent as written.
        exponent: String,
    },
    /// Powers of ten or sixty beyond 99.
    #[error("the scale of `{unit}` is out of range; write a simpler product")]
    Scale {
        /// The whole unit as written.
        unit: String,
    },
    /// Too high a power.
    #[error(transparent)]
    Overflow(#[from] DimensionOverflow),
}

/// A unit: a dimension and a scale of 10^i · 60^j base units.
///
/// The scale stays a pair of integers, so that a decimal number with a unit is rounded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    ten: i32,
    sixty: i32,
    dimension: Dimension,
}

impl Unit {
    /// The unit of a plain number.
    pub const NONE: Self = Self {
        ten: 0,
        sixty: 0,
        dimension: Dimension::NONE,
    };

    /// Reads a unit: symbols with an optional `^n`, joined by `*` or `/` from left to right, without spaces inside.
    /// Empty text and `1` are the unit of a plain number; `1` may also stand first, as in `1/s`.
    ///
    /// # Errors
    /// [`UnitError`], with the part that could not be read.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let mut unit = Self::NONE;
        if text.is_empty() || text == "1" {
            return Ok(unit);
        }
        let mut sign = 1;
        let mut rest = text;
        loop {
            let end = rest.find(['*', '/']).unwrap_or(rest.len());
            let factor = &rest[..end];
            let is_leading_one = factor == "1" && rest.len() == text.len() && end < rest.len();
            if !is_leading_one {
                unit = unit.times(factor, sign, text)?;
            }
            let Some(operator) = rest[end..].chars().next() else {
                return Ok(unit);
            };
            sign = if operator == '/' { -1 } else { 1 };
            rest = &rest[end + 1..];
        }
    }

    /// The dimension.
    #[must_use]
    pub const fn dimension(self) -> Dimension {
        self.dimension
    }

    /// How many base units one of this unit is.
    #[must_use]
    pub fn scale(self) -> f64 {
        self.in_base_units(1.0)
    }

    /// `number` of this unit in base units; rounded once where the powers of ten and sixty are exact in f64.
    #[must_use]
    pub(crate) fn in_base_units(self, number: f64) -> f64 {
        scaled(scaled(number, 10.0, self.ten), 60.0, self.sixty)
    }

    pub(crate) const fn ten(self) -> i32 {
        self.ten
    }

    /// The same unit without its power of ten.
    pub(crate) const fn without_ten(self) -> Self {
        Self { ten: 0, ..self }
    }

    fn times(self, factor: &str, sign: i32, whole: &str) -> Result<Self, UnitError> {
        let (symbol, exponent) = match factor.split_once('^') {
            Some((symbol, exponent)) => (symbol, parse_exponent(exponent)?),
            None => (factor, 1),
        };
        if symbol.is_empty() {
            return Err(UnitError::Missing {
                unit: whole.to_owned(),
            });
        }
        let symbol = symbol::look_up(symbol).ok_or_else(|| UnitError::Unknown {
            symbol: symbol.to_owned(),
        })?;
        let power = exponent * sign;
        let mut unit = self;
        for _ in 0..power.abs() {
            unit.dimension = if power > 0 {
                unit.dimension.checked_mul(symbol.dimension)?
            } else {
                unit.dimension.checked_div(symbol.dimension)?
            };
        }
        unit.ten += symbol.ten * power;
        unit.sixty += symbol.sixty * power;
        if unit.ten.abs() > 99 || unit.sixty.abs() > 99 {
            return Err(UnitError::Scale {
                unit: whole.to_owned(),
            });
        }
        Ok(unit)
    }
}

fn parse_exponent(text: &str) -> Result<i32, UnitError> {
    text.parse()
        .ok()
        .filter(|n: &i32| n.abs() <= 9)
        .ok_or_else(|| UnitError::Exponent {
            exponent: text.to_owned(),
        })
}

/// `number · base^power`; dividing by the positive power is exact where multiplying by a reciprocal is not.
fn scaled(number: f64, base: f64, power: i32) -> f64 {
    let factor = base.powi(power.abs());
    if power < 0 {
        number / factor
    } else {
        number * factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_units_multiply_their_scales_and_dimensions() {
        let unit = Unit::parse("GB/s").unwrap();
        assert_eq!(
            (unit.scale(), unit.dimension()),
            (1e9, Dimension::BANDWIDTH)
        );
        let rate = Unit::parse("USD/h").unwrap();
        assert_eq!(
            (rate.scale(), rate.dimension()),
            (1.0 / 3600.0, Dimension::CURRENCY_RATE)
        );
    }

    #[test]
    fn watts_are_joules_per_second() {
        assert_eq!(Unit::parse("W"), Unit::parse("J/s"));
        assert_eq!(Unit::parse("Hz"), Unit::parse("1/s"));
        assert_eq!(Unit::parse("Hz"), Unit::parse("s^-1"));
    }

    #[test]
    fn nothing_and_one_are_plain_numbers() {
        assert_eq!(Unit::parse(""), Ok(Unit::NONE));
        assert_eq!(Unit::parse("1"), Ok(Unit::NONE));
    }

    #[test]
    fn both_encodings_of_micro_are_read() {
        assert_eq!(Unit::parse("\u{b5}s"), Unit::parse("us"));
        assert_eq!(Unit::parse("\u{3bc}s"), Unit::parse("us"));
    }

    #[test]
    fn malformed_units_name_the_part_that_is_wrong() {
        let unknown = |symbol: &str| {
            Err(UnitError::Unknown {
                symbol: symbol.to_owned(),
            })
        };
        assert_eq!(Unit::parse("GB/sec"), unknown("sec"));
        assert_eq!(Unit::parse("1*1"), unknown("1"));
        assert_eq!(Unit::parse("s/1"), unknown("1"));
        assert_eq!(
            Unit::parse("GB/"),
            Err(UnitError::Missing {
                unit: "GB/".to_owned()
            })
        );
        assert_eq!(
            Unit::parse("s^x"),
            Err(UnitError::Exponent {
                exponent: "x".to_owned()
            })
        );
        assert_eq!(
            Unit::parse("s^99"),
            Err(UnitError::Exponent {
                exponent: "99".to_owned()
            })
        );
    }

    #[test]
    fn a_power_out_of_range_is_an_error() {
        let text = vec!["s^9"; 15].join("*");
        assert!(matches!(Unit::parse(&text), Err(UnitError::Overflow(_))));
        let text = ["%^9"; 6].join("*");
        assert_eq!(Unit::parse(&text), Err(UnitError::Scale { unit: text }));
    }
}
