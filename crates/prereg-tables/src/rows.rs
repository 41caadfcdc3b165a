//! Rows of decoded frames, with the fields that samples are made of.
//!
//! Names, types and presence of values were checked when the frame was decoded, so every column
//! has the frame's height.

use polars::prelude::DataFrame;

use crate::table::TableError;

/// A row of `slots.parquet`.
pub(crate) struct SlotRow<'a> {
    pub(crate) session: u32,
    pub(crate) slot: u32,
    pub(crate) arm: &'a str,
    pub(crate) steps: u32,
    pub(crate) slot_ns: u64,
    pub(crate) rejected: u32,
    pub(crate) invalid: Option<&'a str>,
}

/// A row of `steps.parquet`.
pub(crate) struct StepRow<'a> {
    pub(crate) session: u32,
    pub(crate) slot: u32,
    pub(crate) arm: &'a str,
    pub(crate) step: u32,
    pub(crate) step_ns: i64,
    pub(crate) tokens: u32,
    pub(crate) logits: &'a [u8],
}

/// A row of `telemetry.parquet`.
pub(crate) struct ReadingRow<'a> {
    pub(crate) session: u32,
    pub(crate) column: &'a str,
    pub(crate) slot: Option<u32>,
    pub(crate) value: Option<f64>,
    pub(crate) at_ns: Option<u64>,
}

/// A row of `observations.parquet`.
pub(crate) struct ObservationRow<'a> {
    pub(crate) session: u32,
    pub(crate) slot: u32,
    pub(crate) arm: &'a str,
    pub(crate) step: u32,
    pub(crate) column: &'a str,
    pub(crate) step_ns: Option<i64>,
    pub(crate) value: Option<f64>,
    pub(crate) output: Option<&'a [u8]>,
}

pub(crate) fn slot_rows(
    frame: &DataFrame,
) -> Result<impl Iterator<Item = SlotRow<'_>>, TableError> {
    let session = numbers_u32(frame, "session")?;
    let slot = numbers_u32(frame, "slot")?;
    let arm: Vec<&str> = frame.column("arm")?.str()?.iter().flatten().collect();
    let steps = numbers_u32(frame, "steps")?;
    let slot_ns = frame.column("slot_ns")?.u64()?.cont_slice()?;
    let rejected = numbers_u32(frame, "rejected")?;
    let invalid: Vec<Option<&str>> = frame.column("invalid")?.str()?.iter().collect();
    Ok((0..frame.height()).map(move |row| SlotRow {
        session: session[row],
        slot: slot[row],
        arm: arm[row],
        steps: steps[row],
        slot_ns: slot_ns[row],
        rejected: rejected[row],
        invalid: invalid[row],
    }))
}

pub(crate) fn step_rows(
    frame: &DataFrame,
) -> Result<impl Iterator<Item = StepRow<'_>>, TableError> {
    let session = numbers_u32(frame, "session")?;
    let slot = numbers_u32(frame, "slot")?;
    let arm: Vec<&str> = frame.column("arm")?.str()?.iter().flatten().collect();
    let step = numbers_u32(frame, "step")?;
    let step_ns = frame.column("step_ns")?.i64()?.cont_slice()?;
    let tokens = numbers_u32(frame, "tokens")?;
    let logits: Vec<&[u8]> = frame.column("logits")?.binary()?.iter().flatten().collect();
    Ok((0..frame.height()).map(move |row| StepRow {
        session: session[row],
        slot: slot[row],
        arm: arm[row],
        step: step[row],
        step_ns: step_ns[row],
        tokens: tokens[row],
        logits: logits[row],
    }))
}

pub(crate) fn reading_rows(
    frame: &DataFrame,
) -> Result<impl Iterator<Item = ReadingRow<'_>>, TableError> {
    let session = numbers_u32(frame, "session")?;
    let column: Vec<&str> = frame.column("column")?.str()?.iter().flatten().collect();
    let slot: Vec<Option<u32>> = frame.column("slot")?.u32()?.iter().collect();
    let value: Vec<Option<f64>> = frame.column("value")?.f64()?.iter().collect();
    let at_ns: Vec<Option<u64>> = frame.column("at_ns")?.u64()?.iter().collect();
    Ok((0..frame.height()).map(move |row| ReadingRow {
        session: session[row],
        column: column[row],
        slot: slot[row],
        value: value[row],
        at_ns: at_ns[row],
    }))
}

pub(crate) fn observation_rows(
    frame: &DataFrame,
) -> Result<impl Iterator<Item = ObservationRow<'_>>, TableError> {
    let session = numbers_u32(frame, "session")?;
    let slot = numbers_u32(frame, "slot")?;
    let arm: Vec<&str> = frame.column("arm")?.str()?.iter().flatten().collect();
    let step = numbers_u32(frame, "step")?;
    let column: Vec<&str> = frame.column("column")?.str()?.iter().flatten().collect();
    let step_ns: Vec<Option<i64>> = frame.column("step_ns")?.i64()?.iter().collect();
    let value: Vec<Option<f64>> = frame.column("value")?.f64()?.iter().collect();
    let output: Vec<Option<&[u8]>> = frame.column("output")?.binary()?.iter().collect();
    Ok((0..frame.height()).map(move |row| ObservationRow {
        session: session[row],
        slot: slot[row],
        arm: arm[row],
        step: step[row],
        column: column[row],
        step_ns: step_ns[row],
        value: value[row],
        output: output[row],
    }))
}

fn numbers_u32<'a>(frame: &'a DataFrame, name: &str) -> Result<&'a [u32], TableError> {
    Ok(frame.column(name)?.u32()?.cont_slice()?)
}
