//! The three questions: a trend with the order, a difference between two groups, dependence of
//! neighbours.

use thiserror::Error;

use super::mid_rank::{centred, signed};
use super::order::p_value;
use crate::{Sample, Seed, estimate};

/// Fewer values than this say nothing about an order.
const LEAST: usize = 3;

/// A rank correlation and how surprising it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Association {
    /// Within ±1; 0 for no association.
    pub coefficient: f64,
    /// Two-sided, above 0.
    pub p: f64,
}

/// Why there is no association to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AssociationError {
    /// Fewer than three values.
    #[error("{values} values have no order to test; at least 3 are needed")]
    TooFew {
        /// How many there are.
        values: usize,
    },
    /// The values are equal to rounding.
    #[error("the values are equal to rounding, so they have no ranks")]
    Degenerate,
}

/// Spearman's rank correlation of the values with their position: drift.
///
/// # Errors
/// [`AssociationError`].
pub fn trend(in_order: Sample<'_>, seed: Seed) -> Result<Association, AssociationError> {
    let ranks = ranks(in_order.values())?;
    let count = signed(ranks.len());
    let positions: Vec<i64> = (0..count).map(|i| 2 * i + 1 - count).collect();
    Ok(correlation(&ranks, &positions, seed))
}

/// The rank correlation of the values with membership in `first` rather than `second`: positive
/// where the first are larger. Its p-value is that of the Wilcoxon rank-sum test.
///
/// # Errors
/// [`AssociationError`].
pub fn contrast(
    first: Sample<'_>,
    second: Sample<'_>,
    seed: Seed,
) -> Result<Association, AssociationError> {
    let values = [first.values(), second.values()].concat();
    let ranks = ranks(&values)?;
    // Centred: each first counts the seconds, each second takes off the firsts.
    let (firsts, seconds) = (first.values().len(), second.values().len());
    let mut groups = vec![signed(seconds); firsts];
    groups.resize(firsts + seconds, -signed(firsts));
    Ok(correlation(&ranks, &groups, seed))
}

/// The correlation of the ranks of neighbours, lag 1: serial dependence.
///
/// The p-value measures distance from the coefficient's mean over all orders, −1/n.
///
/// # Errors
/// [`AssociationError`].
pub fn serial(in_order: Sample<'_>, seed: Seed) -> Result<Association, AssociationError> {
    let ranks = ranks(in_order.values())?;
    let squares = product(&ranks, &ranks);
    let neighbours = |ranks: &[i64]| product(ranks, &ranks[1..]);
    let count = ranks.len() as i128;
    Ok(Association {
        coefficient: neighbours(&ranks) as f64 / squares as f64,
        p: p_value(&ranks, |ranks| count * neighbours(ranks) + squares, seed),
    })
}

fn ranks(values: &[f64]) -> Result<Vec<i64>, AssociationError> {
    if values.len() < LEAST {
        return Err(AssociationError::TooFew {
            values: values.len(),
        });
    }
    let ranks = centred(values);
    let degenerate =
        Sample::new(values).is_ok_and(|sample| estimate::is_degenerate(sample) == Ok(true));
    if degenerate || ranks.iter().all(|rank| *rank == 0) {
        return Err(AssociationError::Degenerate);
    }
    Ok(ranks)
}

/// Pearson's coefficient of two centred columns, of which neither is constant, with the p-value of
/// its distance from 0.
fn correlation(ranks: &[i64], covariate: &[i64], seed: Seed) -> Association {
    let squares = product(ranks, ranks) as f64 * product(covariate, covariate) as f64;
    Association {
        // Rounding may step over ±1.
        coefficient: (product(ranks, covariate) as f64 / libm::sqrt(squares)).clamp(-1.0, 1.0),
        p: p_value(ranks, |ranks| product(ranks, covariate), seed),
    }
}

