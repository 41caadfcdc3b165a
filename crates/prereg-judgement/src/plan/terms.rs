//! Sums of products of powers: the form in which two ways of writing one number are the same.

use std::collections::BTreeMap;

/// Exponents by atom, none of them 0. Empty: the number 1.
pub(super) type Monomial = BTreeMap<usize, i32>;

/// More terms than this are not multiplied out.
const MOST_TERMS: usize = 64;
/// Greater exponents are not written out.
const GREATEST_EXPONENT: i32 = 64;

/// Coefficients by monomial, finite and none of them 0. Empty: the number 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Terms(BTreeMap<Monomial, f64>);

impl Terms {
    pub(super) fn literal(value: f64) -> Self {
        Self::term(value, Monomial::new())
    }

    pub(super) fn atom(atom: usize) -> Self {
        Self::term(1.0, Monomial::from([(atom, 1)]))
    }

    pub(super) fn monomial(monomial: Monomial) -> Self {
        Self::term(1.0, monomial)
    }

    fn term(coefficient: f64, monomial: Monomial) -> Self {
        let term = (coefficient != 0.0).then_some((monomial, coefficient));
        Self(term.into_iter().collect())
    }

    /// The terms, in an order that does not depend on how the number was written.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&Monomial, f64)> {
        self.0
            .iter()
            .map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// The value, where no atom is left.
    pub(super) fn constant(&self) -> Option<f64> {
        let mut terms = self.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0.0),
            (Some((monomial, value)), None) if monomial.is_empty() => Some(value),
            _ => None,
        }
    }

    /// Without the part that has no atom, and that part.
    pub(super) fn split(&self) -> (Self, f64) {
        let mut rest = self.clone();
        let constant = rest.0.remove(&Monomial::new()).unwrap_or(0.0);
        (rest, constant)
    }

    pub(super) fn times_literal(&self, factor: f64) -> Option<Self> {
        let terms = self.iter().map(|(m, c)| (m.clone(), c * factor));
        Self(terms.collect()).checked()
    }

    /// The sum; `None` where it is beyond the reach of f64.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.0.clone();
        for (monomial, coefficient) in other.iter() {
            *sum.entry(monomial.clone()).or_insert(0.0) += coefficient;
        }
        Self(sum).checked()
    }

    /// The product; `None` where it has too many terms or is beyond the reach of f64.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        if self.0.len() * other.0.len() > MOST_TERMS {
            return None;
        }
        let mut product = BTreeMap::new();
        for (left, a) in self.iter() {
            for (right, b) in other.iter() {
                *product.entry(multiplied(left, right)?).or_insert(0.0) += a * b;
            }
        }
        Self(product).checked()
    }

    /// The factor by which this is `other`, where it is a multiple of it.
    pub(super) fn multiple_of(&self, other: &Self) -> Option<f64> {
        let (_, first) = self.iter().next()?;
        let (_, of) = other.iter().next()?;
        (*self == other.times_literal(first / of)?).then_some(first / of)
    }

    /// 1 by this; only of a single term.
    pub(super) fn reciprocal(&self) -> Option<Self> {
        let mut terms = self.iter();
        let (Some((monomial, coefficient)), None) = (terms.next(), terms.next()) else {
            return None;
        };
        Self(BTreeMap::from([(inverse(monomial), 1.0 / coefficient)])).checked()
    }

    fn checked(mut self) -> Option<Self> {
        self.0.retain(|_, coefficient| *coefficient != 0.0);
        self.0.values().all(|c| c.is_finite()).then_some(self)
    }
}

/// The product of two monomials; `None` where an exponent grows too great.
pub(super) fn multiplied(left: &Monomial, right: &Monomial) -> Option<Monomial> {
    let mut product = left.clone();
    for (atom, exponent) in right {
        let sum = product.get(atom).copied().unwrap_or(0) + exponent;
        if sum.abs() > GREATEST_EXPONENT {
            return None;
        }
        if sum == 0 {
            product.remove(atom);
        } else {
            product.insert(*atom, sum);
        }
    }
    Some(product)
}

/// 1 by the monomial.
pub(super) fn inverse(monomial: &Monomial) -> Monomial {
    monomial.iter().map(|(atom, e)| (*atom, -e)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ways_of_writing_a_number_are_the_same() {
        let (x, y) = (Terms::atom(0), Terms::atom(1));
        let sum = x.plus(&y).unwrap();
        let square = sum.times(&sum).unwrap();
        let written_out = [
            x.times(&x).unwrap(),
            x.times(&y).unwrap().times_literal(2.0).unwrap(),
            y.times(&y).unwrap(),
        ];
        let written_out = written_out
            .iter()
            .try_fold(Terms::default(), |sum, term| sum.plus(term));
        assert_eq!(Some(square), written_out);
    }

    #[test]
    fn what_cancels_leaves_a_constant() {
        let x = Terms::atom(0);
        let one = x.times(&x.reciprocal().unwrap()).unwrap();
        assert_eq!(one.constant(), Some(1.0));
        let nothing = x.plus(&x.times_literal(-1.0).unwrap()).unwrap();
        assert_eq!(nothing.constant(), Some(0.0));
    }

    #[test]
    fn a_multiple_is_recognised() {
        let sum = Terms::atom(0).plus(&Terms::literal(3.0)).unwrap();
        let twice = sum.times_literal(2.0).unwrap();
        assert_eq!(twice.multiple_of(&sum), Some(2.0));
        assert_eq!(Terms::atom(0).multiple_of(&sum), None);
        assert_eq!(sum.multiple_of(&Terms::default()), None);
    }

    #[test]
    fn a_sum_has_no_reciprocal_and_zero_has_none() {
        let sum = Terms::atom(0).plus(&Terms::atom(1)).unwrap();
        assert_eq!(sum.reciprocal(), None);
        assert_eq!(Terms::literal(0.0).reciprocal(), None);
    }

    #[test]
    fn what_grows_beyond_bounds_is_not_written_out() {
        let mut power = Terms::atom(0);
        let squared = (0..10).try_for_each(|_| {
            power = power.times(&power)?;
            Some(())
        });
        assert_eq!(squared, None);
        assert_eq!(Terms::literal(1e300).times_literal(1e300), None);
    }
}
