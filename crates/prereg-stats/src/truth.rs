//! Three-valued truth.

use std::ops::Not;

/// True, false, or not shown to be either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truth {
    /// Shown to hold.
    True,
    /// Shown not to hold.
    False,
    /// Neither.
    Undetermined,
}

impl Truth {
    /// Strong Kleene conjunction: false wins over undetermined.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            _ => Self::Undetermined,
        }
    }

    /// Strong Kleene disjunction: true wins over undetermined.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (Self::False, Self::False) => Self::False,
            _ => Self::Undetermined,
        }
    }

    /// The conjunction of all; true for none.
    #[must_use]
    pub fn all(values: impl IntoIterator<Item = Self>) -> Self {
        values.into_iter().fold(Self::True, Self::and)
    }

    /// The disjunction of all; false for none.
    #[must_use]
    pub fn any(values: impl IntoIterator<Item = Self>) -> Self {
        values.into_iter().fold(Self::False, Self::or)
    }
}

impl Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Undetermined => Self::Undetermined,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

#[cfg(test)]
mod tests {
    use super::Truth::{self, False, True, Undetermined};

    const ALL: [Truth; 3] = [True, False, Undetermined];

    fn triples() -> impl Iterator<Item = (Truth, Truth, Truth)> {
        ALL.into_iter()
            .flat_map(|a| ALL.into_iter().flat_map(move |b| ALL.map(|c| (a, b, c))))
    }

    #[test]
    fn the_laws_of_strong_kleene_logic_hold_for_every_triple() {
        for (a, b, c) in triples() {
            assert_eq!(a.and(b), b.and(a));
            assert_eq!(a.or(b), b.or(a));
            assert_eq!(a.and(b).and(c), a.and(b.and(c)));
            assert_eq!(a.or(b).or(c), a.or(b.or(c)));
            assert_eq!(a.and(b.or(c)), a.and(b).or(a.and(c)));
            assert_eq!(a.or(a.and(b)), a);
            assert_eq!(!a.and(b), (!a).or(!b));
            assert_eq!(!!a, a);
        }
    }

    #[test]
    fn settling_an_undetermined_part_never_reverses_a_settled_whole() {
        for (a, b, settled) in triples() {
            if settled == Undetermined {
                continue;
            }
            let settle = |t: Truth| if t == Undetermined { settled } else { t };
            for (before, after) in [
                (a.and(b), settle(a).and(settle(b))),
                (a.or(b), settle(a).or(settle(b))),
            ] {
                assert!(
                    before == Undetermined || before == after,
                    "{a:?} {b:?} {settled:?}"
                );
            }
        }
    }

    #[test]
    fn undetermined_is_neither_absorbed_nor_absorbing() {
        assert_eq!(Undetermined.and(True), Undetermined);
        assert_eq!(Undetermined.and(False), False);
        assert_eq!(Undetermined.or(True), True);
        assert_eq!(Undetermined.or(False), Undetermined);
        assert_eq!(Truth::any([False, Undetermined, True]), True);
        assert_eq!(Truth::all([True, Undetermined, True]), Undetermined);
        assert_eq!((Truth::any([]), Truth::all([])), (False, True));
    }
}
