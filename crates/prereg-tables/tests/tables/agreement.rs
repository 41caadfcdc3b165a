//! Comparing tables with records.

use prereg_declaration::Digest;
use prereg_runs::{SlotRecord, StepLine, StepRecord, TelemetryLine};
use prereg_tables::{AgreementError, Mismatch, TableError, check_agreement, write_tables};

use crate::simulated_run::{Lines, SimulatedRun};

/// The difference between the tables of a run and records that `edit` changed.
fn mismatch(edit: impl FnOnce(&mut Lines)) -> (String, Mismatch) {
    let (run, edited) = (SimulatedRun::complete(1, 10), SimulatedRun::new(1, 10));
    write_tables(&run.folder).unwrap();
    edited.complete_session(0, edit);
    for table in ["slots.parquet", "steps.parquet", "telemetry.parquet"] {
        edited.replace(table, &run.bytes(table));
    }
    match check_agreement(&edited.folder) {
        Err(AgreementError::Differs { path, mismatch }) => (
            path.file_name().unwrap().to_str().unwrap().to_owned(),
            mismatch,
        ),
        other => panic!("{other:?}"),
    }
}

fn first_step(lines: &mut Lines) -> &mut StepRecord {
    match &mut lines.steps[0] {
        StepLine::Step(step) => step,
        StepLine::Slot(_) | StepLine::Observation(_) => panic!("a session begins with a step"),
    }
}

fn first_slot(lines: &mut Lines) -> &mut SlotRecord {
    let slots = lines.steps.iter_mut().filter_map(|line| match line {
        StepLine::Slot(slot) => Some(slot),
        StepLine::Step(_) | StepLine::Observation(_) => None,
    });
    slots.into_iter().next().unwrap()
}

fn differs_in(edit: impl FnOnce(&mut Lines), expected_file: &str, expected_column: &str) {
    let (file, mismatch) = mismatch(edit);
    let Mismatch::Value { row: 0, column, .. } = mismatch else {
        panic!("{mismatch:?}")
    };
    assert_eq!(
        (file.as_str(), column.as_str()),
        (expected_file, expected_column)
    );
}

#[test]
fn tables_agree_with_the_records_that_they_were_written_from() {
    let run = SimulatedRun::complete(3, 10);
    write_tables(&run.folder).unwrap();
    check_agreement(&run.folder).unwrap();
}

#[test]
fn a_difference_in_any_field_of_a_step_is_found() {
    let differs = |edit: fn(&mut StepRecord), column| {
        differs_in(|lines| edit(first_step(lines)), "steps.parquet", column);
    };
    differs(|step| step.slot = 9, "slot");
    differs(|step| step.arm.push('x'), "arm");
    differs(|step| step.step = 9, "step");
    differs(|step| step.step_ns += 1, "step_ns");
    differs(|step| step.tokens += 1, "tokens");
    differs(|step| step.token += 1, "token");
    differs(|step| step.logits = Digest::ZERO, "logits");
}

#[test]
fn a_difference_in_any_field_of_a_slot_is_found() {
    let differs = |edit: fn(&mut SlotRecord), column| {
        differs_in(|lines| edit(first_slot(lines)), "slots.parquet", column);
    };
    differs(|slot| slot.slot = 9, "slot");
    differs(|slot| slot.arm.push('x'), "arm");
    differs(|slot| slot.steps += 1, "steps");
    differs(|slot| slot.start_ns += 1, "start_ns");
    differs(|slot| slot.slot_ns += 1, "slot_ns");
    differs(|slot| slot.rejected += 1, "rejected");
    differs(|slot| slot.invalid = Some("not captured".into()), "invalid");
}

#[test]
fn a_difference_in_what_a_graph_replayed_is_found() {
    let edit = |lines: &mut Lines| {
        for line in &mut lines.steps {
            if let StepLine::Slot(SlotRecord {
                graph: Some(graph), ..
            }) = line
            {
                graph.replays += 1;
            }
        }
    };
    let (file, mismatch) = mismatch(edit);
    assert_eq!(file, "slots.parquet");
    assert!(matches!(mismatch, Mismatch::Value { column, .. } if column == "replays"));
}

#[test]
fn a_difference_in_a_reading_is_found() {
    let edit = |lines: &mut Lines| {
        if let TelemetryLine::Sample(sample) = &mut lines.telemetry[0] {
            sample.value += 1.0;
        }
    };
    differs_in(edit, "telemetry.parquet", "value");
}

#[test]
fn a_difference_in_the_pass_that_a_bandwidth_is_computed_from_is_found() {
    // Twice the bytes in twice the time: the value is the same, the record is not.
    let edit = |lines: &mut Lines| {
        if let TelemetryLine::Sweep(sweep) = &mut lines.telemetry[1] {
            sweep.bytes *= 2;
            sweep.duration_ns *= 2;
        }
    };
    let (file, mismatch) = mismatch(edit);
    assert_eq!(file, "telemetry.parquet");
    assert!(matches!(mismatch, Mismatch::Value { row: 1, column, .. } if column == "bytes"));
}

#[test]
fn a_missing_line_is_found() {
    let edit = |lines: &mut Lines| drop(lines.steps.remove(3));
    assert_eq!(
        mismatch(edit),
        (
            "steps.parquet".into(),
            Mismatch::Rows {
                table: 40,
                records: 39
            }
        )
    );
}

#[test]
fn both_values_of_a_difference_are_told() {
    let (_, mismatch) = mismatch(|lines| first_step(lines).step_ns = 7);
    let text = mismatch.to_string();
    assert!(
        text.starts_with("row 0, step_ns: the table says 1"),
        "{text}"
    );
    assert!(text.ends_with("the JSONL says 7"), "{text}");
}

#[test]
fn a_missing_table_is_named() {
    let run = SimulatedRun::complete(1, 10);
    let error = check_agreement(&run.folder).unwrap_err();
    assert!(
        matches!(error, AgreementError::Unreadable { path, .. } if path.ends_with("slots.parquet"))
    );
}

#[test]
fn a_table_in_the_place_of_another_is_refused() {
    let run = SimulatedRun::complete(1, 10);
    write_tables(&run.folder).unwrap();
    run.replace("slots.parquet", &run.bytes("steps.parquet"));
    let error = check_agreement(&run.folder).unwrap_err();
    let AgreementError::Table {
        source: TableError::WrongTable { found, expected },
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((found.as_str(), expected), ("steps/1", "slots/1"));
}

#[test]
fn a_truncated_table_is_an_error() {
    let run = SimulatedRun::complete(1, 10);
    write_tables(&run.folder).unwrap();
    let bytes = run.bytes("steps.parquet");
    run.replace("steps.parquet", &bytes[..bytes.len() - 10]);
    assert!(matches!(
        check_agreement(&run.folder),
        Err(AgreementError::Table { .. })
    ));
}
