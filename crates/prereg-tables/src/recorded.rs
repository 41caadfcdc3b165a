//! Rows of the tables → what each session recorded.
//!
//! Rows that contradict each other are an error: the tool that writes them never does.

use std::collections::BTreeMap;

use polars::prelude::DataFrame;
use prereg_judgement::Reading;

use crate::rows::{observation_rows, reading_rows, slot_rows, step_rows};
use crate::samples::SamplesError;
use crate::schema::{OBSERVATIONS, SLOTS, STEPS, TELEMETRY};
use crate::session_lines::check_reading;
use crate::table::{Table, TableError};

/// What a session recorded, before it is asked whether it counts.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) slots: Vec<RecordedSlot>,
    /// Readings by column, in base units, finite and not negative.
    pub(crate) columns: BTreeMap<String, Vec<Reading>>,
}

/// What a slot recorded.
#[derive(Debug)]
pub(crate) struct RecordedSlot {
    pub(crate) arm: String,
    pub(crate) invalid: Option<String>,
    pub(crate) slot_ns: u64,
    /// As read: may be zero or negative.
    pub(crate) step_ns: Vec<i64>,
    pub(crate) tokens: Vec<f64>,
    /// Digests of logits, or of the outputs that a program reports.
    pub(crate) logits: Vec<[u8; 32]>,
    /// Further columns that a program reports, in base units, finite.
    pub(crate) columns: BTreeMap<String, Vec<f64>>,
    /// Steps that a program reported; nothing where steps are timed here.
    pub(crate) reported: Option<u32>,
    claims: Claims,
}

/// What the row of a slot says about the rows of its steps.
#[derive(Debug, PartialEq, Eq)]
struct Claims {
    steps: usize,
    rejected: usize,
}

impl RecordedSlot {
    /// Steps whose duration is not positive.
    pub(crate) fn rejected(&self) -> usize {
        self.step_ns.iter().filter(|step_ns| **step_ns <= 0).count()
    }
}

/// What each session recorded, by index.
pub(crate) fn recorded(
    slots: &DataFrame,
    steps: &DataFrame,
    telemetry: &DataFrame,
    observations: Option<&DataFrame>,
) -> Result<BTreeMap<u32, Recorded>, SamplesError> {
    let mut sessions = BTreeMap::new();
    add_slots(&mut sessions, slots)?;
    add_steps(&mut sessions, steps)?;
    if let Some(observations) = observations {
        add_observations(&mut sessions, observations)?;
    }
    check_claims(&sessions)?;
    add_readings(&mut sessions, telemetry)?;
    Ok(sessions)
}

fn unreadable(table: Table) -> impl FnOnce(TableError) -> SamplesError {
    move |source| SamplesError::Table {
        file: table.file,
        source,
    }
}

fn contradiction(table: Table, session: u32, problem: String) -> SamplesError {
    SamplesError::Rows {
        file: table.file,
        session,
        problem,
    }
}

fn add_slots(
    sessions: &mut BTreeMap<u32, Recorded>,
    frame: &DataFrame,
) -> Result<(), SamplesError> {
    for row in slot_rows(frame).map_err(unreadable(SLOTS))? {
        let slots = &mut sessions.entry(row.session).or_default().slots;
        if slots.len() != row.slot as usize {
            let problem = format!(
                "slot {} stands where slot {} belongs",
                row.slot,
                slots.len()
            );
            return Err(contradiction(SLOTS, row.session, problem));
        }
        slots.push(RecordedSlot {
            arm: row.arm.to_owned(),
            invalid: row.invalid.map(ToOwned::to_owned),
            slot_ns: row.slot_ns,
            step_ns: Vec::new(),
            tokens: Vec::new(),
            logits: Vec::new(),
            columns: BTreeMap::new(),
            reported: None,
            claims: Claims {
                steps: row.steps as usize,
                rejected: row.rejected as usize,
            },
        });
    }
    Ok(())
}

