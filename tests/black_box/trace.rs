//! `prereg trace` and `prereg explain`: where numbers come from, and what codes mean.

use crate::study::{Plan, Scripted, TempStudy};

fn judged() -> TempStudy {
    TempStudy::judged(&Plan::default(), 1.26, |_, _| ()).0
}

#[test]
fn a_trace_shows_every_part_with_its_value_and_its_file() {
    let traced = judged()
        .prereg(["trace", "speedup", "--of", "plan"])
        .exits(0);
    // Which slots an arm has follows from the seed of the announcement.
    let mut text = traced.redacted();
    for slot in 0..4 {
        text = text.replace(&format!("slot {slot},"), "slot <n>,");
    }
    insta::assert_snapshot!(text, @r"
    speedup of plan, run cpu-<12 hex> on cpu (run of record), session 0 of 13

    speedup = 1.26
    └─ eager_step / median(step_time[graphed]) = 1.26
       ├─ eager_step = 1.26 ms
       │  └─ median(step_time[eager]) = 1.26 ms  (mean over the slots of eager)
       │     ├─ median(step_time[eager]) = 1.26 ms  (slot <n>, 2 steps, runs/plan/cpu-<12 hex>/sessions/0/steps.jsonl)
       │     └─ median(step_time[eager]) = 1.26 ms  (slot <n>, 2 steps, runs/plan/cpu-<12 hex>/sessions/0/steps.jsonl)
       └─ median(step_time[graphed]) = 1 ms  (mean over the slots of graphed)
          ├─ median(step_time[graphed]) = 1 ms  (slot <n>, 2 steps, runs/plan/cpu-<12 hex>/sessions/0/steps.jsonl)
          └─ median(step_time[graphed]) = 1 ms  (slot <n>, 2 steps, runs/plan/cpu-<12 hex>/sessions/0/steps.jsonl)

    sessions in order: 1.260000 1.258000 1.270000 1.268000 1.252000 1.250000 1.264000 1.254000 1.266000 1.256000 1.248000 1.262000 1.272000
    median over sessions: 1.260000
    ");
}

#[test]
fn a_trace_in_json_is_the_same_tree() {
    let study = judged();
    let document = study
        .prereg([
            "trace",
            "speedup",
            "--of",
            "plan",
            "--session",
            "3",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(document["schema"], "prereg-trace/1");
    let value = document["trace"]["value"]["value"].as_f64().unwrap();
    let over_sessions = document["over_sessions"]["values"][3].as_f64().unwrap();
    assert_eq!(value, over_sessions);
}

#[test]
fn a_metric_or_session_that_is_not_there_is_named() {
    let study = judged();
    study
        .prereg(["trace", "slowdown", "--of", "plan"])
        .exits(66)
        .says("its metrics are eager_step, speedup");
    study
        .prereg(["trace", "speedup", "--of", "plan", "--session", "13"])
        .exits(64)
        .says("0 to 12");
}

#[test]
fn a_missing_session_has_no_trace() {
    let study = TempStudy::locked(&Plan::default());
    study.simulate(1.26, |session, figures| match session {
        2 => Scripted::Torn,
        _ => Scripted::Complete(figures),
    });
    study
        .prereg(["trace", "speedup", "--of", "plan", "--session", "2"])
        .exits(66)
        .says("is missing");
}

#[test]
fn what_was_never_run_has_no_trace() {
    TempStudy::locked(&Plan::default())
        .prereg(["trace", "speedup", "--of", "plan"])
        .exits(66)
        .says("no sealed run of record");
}

#[test]
fn explain_says_what_a_code_means_and_what_to_do() {
    insta::assert_snapshot!(TempStudy::new().prereg(["explain", "gate-unobserved"]).exits(0).redacted(), @r"
    gate-unobserved (reason of a verdict)
      A gate with outcome `abstain` could not be read in every session: not observed is not passed.
      what to do: See which column is absent; plan with a reading that this device gives.
    ");
}

#[test]
fn explain_lists_every_code() {
    let all = TempStudy::new().prereg(["explain"]).exits(0).stdout;
    for code in [
        "condition-true",
        "torn",
        "never-true",
        "chain-cut",
        "unit-mismatch",
    ] {
        assert!(all.contains(code), "{code}");
    }
}

#[test]
fn an_unknown_code_is_not_guessed() {
    TempStudy::new()
        .prereg(["explain", "gate-unobservable"])
        .exits(66)
        .says("there is no code");
}
