//! From sealed tables to samples.

use prereg_declaration::Digest;
use prereg_judgement::{Missing, Observations, Samples, Session};
use prereg_runs::{Outcome, SlotRecord, StepLine, StepRecord, TelemetryLine};
use prereg_tables::{SamplesError, SealedError, TableError, samples, samples_so_far};

use crate::simulated_run::{Lines, SimulatedRun};

fn sealed(run: &SimulatedRun) -> Result<Samples, SamplesError> {
    samples(&run.folder, run.seal(), &run.planned())
}

/// The one session of a run whose lines `edit` changed.
fn session(edit: impl FnOnce(&mut Lines)) -> Result<Session, SamplesError> {
    let run = SimulatedRun::new(1, 10);
    run.complete_session(0, edit);
    Ok(sealed(&run)?.sessions.remove(0))
}

fn observations(session: Session) -> Observations {
    match session {
        Session::Complete(observations) => observations,
        Session::Missing(missing) => panic!("{missing:?}"),
    }
}

fn values(observations: &Observations, column: &str) -> Vec<f64> {
    let readings = &observations.columns[column];
    readings.iter().map(|reading| reading.value).collect()
}

fn each_step(lines: &mut Lines, edit: impl FnMut(&mut StepRecord)) {
    let steps = lines.steps.iter_mut().filter_map(|line| match line {
        StepLine::Step(step) => Some(step),
        StepLine::Slot(_) | StepLine::Observation(_) => None,
    });
    steps.for_each(edit);
}

fn each_slot(lines: &mut Lines, edit: impl FnMut(&mut SlotRecord)) {
    let slots = lines.steps.iter_mut().filter_map(|line| match line {
        StepLine::Slot(slot) => Some(slot),
        StepLine::Step(_) | StepLine::Observation(_) => None,
    });
    slots.for_each(edit);
}

#[test]
fn samples_hold_every_step_of_the_records_in_order() {
    let run = SimulatedRun::complete(3, 10);
    let samples = sealed(&run).unwrap();
    assert_eq!(samples.sessions.len(), 3);
    for ((index, session), planned) in (0..).zip(samples.sessions).zip(run.planned().orders) {
        let slots = observations(session).slots;
        let arms: Vec<_> = slots.iter().map(|slot| slot.arm.clone()).collect();
        assert_eq!(arms, planned);
        assert!(
            slots
                .iter()
                .all(|slot| slot.step_time.len() == 10 && slot.invalid.is_none())
        );
        for line in run.folder.session(index).steps().unwrap() {
            let StepLine::Step(step) = line else { continue };
            let (slot, at) = (&slots[step.slot as usize], step.step as usize);
            assert_eq!(slot.step_time[at], step.step_ns as f64 / 1e9);
            assert_eq!(slot.tokens[at], 1.0);
            assert_eq!(slot.logits[at], *step.logits.as_bytes());
        }
    }
}

#[test]
fn readings_are_columns_in_base_units() {
    let observations = observations(session(|_| ()).unwrap());
    assert_eq!(values(&observations, "read_bandwidth"), [2e10; 3]);
    assert_eq!(values(&observations, "last_level_cache"), [33_554_432.0]);
    assert_eq!(observations.columns.len(), 2);
}

#[test]
fn a_column_that_was_never_read_is_absent() {
    let observations = observations(session(|lines| lines.telemetry.clear()).unwrap());
    assert!(observations.columns.is_empty());
}

#[test]
fn a_pass_without_a_positive_duration_is_no_reading() {
    let edit = |lines: &mut Lines| {
        if let TelemetryLine::Sweep(sweep) = &mut lines.telemetry[1] {
            sweep.duration_ns = 0;
        }
    };
    assert_eq!(
        values(&observations(session(edit).unwrap()), "read_bandwidth"),
        [2e10; 2]
    );
}

#[test]
fn every_session_that_gives_no_numbers_is_missing_with_its_reason() {
    let run = SimulatedRun::new(5, 10);
    run.complete_session(0, |_| ());
    run.folder.claim(1).unwrap();
    run.end_session(2, Outcome::TimedOut, |lines| lines.steps.truncate(7));
    run.end_session(
        3,
        Outcome::Failed {
            message: "no memory".into(),
        },
        |lines| lines.steps.clear(),
    );
    let samples = sealed(&run).unwrap();
    assert!(matches!(samples.sessions[0], Session::Complete(_)));
    assert_eq!(
        samples.sessions[1..],
        [
            Session::Missing(Missing::Torn),
            Session::Missing(Missing::TimedOut),
            Session::Missing(Missing::Failed {
                message: "no memory".into()
            }),
            Session::Missing(Missing::NeverRun),
        ]
    );
}

