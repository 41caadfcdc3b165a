//! Seeded resamples. Chunk `i` draws from stream `i` of the seed, so that values depend neither on
//! the number of threads nor on how many resamples follow.

use std::num::NonZeroUsize;
use std::thread;

use super::statistic::Statistic;
use crate::generator::{Generator, Seed};

/// Resamples that share a stream. Part of the meaning of a seed: never changed.
const CHUNK: usize = 256;

/// Fewer draws than this are not worth a second thread.
const DRAWS_PER_THREAD: usize = 2_000_000;

/// The statistic of `resamples` draws of N values with replacement, N = `sorted.len()` < 2^32.
pub(super) fn resample(
    sorted: &[f64],
    statistic: Statistic,
    resamples: usize,
    seed: Seed,
) -> Vec<f64> {
    let useful = resamples.saturating_mul(sorted.len()) / DRAWS_PER_THREAD;
    let available = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on_threads(
        sorted,
        statistic,
        resamples,
        seed,
        useful.clamp(1, available),
    )
}

fn on_threads(
    sorted: &[f64],
    statistic: Statistic,
    resamples: usize,
    seed: Seed,
    threads: usize,
) -> Vec<f64> {
    let mut values = vec![0.0; resamples];
    let mut shares: Vec<Vec<(u64, &mut [f64])>> = (0..threads).map(|_| Vec::new()).collect();
    for (stream, chunk) in (0..).zip(values.chunks_mut(CHUNK)) {
        shares[stream as usize % threads].push((stream, chunk));
    }
    let draw_share = |share: Vec<(u64, &mut [f64])>| {
        let mut counts = vec![0; sorted.len()];
        for (stream, chunk) in share {
            draw(
                sorted,
                statistic,
                &mut Generator::stream(seed, stream),
                &mut counts,
                chunk,
            );
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

fn draw(
    sorted: &[f64],
    statistic: Statistic,
    generator: &mut Generator,
    counts: &mut [u32],
    chunk: &mut [f64],
) {
    let size = sorted.len() as u32;
    for value in chunk {
        counts.fill(0);
        for _ in 0..size {
            counts[generator.below(size) as usize] += 1;
        }
        *value = statistic.of_counts(sorted, counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed([42; 32]);
    const VALUES: [f64; 5] = [1.0, 2.0, 3.0, 5.0, 8.0];

    #[test]
    fn values_do_not_depend_on_the_number_of_threads() {
        let one = on_threads(&VALUES, Statistic::Mean, 3000, SEED, 1);
        for threads in [2, 3, 16] {
            assert_eq!(
                on_threads(&VALUES, Statistic::Mean, 3000, SEED, threads),
                one
            );
        }
    }

    #[test]
    fn more_resamples_continue_the_same_sequence() {
        let few = resample(&VALUES, Statistic::Median, 300, SEED);
        let many = resample(&VALUES, Statistic::Median, 1000, SEED);
        assert_eq!(many[..300], few);
    }

    #[test]
    fn the_resamples_of_a_seed_are_those_of_an_independent_implementation() {
        let sums: Vec<f64> = resample(&VALUES, Statistic::Mean, CHUNK + 4, SEED)
            .into_iter()
            .map(|mean| (mean * 5.0).round())
            .collect();
        // The cipher and the bounded step, written anew in Python: streams 0 and 1.
        assert_eq!(sums[..8], [21.0, 17.0, 19.0, 18.0, 21.0, 12.0, 24.0, 13.0]);
        assert_eq!(sums[CHUNK..], [16.0, 20.0, 22.0, 21.0]);
    }

    #[test]
    fn resampled_shares_agree_with_the_exact_law() {
        let values = resample(&[0.0, 1.0, 10.0], Statistic::Mean, 27_000, SEED);
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
