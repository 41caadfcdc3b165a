//! nvbench's `--json` (or `--jsonbin`), version 1 of its layout: `meta`, `devices`, `benchmarks` with their `states`.
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | the mean GPU time of the isolated executions: the summary `nv/cold/time/gpu/mean` |
//!
//! The samples themselves are never in the JSON: `--jsonbin` writes them to files beside it, which are not read. So a
//! file gives one observation, and `measured-steps` has to be 2 (one for each of an arm's two slots).

use serde::Deserialize;

use crate::document::printable;
use crate::format::About;
use crate::{Format, KnownColumn, ReadError, Reading, document};

const FORMAT: Format = Format::Nvbench;

/// Isolated executions of the kernel, each after its caches were flushed, timed with CUDA events.
const MEAN: &str = "nv/cold/time/gpu/mean";
const COUNT: &str = "nv/cold/sample_size";
const SAMPLES: &str = "nv/json/bin:nv/cold/sample_times";

pub(crate) const ABOUT: About = About {
    name: "nvbench",
    columns: &[KnownColumn {
        name: "step_time",
        unit: "s",
        meaning: "mean GPU time of all isolated executions of the kernel",
    }],
    limits: &[
        "one number a slot: no spread within a slot, no order statistics",
        "the number of executions is chosen by nvbench from the noise that it sees, not by the plan",
        "caches are flushed before each execution; the time of repeated executions (hot) is not read",
        "host time is not read, so launch overhead before the kernel is not seen",
        "no tokens, outputs or telemetry",
    ],
    accepted: "one state of one benchmark, as --json writes it in version 1 of nvbench's JSON",
    example: &[
        "{your_program}",
        "--benchmark",
        "{variant}",
        "--devices",
        "0",
        "--json",
        "{out}",
    ],
};

/// The part that says the version; read first, so that another version is named as such.
#[derive(Deserialize)]
struct Head {
    meta: Meta,
}

#[derive(Deserialize)]
struct Meta {
    version: Versions,
}

#[derive(Deserialize)]
struct Versions {
    json: Version,
    nvbench: Version,
}

#[derive(Deserialize)]
struct Version {
    major: u64,
    string: String,
}

#[derive(Deserialize)]
struct File {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    states: Option<Vec<State>>,
}

#[derive(Deserialize)]
struct State {
    name: String,
    #[serde(default)]
    is_skipped: bool,
    skip_reason: Option<String>,
    summaries: Option<Vec<Summary>>,
}

#[derive(Deserialize)]
struct Summary {
    tag: String,
    data: Option<Vec<Value>>,
}

/// A named value; version 1 writes every value as text.
#[derive(Deserialize)]
struct Value {
    name: String,
    value: String,
}

impl State {
    fn summary(&self, tag: &str, name: &str) -> Option<&str> {
        let summaries = self.summaries.as_deref()?;
        let summary = summaries.iter().find(|summary| summary.tag == tag)?;
        let values = summary.data.as_deref()?;
        let value = values.iter().find(|value| value.name == name)?;
        Some(&value.value)
    }
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let Head { meta } = document::parse(FORMAT, bytes)?;
    if meta.version.json.major != 1 {
        return Err(ReadError::Version {
            format: FORMAT,
            found: printable(&meta.version.json.string),
        });
    }
    let file: File = document::parse(FORMAT, bytes)?;
    let states: Vec<(&str, &State)> = file
        .benchmarks
        .iter()
        .flat_map(|benchmark| {
            let states = benchmark.states.iter().flatten();
            states.map(|state| (benchmark.name.as_str(), state))
        })
        .collect();
    if states.len() > 1 {
        return Err(ReadError::Several {
            count: states.len(),
            noun: "states",
            fix: "select one with --benchmark, --axis and --devices",
        });
    }
    let no_times = ReadError::NoTimes {
        format: FORMAT,
        fix: "select a benchmark that measures isolated executions on a GPU",
    };
    let Some((benchmark, state)) = states.first() else {
        return Err(no_times);
    };
    if state.is_skipped {
        let why = state.skip_reason.as_deref().unwrap_or("no reason");
        return Err(ReadError::Failed {
            format: FORMAT,
            message: printable(&format!("{benchmark} was skipped: {why}")),
        });
    }
    let Some(mean) = state.summary(MEAN, "value") else {
        return Err(no_times);
    };
    let seconds = mean.parse().map_err(|_| ReadError::Layout {
        format: FORMAT,
        message: printable(&format!("`{mean}` of {MEAN} is not a number")),
    })?;
    Ok(Reading {
        tool: Some(printable(&format!(
            "nvbench {}",
            meta.version.nvbench.string
        ))),
        notes: notes(benchmark, state),
        ..document::timed(FORMAT, &[seconds], "s")?
    })
}

fn notes(benchmark: &str, state: &State) -> Vec<String> {
    let mut notes = vec![
        format!("the benchmark was {benchmark}, state `{}`", state.name),
        format!(
            "one observation: the mean of {} isolated executions",
            state
                .summary(COUNT, "value")
                .unwrap_or("an unknown number of")
        ),
    ];
    if let Some(path) = state.summary(SAMPLES, "filename") {
        notes.push(format!("the samples are in {path}, which is not read"));
    }
    notes.iter().map(|note| printable(note)).collect()
}
