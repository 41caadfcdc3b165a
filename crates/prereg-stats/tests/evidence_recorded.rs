//! Bootstrap intervals against those of scipy and of R's package boot, on the data sets recorded in
//! `evidence/`.
//!
//! Two programs that draw their own resamples differ by chance. An end is the quantile of a law at
//! some probability p, and the share of R resamples below that quantile has the standard error
//! √(p (1 − p) / R). So an end is compared in units of probability: the other program's must lie
//! between this crate's quantiles at p ± [`STANDARD_ERRORS`] of the two programs' common one. That
//! needs no density, and holds for laws of few atoms too.

#![expect(clippy::unwrap_used, reason = "the recorded files are fixed and valid")]

use prereg_stats::bootstrap::{
    BiasCorrection, EXACT_UP_TO, Law, Statistic, StudentisedLaw, basic, bca, bias_correction,
    percentile, studentised, studentised_bounds,
};
use prereg_stats::distribution::normal;
use prereg_stats::{Alpha, Interval, Sample, Seed};
use serde_json::Value;

/// Of some 400 comparisons, one differs by more with probability 0.003.
const STANDARD_ERRORS: f64 = 4.5;

/// Resamples of this crate where the law is not enumerated.
const RESAMPLES: usize = 200_000;

const SEED: Seed = Seed([33; 32]);

/// Both files hold two-sided 95 % intervals.
const SIDE: f64 = 0.025;

fn recorded(text: &str) -> Value {
    let recorded: Value = serde_json::from_str(text).unwrap();
    assert_eq!(recorded["level"], 0.95);
    recorded
}

fn scipy() -> Value {
    recorded(include_str!("../evidence/scipy.json"))
}

fn r_boot() -> Value {
    recorded(include_str!("../evidence/r_boot.json"))
}

fn numbers(array: &Value) -> Vec<f64> {
    let array = array.as_array().unwrap().iter();
    array.map(|number| number.as_f64().unwrap()).collect()
}

fn alpha(value: f64) -> Alpha {
    Alpha::new(value).unwrap()
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.lower, interval.upper].map(|bound| bound.finite().unwrap())
}

/// Variance of a share of resamples, per p (1 − p): the other program's, and this crate's where it
/// draws.
fn variance(theirs: &Value, enumerated: bool) -> f64 {
    let ours = if enumerated {
        0.0
    } else {
        1.0 / RESAMPLES as f64
    };
    1.0 / theirs["resamples"].as_f64().unwrap() + ours
}

/// Whether `end` lies between two quantiles, given in either order, up to the rounding of 15 digits.
fn between(end: f64, a: f64, b: f64) -> bool {
    let rounding = 1e-13 * end.abs();
    a.min(b) - rounding <= end && end <= a.max(b) + rounding
}

/// A law of this crate beside the ends that another program found.
struct Comparison<'a> {
    name: String,
    law: &'a Law,
    theirs: &'a Value,
    variance: f64,
}

impl Comparison<'_> {
    fn theirs(&self, method: &str) -> [f64; 2] {
        numbers(&self.theirs[method]).try_into().unwrap()
    }

    fn error_at(&self, p: f64) -> f64 {
        (p * (1.0 - p) * self.variance).sqrt()
    }

    /// `at` is the end that belongs to a quantile of the law.
    fn end_agrees(&self, method: &str, end: f64, [p, error]: [f64; 2], at: impl Fn(f64) -> f64) {
        let slack = STANDARD_ERRORS * error;
        let [a, b] = [p - slack, p + slack].map(|p| at(self.law.quantile(p)));
        let name = &self.name;
        assert!(
            between(end, a, b),
            "{name}, {method}: {end} is not within {a} and {b}"
        );
    }

    fn percentile_agrees(&self) {
        for (end, p) in self
            .theirs("percentile")
            .into_iter()
            .zip([SIDE, 1.0 - SIDE])
        {
            self.end_agrees("percentile", end, [p, self.error_at(p)], |quantile| {
                quantile
            });
        }
        let ours = ends(percentile(self.law, alpha(2.0 * SIDE)));
        assert_eq!(ours, [SIDE, 1.0 - SIDE].map(|p| self.law.quantile(p)));
    }

    fn basic_agrees(&self) {
        let mirrored = |quantile| 2.0 * self.law.estimate() - quantile;
        for (end, p) in self.theirs("basic").into_iter().zip([1.0 - SIDE, SIDE]) {
            self.end_agrees("basic", end, [p, self.error_at(p)], mirrored);
        }
        let ours = ends(basic(self.law, alpha(2.0 * SIDE)));
        assert_eq!(
            ours,
            [1.0 - SIDE, SIDE].map(|p| mirrored(self.law.quantile(p)))
        );
    }

    /// The level that is read depends on z0, itself the normal quantile of a share of resamples: the
    /// two errors are added.
    fn bca_agrees(&self) {
        let BiasCorrection { z0, acceleration } = bias_correction(self.law).unwrap();
        let level = |z0: f64, z: f64| normal::cdf(z0 + (z0 + z) / (1.0 - acceleration * (z0 + z)));
        let share = normal::cdf(z0);
        let shifted = normal::quantile(share + self.error_at(share));
        let z = normal::quantile(1.0 - SIDE);
        for (end, z) in self.theirs("bca").into_iter().zip([-z, z]) {
            let p = level(z0, z);
            let error = self.error_at(p) + (level(shifted, z) - p).abs();
            self.end_agrees("BCa", end, [p, error], |quantile| quantile);
        }
        let ours = ends(bca(self.law, alpha(2.0 * SIDE)).unwrap());
        let read = [-z, z].map(|z| self.law.quantile(level(z0, z)));
        for (ours, read) in ours.into_iter().zip(read) {
            assert!(between(ours, read, read), "{}: {ours} {read}", self.name);
        }
    }
}

