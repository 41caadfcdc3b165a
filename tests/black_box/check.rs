//! `prereg check`: whether a declaration is well formed, and whether its plan can lose and win.

use crate::study::{Plan, TempStudy};

#[test]
fn check_shows_digests_and_what_the_sessions_decide() {
    let study = TempStudy::with(&Plan::default());
    insta::assert_snapshot!(study.prereg(["check", "plan"]).exits(0).redacted(), @r"
    plan: Is replay faster?
      13 sessions on cpu, arms eager, graphed, 4 measured steps an arm and session
      read on order-statistic bounds of the median over sessions, α 0.05 for pass and 0.05 for falsified, stopping fixed
      declaration  <64 hex>
      meaning      <64 hex>
      question     <64 hex>

    claim faster: what 13 sessions decide, at the assumed spread
      true value                           pass  falsified     open
      rival: speedup 1.02                 0.000      1.000    0.000
      speedup 1.085                       0.000      1.000    0.000
      speedup 1.15                        0.046      0.046    0.908
      speedup 1.205                       1.000      0.000    0.000
      expected: speedup 1.26              1.000      0.000    0.000
      true values up to 1.136 would likely be falsified
      true values from 1.136 to 1.164 would likely stay open
      true values from 1.164 up would likely pass

    5 sessions would decide as well as 13

    on cpu: at most 2 hours; about 0.2 MB on disk

    the plan can lose and can win; next: prereg lock plan
    ");
}

#[test]
fn a_declaration_is_found_by_name_by_file_name_and_by_path() {
    let study = TempStudy::with(&Plan::default());
    for name in ["plan", "plan.toml", "experiments/plan.toml"] {
        study.prereg(["check", name]).exits(0);
    }
}

#[test]
fn a_declaration_that_is_not_there_is_missing_and_those_that_are_there_are_named() {
    let study = TempStudy::with(&Plan::default());
    insta::assert_snapshot!(study.prereg(["check", "paln"]).exits(66).redacted(), @r"
    error: no declaration `paln`: neither a file nor a name under experiments/
      help: experiments/ has plan.toml
    ");
}

#[test]
fn check_writes_nothing() {
    let study = TempStudy::with(&Plan::default());
    let before = study.contents("");
    study.prereg(["check", "plan"]).exits(0);
    assert_eq!(study.contents(""), before);
}

#[test]
fn json_of_an_accepted_plan_has_its_digests_and_its_power() {
    let study = TempStudy::with(&Plan::default());
    let document = study.prereg(["check", "plan", "--json"]).exits(0).json();
    assert_eq!(document["schema"], "prereg-check/1");
    assert_eq!(document["accepted"], true);
    for digest in ["declaration", "meaning", "question"] {
        assert_eq!(document[digest].as_str().unwrap().len(), 64);
    }
    let claim = &document["power"]["claims"]["faster"];
    assert!(claim["expected"]["pass"].as_f64().unwrap() >= 0.5);
    assert!(claim["rival"]["falsified"].as_f64().unwrap() >= 0.8);
}

#[test]
fn a_comment_changes_the_bytes_and_not_the_meaning() {
    let digests = |plan: &Plan| {
        let study = TempStudy::with(plan);
        let document = study.prereg(["check", "plan", "--json"]).exits(0).json();
        ["declaration", "meaning", "question"].map(|digest| document[digest].clone())
    };
    let [bytes, meaning, question] = digests(&Plan::default());
    let [other_bytes, other_meaning, other_question] =
        digests(&Plan::default().with("[metrics]", "[metrics] # what is measured"));
    assert_ne!(bytes, other_bytes);
    assert_eq!((meaning, question), (other_meaning, other_question));
}

#[test]
fn a_plan_that_would_miss_a_wrong_claim_is_refused() {
    let study = TempStudy::with(&Plan::default().with("speedup = 1.02", "speedup = 1.14"));
    insta::assert_snapshot!(study.prereg(["check", "plan"]).exits(65).stderr, @r"
    error: the plan of experiments/plan.toml is refused
      - claim `faster`: if the rival values are true it would be falsified with probability 0.33 only, and 0.80 is needed; 53 sessions would do
    ");
}

#[test]
fn a_condition_that_can_never_hold_is_refused_and_json_gives_its_code() {
    let study =
        TempStudy::with(&Plan::default().with("speedup < 1.15", "speedup < 1.15 and speedup > 2"));
    study
        .prereg(["check", "plan"])
        .exits(65)
        .says("the plan of experiments/plan.toml is refused");
    let document = study.prereg(["check", "plan", "--json"]).exits(65).json();
    assert_eq!(document["accepted"], false);
    let codes: Vec<_> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| &finding["code"])
        .collect();
    assert!(
        codes.contains(&&serde_json::json!("never-true")),
        "{codes:?}"
    );
}

#[test]
fn json_of_a_malformed_declaration_has_the_place_of_every_problem() {
    let plan = Plan::default()
        .with("sessions = 13", "sessions = 0")
        .with("measured-steps = 4", "measured-steps = 5");
    let document = TempStudy::with(&plan)
        .prereg(["check", "plan", "--json"])
        .exits(65)
        .json();
    assert_eq!(document["accepted"], false);
    let lines: Vec<_> = document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| &problem["line"])
        .collect();
    assert_eq!(lines, [16, 19]);
}

#[test]
fn a_slot_that_does_not_fit_the_model_is_refused_before_the_lock() {
    let study =
        TempStudy::with(&Plan::default().with("measured-steps = 4", "measured-steps = 4000"));
    for command in ["check", "lock"] {
        study
            .prereg([command, "plan"])
            .exits(65)
            .says("a slot needs 2004 positions");
    }
    assert!(study.files("prereg/locks").is_empty());
}

#[test]
fn control_characters_of_a_title_do_not_reach_the_terminal() {
    let plan = Plan::default().with("Is replay faster?", "Is replay\\u001b[2J faster?");
    let said = TempStudy::with(&plan)
        .prereg(["check", "plan"])
        .exits(0)
        .stdout;
    assert!(
        !said.contains('\u{1b}') && said.contains("[2J faster?"),
        "{said}"
    );
}
