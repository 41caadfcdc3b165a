//! Prints the CPU time of analysing a simulated run of 100 sessions × 2 arms × 1 000 steps, stage by
//! stage: writing the tables, comparing them with the records, reading samples, judging.
//!
//! `cargo run --release -p prereg-tables --example time_analysis`

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark has nobody to hand an error to"
)]

#[path = "../tests/tables/simulated_run.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod simulated_run;

use std::hint::black_box;
use std::time::Duration;

use prereg_declaration::{Digest, Targets, check};
use prereg_judgement::{Constants, judge};
use prereg_ledger::{Cell, analysis_seed};
use prereg_stats::Seed;
use prereg_tables::{check_agreement, samples, write_tables};
use rustix::time::{ClockId, clock_gettime};

use simulated_run::SimulatedRun;

const SESSIONS: u32 = 100;
const STEPS_PER_SLOT: u32 = 500;
const REPEATS: u32 = 5;

const TARGETS: &[u8] = b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";

const DECLARATION: &str = r#"
schema = "prereg/1"
id = "simulated"
title = "A run of the size that the speed goal names"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"

[workload]
kind = "decode"
model = "smollm2-135m"
weights = "random"
plan = "fused"
context = 512

[protocol]
sessions = 100
order = "mirror"
warmup-steps = 5
measured-steps = 1000
sync = "per-step"
seed = "seed"
threads = 2

[inference]
assumed-cv = { eager_step = "2 %", p95 = "2 %", speedup = "2 %", realised = "2 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
eager_step = "median(step_time[eager])"
p95 = "quantile(step_time[eager], 0.95)"
speedup = "eager_step / median(step_time[graphed])"
realised = "1 GB / (eager_step * median(read_bandwidth))"

[gates]
same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }
steady = { across-sessions = "cv(eager_step) <= 4 %", otherwise = "abstain" }

[claims.faster]
text = "Replay is faster by at least 5 %."
on = ["cpu"]
expected = { speedup = 1.2 }
rival = { speedup = 1.0 }
kill = ["speedup < 1.05"]
"#;

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}

fn time<T>(stage: &str, mut work: impl FnMut() -> T) {
    let times = (0..REPEATS).map(|_| {
        let before = cpu_time();
        black_box(work());
        cpu_time().saturating_sub(before)
    });
    let seconds: Vec<_> = times
        .map(|time| format!("{:.3}", time.as_secs_f64()))
        .collect();
    println!("{stage:<10} {} s of CPU", seconds.join("  "));
}

fn main() {
    let run = SimulatedRun::complete(SESSIONS, STEPS_PER_SLOT);
    let targets = Targets::parse("targets.toml", TARGETS).unwrap();
    let declaration = check("simulated.toml", DECLARATION.as_bytes(), &targets).unwrap();
    let lock = Digest::of(b"lock");
    let seed_of = |metric: &str| Seed(analysis_seed(lock, metric, "cpu", &Cell::default()));

    println!(
        "{SESSIONS} sessions, 2 arms, {} steps an arm; {REPEATS} times each",
        2 * STEPS_PER_SLOT
    );
    time("write", || write_tables(&run.folder).unwrap());
    time("compare", || check_agreement(&run.folder).unwrap());
    let seal = run.seal();
    let planned = run.planned();
    time("read", || samples(&run.folder, seal, &planned).unwrap());
    let read = samples(&run.folder, seal, &planned).unwrap();
    time("judge", || {
        judge(&declaration, &Constants::default(), "cpu", &read, &seed_of).unwrap()
    });
    time("analyze", || {
        let read = samples(&run.folder, seal, &planned).unwrap();
        judge(&declaration, &Constants::default(), "cpu", &read, &seed_of).unwrap()
    });
}