#[test]
fn steps_that_are_not_positive_are_counted_and_their_session_is_missing() {
    let edit = |lines: &mut Lines| {
        each_step(lines, |step| {
            if step.slot == 1 && step.step < 2 {
                step.step_ns = -i64::from(step.step);
            }
        });
        each_slot(lines, |slot| {
            slot.rejected = if slot.slot == 1 { 2 } else { 0 }
        });
    };
    assert_eq!(
        session(edit).unwrap(),
        Session::Missing(Missing::RejectedSteps { count: 2 })
    );
}

#[test]
fn a_slot_with_fewer_steps_than_locked_makes_its_session_missing() {
    let edit = |lines: &mut Lines| {
        lines.steps.retain(
            |line| !matches!(line, StepLine::Step(step) if step.slot == 2 && step.step == 9),
        );
        each_slot(lines, |slot| {
            slot.steps = if slot.slot == 2 { 9 } else { 10 }
        });
    };
    let message = "slot 2 has 9 steps where the lock gives 10".into();
    assert_eq!(
        session(edit).unwrap(),
        Session::Missing(Missing::Failed { message })
    );
}

#[test]
fn a_session_without_its_last_slot_is_missing() {
    let edit = |lines: &mut Lines| {
        lines.steps.retain(|line| match line {
            StepLine::Step(step) => step.slot < 3,
            StepLine::Slot(slot) => slot.slot < 3,
            StepLine::Observation(_) => false,
        });
    };
    let message = "it has 3 slots where the lock gives 4".into();
    assert_eq!(
        session(edit).unwrap(),
        Session::Missing(Missing::Failed { message })
    );
}

#[test]
fn steps_that_do_not_add_up_to_the_host_time_make_their_session_missing() {
    let within = |lines: &mut Lines| each_slot(lines, |slot| slot.slot_ns += slot.slot_ns / 200);
    assert!(matches!(session(within).unwrap(), Session::Complete(_)));
    let beyond = |lines: &mut Lines| each_slot(lines, |slot| slot.slot_ns += slot.slot_ns / 50);
    let message = "the steps of slot 0 differ from its host time by more than 1 %".into();
    assert_eq!(
        session(beyond).unwrap(),
        Session::Missing(Missing::Failed { message })
    );
}

#[test]
fn an_arm_that_did_not_run_as_asked_says_so() {
    let edit =
        |lines: &mut Lines| each_slot(lines, |slot| slot.invalid = Some("not captured".into()));
    let observations = observations(session(edit).unwrap());
    assert!(
        observations
            .slots
            .iter()
            .all(|slot| slot.invalid.as_deref() == Some("not captured"))
    );
}

#[test]
fn a_slot_out_of_the_planned_order_is_invalid() {
    let run = SimulatedRun::complete(1, 10);
    let mut planned = run.planned();
    planned.orders[0].swap(0, 1);
    let observations = observations(
        samples(&run.folder, run.seal(), &planned)
            .unwrap()
            .sessions
            .remove(0),
    );
    let invalid: Vec<_> = observations
        .slots
        .iter()
        .map(|slot| slot.invalid.is_some())
        .collect();
    assert_eq!(invalid, [true, true, false, false]);
}

#[test]
fn another_number_of_sessions_than_locked_is_refused() {
    let run = SimulatedRun::complete(2, 10);
    let mut planned = run.planned();
    planned.announced = 1;
    let error = samples(&run.folder, run.seal(), &planned).unwrap_err();
    assert!(matches!(
        error,
        SamplesError::Sessions {
            locked: 1,
            announced: 2
        }
    ));
}

#[test]
fn only_the_seal_of_the_ledger_is_accepted() {
    let run = SimulatedRun::complete(1, 10);
    run.seal();
    let error = samples(&run.folder, Digest::of(b"another seal"), &run.planned()).unwrap_err();
    assert!(matches!(
        error,
        SamplesError::Sealed(SealedError::OtherSeal { .. })
    ));
}

#[test]
fn a_run_without_a_seal_gives_no_samples() {
    let run = SimulatedRun::complete(1, 10);
    let error = samples(&run.folder, Digest::ZERO, &run.planned()).unwrap_err();
    assert!(matches!(
        error,
        SamplesError::Sealed(SealedError::Unreadable { .. })
    ));
}

