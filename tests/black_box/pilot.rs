//! `prereg run --pilot`: what a draft's spread is, before it is locked.

use crate::study::{Plan, TempStudy};

/// A draft whose pilot of the baseline was really run.
fn piloted() -> TempStudy {
    let study = TempStudy::with(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu", "--pilot"])
        .exits(0)
        .says("no verdict")
        .says("assumed-cv = { eager_step = \"");
    study
}

#[test]
fn a_pilot_gives_spreads_and_no_verdict() {
    let study = piloted();
    assert!(study.history().runs()[0].verdicts.is_empty());
    assert!(study.files("reports").is_empty());
    study
        .prereg(["list"])
        .exits(0)
        .says("pilot of plan, arms baseline");
    let draft = study.history().pilots()[0].event.lock.prefix(8);
    study
        .prereg(["show", &draft])
        .exits(0)
        .says("draft of a pilot, arms baseline");
    study.prereg(["analyze", &draft]).exits(66);
    study.prereg(["verify"]).exits(0).says("nothing found");
}

#[test]
fn a_pilot_of_the_baseline_measures_every_arm_as_the_baseline() {
    let study = piloted();
    let run = study.run_folder();
    let steps = std::fs::read_to_string(run.join("sessions/0/steps.jsonl")).unwrap();
    // A graph leaves its record in every slot of its arm; here both arms are the eager baseline.
    assert!(steps.contains("\"arm\":\"graphed\""), "{steps}");
    assert!(!steps.contains("captured_launches\":"), "{steps}");
}

#[test]
fn a_plan_after_a_pilot_must_say_so() {
    let study = piloted();
    let before = study.contents("prereg");
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("has measured its baseline")
        .says("data-seen = \"pilot\"");
    assert_eq!(study.contents("prereg"), before);
    study.declare(&Plan::default().with(
        "data-seen = \"none\"",
        "data-seen = \"pilot\"\ndata-seen-figures = \"the spread alone\"",
    ));
    study.prereg(["lock", "plan"]).exits(0);
}

#[test]
fn a_pilot_of_all_arms_has_seen_the_data() {
    let study = TempStudy::with(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu", "--pilot=all-arms"])
        .exits(0)
        .says("data-seen = \"this-data\"");
    study.declare(&Plan::default().with(
        "data-seen = \"none\"",
        "data-seen = \"pilot\"\ndata-seen-figures = \"the spread alone\"",
    ));
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("data-seen = \"this-data\"");
}

#[test]
fn the_report_counts_the_pilots() {
    let study = piloted();
    study.declare(&Plan::default().with(
        "data-seen = \"none\"",
        "data-seen = \"pilot\"\ndata-seen-figures = \"the spread alone\"",
    ));
    study.prereg(["lock", "plan"]).exits(0);
    study.simulate(1.26, |_, figures| crate::study::Scripted::Complete(figures));
    let pilot = study.history().runs()[0].id.clone();
    let report = study.read("reports/plan.md");
    assert!(report.contains(pilot.as_str()), "{report}");
}

#[test]
fn check_prints_the_power_at_the_spread_that_a_pilot_measured() {
    piloted()
        .prereg(["check", "plan"])
        .exits(0)
        .says("at the spread that pilot cpu-");
}

#[test]
fn a_draft_that_cannot_run_here_leaves_nothing_in_the_ledger() {
    let study = TempStudy::with(&Plan::default().with("threads = 1", "threads = 4000"));
    let before = study.contents("prereg/locks");
    study
        .prereg(["run", "plan", "--on", "cpu", "--pilot"])
        .exits(69);
    study
        .prereg(["run", "plan", "--on", "h100", "--pilot"])
        .exits(64);
    assert_eq!(study.contents("prereg/locks"), before);
    assert!(study.history().pilots().is_empty());
}

#[test]
fn a_pilot_needs_a_draft_and_knows_two_sorts_of_arms() {
    let study = TempStudy::with(&Plan::default());
    study.prereg(["run", "--on", "cpu", "--pilot"]).exits(64);
    study
        .prereg(["run", "plan", "--on", "cpu", "--pilot=some-arms"])
        .exits(64);
}
