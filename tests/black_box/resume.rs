//! `prereg run --resume`: goes on with sessions that never started, and with no others.

use prereg_ledger::Status;

use crate::study::{Figures, Plan, Scripted, Simulation, TempStudy};

#[test]
fn resume_runs_what_never_started_and_keeps_what_is_there() {
    let study = TempStudy::locked(&Plan::default());
    let run = Simulation::announce(&study);
    run.write(0, Scripted::Complete(Figures::speedup(1.26)));
    run.write(2, Scripted::Torn);
    let run = run.resume();
    assert!(matches!(run.code, Some(0..=2)), "{run:#?}");
    run.says("measured: 12 sessions complete, 1 missing")
        .says("session 2 is missing");
    let document = study.prereg(["analyze", "plan", "--json"]).json();
    assert_eq!(
        document["runs"][0]["judgement"]["missing"],
        serde_json::json!([{ "session": 2, "reason": "torn" }])
    );
    let speedups = document["runs"][0]["judgement"]["metrics"]["speedup"]["values"].clone();
    assert_eq!(speedups[0], 1.26);
    study.prereg(["verify"]).exits(0);
}

#[test]
fn resume_with_nothing_left_to_start_seals() {
    let study = TempStudy::locked(&Plan::default());
    study
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0)
        .says("13 sessions complete");
    assert!(matches!(
        study.history().runs()[0].status,
        Status::Sealed { .. }
    ));
}

#[test]
fn there_is_nothing_to_resume_before_a_run_and_after_its_seal() {
    let study = TempStudy::locked(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu", "--resume"])
        .exits(66)
        .says("nothing to resume");
    study
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0);
    study
        .prereg(["run", "plan", "--on", "cpu", "--resume"])
        .exits(66)
        .says("nothing to resume");
}

#[test]
fn the_run_of_another_clone_is_not_resumed() {
    let study = TempStudy::locked(&Plan::default());
    Simulation::announce(&study);
    study
        .cloned()
        .prereg(["run", "plan", "--on", "cpu", "--resume"])
        .exits(66)
        .says("nothing to resume");
}

#[test]
fn resume_after_a_crash_between_seal_and_ledger_only_records_the_seal() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.26, |_, _| ());
    let folder = study.contents("runs");
    // Seal and verdict.
    study.rewind(2);
    study
        .prereg(["run", "plan", "--on", "cpu", "--resume"])
        .exits(0);
    assert_eq!(study.contents("runs"), folder);
    assert_eq!(study.history().runs()[0].verdicts.len(), 1);
    study.prereg(["verify"]).exits(0);
}

#[test]
fn resume_after_a_crash_between_seal_and_verdict_only_records_the_verdict() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.02, |_, _| ());
    let records = study.history().records().count();
    study.rewind(1);
    assert!(study.history().runs()[0].verdicts.is_empty());
    study
        .prereg(["run", "plan", "--on", "cpu", "--resume"])
        .exits(1)
        .says("its verdict was not recorded");
    assert_eq!(study.history().runs()[0].verdicts.len(), 1);
    assert_eq!(study.history().records().count(), records);
    study.prereg(["verify"]).exits(0);
}
