//! Stops: a run that ends before its announced number of sessions, because its claims are decided.

use prereg_ledger::{Event, History, LifeProblem, RunId, Status, StopEvent};

use crate::fixture::{
    Fixture, abort, announce, announcement, begin, lock, problems, seal, session, verdict,
};
use crate::locked;

fn stop(run: &RunId, sessions: u32) -> Event {
    Event::Stopped(StopEvent {
        run: run.clone(),
        sessions,
    })
}

/// A run of three sessions with these events, each made for the run.
fn with(events: &[&dyn Fn(&RunId) -> Event]) -> (RunId, History) {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    for event in events {
        writer.append(event(&run)).unwrap();
    }
    (run, fixture.history())
}

#[test]
fn a_run_that_stopped_is_sealed_and_judged() {
    let (run, history) = with(&[
        &|run| begin(run, 0),
        &|run| session(run, 0),
        &|run| session(run, 1),
        &|run| stop(run, 2),
        &seal,
        &verdict,
    ]);
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let run = history.run(&run).unwrap();
    assert_eq!(run.stopped, Some(2));
    assert!(matches!(run.status, Status::Sealed { .. }));
    assert_eq!(run.verdicts.len(), 1);
}

#[test]
fn a_run_that_goes_to_its_end_never_stopped() {
    let (run, history) = with(&[
        &|run| session(run, 0),
        &|run| session(run, 1),
        &|run| session(run, 2),
        &seal,
    ]);
    assert_eq!(history.run(&run).unwrap().stopped, None);
}

#[test]
fn a_stop_leaves_exactly_the_sessions_that_had_ended() {
    let ends = |sessions: &[u32], begun: &[u32], stopped: u32| {
        let fixture = Fixture::new();
        let mut writer = fixture.writer();
        let id = lock(&mut writer);
        let run = announce(&mut writer, id).run;
        for index in begun {
            writer.append(begin(&run, *index)).unwrap();
        }
        for index in sessions {
            writer.append(session(&run, *index)).unwrap();
        }
        writer.append(stop(&run, stopped)).unwrap();
        problems(&fixture.history())
    };
    let refused = |sessions| {
        vec![LifeProblem::Stop {
            sessions,
            announced: 3,
        }]
    };
    assert_eq!(ends(&[0], &[0], 1), []);
    assert_eq!(ends(&[1, 0], &[], 2), []);
    // None, fewer, more, with a hole, with one that is still measured, and all of them.
    assert_eq!(ends(&[], &[], 0), refused(0));
    assert_eq!(ends(&[0, 1], &[], 1), refused(1));
    assert_eq!(ends(&[0], &[], 2), refused(2));
    assert_eq!(ends(&[0, 2], &[], 2), refused(2));
    assert_eq!(ends(&[0], &[0, 1], 1), refused(1));
    assert_eq!(ends(&[0, 1, 2], &[], 3), refused(3));
}

#[test]
fn no_session_begins_or_ends_after_the_stop() {
    let (run, history) = with(&[
        &|run| session(run, 0),
        &|run| stop(run, 1),
        &|run| begin(run, 1),
        &|run| session(run, 2),
    ]);
    let after = |session| LifeProblem::SessionAfterStop { session };
    assert_eq!(problems(&history), [after(1), after(2)]);
    let run = history.run(&run).unwrap();
    assert!(run.begun.is_empty());
    assert_eq!(run.sessions.len(), 1);
}

#[test]
fn a_run_stops_once_and_before_its_seal() {
    let (_, history) = with(&[
        &|run| session(run, 0),
        &|run| stop(run, 1),
        &|run| stop(run, 1),
        &seal,
        &|run| stop(run, 1),
    ]);
    let sealed = LifeProblem::Status {
        kind: "a stop",
        status: "sealed",
    };
    assert_eq!(problems(&history), [LifeProblem::StoppedTwice, sealed]);
}

#[test]
fn a_run_that_stopped_cannot_be_aborted() {
    let (_, history) = with(&[&|run| session(run, 0), &|run| stop(run, 1), &abort]);
    assert_eq!(problems(&history), [LifeProblem::AbortAfterSession]);
}

#[test]
fn another_chain_cannot_stop_a_run() {
    let origin = Fixture::new();
    let mut writer = origin.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    writer.append(session(&run, 0)).unwrap();
    let clone = Fixture::clone_of(&origin);
    clone.writer().append(stop(&run, 1)).unwrap();
    let history = clone.history();
    assert_eq!(
        problems(&history),
        [LifeProblem::ForeignRun { kind: "a stop" }]
    );
    assert_eq!(history.run(&run).unwrap().stopped, None);
}

/// A run of this declaration that stopped after its first session.
fn stopped_run_of(toml: &str) -> Vec<LifeProblem> {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let toml = toml.as_bytes();
    let (id, _) = writer.lock(&locked::lock_of(toml), toml).unwrap();
    let run = writer.announce(announcement(id)).unwrap().run;
    writer.append(session(&run, 0)).unwrap();
    writer.append(stop(&run, 1)).unwrap();
    let history = fixture.history();
    assert_eq!(
        history.findings_on_run(history.run(&run).unwrap()).count(),
        history.findings().len()
    );
    problems(&history)
}

#[test]
fn a_stop_under_a_fixed_number_of_sessions_is_out_of_place() {
    let toml = std::str::from_utf8(locked::DECLARATION).unwrap();
    assert_eq!(stopped_run_of(toml), [LifeProblem::StoppedFixed]);
}

#[test]
fn a_stop_under_a_sequence_is_in_its_place() {
    let toml = std::str::from_utf8(locked::DECLARATION).unwrap();
    let toml = toml.replace("[inference]\n", "[inference]\nstopping = \"sequence\"\n");
    assert_eq!(stopped_run_of(&toml), []);
}
