//! Seeded randomness: one named generator, an own bounded-integer step, nothing ambient.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Words drawn at once by [`Generator::fill_below`].
const BULK: usize = 256;

/// 256 bits that fix every draw of a [`Generator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

/// `ChaCha` with 8 rounds, whose output is the same on every platform and in every version; `stream`
/// selects one of 2^64 independent sequences of a seed.
#[derive(Debug, Clone)]
pub struct Generator(ChaCha8Rng);

impl Generator {
    /// The first stream of `seed`.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self::stream(seed, 0)
    }

    /// The stream with this number.
    #[must_use]
    pub fn stream(seed: Seed, stream: u64) -> Self {
        let mut inner = ChaCha8Rng::from_seed(seed.0);
        inner.set_stream(stream);
        Self(inner)
    }

    /// A uniform integer below `bound`; 0 for `bound` 0.
    ///
    /// Lemire's multiplication with rejection (ACM TOMACS 29, 2019): unbiased, usually one draw of
    /// 32 bits and no division.
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            // 2^32 mod bound: the draws below it are the surplus that would favour small results.
            let surplus = bound.wrapping_neg() % bound;
            while (product as u32) < surplus {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Uniform integers below `bound`: those that as many calls of [`Generator::below`] give, in
    /// bulk.
    pub fn fill_below(&mut self, bound: u32, integers: &mut [u32]) {
        let surplus = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        let mut bytes = [0; 4 * BULK];
        let mut filled = 0;
        while filled < integers.len() {
            let wanted = &mut integers[filled..];
            let wanted_words = wanted.len().min(BULK);
            let bytes = &mut bytes[..4 * wanted_words];
            self.0.fill_bytes(bytes);
            let products = || {
                let words = bytes.as_chunks().0.iter();
                words.map(|word| u64::from(u32::from_le_bytes(*word)) * u64::from(bound))
            };
            let mut rejected = 0;
            for (integer, product) in wanted.iter_mut().zip(products()) {
                *integer = (product >> 32) as u32;
                rejected += u32::from((product as u32) < surplus);
            }
            filled += wanted_words;
            if rejected > 0 {
                // Rare: close the gaps; the next words fill the end.
                let accepted = products().filter(|product| *product as u32 >= surplus);
                for (integer, product) in wanted.iter_mut().zip(accepted) {
                    *integer = (product >> 32) as u32;
                }
                filled -= rejected as usize;
            }
        }
    }

    /// A uniform permutation in place (Fisher and Yates, from the last position down). Of slices
    /// longer than 2^32, the first 2^32 items are permuted.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        for last in (1..length).rev() {
            let other = self.below(last + 1);
            items.swap(last as usize, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed([7; 32]);

    #[test]
    fn draws_are_those_of_the_published_cipher() {
        // ChaCha8, 256-bit key of zeros, nonce 0, first block: 3e00ef2f 895f40d6 … (estreambench).
        let mut generator = Generator::new(Seed([0; 32]));
        let words: Vec<u32> = (0..2).map(|_| generator.0.next_u32()).collect();
        assert_eq!(words, [0x2fef_003e, 0xd640_5f89]);
    }

    #[test]
    fn streams_of_a_seed_differ_and_repeat() {
        let draw = |stream| {
            let mut generator = Generator::stream(SEED, stream);
            (0..8).map(|_| generator.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn bounded_draws_are_uniform_for_bounds_that_do_not_divide_the_range() {
        let mut generator = Generator::new(SEED);
        let bound = 7;
        let draws = 70_000;
        let mut counts = [0_u32; 7];
        for _ in 0..draws {
            counts[generator.below(bound) as usize] += 1;
        }
        // Chi-square with 6 degrees of freedom: 22.46 is its 0.999 quantile.
        let expected = f64::from(draws) / f64::from(bound);
        let statistic: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - expected).powi(2) / expected)
            .sum();
        assert!(statistic < 22.46, "{statistic}");
    }

    #[test]
    fn a_bound_of_three_quarters_of_the_range_stays_unbiased() {
        let mut generator = Generator::new(SEED);
        let bound = 3 << 30;
        // Without rejection every third result has two draws that give it, and comes up in half.
        let thirds = (0..9000)
            .filter(|_| generator.below(bound).is_multiple_of(3))
            .count();
        assert!((2850..3150).contains(&thirds), "{thirds}");
    }

    #[test]
    fn bulk_draws_are_the_single_draws_with_and_without_rejections() {
        for bound in [0, 1, 7, 1000, 3 << 30, u32::MAX] {
            let (mut single, mut bulk) = (Generator::new(SEED), Generator::new(SEED));
            for count in [1, 3, BULK, 1000] {
                let mut integers = vec![0; count];
                bulk.fill_below(bound, &mut integers);
                let expected: Vec<u32> = (0..count).map(|_| single.below(bound)).collect();
                assert_eq!(integers, expected, "bound {bound}");
            }
        }
    }

    #[test]
    fn bounds_of_one_and_zero_give_zero() {
        let mut generator = Generator::new(SEED);
        assert_eq!((generator.below(1), generator.below(0)), (0, 0));
    }

    #[test]
    fn a_shuffle_reaches_every_order_equally_often() {
        let mut generator = Generator::new(SEED);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            generator.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (880..1120).contains(count)),
            "{counts:?}"
        );
    }
}
