//! Seals, and what does not agree with the ledger.

use std::fs;

use prereg_ledger::{AbortEvent, Event, MissingReason, RunSeeds, SessionOutcome};
use prereg_runs::{
    Outcome, RunFinding, SealError, audit, check_seeds, experiments_with_runs, unrecorded,
};

use crate::fixture::{ARMS, Fixture, files};

fn codes(findings: &[RunFinding]) -> Vec<&'static str> {
    findings.iter().map(RunFinding::code).collect()
}

/// Two complete sessions, one torn, sealed.
fn sealed() -> Fixture {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    fixture.complete(1);
    fixture
        .folder
        .claim(2)
        .unwrap()
        .write_steps()
        .unwrap()
        .finish()
        .unwrap();
    let message = "interrupted".into();
    fixture.record(
        2,
        SessionOutcome::Missing {
            reason: MissingReason::Torn,
            message,
        },
    );
    fixture.seal();
    fixture
}

#[test]
fn a_run_as_it_was_sealed_has_no_finding() {
    let fixture = sealed();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
}

#[test]
fn a_growing_run_has_no_finding() {
    let mut fixture = Fixture::new();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
    fixture.complete(0);
    fixture.folder.claim(1).unwrap();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
}

#[test]
fn a_run_that_stopped_is_sealed_over_the_sessions_that_it_has() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    fixture.complete(1);
    fixture.stop(2);
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
    fixture.seal();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
}

#[test]
fn a_session_that_was_claimed_after_the_run_stopped_is_found() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    fixture.stop(1);
    fixture.folder.claim(1).unwrap();
    let run = fixture.run();
    assert_eq!(
        audit(&fixture.study, &run),
        [RunFinding::SessionState {
            run: run.id.clone(),
            session: 1,
            recorded: "the run stopped before it",
            found: "torn",
        }]
    );
}

#[test]
fn a_flipped_bit_in_any_file_of_a_sealed_run_is_found() {
    let fixture = sealed();
    let run = fixture.run();
    for path in files(fixture.folder.path()) {
        let whole = fs::read(&path).unwrap();
        for index in (0..whole.len()).step_by(7) {
            let mut flipped = whole.clone();
            flipped[index] ^= 1 << (index % 8);
            fs::write(&path, flipped).unwrap();
            assert!(
                !audit(&fixture.study, &run).is_empty(),
                "{}, byte {index}",
                path.display()
            );
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_removed_file_of_a_sealed_run_is_found_by_name() {
    let fixture = sealed();
    let run = fixture.run();
    for path in files(fixture.folder.path()) {
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let findings = audit(&fixture.study, &run);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            findings
                .iter()
                .any(|finding| finding.to_string().contains(name)),
            "{name}: {findings:?}"
        );
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_file_that_was_added_after_the_seal_is_found_and_a_temporary_one_is_not() {
    let fixture = sealed();
    let sessions = fixture.folder.path().join("sessions");
    fs::write(sessions.join("0").join(".done.json.77-0.tmp"), b"{").unwrap();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
    fs::write(sessions.join("notes.txt"), b"x").unwrap();
    let run = fixture.run().id;
    let expected = RunFinding::FileAdded {
        run,
        file: "sessions/notes.txt".into(),
    };
    assert_eq!(audit(&fixture.study, &fixture.run()), [expected]);
}

#[test]
fn a_session_swapped_for_another_measurement_is_found_before_the_seal_too() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let folder = fixture.folder.session(0);
    fs::remove_dir_all(folder.path()).unwrap();
    let again = fixture.folder.claim(0).unwrap();
    fixture.measure(&again);
    let steps = again.path().join("steps.jsonl");
    let text = fs::read_to_string(&steps).unwrap();
    fs::write(&steps, text.replace("\"step_ns\":-1", "\"step_ns\":1")).unwrap();
    fixture.finish(&again, Outcome::Complete);
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["run-file-changed"]
    );
}

#[test]
fn a_session_that_the_ledger_calls_missing_and_the_folder_complete_is_found() {
    let mut fixture = Fixture::new();
    let folder = fixture.folder.claim(0).unwrap();
    fixture.measure(&folder);
    fixture.finish(&folder, Outcome::Complete);
    let message = "dropped".into();
    fixture.record(
        0,
        SessionOutcome::Missing {
            reason: MissingReason::Torn,
            message,
        },
    );
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["session-state"]
    );
}

#[test]
fn a_sealed_run_without_its_folder_is_found() {
    let fixture = sealed();
    fs::remove_dir_all(fixture.study.runs()).unwrap();
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["run-folder-missing"]
    );
}

