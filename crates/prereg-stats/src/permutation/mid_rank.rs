//! Mid-ranks, centred and doubled so that they are integers.

/// By position: 2 r − (n + 1), with r the mean rank of the values that equal this one. They sum to
/// zero.
pub(super) fn centred(values: &[f64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|a, b| values[*a] == values[*b]) {
        // Ranks before + 1 to before + length: twice their mean is 2 · before + length + 1.
        for position in tied {
            ranks[*position] = signed(2 * before + tied.len()) - signed(values.len());
        }
        before += tied.len();
    }
    ranks
}

/// A count as a signed number: counts of values in memory fit.
pub(super) fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_centred() {
        assert_eq!(centred(&[30.0, 10.0, 20.0]), [2, -2, 0]);
    }

    #[test]
    fn ties_share_their_mean_rank() {
        // Ranks 1.5, 4, 1.5, 3.
        assert_eq!(centred(&[0.0, 9.0, -0.0, 5.0]), [-2, 3, -2, 1]);
    }
}
