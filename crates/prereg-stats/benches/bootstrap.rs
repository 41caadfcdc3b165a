//! Resampling of 1 000 values, 10 000 times.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use prereg_stats::bootstrap::{Law, Statistic};
use prereg_stats::{Generator, Sample, Seed};

fn resample(criterion: &mut Criterion) {
    let mut generator = Generator::new(Seed([1; 32]));
    let values: Vec<f64> = (0..1000)
        .map(|_| 1.0 + f64::from(generator.below(1 << 30)))
        .collect();
    let Ok(sample) = Sample::new(&values) else {
        return;
    };
    for statistic in [Statistic::Mean, Statistic::Median] {
        criterion.bench_function(
            &format!("{statistic:?} of 1000 values, 10000 resamples"),
            |bench| {
                bench.iter(|| black_box(Law::resampled(sample, statistic, 10_000, Seed([2; 32]))));
            },
        );
    }
}

fn resample_pairs(criterion: &mut Criterion) {
    let mut generator = Generator::new(Seed([1; 32]));
    let mut value = || 1.0 + f64::from(generator.below(1 << 30));
    let pairs: Vec<(f64, f64)> = (0..1000).map(|_| (value(), value())).collect();
    criterion.bench_function("ratio of medians of 1000 pairs, 10000 resamples", |bench| {
        bench.iter(|| black_box(Law::ratio_of_medians(&pairs, 10_000, Seed([2; 32]))));
    });
}

criterion_group!(benches, resample, resample_pairs);
criterion_main!(benches);
