//! The ratio of the medians of two arms, resampled by pairs: one draw of positions for both arms.

use super::median::{middle, middle_in_order};
use super::resample::Reading;
use super::statistic::{Statistic, count};

/// Pairs, each arm in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Pairs {
    first: Vec<f64>,
    second: Vec<f64>,
    /// By position in `second`: the position in `first` of the same pair.
    partner: Vec<u32>,
}

impl Pairs {
    pub(super) fn new(pairs: &[(f64, f64)]) -> Self {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut partner: Vec<u32> = (0..pairs.len() as u32).collect();
        partner.sort_by(|a, b| pairs[*a as usize].1.total_cmp(&pairs[*b as usize].1));
        Self {
            first: pairs.iter().map(|pair| pair.0).collect(),
            second: partner.iter().map(|at| pairs[*at as usize].1).collect(),
            partner,
        }
    }

    pub(super) fn first(&self) -> &[f64] {
        &self.first
    }

    pub(super) fn second(&self) -> &[f64] {
        &self.second
    }

    /// The ratio with each pair left out in turn.
    pub(super) fn jackknife(&self) -> Vec<f64> {
        let ratio = |(in_second, in_first): (usize, &u32)| {
            Statistic::Median.without(&self.first, *in_first as usize)
                / Statistic::Median.without(&self.second, in_second)
        };
        self.partner.iter().enumerate().map(ratio).collect()
    }
}

impl Reading for Pairs {
    /// Counts by position in `first`, which serve both arms.
    type Scratch = Vec<u32>;

    fn size(&self) -> u32 {
        self.first.len() as u32
    }

    fn scratch(&self) -> Vec<u32> {
        vec![0; self.first.len()]
    }

    fn read(&self, positions: &[u32], counts: &mut Vec<u32>) -> f64 {
        count(positions, counts);
        let median = |values: &[f64], (below, above): (usize, usize)| {
            f64::midpoint(values[below], values[above])
        };
        median(&self.first, middle(counts))
            / median(&self.second, middle_in_order(counts, &self.partner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resample_draws_whole_pairs() {
        // In drawing order: 3/10, 1/30, 2/20; by first arm the positions are 1/30, 2/20, 3/10.
        let pairs = Pairs::new(&[(3.0, 10.0), (1.0, 30.0), (2.0, 20.0)]);
        let mut counts = pairs.scratch();
        assert_eq!(pairs.read(&[2, 2, 0], &mut counts), 3.0 / 10.0);
        assert_eq!(pairs.read(&[0, 0, 2], &mut counts), 1.0 / 30.0);
        assert_eq!(pairs.read(&[0, 1, 2], &mut counts), 2.0 / 20.0);
    }

    #[test]
    fn a_pair_is_left_out_of_both_arms() {
        let pairs = Pairs::new(&[(3.0, 10.0), (1.0, 30.0), (2.0, 20.0)]);
        // By second arm: without 3/10, without 2/20, without 1/30.
        assert_eq!(pairs.jackknife(), [1.5 / 25.0, 2.0 / 20.0, 2.5 / 15.0]);
    }
}
