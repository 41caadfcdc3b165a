//! The exact law: every multiset of N values, weighted by the number of draws that give it.

use super::statistic::Statistic;

/// All C(2N−1, N) values of the statistic, each with its number of draws; the numbers sum to N^N.
pub(super) fn enumerate(sorted: &[f64], statistic: Statistic) -> Vec<(f64, u64)> {
    let mut multisets = Multisets {
        sorted,
        statistic,
        counts: vec![0; sorted.len()],
        found: Vec::new(),
    };
    multisets.extend(0, sorted.len() as u64, 1);
    multisets.found
}

struct Multisets<'a> {
    sorted: &'a [f64],
    statistic: Statistic,
    counts: Vec<u32>,
    found: Vec<(f64, u64)>,
}

impl Multisets<'_> {
    /// Distributes `left` draws over the values from `position` on; `ways` is the number of draws
    /// that give the counts so far.
    fn extend(&mut self, position: usize, left: u64, ways: u64) {
        if position + 1 == self.counts.len() {
            self.counts[position] = left as u32;
            self.found
                .push((self.statistic.of_counts(self.sorted, &self.counts), ways));
            return;
        }
        let mut choose = 1;
        for count in 0..=left {
            self.counts[position] = count as u32;
            self.extend(position + 1, left - count, ways * choose);
            choose = choose * (left - count) / (count + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiset_appears_once_with_its_multinomial_weight() {
        let mut found = enumerate(&[0.0, 1.0, 10.0], Statistic::Mean);
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sums: Vec<(f64, u64)> = found
            .into_iter()
            .map(|(mean, ways)| ((mean * 3.0).round(), ways))
            .collect();
        let expected = [
            (0.0, 1),
            (1.0, 3),
            (2.0, 3),
            (3.0, 1),
            (10.0, 3),
            (11.0, 6),
            (12.0, 3),
            (20.0, 3),
            (21.0, 3),
            (30.0, 1),
        ];
        assert_eq!(sums, expected);
    }

    #[test]
    fn ten_values_have_92_378_multisets() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        let found = enumerate(&values, Statistic::Median);
        assert_eq!(found.len(), 92_378);
        assert_eq!(
            found.iter().map(|(_, ways)| ways).sum::<u64>(),
            10_u64.pow(10)
        );
    }
}
