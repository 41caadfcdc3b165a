//! Physical dimensions: integer exponents over the base units.

use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// A base unit. The order is that of the canonical form and never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Time, in seconds.
    Second,
    /// Data, in bytes.
    Byte,
    /// Temperature, in kelvins.
    Kelvin,
    /// Energy, in joules.
    Joule,
    /// Tokens.
    Token,
    /// Timed steps.
    Step,
    /// Currency, in US dollars.
    Usd,
}

impl Base {
    /// Every base unit, in canonical order.
    pub const ALL: [Self; 7] = [
        Self::Second,
        Self::Byte,
        Self::Kelvin,
        Self::Joule,
        Self::Token,
        Self::Step,
        Self::Usd,
    ];

    /// The symbol, as a declaration spells it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Byte => "B",
            Self::Kelvin => "K",
            Self::Joule => "J",
            Self::Token => "token",
            Self::Step => "step",
            Self::Usd => "USD",
        }
    }
}

/// An exponent left the range −128..=127.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the unit's exponent of `{}` is out of range; write a simpler product", .base.symbol())]
pub struct DimensionOverflow {
    /// The base unit whose exponent overflowed.
    pub base: Base,
}

/// Integer exponents over the base units.
///
/// `Display` writes base units only, in canonical order, as `B/s`, `J/token`, `1/s` or `s^2`; nothing for a plain number.
/// The text parses back with [`crate::Unit::parse`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Dimension {
    exponents: [i8; 7],
}

impl Dimension {
    /// A plain number.
    pub const NONE: Self = Self { exponents: [0; 7] };
    /// Time (`s`).
    pub const TIME: Self = Self::of(Base::Second);
    /// Frequency (`1/s`).
    pub const FREQUENCY: Self = Self {
        exponents: [-1, 0, 0, 0, 0, 0, 0],
    };
    /// Data (`B`).
    pub const DATA: Self = Self::of(Base::Byte);
    /// Bandwidth (`B/s`).
    pub const BANDWIDTH: Self = Self {
        exponents: [-1, 1, 0, 0, 0, 0, 0],
    };
    /// Temperature (`K`).
    pub const TEMPERATURE: Self = Self::of(Base::Kelvin);
    /// Energy (`J`).
    pub const ENERGY: Self = Self::of(Base::Joule);
    /// Power (`J/s`).
    pub const POWER: Self = Self {
        exponents: [-1, 0, 0, 1, 0, 0, 0],
    };
    /// Tokens (`token`).
    pub const TOKENS: Self = Self::of(Base::Token);
    /// Steps (`step`).
    pub const STEPS: Self = Self::of(Base::Step);
    /// Currency (`USD`).
    pub const CURRENCY: Self = Self::of(Base::Usd);
    /// Currency per time (`USD/s`).
    pub const CURRENCY_RATE: Self = Self {
        exponents: [-1, 0, 0, 0, 0, 0, 1],
    };

    /// The dimension of one base unit.
    #[must_use]
    pub const fn of(base: Base) -> Self {
        let mut exponents = [0; 7];
        exponents[base as usize] = 1;
        Self { exponents }
    }

    /// The exponent of one base unit.
    #[must_use]
    pub const fn exponent(self, base: Base) -> i8 {
        self.exponents[base as usize]
    }

    /// Whether this is the dimension of a plain number.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The dimension of a product.
    ///
    /// # Errors
    /// [`DimensionOverflow`] where an exponent leaves its range.
    pub fn checked_mul(self, other: Self) -> Result<Self, DimensionOverflow> {
        self.combine(other, i8::checked_add)
    }

    /// The dimension of a quotient.
    ///
    /// # Errors
    /// [`DimensionOverflow`] where an exponent leaves its range.
    pub fn checked_div(self, other: Self) -> Result<Self, DimensionOverflow> {
        self.combine(other, i8::checked_sub)
    }

    fn combine(
        self,
        other: Self,
        join: fn(i8, i8) -> Option<i8>,
    ) -> Result<Self, DimensionOverflow> {
        let mut product = Self::NONE;
        for base in Base::ALL {
            product.exponents[base as usize] = join(self.exponent(base), other.exponent(base))
                .ok_or(DimensionOverflow { base })?;
        }
        Ok(product)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (base, sign) in Base::ALL
            .map(|b| (b, 1))
            .into_iter()
            .chain(Base::ALL.map(|b| (b, -1)))
        {
            let exponent = i16::from(self.exponent(base)) * sign;
            if exponent <= 0 {
                continue;
            }
            match (sign, text.is_empty()) {
                (1, true) => {}
                (1, false) => text.push('*'),
                (_, true) => text.push_str("1/"),
                (_, false) => text.push('/'),
            }
            text.push_str(base.symbol());
            if exponent > 1 {
                text.push('^');
                text.push_str(&exponent.to_string());
            }
        }
        f.pad(&text)
    }
}

impl Serialize for Dimension {
    /// The text of `Display`, `1` for a plain number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_none() {
            return serializer.serialize_str("1");
        }
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_numerators_before_denominators_in_canonical_order() {
        let joules_per_token = Dimension::ENERGY.checked_div(Dimension::TOKENS).unwrap();
        assert_eq!(joules_per_token.to_string(), "J/token");
        assert_eq!(Dimension::FREQUENCY.to_string(), "1/s");
        assert_eq!(
            Dimension::TIME
                .checked_mul(Dimension::TIME)
                .unwrap()
                .to_string(),
            "s^2"
        );
        assert_eq!(
            Dimension::TIME
                .checked_mul(Dimension::DATA)
                .unwrap()
                .to_string(),
            "s*B"
        );
        assert_eq!(Dimension::NONE.to_string(), "");
    }

    #[test]
    fn named_dimensions_are_the_quotients_they_claim_to_be() {
        assert_eq!(
            Dimension::DATA.checked_div(Dimension::TIME),
            Ok(Dimension::BANDWIDTH)
        );
        assert_eq!(
            Dimension::ENERGY.checked_div(Dimension::TIME),
            Ok(Dimension::POWER)
        );
        assert_eq!(
            Dimension::CURRENCY.checked_div(Dimension::TIME),
            Ok(Dimension::CURRENCY_RATE)
        );
        assert_eq!(
            Dimension::NONE.checked_div(Dimension::TIME),
            Ok(Dimension::FREQUENCY)
        );
    }

    #[test]
    fn an_exponent_out_of_range_is_an_error() {
        let mut power = Dimension::TIME;
        for _ in 0..126 {
            power = power.checked_mul(Dimension::TIME).unwrap();
        }
        assert_eq!(
            power.checked_mul(Dimension::TIME),
            Err(DimensionOverflow { base: Base::Second })
        );
    }
}