#[test]
fn an_announced_run_without_a_folder_has_no_finding() {
    let fixture = Fixture::new();
    fs::remove_dir_all(fixture.study.runs()).unwrap();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
}

#[test]
fn a_run_json_that_says_otherwise_than_the_announcement_is_found() {
    let fixture = Fixture::new();
    let path = fixture.folder.path().join("run.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"simulated\"", "\"measured\"")).unwrap();
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["run-record"]
    );
}

#[test]
fn an_aborted_run_with_a_session_is_found() {
    let mut fixture = Fixture::new();
    let run = fixture.folder.record().run.clone();
    fixture
        .writer
        .append(Event::Aborted(AbortEvent {
            run,
            reason: "no target".into(),
        }))
        .unwrap();
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
    fixture.folder.claim(0).unwrap();
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["aborted-with-sessions"]
    );
}

#[test]
fn sealing_again_gives_the_same_seal_and_never_another() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let seal = fixture.folder.seal().unwrap();
    assert_eq!(fixture.folder.seal().unwrap(), seal);
    fixture.complete(1);
    assert!(matches!(
        fixture.folder.seal(),
        Err(SealError::Sealed { .. })
    ));
}

#[test]
fn seeds_and_orders_are_recomputed_from_lock_and_announcement() {
    let fixture = sealed();
    assert_eq!(
        check_seeds(&fixture.folder, &fixture.seeds, &ARMS).unwrap(),
        []
    );
    let record = fixture.folder.record();
    let rolled = RunSeeds::new(record.lock, "7245", record.announcement);
    let findings = check_seeds(&fixture.folder, &rolled, &ARMS).unwrap();
    let of_session = |index| {
        findings.iter().filter(move |finding| {
        matches!(finding, RunFinding::Seeds { session, what: "seeds", .. } if *session == index)
    })
    };
    assert_eq!((of_session(0).count(), of_session(1).count()), (1, 1));
}

#[test]
fn a_done_json_that_names_a_foreign_file_is_found_and_the_file_is_not_read() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let path = fixture.folder.session(0).path().join("done.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"steps.jsonl\"", "\"/dev/zero\"")).unwrap();
    let findings = audit(&fixture.study, &fixture.run());
    assert_eq!(
        codes(&findings),
        ["run-file-unreadable", "run-file-changed"]
    );
}

#[cfg(unix)]
#[test]
fn a_link_in_a_run_s_folder_is_neither_sealed_nor_followed() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let link = fixture.folder.path().join("link");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    assert!(matches!(fixture.folder.seal(), Err(SealError::Read(_))));
    fs::remove_file(&link).unwrap();
    fixture.seal();
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let findings = audit(&fixture.study, &fixture.run());
    assert_eq!(codes(&findings), ["run-file-unreadable"]);
    assert!(
        findings[0]
            .to_string()
            .contains("neither a file nor a folder"),
        "{findings:?}"
    );
}

#[test]
fn a_session_that_began_and_has_no_folder_is_found() {
    let mut fixture = Fixture::new();
    let folder = fixture.folder.claim(0).unwrap();
    fixture.begin(0);
    assert_eq!(audit(&fixture.study, &fixture.run()), []);
    fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(
        codes(&audit(&fixture.study, &fixture.run())),
        ["session-state"]
    );
}

#[test]
fn a_run_folder_that_no_ledger_announces_is_found() {
    let fixture = sealed();
    let experiment = fixture.folder.record().experiment.clone();
    assert_eq!(
        experiments_with_runs(&fixture.study).unwrap(),
        [&*experiment]
    );
    let known = [fixture.run()];
    assert_eq!(unrecorded(&fixture.study, &experiment, &known).unwrap(), []);
    let found = unrecorded(&fixture.study, &experiment, &[]).unwrap();
    assert_eq!(codes(&found), ["run-unrecorded"]);
    assert_eq!(found[0].run(), &known[0].id);
}
