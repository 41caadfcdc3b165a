//! `llama-bench -o json` (an array of tests) and `-o jsonl` (one test a line).
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | the time of one repetition of the test, from `samples_ns` |
//! | `tokens` | token | the tokens of one repetition: `n_prompt` + `n_gen` |
//!
//! `tokens / step_time` is therefore what llama-bench calls t/s, repetition by repetition. A test that generates
//! (`-p 0 -n 128`) measures decoding, one with a prompt alone (`-p 512 -n 0`) measures prefill, and `-pg` both at once.

use prereg_units::Dimension;
use serde::Deserialize;

use crate::document::printable;
use crate::format::About;
use crate::reading::Observation;
use crate::{Format, KnownColumn, ReadError, Reading, document};

const FORMAT: Format = Format::LlamaBench;

pub(crate) const ABOUT: About = About {
    name: "llama-bench",
    columns: &[
        KnownColumn {
            name: "step_time",
            unit: "s",
            meaning: "time of one repetition of the test",
        },
        KnownColumn {
            name: "tokens",
            unit: "token",
            meaning: "tokens of one repetition, of the prompt and generated",
        },
    ],
    limits: &[
        "a time is that of a whole repetition: the spread between its tokens is not seen, and percentiles are over repetitions",
        "tokenisation and sampling are not in the times",
        "the first repetition follows a warm-up unless --no-warmup is given",
        "five repetitions by default: ask for {steps} with -r",
        "no outputs or telemetry",
    ],
    accepted: "one test of `llama-bench -o json` or `-o jsonl` with its `samples_ns`",
    example: &[
        "llama-bench",
        "-m",
        "{your_model}",
        "-p",
        "0",
        "-n",
        "128",
        "-r",
        "{steps}",
        "-o",
        "json",
        "{your_option}",
        "{variant}",
    ],
};

#[derive(Deserialize)]
struct Test {
    build_commit: Option<String>,
    build_number: Option<u64>,
    model_type: Option<String>,
    n_prompt: u64,
    n_gen: u64,
    samples_ns: Vec<u64>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let mut tests = tests(bytes)?;
    if tests.len() > 1 {
        return Err(ReadError::Several {
            count: tests.len(),
            noun: "tests",
            fix: "select one by the arguments, as in `-p 0 -n 128` with one value for each parameter",
        });
    }
    let test = tests
        .pop()
        .filter(|test| !test.samples_ns.is_empty())
        .ok_or(ReadError::NoTimes {
            format: FORMAT,
            fix: "see that llama-bench ran at least one repetition of one test",
        })?;
    let seconds: Vec<f64> = test.samples_ns.iter().map(|ns| *ns as f64 / 1e9).collect();
    let tokens = test.n_prompt.saturating_add(test.n_gen) as f64;
    let reading = Reading {
        tool: tool(&test),
        observations: seconds
            .iter()
            .map(|time| Observation::of([("step_time", *time), ("tokens", tokens)]))
            .collect(),
        notes: vec![note(&test)],
        ..Reading::default()
    };
    Ok(reading.column("step_time", Dimension::TIME, "ns").column(
        "tokens",
        Dimension::TOKENS,
        "token",
    ))
}

/// The tests of an array, or of one object a line.
fn tests(bytes: &[u8]) -> Result<Vec<Test>, ReadError> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        return document::parse(FORMAT, bytes);
    }
    let tests = serde_json::Deserializer::from_slice(bytes).into_iter();
    tests
        .collect::<Result<_, _>>()
        .map_err(|error| document::refusal(FORMAT, bytes, &error))
}

fn tool(test: &Test) -> Option<String> {
    let commit = test.build_commit.as_deref()?;
    let build = test.build_number?;
    Some(printable(&format!("llama.cpp {commit} (build {build})")))
}

fn note(test: &Test) -> String {
    let model = test.model_type.as_deref().unwrap_or("an unnamed model");
    let note = format!(
        "the test was {} prompt and {} generated tokens a repetition of {model}",
        test.n_prompt, test.n_gen
    );
    printable(&note)
}
