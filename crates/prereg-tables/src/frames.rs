//! Records → frames with the columns of the schema.

use polars::prelude::{Column, DataFrame, NamedFrom, Series};
use prereg_runs::{ObservationRecord, StepLine, TelemetryLine};

use crate::schema::{OBSERVATIONS, SLOTS, STEPS, TELEMETRY};
use crate::session_lines::{ReadingError, SessionLines, check_reading};
use crate::table::{Table, TableError};

/// The tables of a run, in memory.
pub(crate) struct Frames {
    pub(crate) slots: DataFrame,
    pub(crate) steps: DataFrame,
    pub(crate) telemetry: DataFrame,
    /// Where programs reported.
    pub(crate) observations: Option<DataFrame>,
}

impl Frames {
    /// Each table with its frame.
    pub(crate) fn tables(&mut self) -> impl Iterator<Item = (Table, &mut DataFrame)> {
        let always = [
            (SLOTS, &mut self.slots),
            (STEPS, &mut self.steps),
            (TELEMETRY, &mut self.telemetry),
        ];
        let reported = self.observations.as_mut();
        always
            .into_iter()
            .chain(reported.map(|frame| (OBSERVATIONS, frame)))
    }
}

/// Why records give no tables.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FramesError {
    #[error(transparent)]
    Reading(#[from] ReadingError),
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of the records of complete sessions.
pub(crate) fn frames(sessions: &[SessionLines]) -> Result<Frames, FramesError> {
    Ok(Frames {
        slots: slots(sessions)?,
        steps: steps(sessions)?,
        telemetry: telemetry(sessions)?,
        observations: Some(observations(sessions)?).filter(|frame| frame.height() > 0),
    })
}

/// One column, a value a row.
fn column<R, T, P: ?Sized>(name: &str, rows: &[R], value: impl Fn(&R) -> T) -> Column
where
    Series: NamedFrom<Vec<T>, P>,
{
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
}

/// The lines of `steps.jsonl` that `pick` takes, each with its session.
fn lines<'a, R>(
    sessions: &'a [SessionLines],
    pick: impl Fn(&'a StepLine) -> Option<R>,
) -> Vec<(u32, R)> {
    let lines = sessions
        .iter()
        .flat_map(|lines| lines.steps.iter().map(move |line| (lines.session, line)));
    lines
        .filter_map(|(session, line)| Some((session, pick(line)?)))
        .collect()
}

fn slots(sessions: &[SessionLines]) -> Result<DataFrame, TableError> {
    let rows = &lines(sessions, |line| match line {
        StepLine::Slot(slot) => Some(slot),
        StepLine::Step(_) | StepLine::Observation(_) => None,
    });
    SLOTS.frame(vec![
        column("session", rows, |(session, _)| *session),
        column("slot", rows, |(_, row)| row.slot),
        column("arm", rows, |(_, row)| row.arm.as_str()),
        column("steps", rows, |(_, row)| row.steps),
        column("start_ns", rows, |(_, row)| row.start_ns),
        column("slot_ns", rows, |(_, row)| row.slot_ns),
        column("rejected", rows, |(_, row)| row.rejected),
        column("invalid", rows, |(_, row)| row.invalid.as_deref()),
        column("captured_launches", rows, |(_, row)| {
            row.graph.map(|graph| graph.captured_launches)
        }),
        column("replays", rows, |(_, row)| {
            row.graph.map(|graph| graph.replays)
        }),
    ])
}

fn steps(sessions: &[SessionLines]) -> Result<DataFrame, TableError> {
    let rows = &lines(sessions, |line| match line {
        StepLine::Step(step) => Some(step),
        StepLine::Slot(_) | StepLine::Observation(_) => None,
    });
    STEPS.frame(vec![
        column("session", rows, |(session, _)| *session),
        column("slot", rows, |(_, row)| row.slot),
        column("arm", rows, |(_, row)| row.arm.as_str()),
        column("step", rows, |(_, row)| row.step),
        column("step_ns", rows, |(_, row)| row.step_ns),
        column("tokens", rows, |(_, row)| row.tokens),
        column("token", rows, |(_, row)| row.token),
        column("logits", rows, |(_, row)| &row.logits.as_bytes()[..]),
    ])
}

/// A row of `observations.parquet`.
struct Reported<'a> {
    session: u32,
    record: &'a ObservationRecord,
    column: &'a str,
    step_ns: Option<i64>,
    value: Option<f64>,
    output: Option<&'a [u8]>,
}

