//! Later runs of a lock: they are shown with their own result and never replace the first.

use crate::study::{Plan, Scripted, TempStudy};

/// A study whose run of record passes, and a clone of it whose replication does not.
fn replicated() -> TempStudy {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.26, |_, _| ());
    let clone = study.cloned();
    clone
        .simulate(1.02, |_, figures| Scripted::Complete(figures))
        .exits(1)
        .says("replication 1")
        .says("the verdict on faster stays that of the run of record: pass");
    clone
}

#[test]
fn a_replication_exits_by_its_own_result_and_analyze_by_the_run_of_record() {
    let clone = replicated();
    let document = clone.prereg(["analyze", "plan", "--json"]).exits(0).json();
    assert_eq!(document["claims"]["faster"]["verdict"], "pass");
    let standings: Vec<_> = document["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["standing"])
        .collect();
    assert_eq!(standings, ["of-record", "replication"]);
    assert_eq!(
        document["runs"][1]["judgement"]["claims"]["faster"]["verdict"],
        "falsified"
    );
}

#[test]
fn a_replication_has_its_own_chain_and_is_listed_and_reported() {
    let clone = replicated();
    let chains = clone
        .files("prereg/ledger")
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .count();
    assert_eq!(chains, 2);
    clone
        .prereg(["list"])
        .exits(0)
        .says("sealed, run of record")
        .says("sealed, replication 1");
    clone
        .prereg(["verify"])
        .exits(0)
        .says("2 verdicts derived again");
    assert!(
        clone.read("reports/plan.md").contains("eplication 1"),
        "{}",
        clone.read("reports/plan.md")
    );
}

#[test]
fn a_second_run_in_the_same_study_is_a_replication_too() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.26, |_, _| ());
    study
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0)
        .says("replication 1");
}

/// Two clones run the lock without seeing each other, then meet.
fn first_runs(one: f64, other: f64) -> TempStudy {
    let study = TempStudy::locked(&Plan::default());
    let clone = study.cloned();
    study.simulate(one, |_, figures| Scripted::Complete(figures));
    clone.simulate(other, |_, figures| Scripted::Complete(figures));
    study.pull(&clone);
    study
}

#[test]
fn first_runs_that_did_not_see_each_other_and_disagree_abstain() {
    let study = first_runs(1.26, 1.02);
    let document = study.prereg(["analyze", "plan", "--json"]).exits(2).json();
    assert_eq!(
        document["claims"]["faster"]["reasons"]["cpu"],
        serde_json::json!([{ "code": "first-runs-disagree" }])
    );
    study.prereg(["verify"]).exits(0);
}

#[test]
fn first_runs_that_did_not_see_each_other_and_agree_stand() {
    let study = first_runs(1.26, 1.27);
    let document = study.prereg(["analyze", "plan", "--json"]).exits(0).json();
    assert_eq!(
        document["claims"]["faster"]["results"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
