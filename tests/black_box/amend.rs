//! `prereg amend`, `withdraw` and `diff`: the life of a plan after its first lock.

use crate::study::{Plan, TempStudy};

const REASON: &str = "--reason=the threshold was a typing error";

fn stricter() -> Plan {
    Plan::default().with("speedup < 1.15", "speedup < 1.12")
}

/// A plan that was locked, and amended once.
fn amended() -> TempStudy {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&stricter());
    study.prereg(["amend", "plan", REASON]).exits(0);
    study
}

#[test]
fn an_amendment_names_its_parent_what_changed_and_which_attempt_it_is() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&stricter());
    insta::assert_snapshot!(study.prereg(["amend", "plan", REASON]).exits(0).redacted(), @r"
    amended plan: lock <12 hex> follows <12 hex>
      lock         <64 hex>
      declaration  <64 hex>
      meaning      <64 hex>
      question     <64 hex>
      changed      claims.faster.kill.0: speedup < 1.15 became speedup < 1.12
      attempt      2 of 2

    commit prereg/ now, then: prereg run plan --on cpu
    ");
}

#[test]
fn list_shows_every_attempt_with_its_reason() {
    insta::assert_snapshot!(amended().prereg(["list"]).exits(0).redacted(), @r"
    <12 hex> plan locked <date>, attempt 1 of 2
      never run
    <12 hex> plan locked <date>, attempt 2 of 2
      amends <12 hex>: the threshold was a typing error
      never run
    ");
}

#[test]
fn json_of_the_list_has_parent_reason_and_attempt() {
    let document = amended().prereg(["list", "--json"]).exits(0).json();
    let [first, second] = &document["locks"].as_array().unwrap()[..] else {
        panic!("two locks: {document}")
    };
    assert_eq!(second["amends"], first["lock"]);
    assert_eq!(second["reason"], "the threshold was a typing error");
    assert_eq!(
        second["attempt"],
        serde_json::json!({ "number": 2, "of": 2, "data_had_been_seen": false })
    );
}

#[test]
fn a_changed_plan_is_not_locked_a_second_time_but_amended() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&stricter());
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("prereg amend plan --reason");
}

#[test]
fn what_was_never_locked_cannot_be_amended() {
    let study = TempStudy::with(&Plan::default());
    let before = study.contents("");
    study
        .prereg(["amend", "plan", REASON])
        .exits(66)
        .says("was never locked")
        .says("prereg lock plan");
    assert_eq!(study.contents(""), before);
}

#[test]
fn an_unchanged_plan_has_nothing_to_amend() {
    TempStudy::locked(&Plan::default())
        .prereg(["amend", "plan", REASON])
        .exits(66)
        .says("nothing to amend");
}

#[test]
fn a_return_to_the_first_text_is_an_attempt_of_its_own() {
    let study = amended();
    study.declare(&Plan::default());
    study
        .prereg(["amend", "plan", REASON])
        .exits(66)
        .says("a lock is recorded once");
    study.declare(&Plan::default().with("[gates]", "# the first text again\n[gates]"));
    study
        .prereg(["amend", "plan", REASON])
        .exits(0)
        .says("attempt      3 of 3");
    study.prereg(["verify"]).exits(0);
}

#[test]
fn an_amendment_that_check_refuses_is_refused() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&Plan::default().with("speedup < 1.15", "speedup < 0"));
    let before = study.contents("");
    study.prereg(["amend", "plan", REASON]).exits(65);
    assert_eq!(study.contents(""), before);
}

#[test]
fn an_amendment_needs_a_reason_of_one_line() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&stricter());
    study.prereg(["amend", "plan"]).exits(64);
    for reason in ["--reason=", "--reason=two\nlines"] {
        study.prereg(["amend", "plan", reason]).exits(64);
    }
}

#[test]
fn after_a_run_an_amendment_must_say_that_this_data_was_seen() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.13, |_, _| ());
    study.declare(&stricter());
    study
        .prereg(["amend", "plan", REASON])
        .exits(65)
        .says("data-seen = \"this-data\"");
    study.declare(&stricter().with(
        "data-seen = \"none\"",
        "data-seen = \"this-data\"\ndata-seen-figures = \"1.13 in the first run\"",
    ));
    study
        .prereg(["amend", "plan", REASON])
        .exits(0)
        .says("attempt      2 of 2");
    study
        .prereg(["list"])
        .exits(0)
        .says("attempt 2 of 2, data had been seen");
}

