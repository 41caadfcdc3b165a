//! What each tool's own file reads as.

use prereg_readers::{Format, detect, read};
use prereg_units::{Dimension, Unit};

use crate::fixture::{ACCEPTED, bytes, edited, reading, step_times};

#[test]
fn every_accepted_file_is_detected() {
    for (format, path) in ACCEPTED {
        assert_eq!(detect(&bytes(path)), Some(format), "{path}");
    }
}

#[test]
fn a_file_of_no_known_tool_is_not_detected() {
    for text in [
        r#"{"results":[],"version":1}"#,
        r#"{"benchmarks":[]}"#,
        "[]",
        "[1]",
        "1",
        "",
    ] {
        assert_eq!(detect(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn every_observation_has_the_columns_that_its_format_promises() {
    for (format, path) in ACCEPTED {
        let reading = reading(format, path);
        assert!(!reading.observations.is_empty());
        for known in format.columns() {
            let dimension = Unit::parse(known.unit).unwrap().dimension();
            assert_eq!(reading.columns[known.name].dimension, dimension, "{path}");
            for observation in &reading.observations {
                assert!(observation.values.contains_key(known.name), "{path}");
            }
        }
    }
}

#[test]
fn hyperfine_gives_the_wall_time_of_each_run() {
    let reading = reading(Format::Hyperfine, "hyperfine/runs.json");
    assert_eq!(
        step_times(&reading),
        [
            0.005_536_027_000_000_001,
            0.008_862_839,
            0.006_374_593_000_000_000_4,
            0.005_224_791,
            0.015_803_088
        ]
    );
    assert_eq!(reading.columns["step_time"].unit, "s");
    assert_eq!(
        reading.notes,
        ["the command was `sha256sum /usr/bin/hyperfine`"]
    );
}

#[test]
fn google_benchmark_gives_one_observation_a_repetition_and_no_aggregate() {
    let reading = reading(Format::GoogleBenchmark, "google-benchmark/repetitions.json");
    assert_eq!(
        step_times(&reading),
        [
            2.048_793_410_886_963_7e-6,
            2.276_386_007_463_107e-6,
            2.032_995_050_519_426_7e-6,
            2.037_326_768_402_099_3e-6
        ]
    );
    assert_eq!(reading.columns["step_time"].unit, "ns");
    assert_eq!(
        reading.notes,
        [
            "the benchmark was mix",
            "the benchmark library was built for debugging, which can lengthen short iterations"
        ]
    );
}

#[test]
fn google_benchmark_honours_the_time_unit() {
    let bytes = bytes("google-benchmark/repetitions.json");
    let text = String::from_utf8(bytes)
        .unwrap()
        .replace("\"ns\"", "\"ms\"");
    let reading = read(Format::GoogleBenchmark, text.as_bytes()).unwrap();
    assert!((step_times(&reading)[0] - 2.048_793_410_886_963_6).abs() < 1e-15);
}

#[test]
fn criterion_gives_the_time_of_an_iteration_in_each_batch() {
    let reading = reading(Format::Criterion, "criterion/sample.json");
    let times = step_times(&reading);
    assert_eq!(times.len(), 10);
    assert_eq!(times[0], 1_245_637.0 / 849.0 / 1e9);
    assert_eq!(
        reading.notes,
        ["each value is the mean of a batch of 849 to 8490 iterations (Linear sampling)"]
    );
}

#[test]
fn criterion_estimates_are_one_observation_with_a_note() {
    let reading = reading(Format::Criterion, "criterion/estimates.json");
    assert_eq!(step_times(&reading), [2_883.596_087_069_585_3 / 1e9]);
    assert_eq!(
        reading.notes,
        [
            "one observation: the slope of time over iterations; the batches are in sample.json beside this file"
        ]
    );
}

#[test]
fn llama_bench_gives_repetitions_with_their_tokens_from_json_and_jsonl_alike() {
    let array = reading(Format::LlamaBench, "llama-bench/one_test.json");
    assert_eq!(step_times(&array), [1.61, 1.59, 1.6]);
    assert_eq!(array.observations[0].values["tokens"], 32.0);
    assert_eq!(array.columns["tokens"].dimension, Dimension::TOKENS);
    assert_eq!(
        array.tool.as_deref(),
        Some("llama.cpp 0c1df14b (build 6479)")
    );
    assert_eq!(
        array,
        reading(Format::LlamaBench, "llama-bench/one_test.jsonl")
    );
}

#[test]
fn nvbench_gives_its_mean_as_one_observation_and_names_the_samples_it_does_not_read() {
    let reading = reading(Format::Nvbench, "nvbench/one_state.json");
    assert_eq!(step_times(&reading), [1.2207e-4]);
    assert_eq!(reading.tool.as_deref(), Some("nvbench 0.1.0"));
    assert_eq!(
        reading.notes,
        [
            "the benchmark was copy, state `Device=0 Elements=2^24`",
            "one observation: the mean of 4096 isolated executions",
            "the samples are in copy.json-bin/0.bin, which is not read"
        ]
    );
}

#[test]
fn vllm_gives_the_time_of_each_iteration() {
    let reading = reading(Format::VllmLatency, "vllm-latency/latencies.json");
    assert_eq!(step_times(&reading), [1.52, 1.48, 1.50, 1.49, 1.51]);
}

#[test]
fn a_time_that_is_not_positive_is_read_as_it_stands() {
    let cases = [
        (
            Format::Hyperfine,
            edited("hyperfine/runs.json", "0.008862839", "-0.008862839"),
            -0.008_862_839,
        ),
        (
            Format::LlamaBench,
            edited("llama-bench/one_test.json", "1590000000", "0"),
            0.0,
        ),
        (
            Format::VllmLatency,
            edited("vllm-latency/latencies.json", "1.48", "-0.0"),
            0.0,
        ),
    ];
    for (format, bytes, expected) in cases {
        let reading = read(format, &*bytes).unwrap();
        assert_eq!(step_times(&reading)[1], expected);
    }
}
