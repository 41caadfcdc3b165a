//! The symbols that a unit is written with: base units, derived units, SI prefixes.

use crate::{Base, Dimension};

/// One symbol's meaning: 10^`ten` · 60^`sixty` base units of `dimension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) ten: i32,
    pub(crate) sixty: i32,
    pub(crate) dimension: Dimension,
}

/// SI prefixes with their powers of ten; `µ` stands in both of its Unicode encodings.
const PREFIXES: [(&str, i32); 10] = [
    ("p", -12),
    ("n", -9),
    ("u", -6),
    ("\u{b5}", -6),
    ("\u{3bc}", -6),
    ("m", -3),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
];

/// Symbols that take a prefix.
const PREFIXED: [(&str, Dimension); 6] = [
    ("s", Dimension::TIME),
    ("B", Dimension::DATA),
    ("Hz", Dimension::FREQUENCY),
    ("W", Dimension::POWER),
    ("J", Dimension::ENERGY),
    ("K", Dimension::TEMPERATURE),
];

/// The symbols without prefix, for messages.
pub(crate) const KNOWN: &str =
    "s, B, Hz, W, J, K (each with p, n, u, m, k, M, G, T), min, h, token, step, USD, %";

/// Looks a symbol up. Exact names come first, so that `min` is never read as a prefix.
pub(crate) fn look_up(text: &str) -> Option<Symbol> {
    let plain = |ten, sixty, dimension| {
        Some(Symbol {
            ten,
            sixty,
            dimension,
        })
    };
    match text {
        "%" => return plain(-2, 0, Dimension::NONE),
        "min" => return plain(0, 1, Dimension::TIME),
        "h" => return plain(0, 2, Dimension::TIME),
        "token" => return plain(0, 0, Dimension::of(Base::Token)),
        "step" => return plain(0, 0, Dimension::of(Base::Step)),
        "USD" => return plain(0, 0, Dimension::of(Base::Usd)),
        _ => {}
    }
    let (name, dimension) = PREFIXED
        .into_iter()
        .find(|(name, _)| text.ends_with(name))?;
    let prefix = text.strip_suffix(name)?;
    if prefix.is_empty() {
        return plain(0, 0, dimension);
    }
    let (_, ten) = PREFIXES.into_iter().find(|(symbol, _)| *symbol == prefix)?;
    plain(ten, 0, dimension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_applies_to_every_prefixed_symbol() {
        for (prefix, ten) in PREFIXES {
            for (name, dimension) in PREFIXED {
                let found = look_up(&format!("{prefix}{name}"));
                assert_eq!(
                    found,
                    Some(Symbol {
                        ten,
                        sixty: 0,
                        dimension
                    }),
                    "{prefix}{name}"
                );
            }
        }
    }

    #[test]
    fn units_without_prefix_refuse_one() {
        for text in ["kUSD", "Mtoken", "mstep", "mh", "kmin", "m%"] {
            assert_eq!(look_up(text), None, "{text}");
        }
    }

    #[test]
    fn case_matters() {
        assert_eq!(look_up("mhz"), None);
        assert_eq!(look_up("S"), None);
        assert_eq!(look_up("mW").map(|s| s.ten), Some(-3));
        assert_eq!(look_up("MW").map(|s| s.ten), Some(6));
    }
}