#[test]
fn the_report_of_an_amended_plan_shows_what_changed_and_what_the_first_attempt_said() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.13, |_, _| ());
    study.declare(&stricter().with(
        "data-seen = \"none\"",
        "data-seen = \"this-data\"\ndata-seen-figures = \"1.13 in the first run\"",
    ));
    study.prereg(["amend", "plan", REASON]).exits(0);
    study.simulate(1.13, |_, figures| crate::study::Scripted::Complete(figures));
    let report = study.read("reports/plan.md");
    for text in [
        "2 of 2",
        "the threshold was a typing error",
        "faster falsified",
        "claims.faster.kill.0",
    ] {
        assert!(report.contains(text), "`{text}` is not in {report}");
    }
}

#[test]
fn a_plan_that_was_amended_is_not_run_any_more() {
    let study = amended();
    study.declare(&Plan::default());
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("was amended");
}

#[test]
fn verify_finds_nothing_in_an_amended_study() {
    amended().prereg(["verify"]).exits(0).says("nothing found");
}

#[test]
fn the_report_is_that_of_the_newest_lock() {
    let study = amended();
    let first = study.history().locks()[0].event.lock.prefix(12);
    study
        .prereg(["report", &first])
        .exits(66)
        .says("was amended by lock");
    study.prereg(["report", "plan"]).exits(0);
    study.prereg(["verify"]).exits(0);
}

#[test]
fn a_withdrawn_plan_is_listed_with_its_reason_and_never_run() {
    let study = TempStudy::locked(&Plan::default());
    study
        .prereg(["withdraw", "plan", "--reason=the machine is gone"])
        .exits(0);
    study
        .prereg(["list"])
        .exits(0)
        .says("withdrawn")
        .says("the machine is gone");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("was withdrawn: the machine is gone");
    study.prereg(["run", "--on", "cpu"]).exits(66);
    study
        .prereg(["withdraw", "plan", "--reason=again"])
        .exits(66)
        .says("was withdrawn already");
    study.prereg(["verify"]).exits(0);
}

#[test]
fn withdrawing_after_a_run_keeps_what_it_said() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.02, |_, _| ());
    study
        .prereg(["withdraw", "plan", "--reason=we do not like it"])
        .exits(0)
        .says("1 run of it stays on record");
    study.prereg(["analyze", "plan"]).exits(1);
    study.prereg(["report", "plan"]).exits(0);
    let report = study.read("reports/plan.md");
    assert!(report.contains("we do not like it"), "{report}");
}

#[test]
fn diff_shows_the_changes_of_meaning_between_lock_and_draft() {
    let study = TempStudy::locked(&Plan::default());
    study
        .prereg(["diff", "plan"])
        .exits(0)
        .says("the same, byte for byte");
    study.declare(&Plan::default().with("\n[gates]", "\n# a remark\n[gates]"));
    study
        .prereg(["diff", "plan"])
        .exits(0)
        .says("bytes differ, meaning same");
    study.declare(&stricter().with("sessions = 13", "sessions = 11"));
    insta::assert_snapshot!(study.prereg(["diff", "plan"]).exits(0).redacted(), @r"
    --- lock <12 hex> (<date>)
    +++ experiments/plan.toml
    - claims.faster.kill.0 = speedup < 1.15
    + claims.faster.kill.0 = speedup < 1.12
    - protocol.sessions = 13
    + protocol.sessions = 11
    ");
}

#[test]
fn diff_of_an_amended_plan_compares_the_first_lock_with_the_last() {
    insta::assert_snapshot!(amended().prereg(["diff", "plan"]).exits(0).redacted(), @r"
    --- lock <12 hex> (<date>)
    +++ lock <12 hex> (<date>)
    amended: the threshold was a typing error
    - claims.faster.kill.0 = speedup < 1.15
    + claims.faster.kill.0 = speedup < 1.12
    --- lock <12 hex> (<date>)
    +++ experiments/plan.toml
    the same, byte for byte
    ");
}

#[test]
fn diff_in_json_has_paths_and_values() {
    let document = amended().prereg(["diff", "plan", "--json"]).exits(0).json();
    let change = &document["comparisons"][0]["differences"][0];
    assert_eq!(change["path"], "claims.faster.kill.0");
    assert_eq!(change["before"], "speedup < 1.15");
    assert_eq!(change["after"], "speedup < 1.12");
}

#[test]
fn diff_of_what_was_never_locked_says_so() {
    TempStudy::with(&Plan::default())
        .prereg(["diff", "plan"])
        .exits(66)
        .says("no lock to compare with");
}
