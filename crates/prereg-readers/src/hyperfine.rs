//! `hyperfine --export-json`: one object with `results`, one a command.
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | the wall time of one run of the command, from `times` |
//!
//! An entry of `exit_codes` other than 0 refuses the file, also where hyperfine was told to ignore failures.

use serde::Deserialize;

use crate::document::printable;
use crate::format::About;
use crate::{Format, KnownColumn, ReadError, Reading, document};

const FORMAT: Format = Format::Hyperfine;

pub(crate) const ABOUT: About = About {
    name: "hyperfine",
    columns: &[KnownColumn {
        name: "step_time",
        unit: "s",
        meaning: "wall time of one run of the command",
    }],
    limits: &[
        "a time is that of a whole process, its start-up and end included",
        "with a shell (the default) hyperfine subtracts a start-up time that it measured before; -N avoids it",
        "user and system time are means over all runs, so they are not read",
        "the runs of one command follow each other: only the arms' own order can balance drift",
        "no tokens, outputs or telemetry",
    ],
    accepted: "one result of `hyperfine --export-json` with its `times`",
    example: &[
        "hyperfine",
        "-N",
        "--runs",
        "{steps}",
        "--export-json",
        "{out}",
        "{your_program} {variant}",
    ],
};

#[derive(Deserialize)]
struct File {
    results: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    command: String,
    #[serde(default)]
    times: Vec<f64>,
    exit_codes: Option<Vec<Option<i32>>>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let file: File = document::parse(FORMAT, bytes)?;
    let count = file.results.len();
    if count > 1 {
        return Err(ReadError::Several {
            count,
            noun: "commands",
            fix: "give hyperfine one command a slot and let the arms be the others",
        });
    }
    let no_times = ReadError::NoTimes {
        format: FORMAT,
        fix: "see that hyperfine ran the command at least once",
    };
    let Some(entry) = file.results.into_iter().next() else {
        return Err(no_times);
    };
    if entry.times.is_empty() {
        return Err(no_times);
    }
    let mut notes = vec![printable(&format!("the command was `{}`", entry.command))];
    match &entry.exit_codes {
        Some(codes) if codes.len() != entry.times.len() => {
            return Err(ReadError::Layout {
                format: FORMAT,
                message: format!(
                    "{} times and {} exit codes: each run has one of both",
                    entry.times.len(),
                    codes.len()
                ),
            });
        }
        Some(codes) => check_exit_codes(codes)?,
        None => notes.push("this version of hyperfine does not say exit codes".to_owned()),
    }
    Ok(Reading {
        notes,
        ..document::timed(FORMAT, &entry.times, "s")?
    })
}

fn check_exit_codes(codes: &[Option<i32>]) -> Result<(), ReadError> {
    let Some(run) = codes.iter().position(|code| *code != Some(0)) else {
        return Ok(());
    };
    let how = codes[run].map_or_else(
        || "was ended by a signal".to_owned(),
        |code| format!("ended with exit code {code}"),
    );
    Err(ReadError::Failed {
        format: FORMAT,
        message: format!("run {} {how}", run + 1),
    })
}
