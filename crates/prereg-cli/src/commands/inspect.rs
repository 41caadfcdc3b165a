//! `prereg inspect`: what a result file of a tool holds, and what it cannot support.

mod result_file;

use std::path::PathBuf;

use prereg_units::{Dimension, Quantity};
use serde::Serialize;

pub(crate) use self::result_file::{Column, ResultFile};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{self, counted, say};

/// Arguments of `prereg inspect`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  hyperfine --export-json runs.json 'sleep 0.1'\n  \
    prereg inspect runs.json"
)]
pub(crate) struct Arguments {
    /// A result file of a tool, or the saved output of a program.
    file: PathBuf,
    /// Print one JSON object (prereg-inspection/1).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'f> {
    schema: &'static str,
    file: &'f str,
    digest: String,
    reader: &'static str,
    tool: Option<&'f str>,
    observations: usize,
    columns: Vec<Column>,
    notes: &'f [String],
    /// What the format cannot support.
    limits: &'static [&'static str],
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let file = ResultFile::read(&arguments.file)?;
    let document = Document {
        schema: "prereg-inspection/1",
        file: &file.name,
        digest: file.digest.to_string(),
        reader: file.format.name(),
        tool: file.reading.tool.as_deref(),
        observations: file.reading.observations.len(),
        columns: file.columns(),
        notes: &file.reading.notes,
        limits: file.format.limits(),
    };
    if arguments.json {
        output::json(&document)?;
    } else {
        describe(&document);
    }
    Ok(Exit::Success)
}

fn describe(document: &Document<'_>) {
    let tool = document.tool.map(|tool| format!(", written by {tool}"));
    say!(
        "{}: {}{}",
        document.file,
        document.reader,
        tool.unwrap_or_default()
    );
    say!("  sha256 {}", document.digest);
    say!("  {}", counted(document.observations, "observation"));
    for note in document.notes {
        say!("  {note}");
    }
    say!(
        "\n  {:<16} {:<8} {:>8} {:>12} {:>12} {:>12} {:>9}",
        "column",
        "unit",
        "values",
        "min",
        "median",
        "max",
        "cv"
    );
    for column in &document.columns {
        let cv = column.cv.map(percent);
        say!(
            "  {:<16} {:<8} {:>8} {:>12} {:>12} {:>12} {:>9}",
            column.name,
            column.unit,
            column.values,
            number(column.min, column.dimension),
            number(column.median, column.dimension),
            number(column.max, column.dimension),
            cv.as_deref().unwrap_or("–")
        );
    }
    say!("\nwhat {} cannot support:", document.reader);
    for limit in document.limits {
        say!("  - {limit}");
    }
    say!(
        "\nno verdict comes from this file: only what a locked plan measured is judged; \
         prereg init --from {} drafts such a plan",
        document.file
    );
}

/// A value of a column, for people.
pub(crate) fn number(value: f64, dimension: Dimension) -> String {
    Quantity::new(value, dimension)
        .map_or_else(|_| value.to_string(), |quantity| quantity.to_string())
}

/// A share as a percentage of three significant digits.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", number_of_digits(100.0 * share))
}

fn number_of_digits(value: f64) -> String {
    Quantity::new(value, Dimension::NONE)
        .map_or_else(|_| value.to_string(), |quantity| format!("{quantity:.3}"))
}
