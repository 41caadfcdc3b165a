//! What a sealed run is judged to say: verdict, reasons and exit code of `run` and `analyze`.

use crate::study::{Finished, Plan, Scripted, TempStudy};

/// Verdict and reasons of the claim, by `analyze --json`, which must exit with `code`.
fn analysis(study: &TempStudy, code: i32) -> (String, serde_json::Value) {
    let document = study
        .prereg(["analyze", "plan", "--json"])
        .exits(code)
        .json();
    let claim = &document["claims"]["faster"];
    (
        claim["verdict"].as_str().unwrap().to_owned(),
        claim["reasons"]["cpu"].clone(),
    )
}

fn steady(speedup: f64) -> (TempStudy, Finished) {
    TempStudy::judged(&Plan::default(), speedup, |_, _| ())
}

#[test]
fn a_claim_whose_kill_condition_is_shown_false_passes() {
    let (study, run) = steady(1.26);
    run.exits(0)
        .says("every kill condition is shown false")
        .says("SIMULATED");
    let (verdict, reasons) = analysis(&study, 0);
    assert_eq!(verdict, "pass");
    assert_eq!(
        reasons,
        serde_json::json!([{ "code": "all-conditions-false" }])
    );
}

#[test]
fn a_claim_whose_kill_condition_is_shown_true_is_falsified() {
    let (study, run) = steady(1.02);
    run.exits(1)
        .says("kill condition `speedup < 1.15` is shown true");
    let (verdict, reasons) = analysis(&study, 1);
    assert_eq!(verdict, "falsified");
    assert_eq!(
        reasons,
        serde_json::json!([{ "code": "condition-true", "condition": 0 }])
    );
}

#[test]
fn a_threshold_within_the_bounds_abstains() {
    let (study, run) = steady(1.15);
    run.exits(2).says("the threshold lies within the bounds");
    let (verdict, reasons) = analysis(&study, 2);
    assert_eq!(verdict, "abstained");
    assert_eq!(reasons[0]["cause"], "threshold-within-bounds");
}

#[test]
fn equal_values_in_all_sessions_abstain_as_degenerate() {
    let (study, run) =
        TempStudy::judged(&Plan::default(), 1.26, |_, figures| figures.speedup = 1.26);
    run.exits(2);
    assert_eq!(analysis(&study, 2).1[0]["cause"], "degenerate");
}

#[test]
fn other_logits_of_one_arm_abstain_and_say_what_the_conditions_alone_would_have_said() {
    let (study, run) = TempStudy::judged(&Plan::default(), 1.26, |session, figures| {
        figures.other_logits = session == 5;
    });
    run.exits(2)
        .says("gate `same_output` failed")
        .says("had gate `same_output` held: pass");
    assert_eq!(
        analysis(&study, 2).1,
        serde_json::json!([{ "code": "gate-failed", "gate": "same_output" }])
    );
}

#[test]
fn a_gate_across_sessions_that_fails_abstains_with_its_observed_value() {
    let plan = Plan::default().with("cv(eager_step) <= 1000 %", "cv(eager_step) <= 4 %");
    let (study, run) = TempStudy::judged(&plan, 1.02, |session, figures| {
        figures.pace = 1.0 + 0.5 * f64::from(session % 2);
    });
    run.exits(2)
        .says("gate `steady` failed (`cv(eager_step)` =")
        .says("had gate `steady` held: falsified");
    assert_eq!(
        analysis(&study, 2).1,
        serde_json::json!([{ "code": "gate-failed", "gate": "steady" }])
    );
}

#[test]
fn a_gate_that_was_not_observed_abstains() {
    let plan = Plan::default().with(
        r#"1 kB/s", otherwise = "exclude""#,
        r#"1 kB/s", otherwise = "abstain""#,
    );
    let (study, run) = TempStudy::judged(&plan, 1.26, |_, figures| figures.bandwidth = None);
    run.exits(2).says("not observed is not passed");
    assert_eq!(
        analysis(&study, 2).1,
        serde_json::json!([{ "code": "gate-unobserved", "gate": "memory" }])
    );
}

