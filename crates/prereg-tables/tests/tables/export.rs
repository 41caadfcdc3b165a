//! Writing tables.

use prereg_runs::{Outcome, SampleRecord, TelemetryLine};
use prereg_tables::{ExportError, check_agreement, write_tables};

use crate::simulated_run::SimulatedRun;

const TABLES: [&str; 3] = ["slots.parquet", "steps.parquet", "telemetry.parquet"];

#[test]
fn the_same_records_give_the_same_bytes() {
    let (one, other) = (SimulatedRun::complete(3, 20), SimulatedRun::complete(3, 20));
    write_tables(&one.folder).unwrap();
    write_tables(&other.folder).unwrap();
    for table in TABLES {
        assert_eq!(one.bytes(table), other.bytes(table), "{table}");
    }
}

#[test]
fn a_run_that_is_not_sealed_may_be_written_again_after_a_crash() {
    let run = SimulatedRun::complete(2, 10);
    write_tables(&run.folder).unwrap();
    let whole = run.bytes("steps.parquet");
    run.replace("steps.parquet", &whole[..whole.len() / 2]);
    write_tables(&run.folder).unwrap();
    assert_eq!(run.bytes("steps.parquet"), whole);
}

#[test]
fn sealed_tables_stay_as_they_are() {
    let run = SimulatedRun::complete(1, 10);
    run.seal();
    let sealed = run.bytes("steps.parquet");
    write_tables(&run.folder).unwrap();
    assert_eq!(run.bytes("steps.parquet"), sealed);
}

#[test]
fn sealed_tables_that_are_not_those_of_the_records_are_an_error_and_stay() {
    let (run, other) = (SimulatedRun::complete(1, 10), SimulatedRun::complete(1, 20));
    run.seal();
    other.seal();
    run.replace("steps.parquet", &other.bytes("steps.parquet"));
    assert!(matches!(
        write_tables(&run.folder),
        Err(ExportError::Sealed { .. })
    ));
    assert_eq!(run.bytes("steps.parquet"), other.bytes("steps.parquet"));
}

#[test]
fn a_negative_reading_is_refused_and_nothing_is_written() {
    let run = SimulatedRun::new(1, 10);
    run.complete_session(0, |lines| {
        let column = "power".into();
        lines.telemetry.push(TelemetryLine::Sample(SampleRecord {
            column,
            slot: Some(0),
            value: -1.0,
            at_ns: Some(1),
        }));
    });
    let error = write_tables(&run.folder).unwrap_err();
    assert!(
        error.to_string().starts_with("session 0: power reads -1;"),
        "{error}"
    );
    assert!(TABLES.iter().all(|table| !run.path(table).exists()));
}

#[test]
fn a_line_that_is_no_record_is_named() {
    let run = SimulatedRun::complete(1, 10);
    let mut bytes = run.bytes("sessions/0/telemetry.jsonl");
    bytes.extend_from_slice(
        b"{\"record\":\"sample\",\"column\":\"power\",\"slot\":0,\"value\":NaN,\"at_ns\":1}\n",
    );
    run.replace("sessions/0/telemetry.jsonl", &bytes);
    let error = write_tables(&run.folder).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("telemetry.jsonl, line 5: not a record"),
        "{error}"
    );
}

#[test]
fn a_run_without_a_complete_session_has_empty_tables() {
    let run = SimulatedRun::new(2, 10);
    run.end_session(
        0,
        Outcome::Failed {
            message: "stopped".into(),
        },
        |_| (),
    );
    write_tables(&run.folder).unwrap();
    check_agreement(&run.folder).unwrap();
}
