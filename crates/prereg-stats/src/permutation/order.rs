//! The orders that a statistic is compared with.

use crate::{Generator, Seed};

/// Up to this many values all orders are looked at: 5 040 of them.
pub const EXACT_UP_TO: usize = 7;

/// Seeded orders beyond that.
pub const SHUFFLES: u32 = 9_999;

/// The two-sided p-value of `distance`, the distance of a statistic from its mean over all orders.
pub(super) fn p_value(ranks: &[i64], distance: impl Fn(&[i64]) -> i128, seed: Seed) -> f64 {
    let observed = distance(ranks).abs();
    let mut ranks = ranks.to_vec();
    let (mut orders, mut hits) = (0_u32, 0_u32);
    let mut look = |ranks: &[i64]| {
        orders += 1;
        hits += u32::from(distance(ranks).abs() >= observed);
    };
    if ranks.len() <= EXACT_UP_TO {
        each_order(&mut ranks, 0, &mut look);
    } else {
        look(&ranks);
        let mut generator = Generator::new(seed);
        for _ in 0..SHUFFLES {
            generator.shuffle(&mut ranks);
            look(&ranks);
        }
    }
    f64::from(hits) / f64::from(orders)
}

/// Every order of the items from `from` on.
fn each_order(items: &mut [i64], from: usize, look: &mut impl FnMut(&[i64])) {
    if from + 1 >= items.len() {
        look(items);
        return;
    }
    for other in from..items.len() {
        items.swap(from, other);
        each_order(items, from + 1, look);
        items.swap(from, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_looked_at_once() {
        let mut seen = std::collections::BTreeSet::new();
        let mut items: Vec<i64> = (0..7).collect();
        each_order(&mut items, 0, &mut |order| {
            assert!(seen.insert(order.to_vec()), "{order:?}");
        });
        assert_eq!(seen.len(), 5040);
        assert_eq!(items, [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_statistic_that_no_shuffle_reaches_has_the_smallest_p_value() {
        let ranks: Vec<i64> = (0..40).collect();
        let sorted = |ranks: &[i64]| i128::from(ranks.is_sorted());
        assert_eq!(p_value(&ranks, sorted, Seed([3; 32])), 1.0 / 10_000.0);
    }
}
