//! The statistics that can be resampled.

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
        let size = sorted.len();
        match self {
            Self::Mean => {
                let sum: f64 = sorted
                    .iter()
                    .zip(counts)
                    .map(|(value, count)| value * f64::from(*count))
                    .sum();
                sum / size as f64
            }
            Self::Median => {
                let lower = (size - 1) / 2;
                let mut position = 0;
                let mut seen = counts[0] as usize;
                while seen <= lower {
                    position += 1;
                    seen += counts[position] as usize;
                }
                let low = sorted[position];
                if seen > size / 2 {
                    return low;
                }
                // The upper middle value is the next one that was drawn at all.
                position += 1;
                while counts[position] == 0 {
                    position += 1;
                }
                f64::midpoint(low, sorted[position])
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
        assert_eq!(
            Statistic::Median.of_counts(&[1.0, 2.0, 4.0], &[0, 1, 2]),
            4.0
        );
        assert_eq!(
            Statistic::Median.of_counts(&[1.0, 2.0, 4.0], &[1, 1, 1]),
            2.0
        );
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
