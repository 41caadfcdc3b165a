//! Locks that other versions of the program wrote.

use prereg_declaration::Digest;
use prereg_ledger::{Frozen, Lock, Writer};

use crate::study::{Plan, TempStudy};

/// A study in which `plan` was locked with `edit` made to its `lock.json`.
fn locked_otherwise(plan: &Plan, edit: impl Fn(&mut Lock)) -> TempStudy {
    let scratch = TempStudy::locked(plan);
    let history = scratch.history();
    let Frozen::Whole {
        lock,
        declaration_toml,
    } = &history.locks()[0].frozen
    else {
        panic!("a whole lock")
    };
    let mut lock = lock.clone();
    edit(&mut lock);
    let study = TempStudy::with(plan);
    Writer::open(&study.study())
        .unwrap()
        .lock(&lock, declaration_toml)
        .unwrap();
    study
}

#[test]
fn unknown_rules_cannot_be_judged_and_are_no_tampering() {
    let study = locked_otherwise(&Plan::default(), |lock| lock.rules = "2".into());
    study.prereg(["analyze", "plan"]).exits(70).says("rules");
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(70)
        .says("rules");
    study.prereg(["verify"]).exits(70).says("rules");
}

#[test]
fn other_code_than_at_the_lock_is_a_deviation_in_the_report() {
    let study = locked_otherwise(&Plan::default(), |lock| lock.version = "0.0.1".into());
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .says("this is other code than at the lock");
    assert!(
        study
            .read("reports/plan.md")
            .contains("locked by version 0.0.1")
    );
}

#[test]
fn other_code_is_refused_where_the_declaration_asks_for_the_same() {
    let plan = Plan::default().with("threads = 1", "threads = 1\nsame-code = true");
    let study = locked_otherwise(&plan, |lock| lock.version = "0.0.1".into());
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("same-code = true")
        .says("use version 0.0.1");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_record_of_a_kind_that_is_not_known_stops_every_judgement() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.26, |_, _| ());
    append_unknown(&study);
    study
        .prereg(["analyze", "plan"])
        .exits(70)
        .says("cannot judge")
        .says("`weather`");
}

/// Adds a whole record of an unknown kind to the chain, as a later version would.
fn append_unknown(study: &TempStudy) {
    let chain = study.chain();
    let mut text = std::fs::read_to_string(&chain).unwrap();
    let last = text.lines().last().unwrap();
    let record: serde_json::Value = serde_json::from_str(last).unwrap();
    let body = format!(
        r#"{{"writer":{},"seq":{},"prev":{},"seen":{{}},"time":{},"kind":"weather","body":{{}}"#,
        record["writer"],
        record["seq"].as_u64().unwrap() + 1,
        record["digest"],
        record["time"],
    );
    let digest = Digest::of(body.as_bytes());
    text = format!("{text}{body},\"digest\":\"{digest}\"}}\n");
    prereg_ledger::write_atomic(&chain, text.as_bytes()).unwrap();
}
