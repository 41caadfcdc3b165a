//! From the text of a declaration to the bytes of a judgement.

#![expect(clippy::unwrap_used, reason = "the inputs are fixed and valid")]

use std::collections::BTreeMap;

use prereg_declaration::{Declaration, Targets, check};
use prereg_judgement::{
    Constants, Missing, Observations, RunJudgement, Samples, Session, Slot, judge, lint, power,
};
use prereg_stats::Seed;

const TARGETS: &str = "[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";
const DECLARATION: &str = r#"
schema = "prereg/1"
id = "replay"
title = "Does replay beat a dispatch per kernel?"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"

[workload]
kind = "decode"
model = "smollm2-135m"
weights = "random"
plan = "op-by-op"
context = 128

[protocol]
sessions = 8
order = "mirror"
warmup-steps = 1
measured-steps = 6
sync = "per-step"
threads = 1
seed = "7244"

[inference]
assumed-cv = { speedup = "1.5 %", eager_step = "2 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
eager_step = "median(step_time[eager])"
speedup = "eager_step / median(step_time[graphed])"

[gates]
same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }
steady = { across-sessions = "cv(eager_step) <= 4 %", otherwise = "abstain" }

[claims.faster]
text = "Replay speeds up decode by at least 5 %."
expected = { speedup = 1.10 }
rival = { speedup = 1.00 }
kill = ["speedup < 1.05"]
on = ["cpu"]

[claims.small]
text = "The effect stays within 20 %."
expected = { speedup = 1.10 }
rival = { speedup = 1.30 }
kill = ["speedup > 1.20"]
on = ["cpu"]
"#;

fn declaration() -> Declaration {
    let targets = Targets::parse("targets.toml", TARGETS.as_bytes()).unwrap();
    match check("replay.toml", DECLARATION.as_bytes(), &targets) {
        Ok(declaration) => declaration,
        Err(problems) => panic!("{problems}"),
    }
}

/// Step times of a slow drift: 10 ms and a little more each slot, graphed 9 % faster.
fn session(index: u32) -> Session {
    let slot = |arm: &str, position: u32, step: f64| Slot {
        arm: arm.to_owned(),
        invalid: None,
        step_time: (0..3)
            .map(|i| {
                step * (1.0 + 1e-3 * f64::from(index * 5 % 8 + position) + 1e-4 * f64::from(i))
            })
            .collect(),
        tokens: vec![1.0; 3],
        logits: vec![[7; 32]; 3],
        columns: BTreeMap::new(),
    };
    let (eager, graphed) = (1e-2, 1e-2 / (1.09 + 2e-3 * f64::from(index)));
    let (eager, graphed) = (("eager", eager), ("graphed", graphed));
    // Every second session starts reversed.
    let order = if index.is_multiple_of(2) {
        [eager, graphed, graphed, eager]
    } else {
        [graphed, eager, eager, graphed]
    };
    Session::Complete(Observations {
        slots: (0..)
            .zip(order)
            .map(|(position, (arm, step))| slot(arm, position, step))
            .collect(),
        columns: BTreeMap::new(),
        facts: BTreeMap::new(),
    })
}

fn judged(declaration: &Declaration) -> RunJudgement {
    let mut sessions: Vec<Session> = (0..8).map(session).collect();
    sessions[5] = Session::Missing(Missing::RejectedSteps { count: 2 });
    let seed = |_: &str| Seed([3; 32]);
    judge(
        declaration,
        &Constants::default(),
        "cpu",
        &Samples { sessions },
        &seed,
    )
    .unwrap()
}

#[test]
fn a_judgement_has_the_committed_bytes() {
    let json = serde_json::to_string_pretty(&judged(&declaration())).unwrap() + "\n";
    assert_eq!(json, include_str!("judgement.json"));
}

#[test]
fn a_sound_plan_has_no_findings_and_enough_power() {
    assert_eq!(lint(&declaration()), []);
    let table = power(&declaration()).unwrap();
    assert!(table.claims["faster"].expected.pass > 0.9);
    assert!(table.claims["small"].rival.falsified > 0.9);
}
