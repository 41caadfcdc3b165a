//! Clones, copies, branches and merges: no chain forks, and the record says who saw what.

use std::fs;

use prereg_ledger::{Finding, Standing, Status};

use crate::fixture::{Fixture, announce, lock, note, seal};

#[test]
fn a_clone_and_a_copy_begin_chains_of_their_own() {
    let origin = Fixture::new();
    origin.writer().append(note("origin")).unwrap();
    for other in [Fixture::clone_of(&origin), Fixture::copy_of(&origin)] {
        other.writer().append(note("other")).unwrap();
        assert_eq!(other.files(".jsonl").len(), 2);
        assert!(other.history().findings().is_empty());
    }
}

#[test]
fn a_copy_that_is_moved_back_does_not_fork_the_chain() {
    let origin = Fixture::new();
    origin.writer().append(note("one")).unwrap();
    let earlier = fs::read(origin.only_chain()).unwrap();
    let earlier_head = fs::read(origin.only_head()).unwrap();
    let chain = origin.only_chain();
    origin.writer().append(note("two")).unwrap();
    // Another branch, checked out in place: the tracked files go back, `.writer` stays.
    fs::write(&chain, &earlier).unwrap();
    fs::write(origin.only_head(), earlier_head).unwrap();
    origin.writer().append(note("on the branch")).unwrap();
    assert_eq!(fs::read(&chain).unwrap(), earlier);
    assert_eq!(origin.files(".jsonl").len(), 2);
    assert!(origin.history().findings().is_empty());
}

#[test]
fn clones_merge_without_findings_and_in_the_order_of_what_they_saw() {
    let origin = Fixture::new();
    origin.writer().append(note("1 origin")).unwrap();
    let clone = Fixture::clone_of(&origin);
    clone.writer().append(note("2 clone")).unwrap();
    origin.pull(&clone);
    origin.writer().append(note("3 origin")).unwrap();
    clone.pull(&origin);
    clone.writer().append(note("4 clone")).unwrap();
    for fixture in [&clone, &Fixture::clone_of(&clone)] {
        let history = fixture.history();
        assert!(history.findings().is_empty(), "{:?}", history.findings());
        let order: Vec<_> = history
            .records()
            .map(|(_, record)| record.event.clone())
            .collect();
        assert_eq!(
            order,
            ["1 origin", "2 clone", "3 origin", "4 clone"].map(note)
        );
    }
}

#[test]
fn a_stranger_who_runs_the_committed_study_makes_a_replication() {
    let origin = Fixture::new();
    let mut writer = origin.writer();
    let id = lock(&mut writer);
    let first = announce(&mut writer, id);
    writer.append(seal(&first.run)).unwrap();
    let clone = Fixture::clone_of(&origin);
    let mut stranger = clone.writer();
    assert_eq!(clone.history().unsealed_of(stranger.id()).count(), 0);
    let replication = announce(&mut stranger, id);

    let history = clone.history();
    assert_eq!(
        history.run(&first.run).unwrap().standing,
        Standing::OfRecord
    );
    assert_eq!(
        history.run(&replication.run).unwrap().standing,
        Standing::Replication(1)
    );
    let of_record: Vec<_> = history
        .runs_of_record(id, "cpu")
        .map(|run| &run.id)
        .collect();
    assert_eq!(of_record, [&first.run]);
}

#[test]
fn first_runs_that_did_not_see_each_other_are_all_of_record() {
    let origin = Fixture::new();
    let id = lock(&mut origin.writer());
    let clone = Fixture::clone_of(&origin);
    let here = announce(&mut origin.writer(), id);
    let there = announce(&mut clone.writer(), id);
    origin.pull(&clone);
    let later = announce(&mut origin.writer(), id);

    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let mut of_record: Vec<_> = history
        .runs_of_record(id, "cpu")
        .map(|run| &run.id)
        .collect();
    let mut expected = [&here.run, &there.run];
    of_record.sort();
    expected.sort();
    assert_eq!(of_record, expected);
    assert_eq!(
        history.run(&later.run).unwrap().standing,
        Standing::Replication(1)
    );
}

#[test]
fn an_unsealed_run_of_another_clone_is_not_ones_own() {
    let origin = Fixture::new();
    let mut writer = origin.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    let clone = Fixture::clone_of(&origin);
    let history = clone.history();
    assert_eq!(history.run(&run).unwrap().status, Status::Announced);
    assert_eq!(history.unsealed_of(clone.writer().id()).count(), 0);
    assert_eq!(origin.history().unsealed_of(writer.id()).count(), 1);
}

#[test]
fn a_chain_that_was_seen_and_is_gone_is_a_finding() {
    let origin = Fixture::new();
    origin.writer().append(note("origin")).unwrap();
    let clone = Fixture::clone_of(&origin);
    clone.writer().append(note("clone")).unwrap();
    for file in origin.files("") {
        let _ = fs::remove_file(clone.study.ledger().join(file.file_name().unwrap()));
    }
    assert!(matches!(
        clone.history().findings(),
        [Finding::SeenElsewhere { .. }]
    ));
}

#[test]
fn two_clones_that_lock_the_same_bytes_make_one_lock() {
    let origin = Fixture::new();
    let clone = Fixture::clone_of(&origin);
    let id = lock(&mut origin.writer());
    assert_eq!(lock(&mut clone.writer()), id);
    origin.pull(&clone);
    let run = announce(&mut origin.writer(), id);
    let history = origin.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.locks().len(), 1);
    assert_eq!(history.run(&run.run).unwrap().standing, Standing::OfRecord);
}
