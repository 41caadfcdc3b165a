//! criterion's `target/criterion/<benchmark>/new/`: `sample.json` and `estimates.json`.
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | `sample.json`: the mean time of an iteration in one batch, `times[i] / iters[i]` |
//! | | | `estimates.json`: the estimated time of an iteration: `slope`, or `mean` where criterion fitted none |
//!
//! `sample.json` holds the batches that criterion timed; prefer it. `estimates.json` is a summary and gives a single
//! observation.

use serde::Deserialize;

use crate::format::About;
use crate::{Format, KnownColumn, ReadError, Reading, detect, document};

const FORMAT: Format = Format::Criterion;

pub(crate) const ABOUT: About = About {
    name: "criterion",
    columns: &[KnownColumn {
        name: "step_time",
        unit: "s",
        meaning: "time of one iteration, averaged over a batch (sample.json) or estimated from all (estimates.json)",
    }],
    limits: &[
        "a value of sample.json is a mean over a batch, and batches differ in size: its percentiles are not those of iterations",
        "estimates.json is one number: no spread, no order statistics",
        "criterion chooses the path of its files: the command has to copy one to {out}",
        "times are stored in whole nanoseconds: below a microsecond an iteration, time a loop of them as one",
        "no tokens, outputs or telemetry",
    ],
    accepted: "`sample.json` (sampling_mode, iters, times) or `estimates.json` as criterion 0.8 writes them",
    example: &[
        "sh",
        "-c",
        "cargo bench --bench {your_bench} -- --sample-size {steps} --exact {variant} && cp target/criterion/{variant}/new/sample.json {out}",
    ],
};

#[derive(Deserialize)]
struct Sample {
    sampling_mode: Mode,
    /// Iterations of each batch.
    iters: Vec<f64>,
    /// Nanoseconds of each batch.
    times: Vec<f64>,
}

#[derive(Deserialize, Debug, Clone, Copy)]
enum Mode {
    /// Batches of d, 2d, 3d, … iterations.
    Linear,
    /// Batches of one size.
    Flat,
}

#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
    slope: Option<Estimate>,
}

/// An estimate of the time of an iteration, in nanoseconds.
#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    if detect::keys(bytes).is_some_and(|keys| keys.contains("mean")) {
        read_estimates(&document::parse(FORMAT, bytes)?)
    } else {
        read_sample(&document::parse(FORMAT, bytes)?)
    }
}

fn read_sample(sample: &Sample) -> Result<Reading, ReadError> {
    if sample.iters.len() != sample.times.len() {
        return Err(ReadError::Layout {
            format: FORMAT,
            message: format!(
                "{} entries of iters and {} of times",
                sample.iters.len(),
                sample.times.len()
            ),
        });
    }
    if sample.times.is_empty() {
        return Err(ReadError::NoTimes {
            format: FORMAT,
            fix: "give --sample-size at least 10",
        });
    }
    // A batch of no iterations gives a time that is infinite or NaN, which is refused below.
    let batches = sample.times.iter().zip(&sample.iters);
    let seconds: Vec<f64> = batches
        .map(|(ns, iterations)| ns / iterations / 1e9)
        .collect();
    let (least, most) = sample
        .iters
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(least, most), n| {
            (least.min(*n), most.max(*n))
        });
    let note = format!(
        "each value is the mean of a batch of {least} to {most} iterations ({:?} sampling)",
        sample.sampling_mode
    );
    Ok(Reading {
        notes: vec![note],
        ..document::timed(FORMAT, &seconds, "ns")?
    })
}

fn read_estimates(estimates: &Estimates) -> Result<Reading, ReadError> {
    let (estimate, name) = match &estimates.slope {
        Some(slope) => (slope, "slope of time over iterations"),
        None => (&estimates.mean, "mean over batches"),
    };
    let note =
        format!("one observation: the {name}; the batches are in sample.json beside this file");
    Ok(Reading {
        notes: vec![note],
        ..document::timed(FORMAT, &[estimate.point_estimate / 1e9], "ns")?
    })
}
