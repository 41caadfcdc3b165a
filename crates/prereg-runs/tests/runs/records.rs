//! Records come back as they were written, and wrong ones are refused by file and line.

use std::fs;

use prereg_runs::ReadError;

use crate::fixture::{Fixture, environment, telemetry_lines};

#[test]
fn a_session_s_records_come_back_as_they_were_written() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let folder = fixture.folder.session(0);
    assert_eq!(folder.steps().unwrap(), fixture.step_lines(0));
    assert_eq!(folder.telemetry().unwrap(), telemetry_lines());
    assert_eq!(folder.environment().unwrap(), environment());
}

#[test]
fn a_step_is_one_object_on_a_line_tagged_by_its_kind() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let text = fs::read_to_string(fixture.folder.session(0).path().join("steps.jsonl")).unwrap();
    let first = text.lines().next().unwrap();
    let arm = &fixture.seeds.mirror_order(["eager", "graphed"], 0)[0];
    let start = format!(
        r#"{{"record":"step","slot":0,"arm":"{arm}","step":0,"step_ns":-1,"tokens":1,"token":17,"logits":""#
    );
    assert!(first.starts_with(&start), "{first}");
    assert_eq!(text.lines().count(), 12);
}

#[test]
fn a_truncated_file_of_steps_is_refused_by_line() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let path = fixture.folder.session(0).path().join("steps.jsonl");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    let error = fixture.folder.session(0).steps().unwrap_err();
    assert!(matches!(error, ReadError::Line { line: 12, .. }), "{error}");
}

#[test]
fn an_unknown_key_in_a_record_is_refused() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let path = fixture.folder.session(0).path().join("telemetry.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("\"before\":0", "\"before\":0,\"after\":1"),
    )
    .unwrap();
    assert!(matches!(
        fixture.folder.session(0).telemetry(),
        Err(ReadError::Line { line: 1, .. })
    ));
}

#[test]
fn a_newer_format_is_named() {
    let mut fixture = Fixture::new();
    fixture.complete(0);
    let path = fixture.folder.session(0).path().join("environment.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("prereg-environment/1", "prereg-environment/2"),
    )
    .unwrap();
    let error = fixture.folder.session(0).environment().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has format `prereg-environment/2`"),
        "{error}"
    );
}
