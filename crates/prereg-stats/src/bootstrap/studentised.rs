//! Bootstrap-t: the law of the studentised mean (Efron 1979).

use super::atoms::Atoms;
use super::enumerate::enumerate;
use super::error::BootstrapError;
use super::law::{EXACT_UP_TO, RESAMPLES, enumerable, resamplable};
use super::resample::{Reading, resample};
use super::statistic::sum_of;
use crate::estimate;
use crate::{Alpha, Bound, Interval, Sample, Seed, Unbounded};

/// The law of t* = (mean* − mean) / se* under resampling of at least two distinct values.
///
/// A resample without spread has t* = ±∞ by the sign of its numerator; one whose numerator is zero
/// as well shows no deviation and has t* = 0. Equality is to rounding.
#[derive(Debug, Clone)]
pub struct StudentisedLaw {
    mean: f64,
    standard_error: f64,
    atoms: Atoms,
}

impl StudentisedLaw {
    /// Exact for up to [`EXACT_UP_TO`] values, else [`RESAMPLES`] draws.
    ///
    /// # Errors
    /// As [`Law::new`](super::Law::new).
    pub fn new(sample: Sample<'_>, seed: Seed) -> Result<Self, BootstrapError> {
        if sample.values().len() <= EXACT_UP_TO {
            Self::exact(sample)
        } else {
            Self::resampled(sample, RESAMPLES, seed)
        }
    }

    /// The exact law.
    ///
    /// # Errors
    /// As [`Law::exact`](super::Law::exact).
    pub fn exact(sample: Sample<'_>) -> Result<Self, BootstrapError> {
        enumerable(sample)?;
        Self::of(sample, |deviations| {
            let found = enumerate(deviations.values.len(), |counts| {
                deviations.of_counts(counts)
            });
            Atoms::enumerated(found)
        })
    }

    /// The law of `resamples` draws, at least one.
    ///
    /// # Errors
    /// As [`Law::new`](super::Law::new).
    pub fn resampled(
        sample: Sample<'_>,
        resamples: usize,
        seed: Seed,
    ) -> Result<Self, BootstrapError> {
        Self::of(sample, |deviations| {
            Atoms::drawn(resample(deviations, resamples.max(1), seed))
        })
    }

    fn of(
        sample: Sample<'_>,
        atoms: impl FnOnce(&Deviations) -> Atoms,
    ) -> Result<Self, BootstrapError> {
        resamplable(sample)?;
        let (mean, spread) = (estimate::mean(sample), estimate::sd(sample)?);
        let sorted = sample.sorted();
        let deviations = Deviations {
            values: sorted.iter().map(|value| (value - mean) / spread).collect(),
            resolution: estimate::resolution(&sorted) / spread,
        };
        Ok(Self {
            mean,
            standard_error: spread / libm::sqrt(sorted.len() as f64),
            atoms: atoms(&deviations),
        })
    }
}

/// One-sided bootstrap-t bounds: mean − t*(1 − `alpha_lower`) · se and mean − t*(`alpha_upper`) · se.
/// An infinite quantile leaves its side unbounded.
#[must_use]
pub fn studentised_bounds(
    law: &StudentisedLaw,
    alpha_lower: Alpha,
    alpha_upper: Alpha,
) -> [Bound; 2] {
    [1.0 - alpha_lower.get(), alpha_upper.get()].map(|p| {
        let t = law.atoms.quantile(p);
        if t.is_finite() {
            Bound::of(law.mean - t * law.standard_error)
        } else {
            Bound::Unbounded(Unbounded::InfiniteQuantile)
        }
    })
}

/// The bootstrap-t interval at two-sided `alpha`: [`studentised_bounds`] at half on each side.
#[must_use]
pub fn studentised(law: &StudentisedLaw, alpha: Alpha) -> Interval {
    Interval::of_halves(alpha, |side| studentised_bounds(law, side, side))
}

/// Deviations of the values from their mean, in standard deviations; t* has no unit.
struct Deviations {
    values: Vec<f64>,
    /// Below this, deviations are equal to rounding.
    resolution: f64,
}

