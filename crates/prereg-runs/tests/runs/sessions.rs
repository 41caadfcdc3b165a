//! Sessions: claimed once, ended once, never measured twice.

use std::sync::Barrier;
use std::thread;

use prereg_runs::{
    ClaimError, CreateError, FinishError, Outcome, RunFolder, SeedRecord, SessionState,
    any_session_began,
};

use crate::fixture::{ARMS, Fixture};

#[test]
fn a_session_goes_from_never_started_over_torn_to_done() {
    let fixture = Fixture::new();
    assert_eq!(
        fixture.folder.session(1).state().unwrap(),
        SessionState::NeverStarted
    );
    let folder = fixture.folder.claim(1).unwrap();
    assert_eq!(folder.state().unwrap(), SessionState::Torn);
    fixture.measure(&folder);
    assert_eq!(folder.state().unwrap(), SessionState::Torn);
    let done = fixture.finish(&folder, Outcome::Complete);
    let SessionState::Done { record, digest } = folder.state().unwrap() else {
        panic!()
    };
    assert_eq!(digest, done);
    assert_eq!((record.session, &record.outcome), (1, &Outcome::Complete));
    assert_eq!(record.order, fixture.seeds.mirror_order(ARMS, 1));
    let names: Vec<_> = record.files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["environment.json", "steps.jsonl", "telemetry.jsonl"]
    );
}

#[test]
fn of_many_that_claim_a_session_exactly_one_gets_it() {
    let fixture = Fixture::new();
    let barrier = Barrier::new(8);
    let claimed = thread::scope(|scope| {
        let claims = [(); 8].map(|()| {
            scope.spawn(|| {
                barrier.wait();
                fixture.folder.claim(0)
            })
        });
        claims.map(|claim| match claim.join().unwrap() {
            Ok(_) => 1,
            Err(ClaimError::Begun { session: 0 }) => 0,
            Err(other) => panic!("{other}"),
        })
    });
    assert_eq!(claimed.iter().sum::<i32>(), 1);
}

#[test]
fn a_torn_session_is_never_claimed_again() {
    let fixture = Fixture::new();
    drop(fixture.folder.claim(0).unwrap());
    assert!(matches!(
        fixture.folder.claim(0),
        Err(ClaimError::Begun { session: 0 })
    ));
}

#[test]
fn a_session_beyond_the_locked_number_cannot_be_claimed() {
    let fixture = Fixture::new();
    assert!(matches!(
        fixture.folder.claim(3),
        Err(ClaimError::NoSuchSession {
            session: 3,
            sessions: 3
        })
    ));
}

#[test]
fn a_session_without_all_files_cannot_be_complete_but_can_fail() {
    let fixture = Fixture::new();
    let folder = fixture.folder.claim(0).unwrap();
    folder.write_steps().unwrap().finish().unwrap();
    let seeds = SeedRecord::of(&fixture.seeds, 0);
    let error = folder
        .finish(Outcome::Complete, Vec::new(), seeds)
        .unwrap_err();
    assert!(matches!(
        error,
        FinishError::Lacks {
            session: 0,
            file: "telemetry.jsonl"
        }
    ));
    assert_eq!(folder.state().unwrap(), SessionState::Torn);
    fixture.finish(&folder, Outcome::TimedOut);
    let SessionState::Done { record, .. } = folder.state().unwrap() else {
        panic!()
    };
    assert_eq!(record.outcome, Outcome::TimedOut);
    assert_eq!(record.files.len(), 1);
}

#[test]
fn a_file_of_a_session_is_not_written_twice() {
    let fixture = Fixture::new();
    let folder = fixture.folder.claim(0).unwrap();
    folder.write_steps().unwrap().finish().unwrap();
    let error = folder.write_steps().unwrap_err();
    assert!(error.to_string().contains("never written over"), "{error}");
}

#[test]
fn creating_a_run_s_folder_again_opens_it_with_its_sessions() {
    let fixture = Fixture::new();
    fixture.folder.claim(0).unwrap();
    let again = RunFolder::create(&fixture.study, fixture.folder.record().clone()).unwrap();
    assert_eq!(again, fixture.folder);
    let states = again.states().unwrap();
    assert_eq!(
        states,
        [
            SessionState::Torn,
            SessionState::NeverStarted,
            SessionState::NeverStarted
        ]
    );
}

#[test]
fn a_folder_of_another_run_is_not_taken() {
    let fixture = Fixture::new();
    let mut other = fixture.folder.record().clone();
    other.sessions = 4;
    assert!(matches!(
        RunFolder::create(&fixture.study, other),
        Err(CreateError::Occupied { .. })
    ));
}

#[test]
fn a_run_has_begun_when_a_session_was_claimed() {
    let fixture = Fixture::new();
    let run = &fixture.folder.record().run;
    assert!(!any_session_began(&fixture.study, "replay_tax", run).unwrap());
    fixture.folder.claim(2).unwrap();
    assert!(any_session_began(&fixture.study, "replay_tax", run).unwrap());
}
