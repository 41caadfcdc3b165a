//! `prereg list` and `prereg show`: every lock and every run, whatever became of it.

use prereg_ledger::{AbortEvent, Event, Writer};

use crate::study::{Plan, Scripted, Simulation, TempStudy, flip};

#[test]
fn a_study_without_a_lock_says_how_to_begin() {
    insta::assert_snapshot!(TempStudy::new().prereg(["list"]).exits(0).redacted(), @"nothing is locked here; prereg lock FILE locks a declaration");
}

/// A lock with an aborted, a sealed and an unfinished run, and a lock that was never run.
fn eventful() -> TempStudy {
    let study = TempStudy::locked(&Plan::default());
    study.write(
        "experiments/never.toml",
        Plan::default()
            .with("id = \"plan\"", "id = \"never\"")
            .text(),
    );
    study.prereg(["lock", "never"]).exits(0);
    Simulation::announce(&study);
    let run = study.history().runs()[0].id.clone();
    let aborted = AbortEvent {
        run,
        reason: "the target went away".into(),
    };
    Writer::open(&study.study())
        .unwrap()
        .append(Event::Aborted(aborted))
        .unwrap();
    study
        .simulate(1.26, |session, figures| {
            if session == 4 {
                Scripted::Torn
            } else {
                Scripted::Complete(figures)
            }
        })
        .exits(0);
    Simulation::announce(&study);
    study
}

#[test]
fn list_shows_every_lock_and_every_run() {
    insta::assert_snapshot!(eventful().prereg(["list"]).exits(0).redacted(), @r"
    <12 hex> plan locked <date>, attempt 1 of 2
      cpu-<12 hex> aborted (the target went away), counts as nothing, SIMULATED, 0 of 13 sessions complete, announced <date>
      cpu-<12 hex> sealed, run of record, SIMULATED, 12 of 13 sessions complete, announced <date>
        faster: pass
      cpu-<12 hex> announced, replication 1, SIMULATED, 0 of 13 sessions complete, announced <date>
    <12 hex> never locked <date>, attempt 2 of 2
      never run
    ");
}

#[test]
fn json_of_the_list_has_the_same() {
    let document = eventful().prereg(["list", "--json"]).exits(0).json();
    assert_eq!(document["schema"], "prereg-list/1");
    let locks = document["locks"].as_array().unwrap();
    let experiments: Vec<_> = locks.iter().map(|lock| &lock["experiment"]).collect();
    assert_eq!(experiments, ["plan", "never"]);
    assert_eq!(locks[0]["same_question"][0], locks[1]["lock"]);
    let runs: Vec<_> = locks[0]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["status"])
        .collect();
    assert_eq!(runs, ["aborted", "sealed", "announced"]);
    assert_eq!(locks[0]["runs"][1]["complete"], 12);
}

#[test]
fn list_tells_of_findings() {
    let study = eventful();
    flip(&study.chain());
    study
        .prereg(["list"])
        .exits(0)
        .says("the record is inconsistent: prereg verify shows");
}

#[test]
fn show_of_a_lock_prints_it_with_its_declaration() {
    insta::assert_snapshot!(eventful().prereg(["show", "never"]).exits(0).redacted(), @r#"
    lock <64 hex> of never, <date>
    rules 1, version 0.1.0, kernels <12 hex>
    context = 4 token (workload.context)
    weights_bytes[eager] = 271104 B (weights that a step of the fused plan of tiny streams in bf16, an untied input-embedding table left out)
    kv_bytes[eager] = 1536 B (keys and values of 4 positions of tiny in bf16)
    launches[eager] = 15 (kernel launches of a step of the fused plan of tiny)
    weights_bytes[graphed] = 271104 B (weights that a step of the fused plan of tiny streams in bf16, an untied input-embedding table left out)
    kv_bytes[graphed] = 1536 B (keys and values of 4 positions of tiny in bf16)
    launches[graphed] = 15 (kernel launches of a step of the fused plan of tiny)

    schema = "prereg/1"
    id = "never"
    title = "Is replay faster?"
    data-seen = "none"
    targets = ["cpu"]
    baseline = "eager"

    [workload]
    kind = "decode"
    model = "models/tiny"
    weights = "checkpoint"
    plan = "fused"
    context = 4

    [protocol]
    sessions = 13
    order = "mirror"
    warmup-steps = 1
    measured-steps = 4
    sync = "per-step"
    seed = "1"
    threads = 1

    [inference]
    assumed-cv = { speedup = "2 %" }

    [arms]
    eager = { launch = "eager" }
    graphed = { launch = "graph" }

    [metrics]
    eager_step = "median(step_time[eager])"
    speedup = "eager_step / median(step_time[graphed])"

    [gates]
    same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }
    memory = { each-session = "min(read_bandwidth) >= 1 kB/s", otherwise = "exclude" }
    steady = { across-sessions = "cv(eager_step) <= 1000 %", otherwise = "abstain" }

    [claims.faster]
    text = "Replay makes a step at least 1.15 times as fast."
    on = ["cpu"]
    expected = { speedup = 1.26 }
    rival = { speedup = 1.02 }
    kill = ["speedup < 1.15"]
    "#);
}

#[test]
fn show_of_a_run_prints_its_life() {
    let study = eventful();
    let run = study.history().runs()[1].id.to_string();
    insta::assert_snapshot!(study.prereg(["show", &run]).exits(0).redacted(), @r"
    run cpu-<12 hex> of plan (lock <12 hex>)
    announced <date> by chain <12 hex>, launcher simulation, version 0.1.0
    sealed, run of record
    sealed <date>: <64 hex>
      session 0 complete <12 hex>
      session 1 complete <12 hex>
      session 2 complete <12 hex>
      session 3 complete <12 hex>
      session 4 missing: left unfinished by an earlier sitting
      session 5 complete <12 hex>
      session 6 complete <12 hex>
      session 7 complete <12 hex>
      session 8 complete <12 hex>
      session 9 complete <12 hex>
      session 10 complete <12 hex>
      session 11 complete <12 hex>
      session 12 complete <12 hex>
      read_bandwidth: 20 GB/s to 20 GB/s, median 20 GB/s, 48 readings in 12 sessions
      faster: pass
    ");
}

#[test]
fn json_of_a_run_has_its_announcement_and_its_verdicts() {
    let study = eventful();
    let run = study.history().runs()[1].id.to_string();
    let document = study.prereg(["show", &run[..8], "--json"]).exits(0).json();
    assert_eq!(document["schema"], "prereg-run-history/1");
    assert_eq!(document["run"], run);
    assert_eq!(document["announcement"]["origin"], "simulated");
    assert_eq!(document["verdicts"][0]["verdict"], "pass");
}

#[test]
fn an_id_that_is_not_there_is_missing() {
    eventful().prereg(["show", "gpu-0"]).exits(66).says("gpu-0");
}
