//! Records that somebody doctored to get another verdict: each try is refused or leaves a finding.

use std::fs;

use prereg_ledger::{Event, SessionStart, Writer};

use crate::study::{Figures, Plan, Scripted, Simulation, TempStudy};

#[test]
fn a_run_that_was_taken_out_of_the_ledger_is_found_by_its_folder() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.02, |_, _| ());
    fs::remove_dir_all(study.path("prereg")).unwrap();
    study.prereg(["lock", "plan"]).exits(0);
    study
        .prereg(["verify"])
        .exits(3)
        .says("is not announced in the ledger");
    study.prereg(["analyze", "plan"]).exits(3);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(3)
        .says("nothing is measured");
    assert!(study.history().runs().is_empty());
}

#[test]
fn an_inconsistent_record_gives_no_claim_a_verdict() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.02, |_, _| ());
    study.write("runs/plan/cpu-0123456789ab/run.json", "{}");
    let document = study.prereg(["analyze", "plan", "--json"]).exits(3).json();
    let claim = &document["claims"]["faster"];
    assert_eq!(claim["verdict"], serde_json::Value::Null);
    for part in ["targets", "reasons"] {
        assert_eq!(claim[part], serde_json::json!({}));
    }
    assert_eq!(claim["results"], serde_json::json!([]));
}

#[test]
fn a_session_that_began_and_was_thrown_away_is_not_measured_again() {
    let study = TempStudy::locked(&Plan::default());
    let run = Simulation::announce(&study);
    run.write(0, Scripted::Complete(Figures::speedup(1.02)));
    let id = study.history().runs()[0].id.clone();
    let begun = Event::SessionBegun(SessionStart {
        run: id.clone(),
        session: 0,
    });
    Writer::open(&study.study()).unwrap().append(begun).unwrap();
    fs::remove_dir_all(study.path(&format!("runs/plan/{id}/sessions/0"))).unwrap();
    run.resume()
        .exits(3)
        .says("session 0: the ledger says begun, the folder says never started");
    assert!(study.history().runs()[0].sessions.is_empty());
}

#[test]
fn a_changed_plan_takes_neither_the_id_nor_the_innocence_of_the_first() {
    let (study, _) = TempStudy::judged(&Plan::default(), 1.02, |_, _| ());
    let easier = Plan::default()
        .with("speedup < 1.15", "speedup < 1.01")
        .with("rival = { speedup = 1.02 }", "rival = { speedup = 0.9 }");
    study.declare(&easier);
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("is locked already")
        .says("or give it an id of its own");
    let renamed = easier.with("id = \"plan\"", "id = \"easier\"");
    study.declare(&renamed);
    study
        .prereg(["lock", "plan"])
        .exits(65)
        .says("has measured the same question")
        .says("data-seen = \"this-data\"");
    let honest = "data-seen = \"this-data\"\ndata-seen-figures = \"1.02\"";
    study.declare(&renamed.with("data-seen = \"none\"", honest));
    study.prereg(["lock", "plan"]).exits(0);
}

#[test]
fn an_id_does_not_run_the_old_plan_behind_a_changed_file() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(&Plan::default().with("speedup < 1.15", "speedup < 1.14"));
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .exits(65)
        .says("+kill = [\"speedup < 1.14\"]");
    assert!(study.history().runs().is_empty());
}

#[test]
fn a_first_run_that_was_never_sealed_is_not_outvoted_by_another() {
    let study = TempStudy::locked(&Plan::default());
    let (unsealed, clone) = (study.cloned(), study.cloned());
    Simulation::announce(&unsealed);
    clone
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0);
    clone.pull(&unsealed);
    let document = clone.prereg(["analyze", "plan", "--json"]).exits(2).json();
    assert_eq!(document["claims"]["faster"]["verdict"], "abstained");
    assert_eq!(
        document["claims"]["faster"]["reasons"]["cpu"][0]["code"],
        "first-runs-disagree"
    );
}
