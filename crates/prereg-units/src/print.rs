//! Quantities for readers: a fitting prefix and a few significant digits.

use std::fmt;

use crate::{Base, Dimension, Quantity};

/// Significant digits where the caller asks for none in particular.
const DIGITS: u8 = 4;

const PREFIXES: [(&str, f64); 9] = [
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("", 1.0),
    ("m", 1e-3),
    ("µ", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
];

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f
            .precision()
            .map_or(DIGITS, |precision| precision.clamp(1, 17) as u8);
        let (scale, unit) = fitting_unit(self.value().abs(), self.dimension(), digits);
        let mut text = significant(self.value() / scale, digits);
        if !unit.is_empty() {
            text.push(' ');
            text.push_str(&unit);
        }
        // The precision is spent on the digits; only the width is left to pad.
        match f.width() {
            Some(width) => write!(f, "{text:>width$}"),
            None => f.write_str(&text),
        }
    }
}

/// The unit to print in, and how many base units it is.
fn fitting_unit(magnitude: f64, dimension: Dimension, digits: u8) -> (f64, String) {
    match dimension {
        Dimension::FREQUENCY => return prefixed(magnitude, "Hz", "", digits),
        Dimension::POWER => return prefixed(magnitude, "W", "", digits),
        Dimension::CURRENCY_RATE => return (1.0 / 3600.0, "USD/h".to_owned()),
        Dimension::TIME if magnitude >= 7200.0 => return (3600.0, "h".to_owned()),
        Dimension::TIME if magnitude >= 120.0 => return (60.0, "min".to_owned()),
        Dimension::TIME if magnitude >= 1.0 => return (1.0, "s".to_owned()),
        _ => {}
    }
    let text = dimension.to_string();
    // The leading factor carries the prefix, where it is a plain symbol that takes one.
    let leading = [Base::Second, Base::Byte, Base::Kelvin, Base::Joule]
        .into_iter()
        .find_map(|base| Some((base.symbol(), text.strip_prefix(base.symbol())?)))
        .filter(|(_, rest)| rest.is_empty() || rest.starts_with(['/', '*']));
    match leading {
        Some((symbol, rest)) => prefixed(magnitude, symbol, rest, digits),
        None => (1.0, text),
    }
}

fn prefixed(magnitude: f64, symbol: &str, rest: &str, digits: u8) -> (f64, String) {
    // A value that rounds up to 1000 belongs to the next prefix.
    let fits = |scale: f64| magnitude * (1.0 + 0.5 * 10_f64.powi(-i32::from(digits))) >= scale;
    let found = PREFIXES.into_iter().find(|(_, scale)| fits(*scale));
    let (prefix, scale) = if magnitude == 0.0 {
        ("", 1.0)
    } else {
        found.unwrap_or(("p", 1e-12))
    };
    (scale, format!("{prefix}{symbol}{rest}"))
}

/// `digits` significant digits without trailing zeros; scientific outside 1e-4..1e9.
fn significant(value: f64, digits: u8) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.*e}", usize::from(digits) - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..9).contains(&exponent) {
        return format!("{}e{exponent}", trim_zeros(mantissa));
    }
    let decimals = (i32::from(digits) - 1 - exponent).max(0) as usize;
    // Reading the rounded text back keeps one rounding: 9.9996 becomes 10, not 9.9996 with fewer decimals.
    let rounded: f64 = scientific.parse().unwrap_or(value);
    trim_zeros(&format!("{rounded:.decimals$}")).to_owned()
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        text.parse::<Quantity>().unwrap().to_string()
    }

    #[test]
    fn prints_a_fitting_prefix() {
        let cases = [
            ("0.0123 s", "12.3 ms"),
            ("24100 MB/s", "24.1 GB/s"),
            ("1.259", "1.259"),
            ("1.5 %", "0.015"),
            ("22 us", "22 µs"),
            ("10 min", "10 min"),
            ("90 s", "90 s"),
            ("36 h", "36 h"),
            ("1410 MHz", "1.41 GHz"),
            ("700 W", "700 W"),
            ("0.012 J/token", "12 mJ/token"),
            ("3.5 USD/h", "3.5 USD/h"),
            ("0 s", "0 s"),
            ("-250 us", "-250 µs"),
            ("12.5 token/s", "12.5 token/s"),
            ("2 s^2", "2 s^2"),
            ("3e-7 USD/token", "3e-7 USD/token"),
            ("0.9 ps", "0.9 ps"),
        ];
        for (text, expected) in cases {
            assert_eq!(printed(text), expected, "{text}");
        }
    }

    #[test]
    fn a_value_that_rounds_up_takes_the_next_prefix() {
        assert_eq!(printed("999.96 us"), "1 ms");
        assert_eq!(printed("999.4 us"), "999.4 µs");
        assert_eq!(printed("9.99996"), "10");
    }

    #[test]
    fn precision_is_significant_digits_and_width_pads() {
        let time: Quantity = "12.3456789 ms".parse().unwrap();
        assert_eq!(format!("{time:.6}"), "12.3457 ms");
        assert_eq!(format!("{time:>12.3}"), "     12.3 ms");
    }
}
