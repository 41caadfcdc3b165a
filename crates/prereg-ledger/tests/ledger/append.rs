//! Appending, and reading back what was appended.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use prereg_declaration::Digest;
use prereg_ledger::{Event, OpenError, Writer};

use crate::fixture::{Fixture, announce, lock, note};

#[test]
fn records_come_back_as_they_were_appended() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let written: Vec<_> = ["one", "two", "µ\n\"\\"]
        .map(|text| writer.append(note(text)).unwrap())
        .into();
    let history = fixture.history();
    let read: Vec<_> = history
        .records()
        .map(|(_, record)| record.clone())
        .collect();
    assert_eq!(read, written);
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert!(history.leftovers().is_empty(), "{:?}", history.leftovers());
}

#[test]
fn a_line_has_the_documented_keys_in_order_and_a_digest_that_sha256_gives() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = writer.append(note("one")).unwrap();
    let second = writer.append(note("two")).unwrap();
    let text = fs::read_to_string(fixture.only_chain()).unwrap();
    let line = text.lines().nth(1).unwrap();
    let expected = format!(
        r#"{{"writer":"{}","seq":1,"prev":"{}","seen":{{}},"time":"{}","kind":"note","body":{{"text":"two","run":null}}"#,
        writer.id(),
        first.digest,
        second.time
    );
    assert_eq!(
        line,
        format!(
            r#"{expected},"digest":"{}"}}"#,
            Digest::of(expected.as_bytes())
        )
    );
}

#[test]
fn the_head_file_holds_count_and_digest_of_the_last_record() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    writer.append(note("one")).unwrap();
    let last = writer.append(note("two")).unwrap();
    let head = fs::read_to_string(fixture.only_head()).unwrap();
    assert_eq!(
        head,
        format!("{{\"count\":2,\"digest\":\"{}\"}}\n", last.digest)
    );
}

#[test]
fn a_folder_goes_on_with_its_own_chain() {
    let fixture = Fixture::new();
    for text in ["one", "two", "three"] {
        fixture.writer().append(note(text)).unwrap();
    }
    assert_eq!(
        fs::read_to_string(fixture.only_chain())
            .unwrap()
            .lines()
            .count(),
        3
    );
}

#[test]
fn opening_without_appending_leaves_no_chain() {
    let fixture = Fixture::new();
    drop(fixture.writer());
    assert!(fixture.files(".jsonl").is_empty());
    assert!(fixture.files(".head").is_empty());
    assert!(fixture.files(".writer").is_empty());
}

#[test]
fn a_second_writer_is_refused_while_the_first_lives() {
    let fixture = Fixture::new();
    let first = fixture.writer();
    assert!(matches!(
        Writer::open(&fixture.study),
        Err(OpenError::Busy { .. })
    ));
    drop(first);
    Writer::open(&fixture.study).unwrap();
}

#[test]
fn reading_writes_nothing_and_works_while_a_writer_lives() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    announce(&mut writer, id);
    let before = fixture.files("");
    let history = fixture.history();
    assert_eq!(history.runs().len(), 1);
    assert_eq!(fixture.files(""), before);
}

#[test]
fn a_study_without_a_ledger_has_an_empty_history() {
    let fixture = Fixture::new();
    fs::remove_dir_all(fixture.study.root().join("prereg")).unwrap();
    let history = fixture.history();
    assert_eq!(history.records().count(), 0);
    assert!(history.findings().is_empty());
}

#[test]
fn a_record_of_a_kind_from_a_newer_version_is_kept_as_unknown_and_no_finding() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = writer.append(note("one")).unwrap();
    let body = format!(
        r#"{{"writer":"{}","seq":1,"prev":"{}","seen":{{}},"time":"{}","kind":"witnessed","body":{{"x":1}}"#,
        writer.id(),
        first.digest,
        first.time
    );
    let line = format!("{body},\"digest\":\"{}\"}}\n", Digest::of(body.as_bytes()));
    let mut chain = fs::read_to_string(fixture.only_chain()).unwrap();
    chain.push_str(&line);
    fs::write(fixture.only_chain(), chain).unwrap();
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let unknown: Vec<_> = history
        .unknown_records()
        .map(|(_, record)| record.event.clone())
        .collect();
    assert_eq!(
        unknown,
        [Event::Unknown {
            kind: "witnessed".into()
        }]
    );
}

#[test]
fn a_closed_writer_does_not_linger_in_children_that_are_being_spawned() {
    let fixture = Fixture::new();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = Command::new("true").status();
            }
        });
        let opened = (0..10_000).try_for_each(|_| Writer::open(&fixture.study).map(drop));
        done.store(true, Ordering::Relaxed);
        opened.unwrap();
    });
}