fn add_steps(
    sessions: &mut BTreeMap<u32, Recorded>,
    frame: &DataFrame,
) -> Result<(), SamplesError> {
    for row in step_rows(frame).map_err(unreadable(STEPS))? {
        let failed = |problem| {
            contradiction(
                STEPS,
                row.session,
                format!("slot {}, step {}: {problem}", row.slot, row.step),
            )
        };
        let slot = sessions
            .get_mut(&row.session)
            .and_then(|recorded| recorded.slots.get_mut(row.slot as usize))
            .ok_or_else(|| failed(format!("the slot is not in {}", SLOTS.file)))?;
        if slot.arm != row.arm {
            return Err(failed(format!(
                "the step ran {}, the slot ran {}",
                row.arm, slot.arm
            )));
        }
        if slot.step_ns.len() != row.step as usize {
            return Err(failed(format!(
                "stands where step {} belongs",
                slot.step_ns.len()
            )));
        }
        let logits = row
            .logits
            .try_into()
            .map_err(|_| failed("the digest of the logits is not 32 bytes long".into()))?;
        slot.step_ns.push(row.step_ns);
        slot.tokens.push(f64::from(row.tokens));
        slot.logits.push(logits);
    }
    Ok(())
}

fn add_observations(
    sessions: &mut BTreeMap<u32, Recorded>,
    frame: &DataFrame,
) -> Result<(), SamplesError> {
    for row in observation_rows(frame).map_err(unreadable(OBSERVATIONS))? {
        let failed = |problem: &str| {
            let problem = format!("slot {}, step {}: {problem}", row.slot, row.step);
            contradiction(OBSERVATIONS, row.session, problem)
        };
        let slot = sessions
            .get_mut(&row.session)
            .and_then(|recorded| recorded.slots.get_mut(row.slot as usize))
            .filter(|slot| slot.arm == row.arm)
            .ok_or_else(|| failed("no slot of this arm is in slots.parquet"))?;
        let steps = slot.reported.get_or_insert(0);
        match row.step.checked_sub(*steps) {
            Some(0) => *steps += 1,
            None if row.step + 1 == *steps => {}
            _ => return Err(failed("stands where another step belongs")),
        }
        match (row.column, row.step_ns, row.value, row.output) {
            ("step_time", Some(step_ns), None, None) => slot.step_ns.push(step_ns),
            ("output", None, None, Some(digest)) => {
                let digest = digest
                    .try_into()
                    .map_err(|_| failed("the digest of the output is not 32 bytes long"))?;
                slot.logits.push(digest);
            }
            ("tokens", None, Some(tokens), None) if tokens.is_finite() => slot.tokens.push(tokens),
            (column, None, Some(value), None) if value.is_finite() => slot
                .columns
                .entry(column.to_owned())
                .or_default()
                .push(value),
            (column, ..) => return Err(failed(&format!("`{column}` is not what it should be"))),
        }
    }
    Ok(())
}

fn check_claims(sessions: &BTreeMap<u32, Recorded>) -> Result<(), SamplesError> {
    for (session, recorded) in sessions {
        for (index, slot) in recorded.slots.iter().enumerate() {
            let reported = slot.reported.map(|steps| steps as usize);
            let found = Claims {
                steps: reported.unwrap_or(slot.step_ns.len()),
                rejected: slot.rejected(),
            };
            if found != slot.claims {
                let Claims { steps, rejected } = slot.claims;
                let problem = format!(
                    "slot {index} says {steps} steps, {rejected} rejected; {} has {}, {} rejected",
                    if reported.is_some() {
                        OBSERVATIONS.file
                    } else {
                        STEPS.file
                    },
                    found.steps,
                    found.rejected
                );
                return Err(contradiction(SLOTS, *session, problem));
            }
        }
    }
    Ok(())
}

fn add_readings(
    sessions: &mut BTreeMap<u32, Recorded>,
    frame: &DataFrame,
) -> Result<(), SamplesError> {
    for row in reading_rows(frame).map_err(unreadable(TELEMETRY))? {
        let columns = &mut sessions.entry(row.session).or_default().columns;
        if let Some(value) = row.value {
            let value = check_reading(row.session, row.column, value)?;
            columns
                .entry(row.column.to_owned())
                .or_default()
                .push(Reading {
                    slot: row.slot,
                    value,
                    at_ns: row.at_ns,
                });
        }
    }
    Ok(())
}
