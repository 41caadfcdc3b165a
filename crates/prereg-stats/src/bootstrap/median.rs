//! The middle of a multiset that is given as counts by rank.

/// Counts that are summed at once on the way to the middle.
const BLOCK: usize = 32;

/// Positions of the two middle values (the same one twice for an odd number) of the multiset that
/// holds `counts[i]` times the i-th value, `counts.len()` values in all, at least one.
pub(super) fn middle(counts: &[u32]) -> (usize, usize) {
    let lower = (counts.len() - 1) / 2;
    let (mut position, mut seen) = (0, 0);
    for block in counts.chunks(BLOCK) {
        let with_block = seen + block.iter().sum::<u32>() as usize;
        if with_block > lower {
            break;
        }
        (position, seen) = (position + block.len(), with_block);
    }
    middle_from(position, seen, counts.len(), |position| counts[position])
}

/// The same where the i-th value has the count `counts[order[i]]`.
pub(super) fn middle_in_order(counts: &[u32], order: &[u32]) -> (usize, usize) {
    middle_from(0, 0, order.len(), |position| {
        counts[order[position] as usize]
    })
}

/// `seen` values lie before `position`, and no middle one.
fn middle_from(
    mut position: usize,
    mut seen: usize,
    size: usize,
    count: impl Fn(usize) -> u32,
) -> (usize, usize) {
    let lower = (size - 1) / 2;
    seen += count(position) as usize;
    while seen <= lower {
        position += 1;
        seen += count(position) as usize;
    }
    let below = position;
    if seen > size / 2 {
        return (below, below);
    }
    // The upper middle value is the next one that was drawn at all.
    position += 1;
    while count(position) == 0 {
        position += 1;
    }
    (below, position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_has_one_middle_and_an_even_number_two() {
        assert_eq!(middle(&[1, 1, 1]), (1, 1));
        assert_eq!(middle(&[0, 1, 2]), (2, 2));
        assert_eq!(middle(&[2, 0, 1, 1]), (0, 2));
        assert_eq!(middle(&[2, 0, 0, 2]), (0, 3));
        assert_eq!(middle(&[0, 0, 4, 0]), (2, 2));
    }

    #[test]
    fn the_middle_is_found_beyond_any_number_of_blocks() {
        for size in [31, 32, 33, 64, 65, 200] {
            for position in 0..size {
                let mut counts = vec![0; size];
                counts[position] = size as u32;
                assert_eq!(middle(&counts), (position, position), "{size}");
            }
            assert_eq!(middle(&vec![1; size]), ((size - 1) / 2, size / 2));
        }
    }

    #[test]
    fn an_order_rearranges_the_counts() {
        let (counts, order) = ([2, 0, 1, 1], [1, 3, 0, 2]);
        let arranged: Vec<u32> = order.iter().map(|i| counts[*i as usize]).collect();
        assert_eq!(middle_in_order(&counts, &order), middle(&arranged));
    }
}
