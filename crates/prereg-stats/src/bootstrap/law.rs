//! The bootstrap law of a statistic.

use super::atoms::Atoms;
use super::enumerate::enumerate;
use super::error::BootstrapError;
use super::paired::Pairs;
use super::resample::resample;
use super::statistic::{Means, Medians, Statistic};
use crate::estimate::{self, EstimateError};
use crate::{Sample, Seed};

/// Up to this many values the law is enumerated.
pub const EXACT_UP_TO: usize = 10;

/// Resamples drawn beyond that.
pub const RESAMPLES: usize = 9_999;

/// Larger values leave no room for sums of them.
const LARGEST: f64 = f64::MAX * f64::EPSILON;

/// The law of a statistic under resampling of a sample of at least two distinct values.
#[derive(Debug, Clone)]
pub struct Law {
    source: Source,
    estimate: f64,
    atoms: Atoms,
}

/// What is resampled.
#[derive(Debug, Clone)]
enum Source {
    /// A statistic of ascending values.
    Values(Statistic, Vec<f64>),
    /// The ratio of the medians of two arms.
    Pairs(Pairs),
}

impl Law {
    /// The law that is reported: exact for up to [`EXACT_UP_TO`] values, else [`RESAMPLES`] draws.
    ///
    /// # Errors
    /// [`BootstrapError`] for one value, for equal ones, and for ones whose sum could overflow.
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
        enumerable(sample)?;
        Self::of(sample, statistic, |sorted| {
            let found = enumerate(sorted.len(), |counts| statistic.of_counts(sorted, counts));
            Atoms::enumerated(found)
        })
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
        let resamples = resamples.max(1);
        Self::of(sample, statistic, |sorted| {
            Atoms::drawn(match statistic {
                Statistic::Mean => resample(&Means(sorted), resamples, seed),
                Statistic::Median => resample(&Medians(sorted), resamples, seed),
            })
        })
    }

    /// The law of median(first) / median(second) under `resamples` draws of whole pairs.
    ///
    /// No verdict reads it: pairing belongs inside the session, and a ratio of medians over sessions
    /// throws it away. It is here so that numbers published in that form can be recomputed.
    ///
    /// # Errors
    /// As [`Law::new`], [`BootstrapError::Sample`], and [`EstimateError::NotPositive`] for a second
    /// value that is not positive.
    pub fn ratio_of_medians(
        pairs: &[(f64, f64)],
        resamples: usize,
        seed: Seed,
    ) -> Result<Self, BootstrapError> {
        let pairs = Pairs::new(pairs);
        let (first, second) = (Sample::new(pairs.first())?, Sample::new(pairs.second())?);
        let smallest = estimate::min(second);
        if smallest <= 0.0 {
            return Err(EstimateError::NotPositive { value: smallest }.into());
        }
        match (resamplable(first), resamplable(second)) {
            (Err(BootstrapError::Degenerate) | Ok(()), Ok(()))
            | (Ok(()), Err(BootstrapError::Degenerate)) => {}
            (Err(error), _) | (_, Err(error)) => return Err(error),
        }
        Ok(Self {
            estimate: estimate::median(first) / estimate::median(second),
            atoms: Atoms::drawn(resample(&pairs, resamples.max(1), seed)),
            source: Source::Pairs(pairs),
        })
    }

    fn of(
        sample: Sample<'_>,
        statistic: Statistic,
        atoms: impl FnOnce(&[f64]) -> Atoms,
    ) -> Result<Self, BootstrapError> {
        resamplable(sample)?;
        let estimate = match statistic {
            Statistic::Mean => estimate::mean(sample),
            Statistic::Median => estimate::median(sample),
        };
        let sorted = sample.sorted();
        Ok(Self {
            estimate,
            atoms: atoms(&sorted),
            source: Source::Values(statistic, sorted),
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
        self.atoms.quantile(p)
    }

    /// P(θ* < θ̂) + ½ P(θ* = θ̂), equality to rounding.
    pub(super) fn mid_rank(&self) -> f64 {
        let tolerance = match &self.source {
            Source::Values(_, sorted) => estimate::resolution(sorted),
            Source::Pairs(_) => estimate::resolution(&[self.estimate]),
        };
        self.atoms.mid_rank(self.estimate, tolerance)
    }

    /// The statistic with each value of the sample left out in turn.
    pub(super) fn jackknife(&self) -> Vec<f64> {
        match &self.source {
            Source::Values(statistic, sorted) => (0..sorted.len())
                .map(|left_out| statistic.without(sorted, left_out))
                .collect(),
            Source::Pairs(pairs) => pairs.jackknife(),
        }
    }

    pub(super) fn sample_size(&self) -> usize {
        match &self.source {
            Source::Values(_, sorted) => sorted.len(),
            Source::Pairs(pairs) => pairs.first().len(),
        }
    }
}

/// Refuses samples with too many values to enumerate.
pub(super) fn enumerable(sample: Sample<'_>) -> Result<(), BootstrapError> {
    let values = sample.values().len();
    if values > EXACT_UP_TO {
        return Err(BootstrapError::TooManyToEnumerate {
            values,
            limit: EXACT_UP_TO,
        });
    }
    Ok(())
}

/// Refuses samples that have no law: one value, equal values, values whose sum could overflow.
pub(super) fn resamplable(sample: Sample<'_>) -> Result<(), BootstrapError> {
    if sample.values().len() < 2 {
        return Err(BootstrapError::OneValue);
    }
    if sample.values().iter().any(|value| value.abs() > LARGEST) {
        return Err(EstimateError::OutOfRange.into());
    }
    if estimate::is_degenerate(sample)? {
        return Err(BootstrapError::Degenerate);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SampleError;

    const SEED: Seed = Seed([0; 32]);

    fn sample(values: &[f64]) -> Sample<'_> {
        Sample::new(values).unwrap()
    }

    #[test]
    fn the_law_is_exact_up_to_ten_values() {
        let values: Vec<f64> = (0..11).map(f64::from).collect();
        let ten = sample(&values[..10]);
        let quantiles = |law: Law| [0.01, 0.2, 0.77].map(|p| law.quantile(p));
        assert_eq!(
            quantiles(Law::new(ten, Statistic::Mean, SEED).unwrap()),
            quantiles(Law::exact(ten, Statistic::Mean).unwrap())
        );
        let error = Law::exact(sample(&values), Statistic::Median).unwrap_err();
        assert_eq!(
            error,
            BootstrapError::TooManyToEnumerate {
                values: 11,
                limit: 10
            }
        );
        assert!(Law::new(sample(&values), Statistic::Median, SEED).is_ok());
    }

    #[test]
    fn one_value_equal_values_and_values_without_room_for_sums_have_no_law() {
        let law = |values| Law::new(sample(values), Statistic::Mean, SEED).unwrap_err();
        assert_eq!(law(&[1.0]), BootstrapError::OneValue);
        assert_eq!(law(&[0.1; 10]), BootstrapError::Degenerate);
        assert_eq!(law(&[0.1; 20]), BootstrapError::Degenerate);
        assert_eq!(
            law(&[1e308, 1.0]),
            BootstrapError::Estimate(EstimateError::OutOfRange)
        );
    }

    #[test]
    fn the_mid_rank_counts_resamples_equal_to_the_estimate_half() {
        // Means of two draws from {0, 1}: 0, ½, 1 with probabilities ¼, ½, ¼.
        let law = Law::exact(sample(&[0.0, 1.0]), Statistic::Mean).unwrap();
        assert_eq!(law.mid_rank(), 0.5);
    }

    #[test]
    fn the_median_of_an_odd_sample_has_the_closed_form_law() {
        // P(M* ≤ x(j)) = P(Bin(n, j/n) ≥ (n+1)/2): the quantile there is x(j), just above it x(j + 1).
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let law = Law::exact(sample(&values), Statistic::Median).unwrap();
        for (j, pair) in (1..).zip(values.windows(2)) {
            let p = crate::distribution::binomial::at_least(5, f64::from(j) / 5.0, 3);
            let found = [p - 1e-9, p + 1e-9].map(|p| law.quantile(p));
            assert_eq!(found, [pair[0], pair[1]]);
        }
    }

    #[test]
    fn an_arm_paired_with_itself_has_the_ratio_one() {
        let pairs: Vec<_> = (1..12).map(|i| (f64::from(i), f64::from(i))).collect();
        let law = Law::ratio_of_medians(&pairs, 100, SEED).unwrap();
        assert_eq!([0.0, 0.5, 1.0].map(|p| law.quantile(p)), [1.0; 3]);
    }

    #[test]
    fn a_ratio_needs_positive_denominators_and_spread_in_one_arm() {
        let error = |pairs: &[(f64, f64)]| Law::ratio_of_medians(pairs, 100, SEED).err();
        assert_eq!(
            error(&[(1.0, 1.0), (2.0, 0.0)]),
            Some(EstimateError::NotPositive { value: 0.0 }.into())
        );
        assert_eq!(error(&[(1.0, 2.0); 5]), Some(BootstrapError::Degenerate));
        assert_eq!(error(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(error(&[]), Some(SampleError::Empty.into()));
        assert!(error(&[(f64::NAN, 1.0)]).is_some());
    }
}
