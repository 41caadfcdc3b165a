//! The bootstrap law of a statistic.

use super::error::BootstrapError;
use super::statistic::Statistic;
use super::{enumerate, resample};
use crate::estimate;
use crate::{Sample, Seed};

/// Up to this many values the law is enumerated.
pub const EXACT_UP_TO: usize = 10;

/// Resamples drawn beyond that.
pub const RESAMPLES: usize = 9_999;

/// The law of a statistic under resampling of a sample of at least two distinct values.
#[derive(Debug, Clone)]
pub struct Law {
    statistic: Statistic,
    /// The sample, ascending.
    sample: Vec<f64>,
    estimate: f64,
    /// Values of the statistic, ascending.
    atoms: Vec<f64>,
    /// For an enumerated law: draws up to and including each atom.
    draws: Option<Vec<u64>>,
}

impl Law {
    /// The law that is reported: exact for up to [`EXACT_UP_TO`] values, else [`RESAMPLES`] draws.
    ///
    /// # Errors
    /// [`BootstrapError`] for one value and for equal ones.
    pub fn new(
        sample: Sample<'_>,
        statistic: Statistic,
        seed: Seed,
    ) -> Result<Self, BootstrapError> {
        if sample.values().len() <= EXACT_UP_TO {
            Self::exact(sample, statistic)
        } else {
            Self::resampled(sample, statistic, RESAMPLES, seed)
        }
    }

    /// The exact law.
    ///
    /// # Errors
    /// As [`Law::new`], and [`BootstrapError::TooManyToEnumerate`].
    pub fn exact(sample: Sample<'_>, statistic: Statistic) -> Result<Self, BootstrapError> {
        let values = sample.values().len();
        if values > EXACT_UP_TO {
            return Err(BootstrapError::TooManyToEnumerate {
                values,
                limit: EXACT_UP_TO,
            });
        }
        let mut law = Self::empty(sample, statistic)?;
        let mut found = enumerate::enumerate(&law.sample, statistic);
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut draws = 0;
        law.draws = Some(
            found
                .iter()
                .map(|(_, ways)| {
                    draws += ways;
                    draws
                })
                .collect(),
        );
        law.atoms = found.into_iter().map(|(value, _)| value).collect();
        Ok(law)
    }

    /// The law of `resamples` draws, at least one.
    ///
    /// # Errors
    /// As [`Law::new`].
    pub fn resampled(
        sample: Sample<'_>,
        statistic: Statistic,
        resamples: usize,
        seed: Seed,
    ) -> Result<Self, BootstrapError> {
        let mut law = Self::empty(sample, statistic)?;
        law.atoms = resample::resample(&law.sample, statistic, resamples.max(1), seed);
        law.atoms.sort_unstable_by(f64::total_cmp);
        Ok(law)
    }

    fn empty(sample: Sample<'_>, statistic: Statistic) -> Result<Self, BootstrapError> {
        if sample.values().len() < 2 {
            return Err(BootstrapError::OneValue);
        }
        if estimate::is_degenerate(sample)? {
            return Err(BootstrapError::Degenerate);
        }
        let estimate = match statistic {
            Statistic::Mean => estimate::mean(sample)?,
            Statistic::Median => estimate::median(sample),
        };
        Ok(Self {
            statistic,
            sample: sample.sorted(),
            estimate,
            atoms: Vec::new(),
            draws: None,
        })
    }

    /// The statistic of the sample itself.
    #[must_use]
    pub const fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The p-quantile: inf{x : F(x) ≥ p} of an exact law, type 7 of a drawn one.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
        let Some(draws) = &self.draws else {
            return estimate::quantile_of_sorted(&self.atoms, p);
        };
        let last = draws.len() - 1;
        let wanted = p * draws[last] as f64;
        self.atoms[draws
            .partition_point(|up_to| (*up_to as f64) < wanted)
            .min(last)]
    }

    /// P(θ* < θ̂) + ½ P(θ* = θ̂), equality to rounding.
    pub(super) fn mid_rank(&self) -> f64 {
        let tolerance = estimate::resolution(&self.sample);
        let below = self
            .atoms
            .partition_point(|atom| *atom < self.estimate - tolerance);
        let up_to = self
            .atoms
            .partition_point(|atom| *atom <= self.estimate + tolerance);
        let draws_before = |count: usize| match &self.draws {
            _ if count == 0 => 0.0,
            Some(draws) => draws[count - 1] as f64,
            None => count as f64,
        };
        f64::midpoint(draws_before(below), draws_before(up_to)) / draws_before(self.atoms.len())
    }

    /// The statistic with each value of the sample left out in turn.
    pub(super) fn jackknife(&self) -> Vec<f64> {
        (0..self.sample.len())
            .map(|left_out| self.statistic.without(&self.sample, left_out))
            .collect()
    }

    pub(super) fn sample_size(&self) -> usize {
        self.sample.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed([0; 32]);

    fn sample(values: &[f64]) -> Sample<'_> {
        Sample::new(values).unwrap()
    }

    #[test]
    fn the_law_is_exact_up_to_ten_values() {
        let values: Vec<f64> = (0..11).map(f64::from).collect();
        assert!(
            Law::new(sample(&values[..10]), Statistic::Median, SEED)
                .unwrap()
                .draws
                .is_some()
        );
        assert!(
            Law::new(sample(&values), Statistic::Median, SEED)
                .unwrap()
                .draws
                .is_none()
        );
        let error = Law::exact(sample(&values), Statistic::Median).unwrap_err();
        assert_eq!(
            error,
            BootstrapError::TooManyToEnumerate {
                values: 11,
                limit: 10
            }
        );
    }

    #[test]
    fn one_value_and_equal_values_have_no_law() {
        let law = |values| Law::new(sample(values), Statistic::Mean, SEED).unwrap_err();
        assert_eq!(law(&[1.0]), BootstrapError::OneValue);
        assert_eq!(law(&[0.1; 10]), BootstrapError::Degenerate);
        assert_eq!(law(&[0.1; 20]), BootstrapError::Degenerate);
    }

    #[test]
    fn quantiles_of_an_exact_law_are_its_atoms() {
        // Means of two draws from {0, 1}: 0, ½, 1 with probabilities ¼, ½, ¼.
        let law = Law::exact(sample(&[0.0, 1.0]), Statistic::Mean).unwrap();
        let found = [0.0, 0.25, 0.26, 0.75, 0.76, 1.0].map(|p| law.quantile(p));
        assert_eq!(found, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
        assert_eq!(law.mid_rank(), 0.5);
    }

    #[test]
    fn the_median_of_an_odd_sample_has_the_closed_form_law() {
        // P(M* ≤ x(j)) = P(Bin(n, j/n) ≥ (n+1)/2).
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let law = Law::exact(sample(&values), Statistic::Median).unwrap();
        for (j, value) in (1..).zip(values) {
            let expected = crate::distribution::binomial::at_least(5, f64::from(j) / 5.0, 3);
            let draws = law.draws.as_ref().unwrap();
            let up_to = law.atoms.partition_point(|atom| *atom <= value);
            assert!(
                (draws[up_to - 1] as f64 / 3125.0 - expected).abs() < 1e-12,
                "{value}"
            );
        }
    }
}
