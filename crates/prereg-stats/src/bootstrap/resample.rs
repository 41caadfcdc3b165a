//! Seeded resamples. Chunk `i` draws from stream `i` of the seed, so that values depend neither on
//! the number of threads nor on how many resamples follow.

use std::num::NonZeroUsize;
use std::thread;

use crate::generator::{Generator, Seed};

/// Resamples that share a stream. Part of the meaning of a seed: never changed.
const CHUNK: usize = 256;

/// Fewer draws than this are not worth a second thread.
const DRAWS_PER_THREAD: usize = 2_000_000;

/// Draws taken in one go, for small samples those of several resamples.
const DRAWS_AT_ONCE: usize = 1024;

/// How the statistic is read from the positions that a resample drew.
pub(super) trait Reading: Sync {
    /// Memory that one thread needs, reused from resample to resample.
    type Scratch;

    /// N: how many positions are drawn, and from how many. Above 0 and below 2^32.
    fn size(&self) -> u32;

    /// Empty memory.
    fn scratch(&self) -> Self::Scratch;

    /// The statistic of the resample that holds these N positions.
    fn read(&self, positions: &[u32], scratch: &mut Self::Scratch) -> f64;
}

/// The statistic of `resamples` draws of N positions with replacement.
pub(super) fn resample(reading: &impl Reading, resamples: usize, seed: Seed) -> Vec<f64> {
    let useful = resamples.saturating_mul(reading.size() as usize) / DRAWS_PER_THREAD;
    let available = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on_threads(reading, resamples, seed, useful.clamp(1, available))
}

fn on_threads(reading: &impl Reading, resamples: usize, seed: Seed, threads: usize) -> Vec<f64> {
    let mut values = vec![0.0; resamples];
    let mut shares: Vec<Vec<(u64, &mut [f64])>> = (0..threads).map(|_| Vec::new()).collect();
    for (stream, chunk) in (0..).zip(values.chunks_mut(CHUNK)) {
        shares[stream as usize % threads].push((stream, chunk));
    }
    let draw_share = |share: Vec<(u64, &mut [f64])>| {
        let mut scratch = reading.scratch();
        let size = reading.size() as usize;
        let at_once = (DRAWS_AT_ONCE / size).clamp(1, CHUNK);
        let mut positions = vec![0; at_once * size];
        for (stream, chunk) in share {
            let mut generator = Generator::stream(seed, stream);
            for values in chunk.chunks_mut(at_once) {
                let positions = &mut positions[..values.len() * size];
                generator.fill_below(reading.size(), positions);
                for (value, resample) in values.iter_mut().zip(positions.chunks_exact(size)) {
                    *value = reading.read(resample, &mut scratch);
                }
            }
        }
    };
    let own = shares.pop();
    thread::scope(|scope| {
        for share in shares {
            scope.spawn(|| draw_share(share));
        }
        own.map(draw_share);
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::statistic::{Means, Medians};

    const SEED: Seed = Seed([42; 32]);
    const VALUES: [f64; 5] = [1.0, 2.0, 3.0, 5.0, 8.0];

    #[test]
    fn values_do_not_depend_on_the_number_of_threads() {
        let (means, medians) = (Means(&VALUES), Medians(&VALUES));
        let one = on_threads(&means, 3000, SEED, 1);
        let one_of_medians = on_threads(&medians, 3000, SEED, 1);
        for threads in [2, 3, 16] {
            assert_eq!(on_threads(&means, 3000, SEED, threads), one);
            assert_eq!(on_threads(&medians, 3000, SEED, threads), one_of_medians);
        }
    }

    #[test]
    fn more_resamples_continue_the_same_sequence() {
        let few = resample(&Medians(&VALUES), 300, SEED);
        let many = resample(&Medians(&VALUES), 1000, SEED);
        assert_eq!(many[..300], few);
    }

    #[test]
    fn the_resamples_of_a_seed_are_those_of_an_independent_implementation() {
        let sums: Vec<f64> = resample(&Means(&VALUES), CHUNK + 4, SEED)
            .into_iter()
            .map(|mean| (mean * 5.0).round())
            .collect();
        // The cipher and the bounded step, written anew in Python: streams 0 and 1.
        assert_eq!(sums[..8], [21.0, 17.0, 19.0, 18.0, 21.0, 12.0, 24.0, 13.0]);
        assert_eq!(sums[CHUNK..], [16.0, 20.0, 22.0, 21.0]);
    }

    #[test]
    fn resampled_shares_agree_with_the_exact_law() {
        let values = resample(&Means(&[0.0, 1.0, 10.0]), 27_000, SEED);
        let zero_one_ten = values
            .iter()
            .filter(|mean| (**mean * 3.0).round() == 11.0)
            .count();
        assert!(
            (5700..6300).contains(&zero_one_ten),
            "{zero_one_ten} of 27 000, expected 6 000"
        );
    }
}
