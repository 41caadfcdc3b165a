//! The life of a run, and records that do not fit it.

use prereg_declaration::Digest;
use prereg_ledger::{
    AppendError, Event, LifeProblem, MissingReason, SessionEvent, SessionOutcome, Standing, Status,
    Writer,
};

use crate::fixture::{
    Fixture, abort, announce, announcement, begin, lock, problems, seal, session, verdict,
};

fn start() -> (Fixture, Writer, Digest) {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    (fixture, writer, id)
}

#[test]
fn a_run_is_announced_measured_sealed_and_judged() {
    let (fixture, mut writer, id) = start();
    let announced = announce(&mut writer, id);
    let run = &announced.run;
    assert_eq!(
        run.as_str(),
        format!("cpu-{}", announced.record.digest.prefix(12))
    );
    writer.append(session(run, 0)).unwrap();
    let missing = SessionOutcome::Missing {
        reason: MissingReason::Torn,
        message: "interrupted".into(),
    };
    writer
        .append(Event::SessionFinished(SessionEvent {
            run: run.clone(),
            session: 1,
            outcome: missing.clone(),
        }))
        .unwrap();
    writer.append(seal(run)).unwrap();
    let Event::Verdict(written) = verdict(run) else {
        unreachable!()
    };
    writer.append(verdict(run)).unwrap();

    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let read = history.run(run).unwrap();
    assert_eq!(read.announced, announcement(id));
    assert_eq!(read.announcement, announced.record.digest);
    assert_eq!(read.status.as_str(), "sealed");
    assert_eq!(read.sessions.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(read.sessions[&1], missing);
    assert_eq!(read.verdicts, [written]);
    assert_eq!(history.unsealed_of(writer.id()).count(), 0);
}

#[test]
fn a_run_aborted_before_any_session_is_listed_and_counts_as_nothing() {
    let (fixture, mut writer, id) = start();
    let aborted = announce(&mut writer, id).run;
    writer.append(abort(&aborted)).unwrap();
    let second = announce(&mut writer, id).run;
    let third = announce(&mut writer, id).run;
    let history = fixture.history();
    let standings: Vec<_> = history
        .runs_of(id, "cpu")
        .map(|run| (&run.id, run.standing))
        .collect();
    let expected = [
        (&aborted, Standing::Aborted),
        (&second, Standing::OfRecord),
        (&third, Standing::Replication(1)),
    ];
    assert_eq!(standings, expected);
}

#[test]
fn an_unsealed_first_run_stays_of_record() {
    let (fixture, mut writer, id) = start();
    let first = announce(&mut writer, id).run;
    let second = announce(&mut writer, id).run;
    writer.append(seal(&second)).unwrap();
    let history = fixture.history();
    let of_record: Vec<_> = history
        .runs_of_record(id, "cpu")
        .map(|run| &run.id)
        .collect();
    assert_eq!(of_record, [&first]);
    assert_eq!(history.run(&first).unwrap().status, Status::Announced);
}

#[test]
fn runs_of_other_targets_do_not_stand_in_each_other_s_way() {
    let (fixture, mut writer, id) = start();
    announce(&mut writer, id);
    let mut elsewhere = announcement(id);
    elsewhere.target = "l4".into();
    let other = writer.announce(elsewhere).unwrap().run;
    assert_eq!(
        fixture.history().run(&other).unwrap().standing,
        Standing::OfRecord
    );
}

#[test]
fn a_run_of_a_lock_that_was_not_recorded_is_out_of_place() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    announce(&mut writer, Digest::of(b"no lock"));
    let history = fixture.history();
    assert_eq!(problems(&history), [LifeProblem::UnknownLock]);
    assert!(history.runs().is_empty());
}

#[test]
fn a_run_announced_without_having_seen_its_lock_is_out_of_place() {
    let origin = Fixture::new();
    let other = Fixture::new();
    let id = lock(&mut origin.writer());
    announce(&mut other.writer(), id);
    other.pull(&origin);
    assert_eq!(problems(&other.history()), [LifeProblem::UnknownLock]);
}

#[test]
fn a_run_announced_under_another_experiment_is_out_of_place() {
    let (fixture, mut writer, id) = start();
    let mut wrong = announcement(id);
    wrong.experiment = "another".into();
    writer.announce(wrong).unwrap();
    assert_eq!(problems(&fixture.history()), [LifeProblem::OtherExperiment]);
}