fn observations(sessions: &[SessionLines]) -> Result<DataFrame, TableError> {
    let records = lines(sessions, |line| match line {
        StepLine::Observation(record) => Some(record),
        StepLine::Step(_) | StepLine::Slot(_) => None,
    });
    let rows: &Vec<_> = &records
        .iter()
        .flat_map(|&(session, record)| reported(session, record))
        .collect();
    OBSERVATIONS.frame(vec![
        column("session", rows, |row| row.session),
        column("slot", rows, |row| row.record.slot),
        column("arm", rows, |row| row.record.arm.as_str()),
        column("step", rows, |row| row.record.step),
        column("column", rows, |row| row.column),
        column("step_ns", rows, |row| row.step_ns),
        column("value", rows, |row| row.value),
        column("output", rows, |row| row.output),
    ])
}

fn reported(session: u32, record: &ObservationRecord) -> impl Iterator<Item = Reported<'_>> {
    let row = move |column| Reported {
        session,
        record,
        column,
        step_ns: None,
        value: None,
        output: None,
    };
    let time = record.step_ns.map(|step_ns| Reported {
        step_ns: Some(step_ns),
        ..row("step_time")
    });
    let values = record.values.iter().map(move |(column, value)| Reported {
        value: Some(*value),
        ..row(column)
    });
    let output = record.output.as_ref().map(|digest| Reported {
        output: Some(&digest.as_bytes()[..]),
        ..row("output")
    });
    time.into_iter().chain(values).chain(output)
}

/// A row of `telemetry.parquet`.
struct Reading<'a> {
    session: u32,
    column: &'a str,
    slot: Option<u32>,
    value: Option<f64>,
    at_ns: Option<u64>,
    bytes: Option<u64>,
    duration_ns: Option<i64>,
}

impl<'a> Reading<'a> {
    fn new(session: u32, line: &'a TelemetryLine) -> Self {
        match line {
            TelemetryLine::Sweep(sweep) => Self {
                session,
                column: "read_bandwidth",
                slot: Some(sweep.before),
                value: sweep.bytes_per_second(),
                at_ns: Some(sweep.start_ns),
                bytes: Some(sweep.bytes),
                duration_ns: Some(sweep.duration_ns),
            },
            TelemetryLine::Sample(sample) => Self {
                session,
                column: &sample.column,
                slot: sample.slot,
                value: Some(sample.value),
                at_ns: sample.at_ns,
                bytes: None,
                duration_ns: None,
            },
        }
    }

    fn check(&self) -> Result<(), ReadingError> {
        self.value.map_or(Ok(()), |value| {
            check_reading(self.session, self.column, value).map(drop)
        })
    }
}

fn telemetry(sessions: &[SessionLines]) -> Result<DataFrame, FramesError> {
    let rows: &Vec<_> = &sessions
        .iter()
        .flat_map(|lines| {
            lines
                .telemetry
                .iter()
                .map(|line| Reading::new(lines.session, line))
        })
        .collect();
    rows.iter().try_for_each(Reading::check)?;
    Ok(TELEMETRY.frame(vec![
        column("session", rows, |row| row.session),
        column("column", rows, |row| row.column),
        column("slot", rows, |row| row.slot),
        column("value", rows, |row| row.value),
        column("at_ns", rows, |row| row.at_ns),
        column("bytes", rows, |row| row.bytes),
        column("duration_ns", rows, |row| row.duration_ns),
    ])?)
}
