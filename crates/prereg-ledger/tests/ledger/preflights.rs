//! Looks at a machine before a run, which stay on record whether they pass or not.

use prereg_declaration::Digest;
use prereg_ledger::{Event, PreflightEvent, PreflightReadings, Writer};

use crate::fixture::{Fixture, announce, lock};

fn look(writer: &mut Writer, lock: Digest, identity: &str, refusal: Option<&str>) {
    let event = PreflightEvent {
        lock,
        target: "cpu".into(),
        refusal: refusal.map(str::to_owned),
        readings: PreflightReadings {
            identity: identity.into(),
            ..PreflightReadings::default()
        },
    };
    writer.append(Event::Preflight(event)).unwrap();
}

#[test]
fn every_look_of_a_lock_stays_on_record_with_its_refusal() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    look(&mut writer, id, "first", Some("too little memory"));
    look(&mut writer, id, "second", None);
    look(&mut writer, Digest::of(b"another lock"), "third", None);
    let history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    let of_lock: Vec<_> = history
        .preflights_of_lock(id)
        .map(|(_, event)| (event.readings.identity.as_str(), event.refusal.as_deref()))
        .collect();
    let expected = [("first", Some("too little memory")), ("second", None)];
    assert_eq!(of_lock, expected);
    assert_eq!(history.preflights(id, "cpu").count(), 2);
    assert_eq!(history.preflights(id, "h100").count(), 0);
}

#[test]
fn the_look_of_a_run_is_the_last_that_passed_before_its_announcement() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let blind = announce(&mut writer, id).run;
    look(&mut writer, id, "passed first", None);
    look(&mut writer, id, "passed last", None);
    look(&mut writer, id, "refused", Some("too little memory"));
    let seen = announce(&mut writer, id).run;
    look(&mut writer, id, "before it was resumed", None);
    let history = fixture.history();
    let identity = |run| {
        let (_, event) = history.preflight_of(history.run(run).unwrap())?;
        Some(event.readings.identity.as_str())
    };
    assert_eq!(identity(&seen), Some("passed last"));
    assert_eq!(identity(&blind), None);
}