#[test]
fn a_target_that_could_not_name_a_run_is_refused_before_the_append() {
    let (fixture, mut writer, id) = start();
    let mut wrong = announcement(id);
    wrong.target = "../cpu".into();
    assert!(matches!(
        writer.announce(wrong),
        Err(AppendError::Target(_))
    ));
    assert_eq!(fixture.history().records().count(), 1);
}

#[test]
fn nothing_continues_a_sealed_run() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    writer.append(seal(&run)).unwrap();
    for event in [session(&run, 0), seal(&run), abort(&run)] {
        writer.append(event).unwrap();
    }
    let history = fixture.history();
    let expected = ["a session", "a seal", "an abort"].map(|kind| LifeProblem::Status {
        kind,
        status: "sealed",
    });
    assert_eq!(problems(&history), expected);
    assert!(history.run(&run).unwrap().sessions.is_empty());
    assert_eq!(
        history.findings_on_run(history.run(&run).unwrap()).count(),
        3
    );
}

#[test]
fn a_verdict_before_the_seal_is_out_of_place() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    writer.append(verdict(&run)).unwrap();
    assert_eq!(
        problems(&fixture.history()),
        [LifeProblem::Status {
            kind: "a verdict",
            status: "announced"
        }]
    );
}

#[test]
fn an_abort_after_a_session_is_out_of_place_and_the_run_stays_of_record() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    writer.append(session(&run, 0)).unwrap();
    writer.append(abort(&run)).unwrap();
    let history = fixture.history();
    assert_eq!(problems(&history), [LifeProblem::AbortAfterSession]);
    assert_eq!(history.run(&run).unwrap().standing, Standing::OfRecord);
}

#[test]
fn a_session_that_ended_twice_or_does_not_exist_is_out_of_place() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    for index in [0, 0, 3] {
        writer.append(session(&run, index)).unwrap();
    }
    let expected = [
        LifeProblem::SessionTwice { session: 0 },
        LifeProblem::NoSuchSession {
            session: 3,
            announced: 3,
        },
    ];
    assert_eq!(problems(&fixture.history()), expected);
}

#[test]
fn another_chain_cannot_continue_a_run() {
    let (origin, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    let clone = Fixture::clone_of(&origin);
    clone.writer().append(seal(&run)).unwrap();
    let history = clone.history();
    assert_eq!(
        problems(&history),
        [LifeProblem::ForeignRun { kind: "a seal" }]
    );
    assert_eq!(history.run(&run).unwrap().status, Status::Announced);
}

#[test]
fn a_run_knows_when_its_sessions_began_and_ended() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    let begun = writer.append(begin(&run, 0)).unwrap().time;
    let ended = writer.append(session(&run, 0)).unwrap().time;
    writer.append(begin(&run, 1)).unwrap();
    let history = fixture.history();
    let read = history.run(&run).unwrap();
    assert_eq!(read.begun[&0], begun);
    assert_eq!(read.ended[&0], ended);
    assert_eq!(read.begun.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(read.ended.len(), 1);
}

#[test]
fn a_session_begins_once_and_not_after_its_end() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    for event in [begin(&run, 0), session(&run, 0)] {
        writer.append(event).unwrap();
    }
    assert_eq!(problems(&fixture.history()), []);
    writer.append(begin(&run, 0)).unwrap();
    writer.append(begin(&run, 1)).unwrap();
    writer.append(begin(&run, 1)).unwrap();
    writer.append(begin(&run, 99)).unwrap();
    let found = problems(&fixture.history());
    let [first, second, third] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(*first, LifeProblem::SessionTwice { session: 0 });
    assert_eq!(*second, LifeProblem::SessionTwice { session: 1 });
    assert!(matches!(
        third,
        LifeProblem::NoSuchSession { session: 99, .. }
    ));
}

#[test]
fn a_run_of_which_a_session_began_cannot_be_aborted() {
    let (fixture, mut writer, id) = start();
    let run = announce(&mut writer, id).run;
    writer.append(begin(&run, 0)).unwrap();
    writer.append(abort(&run)).unwrap();
    assert_eq!(
        problems(&fixture.history()),
        [LifeProblem::AbortAfterSession]
    );
}