/// Σ aᵢ bᵢ over the shorter column.
fn product(a: &[i64], b: &[i64]) -> i128 {
    a.iter()
        .zip(b)
        .map(|(a, b)| i128::from(*a) * i128::from(*b))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed([5; 32]);

    fn sample(values: &[f64]) -> Sample<'_> {
        Sample::new(values).unwrap()
    }

    #[test]
    fn a_rising_sequence_has_the_trend_1_and_two_extreme_orders() {
        let found = trend(sample(&[1.0, 2.0, 4.0, 8.0, 16.0]), SEED).unwrap();
        assert_eq!(found.coefficient, 1.0);
        // Up and down, of 120 orders.
        assert_eq!(found.p, 2.0 / 120.0);
    }

    #[test]
    fn the_trend_is_spearmans_coefficient() {
        // 1 − 6 Σd² / (n (n² − 1)), d = 0, 1, −1, 1, −1, 0.
        let found = trend(sample(&[1.0, 3.0, 2.0, 8.0, 4.0, 10.0]), SEED).unwrap();
        assert!((found.coefficient - (1.0 - 24.0 / 210.0)).abs() < 1e-15);
    }

    #[test]
    fn ties_share_their_rank() {
        // Ranks 1, 2.5, 2.5, 4 against 1 to 4: covariance 4.5, squares 4.5 and 5.
        let found = trend(sample(&[1.0, 2.0, 2.0, 3.0]), SEED).unwrap();
        assert!((found.coefficient - 4.5 / 22.5_f64.sqrt()).abs() < 1e-15);
        // 4 of 24 orders put the ends at the ends.
        assert_eq!(found.p, 4.0 / 24.0);
    }

    #[test]
    fn separated_groups_have_the_smallest_p_value_of_the_rank_sum_test() {
        let found = contrast(sample(&[4.0, 5.0, 6.0]), sample(&[1.0, 2.0, 3.0]), SEED).unwrap();
        assert!(found.coefficient > 0.87);
        // 2 of the C(6, 3) = 20 ways to choose a group.
        assert_eq!(found.p, 0.1);
    }

    #[test]
    fn a_slow_wave_depends_on_its_neighbours_and_an_alternation_too() {
        let wave: Vec<f64> = (0..20).map(|i| libm::sin(f64::from(i) * 0.3)).collect();
        let found = serial(sample(&wave), SEED).unwrap();
        assert!(found.coefficient > 0.8 && found.p < 0.001, "{found:?}");
        let alternating: Vec<f64> = (0..40).map(|i| f64::from(i % 2 * 100 + i)).collect();
        let found = serial(sample(&alternating), SEED).unwrap();
        assert!(found.coefficient < -0.4 && found.p < 0.01, "{found:?}");
    }

    #[test]
    fn the_distance_of_neighbours_is_taken_from_its_mean() {
        // Of the 6 orders of 3 ranks, 4 have the sum −1 and 2 have 0, mean −2/3: only the middle
        // value in the middle, up or down, is as far.
        let found = serial(sample(&[1.0, 2.0, 3.0]), SEED).unwrap();
        assert_eq!((found.coefficient, found.p), (0.0, 2.0 / 6.0));
    }

    #[test]
    fn values_without_order_or_spread_have_no_association() {
        let too_few = Err(AssociationError::TooFew { values: 2 });
        assert_eq!(trend(sample(&[1.0, 2.0]), SEED), too_few);
        assert_eq!(contrast(sample(&[1.0]), sample(&[2.0]), SEED), too_few);
        let degenerate = Err(AssociationError::Degenerate);
        assert_eq!(trend(sample(&[0.1; 10]), SEED), degenerate);
        assert_eq!(serial(sample(&[0.1, 0.1, 0.1 + 1e-17]), SEED), degenerate);
        assert_eq!(
            contrast(sample(&[1.0; 3]), sample(&[1.0; 4]), SEED),
            degenerate
        );
    }

    #[test]
    fn the_values_themselves_say_nothing_beyond_their_order() {
        let values = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.0, 3.5, 8.0];
        let mapped = values.map(|value: f64| value.powi(5));
        for test in [trend, serial] {
            assert_eq!(test(sample(&values), SEED), test(sample(&mapped), SEED));
        }
    }

    #[test]
    fn shuffled_p_values_are_uniform_where_there_is_no_association() {
        let mut generator = crate::Generator::new(SEED);
        let mut below = [0, 0];
        for data_set in 0..400_u32 {
            let values: Vec<f64> = (0..10)
                .map(|_| f64::from(generator.below(1 << 30)))
                .collect();
            let mut seed = [0; 32];
            seed[..4].copy_from_slice(&data_set.to_le_bytes());
            for (count, test) in below.iter_mut().zip([trend, serial]) {
                *count += u32::from(test(sample(&values), Seed(seed)).unwrap().p <= 0.1);
            }
        }
        // 40 expected, standard deviation 6.
        assert!(
            below.iter().all(|count| (16..=64).contains(count)),
            "{below:?}"
        );
    }
}
