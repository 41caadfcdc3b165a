//! Ranges of sums, narrowed by what is known of the order of their parts.
//!
//! Where a ≤ b, both not negative, a = r·b with a fraction r. So a ratio of ordered numbers lies
//! within 0 and 1, and c·a − d·b is b·(c·r − d).

use prereg_declaration::Statistic;

use super::{Atom, Numbers, Range, Terms};
use crate::plan::terms::{Monomial, inverse, multiplied};

impl Numbers<'_> {
    /// Every value that the sum can take.
    pub(in crate::plan) fn range(&self, terms: &Terms) -> Range {
        let plain = terms.iter().fold(Range::exactly(0.0), |sum, (m, c)| {
            sum.plus(self.scaled(m, c))
        });
        plain.and(self.paired(terms))
    }

    /// Whether every value of a monomial is above zero.
    pub(in crate::plan) fn is_positive(&self, monomial: &Monomial) -> bool {
        self.monomial(monomial).is_positive()
    }

    fn scaled(&self, monomial: &Monomial, coefficient: f64) -> Range {
        self.monomial(monomial).times(Range::exactly(coefficient))
    }

    /// Terms of opposite signs taken together where one is a fraction of the other.
    fn paired(&self, terms: &Terms) -> Range {
        let mut rest: Vec<(&Monomial, f64)> = terms.iter().collect();
        let mut sum = Range::exactly(0.0);
        while let Some((monomial, coefficient)) = rest.pop() {
            let partner = rest.iter().position(|(other, other_coefficient)| {
                coefficient * other_coefficient < 0.0
                    && (self.is_fraction(monomial, other) || self.is_fraction(other, monomial))
            });
            let Some(partner) = partner else {
                sum = sum.plus(self.scaled(monomial, coefficient));
                continue;
            };
            let other = rest.remove(partner);
            let (part, whole) = if self.is_fraction(monomial, other.0) {
                ((monomial, coefficient), other)
            } else {
                (other, (monomial, coefficient))
            };
            let factor = Range::between(0.0, 1.0)
                .times(Range::exactly(part.1))
                .plus(Range::exactly(whole.1));
            sum = sum.plus(self.monomial(whole.0).times(factor));
        }
        sum
    }

    /// Whether `part` is `whole` times a fraction: nothing but ordered pairs is left of part/whole,
    /// and all that they share is not negative.
    fn is_fraction(&self, part: &Monomial, whole: &Monomial) -> bool {
        let Some(mut left) = multiplied(part, &inverse(whole)) else {
            return false;
        };
        let not_negative = |monomial: &Monomial| {
            monomial
                .keys()
                .all(|atom| self.atoms[*atom].1.is_non_negative())
        };
        if !not_negative(part) || !not_negative(whole) {
            return false;
        }
        while let Some((small, great)) = self.ordered_pair(&left) {
            take(&mut left, small, great);
        }
        left.is_empty()
    }

    /// An atom above the line that is at most one below it.
    fn ordered_pair(&self, monomial: &Monomial) -> Option<(usize, usize)> {
        let side = |sign: i32| {
            monomial
                .iter()
                .filter(move |(_, exponent)| exponent.signum() == sign)
                .map(|(atom, _)| *atom)
        };
        side(1).find_map(|small| {
            side(-1)
                .find(|great| self.is_at_most(small, *great))
                .map(|great| (small, great))
        })
    }

    fn monomial(&self, monomial: &Monomial) -> Range {
        let product = |monomial: &Monomial| {
            let factors = monomial
                .iter()
                .map(|(atom, exponent)| self.atoms[*atom].1.power(*exponent));
            factors.fold(Range::exactly(1.0), Range::times)
        };
        let plain = product(monomial);
        if !plain.is_positive() {
            return plain;
        }
        let (mut rest, mut ratio) = (monomial.clone(), Range::exactly(1.0));
        loop {
            if let Some((small, great)) = self.ordered_pair(&rest) {
                take(&mut rest, small, great);
                ratio = ratio.times(Range::FRACTION);
            } else if let Some((small, great)) = self.ordered_pair(&inverse(&rest)) {
                take(&mut rest, great, small);
                ratio = ratio.times(Range::AT_LEAST_ONE);
            } else {
                return plain.and(product(&rest).times(ratio));
            }
        }
    }

    fn is_at_most(&self, left: usize, right: usize) -> bool {
        let (left, right) = (&self.atoms[left].0, &self.atoms[right].0);
        let (smaller, greater) = match (left, right) {
            (Atom::OverSteps(smaller, of), Atom::OverSteps(greater, other)) if of == other => {
                (*smaller, *greater)
            }
            (Atom::OverSessions(smaller, of), Atom::OverSessions(greater, other))
                if of == other =>
            {
                (*smaller, *greater)
            }
            _ => return false,
        };
        match (position(smaller), position(greater)) {
            (Some(smaller), Some(greater)) => smaller <= greater,
            // The mean lies between the ends, anywhere.
            (Some(end), None) => end == 0.0 && greater == Statistic::Mean,
            (None, Some(end)) => end == 1.0 && smaller == Statistic::Mean,
            (None, None) => false,
        }
    }
}

/// Takes one `above` from above the line and one `below` from below it.
fn take(monomial: &mut Monomial, above: usize, below: usize) {
    for (atom, step) in [(above, -1), (below, 1)] {
        let exponent = monomial.get(&atom).copied().unwrap_or(0) + step;
        if exponent == 0 {
            monomial.remove(&atom);
        } else {
            monomial.insert(atom, exponent);
        }
    }
}

/// Where a statistic stands among the sorted values.
fn position(statistic: Statistic) -> Option<f64> {
    match statistic {
        Statistic::Min => Some(0.0),
        Statistic::Quantile(p) => Some(p),
        Statistic::Median => Some(0.5),
        Statistic::Max => Some(1.0),
        _ => None,
    }
}