impl Deviations {
    fn of_counts(&self, counts: &[u32]) -> f64 {
        let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.values.iter().zip(counts);
            terms
                .map(|(value, count)| f64::from(*count) * term(*value))
                .sum()
        };
        let mean = sum(&|value| value) / self.values.len() as f64;
        self.t(mean, sum(&|value| (value - mean) * (value - mean)))
    }

    /// t* of a resample with this mean and this sum of squares about it.
    fn t(&self, mean: f64, squares: f64) -> f64 {
        let count = self.values.len() as f64;
        let spread = libm::sqrt(squares / (count - 1.0));
        let numerator = if mean.abs() <= self.resolution {
            0.0
        } else {
            mean
        };
        if spread > self.resolution {
            numerator * libm::sqrt(count) / spread
        } else if numerator == 0.0 {
            0.0
        } else {
            f64::INFINITY.copysign(numerator)
        }
    }
}

impl Reading for Deviations {
    type Scratch = ();

    fn size(&self) -> u32 {
        self.values.len() as u32
    }

    fn scratch(&self) {}

    fn read(&self, positions: &[u32], (): &mut ()) -> f64 {
        let mean = sum_of(positions, |position| self.values[position]) / self.values.len() as f64;
        let squares = sum_of(positions, |position| {
            let deviation = self.values[position] - mean;
            deviation * deviation
        });
        self.t(mean, squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha(value: f64) -> Alpha {
        Alpha::new(value).unwrap()
    }

    fn sample(values: &[f64]) -> Sample<'_> {
        Sample::new(values).unwrap()
    }

    #[test]
    fn the_exact_law_of_two_values_is_infinite_on_both_sides() {
        // Draws 00, 01, 10, 11 of {0, 1}: −∞, 0, 0, ∞.
        let law = StudentisedLaw::exact(sample(&[0.0, 1.0])).unwrap();
        let found = [0.25, 0.26, 0.75, 0.76].map(|p| law.atoms.quantile(p));
        assert_eq!(found, [f64::NEG_INFINITY, 0.0, 0.0, f64::INFINITY]);
        let reason = Bound::Unbounded(Unbounded::InfiniteQuantile);
        assert_eq!(
            studentised_bounds(&law, alpha(0.05), alpha(0.05)),
            [reason; 2]
        );
        let middle = studentised_bounds(&law, alpha(0.3), alpha(0.3));
        assert_eq!(middle, [Bound::Finite(0.5); 2]);
    }

    #[test]
    fn a_resample_without_spread_at_the_mean_shows_no_deviation() {
        // Of 27 draws of {0, 1, 2}, three have no spread: 000 at −∞, 111 at 0, 222 at ∞.
        let law = StudentisedLaw::exact(sample(&[0.0, 1.0, 2.0])).unwrap();
        let found =
            [1.0, 1.01, 13.0, 15.0, 26.0, 26.01].map(|draws| law.atoms.quantile(draws / 27.0));
        assert_eq!([found[0], found[5]], [f64::NEG_INFINITY, f64::INFINITY]);
        assert_eq!([found[2], found[3]], [0.0; 2]);
        // 0, 0, 1: mean ⅓, standard error ⅓.
        assert!((found[1] + 2.0).abs() < 1e-12 && (found[4] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn drawn_and_enumerated_laws_agree() {
        let values = [1.0, 1.3, 1.1, 2.0, 1.7, 1.2, 1.4];
        let exact = studentised(&StudentisedLaw::exact(sample(&values)).unwrap(), alpha(0.1));
        let seed = Seed([8; 32]);
        let drawn = StudentisedLaw::resampled(sample(&values), 100_000, seed).unwrap();
        let drawn = studentised(&drawn, alpha(0.1));
        for (exact, drawn) in [(exact.lower, drawn.lower), (exact.upper, drawn.upper)] {
            let difference = exact.finite().unwrap() - drawn.finite().unwrap();
            assert!(difference.abs() < 0.02, "{exact:?} {drawn:?}");
        }
    }

    #[test]
    fn spreads_near_the_ends_of_the_range_make_no_difference() {
        let values = [1.0, 1.3, 1.1, 2.0, 1.7];
        let bounds = |scale: f64| {
            let scaled = values.map(|value| value * scale);
            let law = StudentisedLaw::exact(sample(&scaled)).unwrap();
            studentised_bounds(&law, alpha(0.05), alpha(0.05))
                .map(|bound| bound.finite().unwrap() / scale)
        };
        for scale in [1e-300, 1e290] {
            for (found, expected) in bounds(scale).into_iter().zip(bounds(1.0)) {
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{scale}: {found} {expected}"
                );
            }
        }
    }
}
