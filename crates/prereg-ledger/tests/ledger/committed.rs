//! The form of records on disk: what earlier versions wrote, and what this one writes.

use std::fs;
use std::path::Path;

use prereg_declaration::Digest;
use prereg_ledger::{Event, History, Locked, PilotArms, RunId, StopEvent, Study};

use crate::fixture::{DECLARATION, Fixture, a_lock, a_variant, amend, lock, withdraw};

#[test]
fn the_study_of_this_repository_has_no_finding_and_its_locks_can_be_judged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let history = History::read(&Study::open(&root).unwrap()).unwrap();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.unknown_records().count(), 0);
    assert!(!history.locks().is_empty());
    for lock in history.locks() {
        Locked::load(&history, lock.event.lock).unwrap();
    }
}

/// `kind` and `body` of the last record, as they stand on disk.
fn last_event(fixture: &Fixture) -> String {
    let chain = fs::read_to_string(fixture.only_chain()).unwrap();
    let line = chain.lines().last().unwrap();
    let start = line.find("\"kind\"").unwrap();
    line[start..line.find(",\"digest\"").unwrap()].to_owned()
}

#[test]
fn records_about_plans_have_their_keys_in_a_fixed_order() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let (declaration, question) = (Digest::of(DECLARATION), Digest::of(b"question"));
    let of = |kind: &str, id: Digest, rest: &str| {
        format!(
            r#""kind":"{kind}","body":{{"lock":"{id}","experiment":"replay_tax","declaration":"{declaration}","question":"{question}"{rest}}}"#
        )
    };
    let first = lock(&mut writer);
    assert_eq!(last_event(&fixture), of("locked", first, ""));
    let second = amend(&mut writer, first, &a_variant("second"));
    let rest = format!(r#","parent":"{first}","reason":"fewer sessions decide as well""#);
    assert_eq!(last_event(&fixture), of("amended", second, &rest));
    for (arms, rest) in [
        (PilotArms::Baseline, r#","arms":"baseline""#),
        (PilotArms::All, r#","arms":"all""#),
    ] {
        let (id, _) = writer.pilot(&a_lock(), DECLARATION, arms).unwrap();
        assert_eq!(last_event(&fixture), of("piloted", id, rest));
    }
    writer.append(withdraw(first)).unwrap();
    let expected =
        format!(r#""kind":"withdrawn","body":{{"lock":"{first}","reason":"the machine is gone"}}"#);
    assert_eq!(last_event(&fixture), expected);
}

#[test]
fn a_stop_has_its_keys_in_a_fixed_order() {
    let fixture = Fixture::new();
    let run = RunId::new("cpu", Digest::ZERO).unwrap();
    let stopped = Event::Stopped(StopEvent { run, sessions: 7 });
    fixture.writer().append(stopped).unwrap();
    assert_eq!(
        last_event(&fixture),
        r#""kind":"stopped","body":{"run":"cpu-000000000000","sessions":7}"#
    );
}
