//! Milliseconds that resampling takes, for `evidence/speed.py`.
//!
//! Reads two lines of numbers, then for every further line one of `mean`, `median` (of the first
//! line) and `paired` (ratio of medians of both) resamples 10 000 times, and prints how long that
//! took. The process decides on how many processors it runs.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use prereg_stats::bootstrap::{Law, Statistic};
use prereg_stats::{Sample, Seed};

const RESAMPLES: usize = 10_000;
const SEED: Seed = Seed([2; 32]);

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = io::stdin().lock().lines();
    let first = numbers(lines.next())?;
    let second = numbers(lines.next())?;
    let pairs: Vec<(f64, f64)> = first.iter().copied().zip(second).collect();
    let sample = Sample::new(&first)?;
    for line in lines {
        let line = line?;
        let start = Instant::now();
        let law = match line.as_str() {
            "mean" => Law::resampled(sample, Statistic::Mean, RESAMPLES, SEED),
            "median" => Law::resampled(sample, Statistic::Median, RESAMPLES, SEED),
            "paired" => Law::ratio_of_medians(&pairs, RESAMPLES, SEED),
            other => return Err(format!("`{other}` is none of mean, median, paired").into()),
        };
        black_box(law?.quantile(0.025));
        println!("{}", start.elapsed().as_secs_f64() * 1e3);
        io::stdout().flush()?;
    }
    Ok(())
}

fn numbers(line: Option<io::Result<String>>) -> Result<Vec<f64>, Box<dyn Error>> {
    let line = line.ok_or("a line of numbers is missing")??;
    let parsed: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
    Ok(parsed?)
}