fn law(values: &[f64], statistic: Statistic) -> Law {
    let sample = Sample::new(values).unwrap();
    if is_enumerated(values) {
        Law::exact(sample, statistic).unwrap()
    } else {
        Law::resampled(sample, statistic, RESAMPLES, SEED).unwrap()
    }
}

fn is_enumerated(values: &[f64]) -> bool {
    values.len() <= EXACT_UP_TO
}

#[test]
fn mean_and_median_agree_with_scipy() {
    let scipy = scipy();
    for sample in scipy["samples"].as_array().unwrap() {
        let values = numbers(&sample["values"]);
        for (name, statistic) in [("mean", Statistic::Mean), ("median", Statistic::Median)] {
            let comparison = Comparison {
                name: format!("{name} of {}", sample["name"]),
                law: &law(&values, statistic),
                theirs: &sample[name],
                variance: variance(&scipy, is_enumerated(&values)),
            };
            comparison.percentile_agrees();
            comparison.basic_agrees();
            comparison.bca_agrees();
        }
    }
}

#[test]
fn paired_ratio_of_medians_agrees_with_scipy() {
    let scipy = scipy();
    for pair in scipy["pairs"].as_array().unwrap() {
        let pairs: Vec<_> = numbers(&pair["first"])
            .into_iter()
            .zip(numbers(&pair["second"]))
            .collect();
        let comparison = Comparison {
            name: format!("ratio of medians of {}", pair["name"]),
            law: &Law::ratio_of_medians(&pairs, RESAMPLES, SEED).unwrap(),
            theirs: &pair["ratio_of_medians"],
            variance: variance(&scipy, false),
        };
        comparison.percentile_agrees();
        comparison.basic_agrees();
        comparison.bca_agrees();
    }
}

#[test]
fn mean_agrees_with_r_boot() {
    let (scipy, r_boot) = (scipy(), r_boot());
    let samples = scipy["samples"].as_array().unwrap().iter();
    for (sample, theirs) in samples.zip(r_boot["samples"].as_array().unwrap()) {
        assert_eq!(sample["name"], theirs["name"]);
        let values = numbers(&sample["values"]);
        let comparison = Comparison {
            name: format!("mean of {}", sample["name"]),
            law: &law(&values, Statistic::Mean),
            theirs: &theirs["mean"],
            variance: variance(&r_boot, is_enumerated(&values)),
        };
        comparison.percentile_agrees();
        comparison.basic_agrees();
        // boot counts only what lies below the estimate for z0, not half of the ties, of which five
        // values have many: 5!/5^5 = 3.8 %.
        if values.len() > 5 {
            comparison.bca_agrees();
        }
    }
}

#[test]
fn studentised_mean_agrees_with_r_boot() {
    let (scipy, r_boot) = (scipy(), r_boot());
    let samples = scipy["samples"].as_array().unwrap().iter();
    for (sample, theirs) in samples.zip(r_boot["samples"].as_array().unwrap()) {
        let values = numbers(&sample["values"]);
        let data = Sample::new(&values).unwrap();
        let law = if is_enumerated(&values) {
            StudentisedLaw::exact(data).unwrap()
        } else {
            StudentisedLaw::resampled(data, RESAMPLES, SEED).unwrap()
        };
        let error = (SIDE * (1.0 - SIDE) * variance(&r_boot, is_enumerated(&values))).sqrt();
        let at = |side: f64| {
            studentised_bounds(&law, alpha(side), alpha(side)).map(|bound| bound.finite().unwrap())
        };
        let slack = STANDARD_ERRORS * error;
        let (wide, narrow) = (at(SIDE - slack), at(SIDE + slack));
        let found = numbers(&theirs["mean"]["studentised"]);
        for side in 0..2 {
            let (end, wide, narrow) = (found[side], wide[side], narrow[side]);
            let name = &sample["name"];
            assert!(
                between(end, wide, narrow),
                "{name}: {end} is not within {wide} and {narrow}"
            );
        }
        assert_eq!(ends(studentised(&law, alpha(2.0 * SIDE))), at(SIDE));
    }
}
