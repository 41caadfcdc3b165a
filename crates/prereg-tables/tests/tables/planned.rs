//! The plan of a run, from a declaration and the run's seeds.

use prereg_declaration::{Digest, Targets, check};
use prereg_ledger::RunSeeds;
use prereg_tables::Planned;

const TARGETS: &[u8] = b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";

const DECLARATION: &str = r#"
schema = "prereg/1"
id = "planned"
title = "Five sessions of two arms"
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
sessions = 5
order = "mirror"
warmup-steps = 5
measured-steps = 30
sync = "per-step"
seed = "seed"
threads = 2

[inference]
assumed-cv = { speedup = "2 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
speedup = "median(step_time[eager]) / median(step_time[graphed])"

[claims.faster]
text = "Replay is faster by at least 5 %."
on = ["cpu"]
expected = { speedup = 1.2 }
rival = { speedup = 1.0 }
kill = ["speedup < 1.05"]
"#;

#[test]
fn every_session_has_two_slots_an_arm_with_half_of_the_steps_each() {
    let targets = Targets::parse("targets.toml", TARGETS).unwrap();
    let declaration = check("planned.toml", DECLARATION.as_bytes(), &targets).unwrap();
    let seeds = RunSeeds::new(Digest::of(b"lock"), "seed", Digest::of(b"announcement"));
    let planned = Planned::new(&declaration, &seeds, None);
    assert_eq!(planned.steps_per_slot, 15);
    assert_eq!((planned.orders.len(), planned.announced), (5, 5));
    for (session, order) in (0..).zip(&planned.orders) {
        assert_eq!(*order, seeds.mirror_order(["eager", "graphed"], session));
    }
}

#[test]
fn a_run_that_stopped_early_holds_the_sessions_before() {
    let targets = Targets::parse("targets.toml", TARGETS).unwrap();
    let declaration = check("planned.toml", DECLARATION.as_bytes(), &targets).unwrap();
    let seeds = RunSeeds::new(Digest::of(b"lock"), "seed", Digest::of(b"announcement"));
    let whole = Planned::new(&declaration, &seeds, None);
    let stopped = Planned::new(&declaration, &seeds, Some(3));
    assert_eq!(stopped.orders, whole.orders[..3]);
    assert_eq!(stopped.announced, 5);
}
