//! The exact law: every multiset of N values, weighted by the number of draws that give it.

/// The statistic of all C(2N−1, N) multisets of N = `size` values, each with its number of draws;
/// the numbers sum to N^N. `of_counts` is given how often each value was drawn.
pub(super) fn enumerate(size: usize, of_counts: impl Fn(&[u32]) -> f64) -> Vec<(f64, u64)> {
    let mut multisets = Multisets {
        of_counts,
        counts: vec![0; size],
        found: Vec::new(),
    };
    multisets.extend(0, size as u64, 1);
    multisets.found
}

struct Multisets<F> {
    of_counts: F,
    counts: Vec<u32>,
    found: Vec<(f64, u64)>,
}

impl<F: Fn(&[u32]) -> f64> Multisets<F> {
    /// Distributes `left` draws over the values from `position` on; `ways` is the number of draws
    /// that give the counts so far.
    fn extend(&mut self, position: usize, left: u64, ways: u64) {
        if position + 1 == self.counts.len() {
            self.counts[position] = left as u32;
            self.found.push(((self.of_counts)(&self.counts), ways));
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
        let values = [0.0, 1.0, 10.0];
        let sum = |counts: &[u32]| -> f64 {
            values
                .iter()
                .zip(counts)
                .map(|(value, count)| value * f64::from(*count))
                .sum()
        };
        let mut found = enumerate(3, sum);
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
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
        assert_eq!(found, expected);
    }

    #[test]
    fn ten_values_have_92_378_multisets() {
        let found = enumerate(10, |counts| f64::from(counts[0]));
        assert_eq!(found.len(), 92_378);
        assert_eq!(
            found.iter().map(|(_, ways)| ways).sum::<u64>(),
            10_u64.pow(10)
        );
    }
}
