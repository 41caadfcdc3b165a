//! `prereg analyze`: names that it takes, its object, and that it writes nothing.

use crate::study::{Plan, TempStudy};

fn sealed() -> TempStudy {
    TempStudy::judged(&Plan::default(), 1.26, |_, _| ()).0
}

#[test]
fn analyze_says_the_verdict_and_why() {
    let said = sealed().prereg(["analyze", "plan"]).exits(0).redacted();
    // Which sessions start with the baseline follows from the announcement: once in a hundred times chance alone is a
    // caution.
    let said: Vec<&str> = said
        .lines()
        .filter(|line| !line.contains("caution"))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    ● pass faster: speedup is at least 1.15 on cpu
      cpu: every kill condition is shown false
      speedup < 1.15: shown false; between 1.254 (α = 0.05) and 1.266 (α = 0.05); p = 0.000122; shown false for any threshold up to 1.254
    evidence: self-asserted
    ");
}

#[test]
fn json_is_the_same_bytes_at_every_call_and_in_every_clone() {
    let study = sealed();
    let first = study.prereg(["analyze", "plan", "--json"]).exits(0).stdout;
    assert_eq!(study.prereg(["analyze", "plan", "--json"]).stdout, first);
    assert_eq!(
        study.cloned().prereg(["analyze", "plan", "--json"]).stdout,
        first
    );
}

#[test]
fn analyze_writes_nothing() {
    let study = sealed();
    let before = study.contents("");
    study.prereg(["analyze", "plan", "--json"]).exits(0);
    assert_eq!(study.contents(""), before);
}

#[test]
fn json_has_threshold_state_and_bounds_of_each_condition_and_what_each_metric_was() {
    let document = sealed()
        .prereg(["analyze", "plan", "--json"])
        .exits(0)
        .json();
    assert_eq!(document["schema"], "prereg-analysis/1");
    assert_eq!(document["rules"], "1");
    assert_eq!(document["void"], false);
    let result = &document["claims"]["faster"]["results"][0];
    assert_eq!(result["target"], "cpu");
    assert_eq!(result["verdict"], "pass");
    let comparison = &result["conditions"][0]["comparisons"][0];
    assert_eq!(
        comparison["threshold"],
        serde_json::json!({ "value": 1.15, "unit": "1" })
    );
    assert_eq!(comparison["state"], "false");
    // The fourth of thirteen values from below, and from above.
    assert_eq!(comparison["bounds"]["lower"], 1.254);
    assert_eq!(comparison["bounds"]["upper"], 1.266);
    let speedup = &document["runs"][0]["judgement"]["metrics"]["speedup"];
    assert_eq!(speedup["values"].as_array().unwrap().len(), 13);
    assert_eq!(speedup["estimate"], 1.26);
    for interval in ["order_statistic", "bootstrap_percentile"] {
        assert!(speedup[interval]["lower"].is_number(), "{speedup}");
    }
    for cv in ["cv", "cv_plain"] {
        assert!(speedup[cv].is_number(), "{speedup}");
    }
}

#[test]
fn a_lock_is_found_by_experiment_by_file_by_its_own_id_and_by_that_of_a_run() {
    let study = sealed();
    let history = study.history();
    let (lock, run) = (
        history.locks()[0].event.lock.to_string(),
        history.runs()[0].id.to_string(),
    );
    let expected = study.prereg(["analyze", "plan"]).exits(0).stdout;
    for name in ["experiments/plan.toml", &lock, &lock[..8], &run, &run[..10]] {
        assert_eq!(
            study.prereg(["analyze", name]).exits(0).stdout,
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_id_that_is_not_there_is_missing() {
    sealed()
        .prereg(["analyze", "nothing"])
        .exits(66)
        .says("nothing");
}

#[test]
fn a_file_that_is_not_locked_as_it_stands_is_refused() {
    let study = sealed();
    study.declare(&Plan::default().with("sessions = 13", "sessions = 15"));
    study
        .prereg(["analyze", "experiments/plan.toml"])
        .exits(65)
        .says("not locked as it stands");
}
