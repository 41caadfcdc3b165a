//! The statistics that can be resampled.

use super::median::middle;
use super::resample::Reading;

/// A statistic of the sessions' values. For a geometric mean take [`Statistic::Mean`] of the
/// logarithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Arithmetic mean.
    Mean,
    /// Median, midpoint for an even count.
    Median,
}

impl Statistic {
    /// Of the multiset that holds `counts[i]` times the value `sorted[i]`, `sorted.len()` in all.
    pub(super) fn of_counts(self, sorted: &[f64], counts: &[u32]) -> f64 {
        match self {
            Self::Mean => {
                let sum: f64 = sorted
                    .iter()
                    .zip(counts)
                    .map(|(value, count)| value * f64::from(*count))
                    .sum();
                sum / sorted.len() as f64
            }
            Self::Median => {
                let (below, above) = middle(counts);
                f64::midpoint(sorted[below], sorted[above])
            }
        }
    }

    /// Of all values but the one at `left_out`, for at least two values.
    pub(super) fn without(self, sorted: &[f64], left_out: usize) -> f64 {
        let rest = sorted.len() - 1;
        match self {
            Self::Mean => {
                let sum: f64 = sorted[..left_out]
                    .iter()
                    .chain(&sorted[left_out + 1..])
                    .sum();
                sum / rest as f64
            }
            Self::Median => {
                let at = |position: usize| sorted[position + usize::from(position >= left_out)];
                f64::midpoint(at((rest - 1) / 2), at(rest / 2))
            }
        }
    }
}

/// The mean, summed as it is drawn.
pub(super) struct Means<'a>(pub(super) &'a [f64]);

impl Reading for Means<'_> {
    type Scratch = ();

    fn size(&self) -> u32 {
        self.0.len() as u32
    }

    fn scratch(&self) {}

    fn read(&self, positions: &[u32], (): &mut ()) -> f64 {
        sum_of(positions, |position| self.0[position]) / self.0.len() as f64
    }
}

/// The median of ascending values, read from counts by rank.
pub(super) struct Medians<'a>(pub(super) &'a [f64]);

impl Reading for Medians<'_> {
    /// Counts by rank.
    type Scratch = Vec<u32>;

    fn size(&self) -> u32 {
        self.0.len() as u32
    }

    fn scratch(&self) -> Vec<u32> {
        vec![0; self.0.len()]
    }

    fn read(&self, positions: &[u32], counts: &mut Vec<u32>) -> f64 {
        count(positions, counts);
        Statistic::Median.of_counts(self.0, counts)
    }
}

/// Counts how often each position occurs.
pub(super) fn count(positions: &[u32], counts: &mut [u32]) {
    counts.fill(0);
    for position in positions {
        counts[*position as usize] += 1;
    }
}

/// The sum over positions, in four partial sums: additions that need not wait for each other.
pub(super) fn sum_of(positions: &[u32], value: impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; 4];
    let quads = positions.chunks_exact(4);
    for position in quads.remainder() {
        sums[0] += value(*position as usize);
    }
    for quad in quads {
        for (sum, position) in sums.iter_mut().zip(quad) {
            *sum += value(*position as usize);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stand_for_repeated_values() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(Statistic::Mean.of_counts(&sorted, &[2, 0, 1, 1]), 3.5);
        assert_eq!(Statistic::Median.of_counts(&sorted, &[2, 0, 1, 1]), 2.5);
        assert_eq!(Statistic::Median.of_counts(&sorted, &[0, 0, 4, 0]), 4.0);
        assert_eq!(Statistic::Median.of_counts(&sorted, &[2, 0, 0, 2]), 4.5);
    }

    #[test]
    fn drawn_positions_stand_for_the_same_values_as_their_counts() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        let positions = [4, 0, 0, 3, 2];
        let mut counts = vec![9; 5];
        let median = Medians(&sorted).read(&positions, &mut counts);
        assert_eq!(counts, [2, 0, 1, 1, 1]);
        assert_eq!(median, 4.0);
        assert_eq!(Means(&sorted).read(&positions, &mut ()), 6.0);
    }

    #[test]
    fn one_value_can_be_left_out() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(Statistic::Median.without(&sorted, 0), 4.0);
        assert_eq!(Statistic::Median.without(&sorted, 3), 2.0);
        assert_eq!(Statistic::Median.without(&sorted[..3], 1), 2.5);
        assert_eq!(Statistic::Mean.without(&sorted[..3], 1), 2.5);
    }
}
