//! Declarations that are refused: exit code 65, the problem with its place, and nothing written. What each message
//! says in full is tested where it is made.

use crate::study::{Plan, TempStudy};

/// `lock` refuses `plan`, names `code` and the line, and leaves the study as it was.
#[track_caller]
fn refuses(plan: &Plan, code: &str, line: u32) {
    let study = TempStudy::with(plan);
    let before = study.contents("");
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says(&format!("error[{code}]"))
        .says(&format!("experiments/plan.toml:{line}:"));
    assert_eq!(study.contents(""), before);
}

#[test]
fn a_syntax_error() {
    refuses(
        &Plan::default().with("sessions = 13", "sessions = = 13"),
        "syntax",
        16,
    );
}

#[test]
fn an_unknown_key() {
    refuses(
        &Plan::default().with("sessions = 13", "sesions = 13"),
        "unknown-key",
        16,
    );
}

#[test]
fn an_unknown_arm() {
    refuses(
        &Plan::default().with("median(step_time[graphed])", "median(step_time[graph])"),
        "unknown-name",
        33,
    );
}

#[test]
fn an_unknown_metric() {
    refuses(
        &Plan::default().with("speedup < 1.15", "speedupp < 1.15"),
        "unknown-name",
        45,
    );
}

#[test]
fn an_unknown_unit() {
    refuses(
        &Plan::default().with("1 kB/s", "1 kB/fortnight"),
        "unknown-name",
        37,
    );
}

#[test]
fn a_number_that_is_not_finite() {
    refuses(
        &Plan::default().with(
            "expected = { speedup = 1.26 }",
            "expected = { speedup = inf }",
        ),
        "inexact-number",
        43,
    );
}

#[test]
fn an_id_that_is_given_twice() {
    refuses(
        &Plan::default().with("[gates]", "speedup = \"eager_step\"\n\n[gates]"),
        "syntax",
        35,
    );
}

#[test]
fn syntax_of_toml_1_1() {
    refuses(
        &Plan::default().with("{ speedup = 1.26 }", "{ speedup = 1.26, }"),
        "syntax",
        43,
    );
}

#[test]
fn a_claim_without_a_kill_condition() {
    refuses(
        &Plan::default().with("kill = [\"speedup < 1.15\"]\n", ""),
        "no-kill-condition",
        40,
    );
}

#[test]
fn a_claim_with_an_empty_list_of_kill_conditions() {
    refuses(
        &Plan::default().with("[\"speedup < 1.15\"]", "[]"),
        "no-kill-condition",
        45,
    );
}

#[test]
fn no_sessions() {
    refuses(
        &Plan::default().with("sessions = 13", "sessions = 0"),
        "invalid-value",
        16,
    );
}

#[test]
fn an_odd_number_of_measured_steps() {
    refuses(
        &Plan::default().with("measured-steps = 4", "measured-steps = 5"),
        "invalid-value",
        19,
    );
}

#[test]
fn what_comes_with_a_later_version_is_refused_as_not_yet() {
    let plan = Plan::default().with("context = 4", "context = [4, 8]");
    let study = TempStudy::with(&plan);
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("error[not-yet]")
        .says("experiments/plan.toml:13:");
}

#[test]
fn a_targets_file_with_a_problem_is_refused_with_its_place() {
    let study = TempStudy::with(&Plan::default());
    study.write(
        "experiments/targets.toml",
        "[cpu]\ndevice = \"abacus\"\nname = \"any\"\n",
    );
    study
        .prereg(["check", "plan"])
        .exits(65)
        .says("experiments/targets.toml:2:");
}
