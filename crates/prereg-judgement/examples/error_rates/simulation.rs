//! Seeded experiments on all processors.

use std::num::NonZeroUsize;
use std::thread;

use prereg_stats::distribution::normal;
use prereg_stats::{Generator, Seed};

/// Log standard deviation over sessions.
pub(crate) const SPREAD: f64 = 0.05;

/// The share of experiments that give true. Experiment `i` draws from stream `i` of the seed that
/// `name` makes, so that rows do not share their draws.
pub(crate) fn rate(
    name: &str,
    experiments: u64,
    happens: impl Fn(&mut Generator) -> bool + Sync,
) -> f64 {
    let seed = seed(name);
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
    let count = |first: u64| {
        (first..experiments)
            .step_by(threads as usize)
            .filter(|experiment| happens(&mut Generator::stream(seed, *experiment)))
            .count()
    };
    let hits: usize = thread::scope(|scope| {
        let counted: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || count(first)))
            .collect();
        counted
            .into_iter()
            .map(|share| share.join().unwrap_or_default())
            .sum()
    });
    hits as f64 / experiments as f64
}

fn seed(name: &str) -> Seed {
    let mut seed = [0_u8; 32];
    for (index, byte) in name.bytes().enumerate() {
        seed[index % 32] = seed[index % 32].wrapping_mul(31) ^ byte;
    }
    Seed(seed)
}

/// A standard normal number.
pub(crate) fn gaussian(generator: &mut Generator) -> f64 {
    let uniform = (f64::from(generator.below(1 << 31)) + 0.5) / 2_147_483_648.0;
    normal::quantile(uniform)
}

/// Session numbers with median 1 and log standard deviation [`SPREAD`].
pub(crate) fn lognormals(generator: &mut Generator, sessions: u32) -> Vec<f64> {
    (0..sessions)
        .map(|_| (SPREAD * gaussian(generator)).exp())
        .collect()
}