#[test]
fn a_graph_that_was_not_replayed_makes_the_arm_invalid() {
    let (study, run) = TempStudy::judged(&Plan::default(), 1.26, |session, figures| {
        figures.invalid = (session == 2).then_some("the graph was not captured");
    });
    run.exits(2)
        .says("arm `graphed` did not run as asked: the graph was not captured");
    assert_eq!(analysis(&study, 2).1[0]["code"], "arm-invalid");
}

#[test]
fn three_missing_sessions_of_thirteen_still_pass_and_each_is_named_with_its_reason() {
    let study = TempStudy::locked(&Plan::default());
    let run = study.simulate(1.26, |session, figures| match session {
        1 => Scripted::Torn,
        4 => Scripted::TimedOut,
        7 => Scripted::Failed("out of memory"),
        _ => Scripted::Complete(figures),
    });
    run.exits(0)
        .says("session 1 is missing")
        .says("session 4 is missing")
        .says("out of memory");
    let document = study.prereg(["analyze", "plan", "--json"]).exits(0).json();
    let missing = &document["runs"][0]["judgement"]["missing"];
    let reasons: Vec<_> = missing
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["reason"].clone())
        .collect();
    assert_eq!(reasons, ["torn", "timed-out", "failed"]);
}

#[test]
fn four_missing_sessions_of_thirteen_are_too_many() {
    let study = TempStudy::locked(&Plan::default());
    let run = study.simulate(1.26, |session, figures| {
        if session < 4 {
            Scripted::Torn
        } else {
            Scripted::Complete(figures)
        }
    });
    run.exits(2).says("too few sessions");
    assert_eq!(analysis(&study, 2).1[0]["cause"], "too-few-sessions");
}

#[test]
fn a_session_with_a_rejected_step_is_missing() {
    let (study, run) = TempStudy::judged(&Plan::default(), 1.26, |session, figures| {
        figures.rejected = u32::from(session == 3);
    });
    run.exits(0).says("session 3 is missing");
    let document = study.prereg(["analyze", "plan", "--json"]).exits(0).json();
    assert_eq!(
        document["runs"][0]["judgement"]["missing"],
        serde_json::json!([{ "session": 3, "reason": "rejected-steps", "count": 1 }])
    );
}

#[test]
fn a_session_that_a_gate_excludes_is_missing_and_so_is_one_where_the_gate_was_not_observed() {
    let (study, run) =
        TempStudy::judged(&Plan::default(), 1.26, |session, figures| match session {
            3 => figures.bandwidth = Some(20.0),
            6 => figures.bandwidth = None,
            _ => {}
        });
    run.exits(0);
    let document = study.prereg(["analyze", "plan", "--json"]).exits(0).json();
    assert_eq!(
        document["runs"][0]["judgement"]["missing"],
        serde_json::json!([
            { "session": 3, "reason": "excluded", "gate": "memory" },
            { "session": 6, "reason": "unobserved", "gate": "memory" },
        ])
    );
}

#[test]
fn a_lock_without_a_run_abstains_for_lack_of_data() {
    let study = TempStudy::locked(&Plan::default());
    assert_eq!(
        analysis(&study, 2).1,
        serde_json::json!([{ "code": "no-data" }])
    );
}

#[test]
fn a_claim_on_two_targets_passes_on_one_and_its_headline_waits_for_the_other() {
    let plan = Plan::default()
        .with(r#"targets = ["cpu"]"#, r#"targets = ["cpu", "h100"]"#)
        .with(r#"on = ["cpu"]"#, r#"on = ["cpu", "h100"]"#);
    let (study, run) = TempStudy::judged(&plan, 1.26, |_, _| ());
    run.exits(0);
    let document = study.prereg(["analyze", "plan", "--json"]).exits(2).json();
    let claim = &document["claims"]["faster"];
    assert_eq!(claim["verdict"], "abstained");
    assert_eq!(
        claim["targets"],
        serde_json::json!({ "cpu": "pass", "h100": "abstained" })
    );
    assert_eq!(
        claim["reasons"]["h100"],
        serde_json::json!([{ "code": "no-data" }])
    );
}
