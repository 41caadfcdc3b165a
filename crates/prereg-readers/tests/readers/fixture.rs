//! Files of tests/fixtures and what they read as.

use std::fs;
use std::path::Path;

use prereg_readers::{Format, ReadError, Reading, read};

/// A result of each format that is read.
pub(crate) const ACCEPTED: [(Format, &str); 9] = [
    (Format::Lines, "lines/steps.jsonl"),
    (Format::Hyperfine, "hyperfine/runs.json"),
    (Format::LlamaBench, "llama-bench/one_test.json"),
    (Format::LlamaBench, "llama-bench/one_test.jsonl"),
    (Format::Nvbench, "nvbench/one_state.json"),
    (Format::GoogleBenchmark, "google-benchmark/repetitions.json"),
    (Format::Criterion, "criterion/sample.json"),
    (Format::Criterion, "criterion/estimates.json"),
    (Format::VllmLatency, "vllm-latency/latencies.json"),
];

pub(crate) fn bytes(path: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fs::read(folder.join(path)).unwrap()
}

/// The fixture with one text replaced, which has to be there.
pub(crate) fn edited(path: &str, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from}");
    text.replacen(from, to, 1).into_bytes()
}

pub(crate) fn reading(format: Format, path: &str) -> Reading {
    read(format, &*bytes(path)).unwrap()
}

pub(crate) fn refusal(format: Format, bytes: &[u8]) -> ReadError {
    read(format, bytes).unwrap_err()
}

pub(crate) fn step_times(reading: &Reading) -> Vec<f64> {
    let times = reading.observations.iter();
    times.map(|step| step.values["step_time"]).collect()
}
