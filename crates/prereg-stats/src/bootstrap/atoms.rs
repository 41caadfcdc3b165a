//! A law on finitely many numbers: drawn values, or enumerated ones with their weights.

use crate::estimate;

/// Numbers in ascending order, infinite ones at the ends.
#[derive(Debug, Clone)]
pub(super) struct Atoms {
    values: Vec<f64>,
    /// For an enumerated law: draws up to and including each value.
    draws: Option<Vec<u64>>,
}

impl Atoms {
    /// Values of equal weight, at least one, none NaN.
    pub(super) fn drawn(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Self {
            values,
            draws: None,
        }
    }

    /// Values, each with its number of draws; at least one, none NaN.
    pub(super) fn enumerated(mut found: Vec<(f64, u64)>) -> Self {
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut draws = 0;
        let up_to = found.iter().map(|(_, ways)| {
            draws += ways;
            draws
        });
        Self {
            draws: Some(up_to.collect()),
            values: found.into_iter().map(|(value, _)| value).collect(),
        }
    }

    /// The p-quantile: inf{x : F(x) ≥ p} of an enumerated law, type 7 of a drawn one.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
        let Some(draws) = &self.draws else {
            return estimate::quantile_of_sorted(&self.values, p);
        };
        let last = draws.len() - 1;
        let wanted = p * draws[last] as f64;
        self.values[draws
            .partition_point(|up_to| (*up_to as f64) < wanted)
            .min(last)]
    }

    /// P(X < value) + ½ P(X = value), equality within `tolerance`.
    pub(super) fn mid_rank(&self, value: f64, tolerance: f64) -> f64 {
        let below = self
            .values
            .partition_point(|atom| *atom < value - tolerance);
        let up_to = self
            .values
            .partition_point(|atom| *atom <= value + tolerance);
        f64::midpoint(self.weight(below), self.weight(up_to)) / self.weight(self.values.len())
    }

    /// Draws that give the first `count` values.
    fn weight(&self, count: usize) -> f64 {
        match &self.draws {
            _ if count == 0 => 0.0,
            Some(draws) => draws[count - 1] as f64,
            None => count as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_an_enumerated_law_are_its_values() {
        let atoms = Atoms::enumerated(vec![(1.0, 1), (0.0, 1), (0.5, 2)]);
        let found = [0.0, 0.25, 0.26, 0.75, 0.76, 1.0].map(|p| atoms.quantile(p));
        assert_eq!(found, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn quantiles_of_a_drawn_law_are_of_type_7() {
        let atoms = Atoms::drawn(vec![4.0, 1.0, 2.0, 3.0, 5.0]);
        let found = [0.0, 0.1, 0.5, 1.0].map(|p| atoms.quantile(p));
        assert_eq!(found, [1.0, 1.4, 3.0, 5.0]);
    }

    #[test]
    fn a_quantile_beside_an_infinite_value_is_not_nan() {
        let atoms = Atoms::drawn(vec![1.0, 2.0, f64::INFINITY]);
        let found = [0.5, 0.75].map(|p| atoms.quantile(p));
        assert_eq!(found, [2.0, f64::INFINITY]);
    }

    #[test]
    fn ties_count_half_in_the_mid_rank() {
        let atoms = Atoms::enumerated(vec![(0.0, 1), (0.5, 2), (1.0, 1)]);
        assert_eq!(atoms.mid_rank(0.5, 1e-12), 0.5);
        assert_eq!(atoms.mid_rank(0.7, 1e-12), 0.75);
        assert_eq!(Atoms::drawn(vec![1.0, 2.0]).mid_rank(1.0, 0.0), 0.25);
    }
}
