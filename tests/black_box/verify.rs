//! `prereg verify`: what it finds in a record that was changed, and what it cannot find.

use std::fs;

use prereg_ledger::{Event, RunId, VerdictEvent, Writer, write_atomic};

use crate::study::{Plan, Scripted, TempStudy, flip};

/// A study with a sealed run that passes.
fn sealed() -> TempStudy {
    TempStudy::judged(&Plan::default(), 1.26, |_, _| ()).0
}

/// `verify` finds `code` and exits with 3; `analyze` gives no verdict.
#[track_caller]
fn finds(study: &TempStudy, code: &str) {
    study
        .prereg(["verify"])
        .exits(3)
        .says(&format!("[{code}]"))
        .says("fix: ");
    let analysis = study.prereg(["analyze", "plan", "--json"]);
    let analysis = analysis.exits(3);
    // A lock that cannot be used has no analysis at all.
    if !analysis.stdout.is_empty() {
        let document = analysis.json();
        assert_eq!(document["void"], true);
        assert_eq!(
            document["claims"]["faster"]["verdict"],
            serde_json::Value::Null
        );
    }
}

#[test]
fn a_sound_record_has_nothing_found() {
    insta::assert_snapshot!(sealed().prereg(["verify"]).exits(0).redacted(), @r"
    17 records, 1 lock, 1 run; 1 verdict derived again from raw samples
    nothing found
    evidence: self-asserted. It shows that nothing changed since it was written; not when that was.
    head <12 hex>:17:<64 hex>
    ");
}

#[test]
fn json_of_a_sound_record_has_its_counts_and_heads() {
    let document = sealed().prereg(["verify", "--json"]).exits(0).json();
    assert_eq!(document["schema"], "prereg-verification/1");
    assert_eq!(document["runs"], 1);
    assert_eq!(document["verdicts_derived_again"], 1);
    assert_eq!(document["problems"], serde_json::json!([]));
    assert_eq!(document["evidence"], "self-asserted");
    assert_eq!(document["heads"].as_array().unwrap().len(), 1);
}

#[test]
fn verify_writes_nothing() {
    let study = sealed();
    let before = study.contents("");
    study.prereg(["verify"]).exits(0);
    assert_eq!(study.contents(""), before);
}

#[test]
fn a_flipped_bit_in_the_ledger_is_found() {
    let study = sealed();
    flip(&study.chain());
    finds(&study, "broken-chain");
}

#[test]
fn a_flipped_bit_in_the_last_record_is_found() {
    let study = sealed();
    let mut bytes = fs::read(study.chain()).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    write_atomic(&study.chain(), &bytes).unwrap();
    finds(&study, "broken-chain");
}

#[test]
fn a_flipped_bit_in_each_file_of_a_run_is_found() {
    let study = sealed();
    for file in [
        "sessions/3/steps.jsonl",
        "sessions/3/telemetry.jsonl",
        "sessions/3/environment.json",
        "sessions/3/done.json",
        "steps.parquet",
        "slots.parquet",
        "telemetry.parquet",
        "run.json",
        "seal.json",
    ] {
        let path = study.run_folder().join(file);
        flip(&path);
        let found = study.prereg(["verify"]).exits(3);
        assert!(found.stdout.contains(file), "{file}: {found:#?}");
        study.prereg(["analyze", "plan"]).exits(3);
        flip(&path);
    }
    study.prereg(["verify"]).exits(0);
}

#[test]
fn an_edited_lock_is_found() {
    for file in ["declaration.toml", "lock.json"] {
        let study = sealed();
        flip(&study.files("prereg/locks")[0].join(file));
        study.prereg(["verify"]).exits(3).says("[lock-folder]");
        study.prereg(["analyze", "plan"]).exits(3);
        study.prereg(["run", "plan", "--on", "cpu"]).exits(3);
    }
}

#[test]
fn a_removed_session_is_found() {
    let study = sealed();
    fs::remove_dir_all(study.run_folder().join("sessions/5")).unwrap();
    finds(&study, "run-file-missing");
}

#[test]
fn a_removed_run_is_found() {
    let study = sealed();
    fs::remove_dir_all(study.run_folder()).unwrap();
    finds(&study, "run-folder-missing");
}

#[test]
fn a_file_that_was_added_after_the_seal_is_found() {
    let study = sealed();
    write_atomic(
        &study.run_folder().join("sessions/5/notes.txt"),
        b"slow today",
    )
    .unwrap();
    finds(&study, "run-file-added");
}

#[test]
fn a_lock_that_was_added_by_hand_is_found() {
    let study = sealed();
    study.write("prereg/locks/0123456789abcdef/lock.json", "{}");
    study.prereg(["verify"]).exits(3).says("[lock-unrecorded]");
}

#[test]
fn a_verdict_that_the_samples_do_not_give_is_found() {
    let study = sealed();
    let run: RunId = study.history().runs()[0].id.clone();
    let verdict = VerdictEvent {
        run,
        claim: "faster".into(),
        rules: "1".into(),
        verdict: "falsified".into(),
        reasons: Vec::new(),
        conditions: Vec::new(),
    };
    Writer::open(&study.study())
        .unwrap()
        .append(Event::Verdict(verdict))
        .unwrap();
    study.prereg(["verify"]).exits(3);
}

#[test]
fn a_chain_that_was_cut_short_of_its_head_is_found() {
    let study = sealed();
    let text = fs::read_to_string(study.chain()).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap() + 1;
    write_atomic(&study.chain(), &text.as_bytes()[..cut]).unwrap();
    finds(&study, "chain-cut");
}

#[test]
fn a_run_that_the_ledger_no_longer_announces_is_found_by_its_folder_and_nothing_is_measured_on_top()
{
    let study = sealed();
    study.rewind(study.history().records().count() - 1);
    finds(&study, "run-unrecorded");
    study.prereg(["run", "plan", "--on", "cpu"]).exits(3);
    assert!(study.history().runs().is_empty());
}

/// The limit of what a study can say about itself: it takes an outside head to see this.
#[test]
fn a_tail_that_was_cut_with_its_head_and_its_run_is_found_only_against_a_head_kept_outside() {
    let study = TempStudy::locked(&Plan::default());
    let records = study.history().records().count();
    study
        .simulate(1.02, |_, figures| Scripted::Complete(figures))
        .exits(1);
    let document = study.prereg(["verify", "--json"]).exits(0).json();
    let kept = document["heads"][0].as_str().unwrap().to_owned();
    study.prereg(["verify", "--expect-head", &kept]).exits(0);

    // The author does not like the run and makes it vanish.
    fs::remove_dir_all(study.path("runs/plan")).unwrap();
    study.rewind(study.history().records().count() - records);
    study
        .prereg(["verify"])
        .exits(0)
        .says("nothing found")
        .says("self-asserted");
    study
        .prereg(["verify", "--expect-head", &kept])
        .exits(3)
        .says("[kept-head-absent]");
}

#[test]
fn a_torn_last_line_is_a_notice_and_the_next_command_that_writes_repairs_it() {
    let study = sealed();
    let mut bytes = fs::read(study.chain()).unwrap();
    let whole = bytes.len();
    bytes.extend_from_slice(b"{\"writer\":\"012");
    write_atomic(&study.chain(), &bytes).unwrap();
    study
        .prereg(["verify"])
        .exits(0)
        .says("notice: ")
        .says("never finished");
    study.prereg(["analyze", "plan"]).exits(0);

    let seen = "data-seen = \"this-data\"\ndata-seen-figures = \"1.26\"";
    study.declare(
        &Plan::default()
            .with("id = \"plan\"", "id = \"again\"")
            .with("data-seen = \"none\"", seen),
    );
    study.prereg(["lock", "plan"]).exits(0);
    let repaired = fs::read(study.chain()).unwrap();
    assert_eq!(repaired[..whole], bytes[..whole]);
    let history = study.history();
    assert!(
        history
            .records()
            .any(|(_, record)| record.event.kind() == "recovered")
    );
    study.prereg(["verify"]).exits(0);
}

#[test]
fn a_finding_on_a_replication_does_not_void_the_run_of_record() {
    let study = sealed();
    let clone = study.cloned();
    clone
        .simulate(1.26, |_, figures| Scripted::Complete(figures))
        .exits(0);
    let replication = clone.history().runs()[1].id.to_string();
    flip(&clone.path(&format!("runs/plan/{replication}/sessions/0/steps.jsonl")));
    clone.prereg(["verify"]).exits(3);
    clone.prereg(["analyze", "plan"]).exits(0);
}
