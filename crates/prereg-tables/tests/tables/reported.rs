//! Steps that a program reported: from records over tables to samples.

use prereg_declaration::Digest;
use prereg_judgement::{Missing, Observations, Session};
use prereg_runs::{ObservationRecord, StepLine};
use prereg_tables::{Planned, check_agreement, samples};

use crate::simulated_run::{Lines, SimulatedRun};

/// Every step as a program reports it, with a rate besides.
fn report(lines: &mut Lines) {
    for line in &mut lines.steps {
        if let StepLine::Step(step) = line {
            *line = StepLine::Observation(ObservationRecord {
                slot: step.slot,
                arm: step.arm.clone(),
                step: step.step,
                step_ns: Some(step.step_ns),
                values: [
                    ("rate".to_owned(), f64::from(step.step)),
                    ("tokens".to_owned(), 2.0),
                ]
                .into(),
                output: Some(Digest::of(&step.step.to_le_bytes())),
            });
        }
    }
}

fn each(lines: &mut Lines, edit: impl FnMut(&mut ObservationRecord)) {
    let records = lines.steps.iter_mut().filter_map(|line| match line {
        StepLine::Observation(record) => Some(record),
        StepLine::Step(_) | StepLine::Slot(_) => None,
    });
    records.for_each(edit);
}

/// The one session of a run whose reported lines `edit` changed.
fn session(edit: impl FnOnce(&mut Lines)) -> Session {
    let run = SimulatedRun::new(1, 10);
    run.complete_session(0, |lines| {
        report(lines);
        edit(lines);
    });
    let planned = Planned {
        reported: true,
        ..run.planned()
    };
    let seal = run.seal();
    check_agreement(&run.folder).unwrap();
    samples(&run.folder, seal, &planned)
        .unwrap()
        .sessions
        .remove(0)
}

fn complete(session: Session) -> Observations {
    match session {
        Session::Complete(observations) => observations,
        Session::Missing(missing) => panic!("{missing:?}"),
    }
}

#[test]
fn every_reported_column_reaches_the_samples_in_order() {
    let slot = complete(session(|_| ())).slots.remove(3);
    let rates: Vec<f64> = (0..10).map(f64::from).collect();
    assert_eq!(slot.columns["rate"], rates);
    assert_eq!((slot.step_time.len(), slot.tokens), (10, vec![2.0; 10]));
    assert_eq!(slot.logits[7], *Digest::of(&7u32.to_le_bytes()).as_bytes());
}

#[test]
fn a_program_need_not_report_times() {
    let slots = complete(session(|lines| each(lines, |record| record.step_ns = None))).slots;
    assert!(slots.iter().all(|slot| slot.step_time.is_empty()));
    assert_eq!(slots[0].columns["rate"].len(), 10);
}

#[test]
fn a_column_that_is_in_some_steps_only_makes_the_session_missing() {
    let missing = session(|lines| {
        each(lines, |record| {
            if record.step == 3 {
                record.step_ns = None;
            }
        });
    });
    let Session::Missing(Missing::Failed { message }) = missing else {
        panic!("a dropped time")
    };
    assert!(message.contains("lack a column"), "{message}");
}

#[test]
fn times_may_fill_less_than_the_wall_time_of_the_process_and_not_more() {
    let scaled = |factor: i64, over: i64| {
        session(|lines| {
            each(lines, |record| {
                record.step_ns = record.step_ns.map(|time| time * factor / over);
            });
        })
    };
    complete(scaled(1, 10));
    let Session::Missing(Missing::Failed { message }) = scaled(11, 10) else {
        panic!("more than the wall time")
    };
    assert!(message.contains("longer than its process did"), "{message}");
}

#[test]
fn a_reported_time_of_zero_is_rejected_and_its_session_missing() {
    let zero = |lines: &mut Lines| {
        each(lines, |record| {
            if record.step == 4 {
                record.step_ns = Some(0);
            }
        });
        for line in &mut lines.steps {
            if let StepLine::Slot(slot) = line {
                slot.rejected = 1;
            }
        }
    };
    let missing = session(zero);
    let rejected = Session::Missing(Missing::RejectedSteps { count: 4 });
    assert_eq!(missing, rejected);
}

#[test]
fn a_run_in_which_no_program_reported_has_no_table_of_observations() {
    let run = SimulatedRun::complete(1, 10);
    run.seal();
    assert!(!run.path("observations.parquet").exists());
}
