//! From what a program reported to the records of its slot.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use prereg_readers::{Observation, Reading};
use prereg_runs::{ObservationRecord, SampleRecord, SlotRecord, StepLine};
use prereg_units::{Dimension, Unit};

use super::error::ProgramError;
use super::program::Ran;
use crate::spec::{CommandSpec, SessionSpec};

/// The records of a slot.
pub(super) struct Lines {
    /// Each step, then the slot.
    pub(super) steps: Vec<StepLine>,
    pub(super) telemetry: Vec<SampleRecord>,
}

/// Columns that are not declared, units of another dimension and another number of steps are refused.
pub(super) fn of(
    command: &CommandSpec,
    spec: &SessionSpec,
    slot: u32,
    arm: &str,
    ran: &Ran,
) -> Result<Lines, ProgramError> {
    for (name, column) in &ran.reading.columns {
        check(
            name,
            column.dimension,
            &command.columns,
            "[workload.columns]",
        )?;
    }
    for sample in &ran.reading.telemetry {
        check(
            &sample.column,
            sample.dimension,
            &command.telemetry,
            "[workload.telemetry]",
        )?;
    }
    let observations = &ran.reading.observations;
    if observations.len() != spec.slot_steps as usize {
        return Err(ProgramError::Count {
            found: observations.len(),
            planned: spec.slot_steps,
        });
    }
    if command.measures {
        whole_columns(&ran.reading)?;
        times_fit(ran)?;
    }
    readings_within(ran)?;
    let records: Vec<ObservationRecord> = (0..)
        .zip(observations)
        .map(|(step, observation)| record(slot, arm, step, observation))
        .collect();
    let is_rejected = |record: &&ObservationRecord| record.step_ns.is_some_and(|time| time <= 0);
    let end = StepLine::Slot(SlotRecord {
        slot,
        arm: arm.to_owned(),
        steps: records.len() as u32,
        start_ns: ran.start_ns,
        slot_ns: ran.wall_ns,
        rejected: records.iter().filter(is_rejected).count() as u32,
        invalid: None,
        graph: None,
    });
    let telemetry = ran.reading.telemetry.iter().map(|sample| SampleRecord {
        column: sample.column.clone(),
        slot: Some(slot),
        value: sample.value,
        at_ns: sample.at_ns,
    });
    Ok(Lines {
        telemetry: telemetry.collect(),
        steps: records
            .into_iter()
            .map(StepLine::Observation)
            .chain([end])
            .collect(),
    })
}

/// A program that left a time out where it does not please it would drop the step.
fn whole_columns(reading: &Reading) -> Result<(), ProgramError> {
    let steps = reading.observations.len();
    let outputs = reading
        .observations
        .iter()
        .filter(|step| step.output.is_some());
    let output = ("output", outputs.count());
    let columns = reading.columns.keys().map(|column| {
        let steps = reading.observations.iter();
        let found = steps
            .filter(|step| step.values.contains_key(column))
            .count();
        (column.as_str(), found)
    });
    match columns
        .chain([output])
        .find(|(_, found)| *found > 0 && *found < steps)
    {
        None => Ok(()),
        Some((column, found)) => Err(ProgramError::Sparse {
            column: column.to_owned(),
            found,
            steps,
        }),
    }
}

/// Times besides `step_time` may overlap, so each is held against the wall time of the process. The sum of step times
/// is, where samples are read.
fn times_fit(ran: &Ran) -> Result<(), ProgramError> {
    let wall = ran.wall_ns as f64 / 1e9;
    for (column, _) in ran
        .reading
        .columns
        .iter()
        .filter(|(name, column)| column.dimension == Dimension::TIME && *name != "step_time")
    {
        let values = ran.reading.observations.iter();
        let values = values.filter_map(|step| step.values.get(column));
        if let Some(&seconds) = values
            .into_iter()
            .find(|value| **value < 0.0 || **value > wall)
        {
            return Err(ProgramError::Time {
                column: column.clone(),
                seconds,
                wall,
            });
        }
    }
    Ok(())
}

/// Readings are of the time in which the process ran: a count of microseconds, or of another clock, is not.
fn readings_within(ran: &Ran) -> Result<(), ProgramError> {
    let (start_ns, end_ns) = (ran.start_ns, ran.start_ns.saturating_add(ran.wall_ns));
    for sample in &ran.reading.telemetry {
        if let Some(at_ns) = sample.at_ns.filter(|at| !(start_ns..=end_ns).contains(at)) {
            return Err(ProgramError::Instant {
                column: sample.column.clone(),
                at_ns,
                start_ns,
                end_ns,
            });
        }
    }
    Ok(())
}

fn record(slot: u32, arm: &str, step: u32, observation: &Observation) -> ObservationRecord {
    let mut values = observation.values.clone();
    ObservationRecord {
        slot,
        arm: arm.to_owned(),
        step,
        // A duration beyond 292 years saturates, and does not fit into the process's wall time.
        step_ns: values
            .remove("step_time")
            .map(|seconds| (seconds * 1e9).round() as i64),
        values,
        output: observation.output.map(Digest::from_bytes),
    }
}

fn check(
    name: &str,
    dimension: Dimension,
    declared: &BTreeMap<String, String>,
    table: &'static str,
) -> Result<(), ProgramError> {
    let Some(unit) = declared.get(name) else {
        return Err(ProgramError::Undeclared {
            column: name.to_owned(),
            table,
        });
    };
    match Unit::parse(unit) {
        Ok(unit) if unit.dimension() == dimension => Ok(()),
        _ => Err(ProgramError::Unit {
            column: name.to_owned(),
            unit: unit.clone(),
        }),
    }
}
