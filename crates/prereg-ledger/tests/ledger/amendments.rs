//! Amendments: a new lock that names the one before.

use std::fs;

use prereg_declaration::Digest;
use prereg_ledger::{Event, Finding, LifeProblem, LockKind, Standing};

use crate::fixture::{
    DECLARATION, Fixture, a_lock, a_variant, amend, announce, asking, lock, of_experiment, problems,
};

#[test]
fn an_amendment_reads_back_with_its_parent_and_its_reason() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let (second, record) = writer
        .amend(
            &asking("another"),
            DECLARATION,
            first,
            "the model was too small",
        )
        .unwrap();
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let amended = history.lock(second).unwrap();
    let kind = LockKind::Amendment {
        parent: first,
        reason: "the model was too small".into(),
    };
    assert_eq!(amended.kind, kind);
    assert_eq!(amended.time, record.time);
    assert_eq!(amended.event.question, Digest::of(b"another"));
    assert_eq!(history.lock(first).unwrap().kind, LockKind::First);
    let of_experiment: Vec<_> = history
        .locks_of("replay_tax")
        .map(|lock| lock.event.lock)
        .collect();
    assert_eq!(of_experiment, [first, second]);
}

#[test]
fn an_amendment_is_run_for_itself() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let earlier = announce(&mut writer, first).run;
    let second = amend(&mut writer, first, &a_variant("second"));
    let later = announce(&mut writer, second).run;
    let history = fixture.history();
    for run in [&earlier, &later] {
        assert_eq!(history.run(run).unwrap().standing, Standing::OfRecord);
    }
}

#[test]
fn clones_that_amend_at_once_both_stand_in_the_order_of_the_merge() {
    let origin = Fixture::new();
    let first = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    let here = amend(&mut origin.writer(), first, &a_variant("here"));
    let there = amend(&mut clone.writer(), first, &a_variant("there"));
    origin.pull(&clone);
    clone.pull(&origin);
    let orders = [&origin, &clone].map(|fixture| {
        let history = fixture.history();
        assert!(history.findings().is_empty(), "{:?}", history.findings());
        let locks = history.locks().iter().map(|lock| lock.event.lock);
        locks.collect::<Vec<_>>()
    });
    assert_eq!(orders[0], orders[1]);
    assert_eq!(orders[0][0], first);
    let mut amended = orders[0][1..].to_vec();
    amended.sort();
    let mut expected = [here, there];
    expected.sort();
    assert_eq!(amended, expected);
}

#[test]
fn clones_that_amend_to_the_same_bytes_make_one_lock() {
    let origin = Fixture::new();
    let first = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    let here = amend(&mut origin.writer(), first, &a_variant("second"));
    let there = amend(&mut clone.writer(), first, &a_variant("second"));
    assert_eq!(here, there);
    origin.pull(&clone);
    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.locks().len(), 2);
}

#[test]
fn one_clone_may_lock_what_another_makes_an_amendment() {
    let origin = Fixture::new();
    let first = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    amend(&mut origin.writer(), first, &a_variant("second"));
    let again = clone.writer().lock(&a_variant("second"), DECLARATION);
    origin.pull(&clone);
    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert!(history.lock(again.unwrap().0).is_some());
}

#[test]
fn an_amendment_of_no_recorded_lock_is_out_of_place() {
    let fixture = Fixture::new();
    amend(&mut fixture.writer(), Digest::of(b"no lock"), &a_lock());
    let history = fixture.history();
    assert!(matches!(
        history.findings(),
        [
            Finding::OutOfPlace {
                problem: LifeProblem::UnknownParent,
                run: None,
                ..
            },
            Finding::LockUnrecorded { .. }
        ]
    ));
    assert!(history.locks().is_empty());
}

#[test]
fn an_amendment_by_a_writer_that_had_not_seen_the_parent_is_out_of_place() {
    let origin = Fixture::new();
    let other = Fixture::new();
    let first = lock(&mut origin.writer());
    let second = amend(&mut other.writer(), first, &a_variant("second"));
    other.pull(&origin);
    let history = other.history();
    assert!(matches!(
        history.findings()[0],
        Finding::OutOfPlace {
            problem: LifeProblem::UnknownParent,
            ..
        }
    ));
    assert!(history.lock(second).is_none());
}

#[test]
fn an_amendment_of_another_experiment_is_out_of_place() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    amend(&mut writer, first, &of_experiment("another", a_lock()));
    assert!(matches!(
        fixture.history().findings()[0],
        Finding::OutOfPlace {
            problem: LifeProblem::ParentOfOtherExperiment,
            ..
        }
    ));
}

#[test]
fn a_recorded_lock_cannot_become_something_else() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let second = amend(&mut writer, first, &a_variant("second"));
    let third = amend(&mut writer, second, &a_variant("third"));
    // Back to the first, as an amendment; the second, without a parent; the third, of another.
    amend(&mut writer, second, &a_lock());
    writer.lock(&a_variant("second"), DECLARATION).unwrap();
    amend(&mut writer, first, &a_variant("third"));
    let history = fixture.history();
    assert_eq!(
        problems(&history),
        [const { LifeProblem::LockedOtherwise }; 3]
    );
    let parents = [first, second, third].map(|id| history.lock(id).unwrap().kind.parent());
    assert_eq!(parents, [None, Some(first), Some(second)]);
}

#[test]
fn a_recorded_lock_is_not_recorded_again_with_other_digests() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let mut event = fixture.history().lock(id).unwrap().event.clone();
    event.question = Digest::of(b"another");
    writer.append(Event::Locked(event)).unwrap();
    let history = fixture.history();
    assert_eq!(problems(&history), [LifeProblem::LockedOtherwise]);
    assert_eq!(history.lock(id).unwrap().event.question, a_lock().question);
}

#[test]
fn what_a_crash_left_of_an_amendment_is_found_and_amending_again_records_it() {
    let fixture = Fixture::new();
    let first = lock(&mut fixture.writer());
    let other = Fixture::clone_of(&fixture);
    let second = amend(&mut other.writer(), first, &a_variant("second"));
    // The folder was written, the record was not.
    let name = second.prefix(16);
    fs::create_dir(fixture.study.locks().join(&name)).unwrap();
    for file in ["declaration.toml", "lock.json"] {
        let from = other.study.locks().join(&name).join(file);
        fs::copy(from, fixture.study.locks().join(&name).join(file)).unwrap();
    }
    assert_eq!(
        fixture.history().findings(),
        [Finding::LockUnrecorded { folder: name }]
    );
    assert_eq!(
        amend(&mut fixture.writer(), first, &a_variant("second")),
        second
    );
    assert!(fixture.history().findings().is_empty());
}

#[test]
fn every_flipped_byte_of_an_amendment_s_frozen_file_is_found() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let second = amend(&mut writer, first, &a_variant("second"));
    let path = fixture
        .study
        .locks()
        .join(second.prefix(16))
        .join("lock.json");
    let whole = fs::read(&path).unwrap();
    for index in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[index] ^= 1;
        fs::write(&path, flipped).unwrap();
        let history = fixture.history();
        assert!(
            matches!(history.findings(), [Finding::LockFolder { lock, .. }] if *lock == second),
            "byte {index}"
        );
    }
}
