//! Quantities with physical dimensions and currency: parse, check, calculate, print.
//!
//! A [`Quantity`] is a finite number in base units with a [`Dimension`]; a [`Unit`] is what may be written behind a
//! number. The base units are `s`, `B`, `K`, `J`, `token`, `step` and `USD`; `Hz` is `1/s` and `W` is `J/s`.
//!
//! ```
//! use prereg_units::Quantity;
//!
//! let bytes: Quantity = "988 MB".parse()?;
//! let time: Quantity = "41 ms".parse()?;
//! assert_eq!(bytes.checked_div(time)?.to_string(), "24.1 GB/s");
//! assert_eq!(time.canonical(), "4.1e-2 s");
//! assert!(bytes.checked_add(time).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants: a value is never NaN, infinite or −0; two spellings of one decimal quantity (`22 us`, `0.000022 s`) give
//! the same bits; [`Quantity::canonical`] parses back to the same quantity.

mod dimension;
mod print;
mod quantity;
mod symbol;
mod unit;

pub use dimension::{Base, Dimension, DimensionOverflow};
pub use quantity::{ArithmeticError, Quantity, QuantityError};
pub use unit::{Unit, UnitError};