#[test]
fn a_file_that_changed_after_the_seal_is_refused() {
    for file in [
        "slots.parquet",
        "steps.parquet",
        "telemetry.parquet",
        "sessions/0/done.json",
    ] {
        let run = SimulatedRun::complete(1, 10);
        let seal = run.seal();
        let mut bytes = run.bytes(file);
        match file {
            "sessions/0/done.json" => bytes.push(b'\n'),
            _ => bytes[100] ^= 1,
        }
        run.replace(file, &bytes);
        let error = samples(&run.folder, seal, &run.planned()).unwrap_err();
        assert!(
            matches!(&error, SamplesError::Sealed(SealedError::Changed { path }) if path.ends_with(file)),
            "{error}"
        );
    }
}

#[test]
fn a_session_that_lost_its_end_after_the_seal_is_refused_and_not_missing() {
    let run = SimulatedRun::complete(1, 10);
    let seal = run.seal();
    std::fs::remove_file(run.path("sessions/0/done.json")).unwrap();
    let error = samples(&run.folder, seal, &run.planned()).unwrap_err();
    assert!(matches!(
        error,
        SamplesError::Sealed(SealedError::Changed { .. })
    ));
}

#[test]
fn a_sealed_file_that_is_no_table_is_refused() {
    let run = SimulatedRun::complete(1, 10);
    prereg_tables::write_tables(&run.folder).unwrap();
    run.replace("steps.parquet", b"PAR1 not a table PAR1");
    let seal = run.folder.seal().unwrap();
    let error = samples(&run.folder, seal, &run.planned()).unwrap_err();
    assert!(matches!(
        error,
        SamplesError::Table {
            file: "steps.parquet",
            source: TableError::Unreadable(_)
        }
    ));
}

#[test]
fn rows_that_contradict_each_other_are_refused() {
    let contradiction = |edit: fn(&mut Lines)| match session(edit) {
        Err(SamplesError::Rows {
            session: 0,
            problem,
            ..
        }) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        contradiction(|lines| each_slot(lines, |slot| slot.rejected = 1)),
        "slot 0 says 10 steps, 1 rejected; steps.parquet has 10, 0 rejected"
    );
    assert_eq!(
        contradiction(|lines| each_step(lines, |step| step.arm = "other".into()))
            .split(" the slot ran")
            .next(),
        Some("slot 0, step 0: the step ran other,")
    );
    assert_eq!(
        contradiction(|lines| each_step(lines, |step| step.step += 1)),
        "slot 0, step 1: stands where step 0 belongs"
    );
    assert_eq!(
        contradiction(|lines| each_step(lines, |step| step.slot += 4)),
        "slot 4, step 0: the slot is not in slots.parquet"
    );
    assert_eq!(
        contradiction(|lines| each_slot(lines, |slot| slot.slot += 1)),
        "slot 1 stands where slot 0 belongs"
    );
}

#[test]
fn rows_of_a_session_that_did_not_end_complete_are_refused() {
    let (complete, failed) = (SimulatedRun::complete(1, 10), SimulatedRun::new(1, 10));
    prereg_tables::write_tables(&complete.folder).unwrap();
    failed.end_session(0, Outcome::TimedOut, |_| ());
    for table in ["slots.parquet", "steps.parquet", "telemetry.parquet"] {
        failed.replace(table, &complete.bytes(table));
    }
    let seal = failed.folder.seal().unwrap();
    let error = samples(&failed.folder, seal, &failed.planned()).unwrap_err();
    assert!(matches!(error, SamplesError::NotComplete { session: 0 }));
}

#[test]
fn a_run_that_stopped_early_gives_the_sessions_before() {
    let run = SimulatedRun::new(4, 10);
    (0..2).for_each(|session| run.complete_session(session, |_| ()));
    let mut planned = run.planned();
    planned.orders.truncate(2);
    let so_far = samples_so_far(&run.folder, &planned).unwrap();
    let sealed = samples(&run.folder, run.seal(), &planned).unwrap();
    assert_eq!(sealed.sessions.len(), 2);
    assert_eq!(so_far, sealed);
}

#[test]
fn a_session_after_the_stop_is_refused() {
    let run = SimulatedRun::complete(3, 10);
    let mut planned = run.planned();
    planned.orders.truncate(2);
    let error = samples(&run.folder, run.seal(), &planned).unwrap_err();
    assert!(matches!(error, SamplesError::AfterStop { session: 2 }));
}
