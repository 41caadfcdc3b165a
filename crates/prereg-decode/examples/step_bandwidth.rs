//! Bandwidth of a decode step over the read bandwidth of the same buffers, in one process.
//!
//! Slots of eager steps, graph steps and read-only sweeps of the weights alternate, and each ratio compares neighbours:
//! a machine's bandwidth drifts, and figures of different runs do not compare. A step's bytes are the weights and cached
//! positions that its plan declares to read. `kernel` is the time that workers spend inside kernels, from slots of their
//! own.
//!
//! ```text
//! cargo run --release -p prereg-decode --example step_bandwidth [-- SHAPE…]
//! cargo run --release -p prereg-decode --example step_bandwidth -- --slots SHAPE THREADS
//! ```
//!
//! With `--slots`, each line on standard input asks for one slot of graph steps and one sweep, answered by one line of
//! JSON: a script can alternate them with slots of another program.

use std::error::Error;
use std::io::stdin;
use std::iter::once;

use prereg_decode::plan::PlanKind;
use prereg_decode::shape::Shape;
use prereg_decode::weights::RandomWeights;
use prereg_decode::{Affinity, Decoder, LaunchMode, Options, Path, Snapshot};

const CONTEXT: usize = 512;
const STEPS: usize = 10;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--slots", shape, threads] => answer_slots(&mut Bench::new(shape, threads.parse()?)?),
        [] => table(&["smollm2-135m", "qwen2.5-0.5b"]),
        ref shapes => table(shapes),
    }
}

fn table(shapes: &[&str]) -> Result<(), Box<dyn Error>> {
    println!(
        "context {CONTEXT}, {ROUNDS} rounds of {STEPS} steps a slot, {}",
        Path::best()
    );
    println!(
        "| shape | threads | launch | step MB | step ms | step GB/s | sweep GB/s | ratio | kernel ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for shape in shapes {
        for threads in [1, 2] {
            let mut bench = Bench::new(shape, threads)?;
            let mut rounds = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (mode, rounds) in LaunchMode::ALL.into_iter().zip(&mut rounds) {
                    rounds.push(bench.round(mode)?);
                }
            }
            for (mode, rounds) in LaunchMode::ALL.into_iter().zip(rounds) {
                let [step, sweep, kernel, ratio] = [0, 1, 2, 3]
                    .map(|column| median(rounds.iter().map(|round| round[column]).collect()));
                println!(
                    "| {shape} | {threads} | {mode} | {:.0} | {:.2} | {:.1} | {:.1} | {ratio:.2} | {:.2} |",
                    bench.step_bytes() / 1e6,
                    step / 1e6,
                    bench.step_bytes() / step,
                    bench.sweep_bytes() / sweep,
                    kernel / 1e6,
                );
            }
        }
    }
    Ok(())
}

fn answer_slots(bench: &mut Bench) -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        line?;
        let step = bench.steps(LaunchMode::Graph)?;
        println!(
            "{{\"step_ns\":{step:.0},\"step_bytes\":{:.0},\"sweep_ns\":{:.0},\"sweep_bytes\":{:.0}}}",
            bench.step_bytes(),
            bench.sweep(),
            bench.sweep_bytes()
        );
    }
    Ok(())
}

/// A decoder with a filled context, and the place to which every slot returns.
struct Bench {
    decoder: Decoder,
    place: Snapshot,
}

impl Bench {
    fn new(shape: &str, threads: usize) -> Result<Self, Box<dyn Error>> {
        let shape = Shape::named(shape).ok_or_else(|| format!("no shape is called `{shape}`"))?;
        let options = Options {
            plan: PlanKind::Fused,
            context: CONTEXT,
            rows: STEPS,
            threads,
            affinity: Affinity::None,
            path: Path::best(),
        };
        let mut decoder = Decoder::new(&RandomWeights::new(shape, [1; 32]), &options)?;
        decoder.fill_context([2; 32], 0)?;
        decoder.capture();
        let place = decoder.snapshot();
        Ok(Self { decoder, place })
    }

    fn step_bytes(&self) -> f64 {
        (self.decoder.plan().weight_bytes() + self.decoder.plan().kv_bytes()) as f64
    }

    fn sweep_bytes(&self) -> f64 {
        self.decoder.plan().weight_bytes() as f64
    }

    /// Nanoseconds a step, the median of a slot.
    fn steps(&mut self, mode: LaunchMode) -> Result<f64, Box<dyn Error>> {
        let mut marks = [0; STEPS];
        self.decoder.restore(self.place);
        let start = self.decoder.run(mode, &mut marks)?;
        Ok(median_duration(start, &marks))
    }

    /// Nanoseconds a pass over the weights, the median of a slot.
    fn sweep(&mut self) -> f64 {
        let mut marks = [0; STEPS];
        let start = self.decoder.read_sweep(&mut marks);
        median_duration(start, &marks)
    }

    /// Step, sweep and kernel time in nanoseconds, and the ratio of the bandwidths: steps on both sides of a sweep.
    fn round(&mut self, mode: LaunchMode) -> Result<[f64; 4], Box<dyn Error>> {
        let before = self.steps(mode)?;
        let sweep = self.sweep();
        let step = before.midpoint(self.steps(mode)?);
        self.decoder.restore(self.place);
        let kernel = self.decoder.kernel_time(mode, STEPS)? as f64 / STEPS as f64;
        Ok([
            step,
            sweep,
            kernel,
            (self.step_bytes() / step) / (self.sweep_bytes() / sweep),
        ])
    }
}

/// Median time between consecutive marks.
fn median_duration(start: u64, marks: &[u64]) -> f64 {
    let begins = once(&start).chain(marks);
    median(
        marks
            .iter()
            .zip(begins)
            .map(|(end, begin)| (end - begin) as f64)
            .collect(),
    )
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 {
        values[half]
    } else {
        values[half - 1].midpoint(values[half])
    }
}
