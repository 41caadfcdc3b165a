//! Files that are refused: other tools, other versions, failures, several benchmarks, damage.

use std::io::{self, BufReader, Read};

use prereg_readers::{FILE_LIMIT, Format, OBSERVATION_LIMIT, ReadError, detect};

use crate::fixture::{ACCEPTED, bytes, edited, refusal};

#[test]
fn a_result_of_another_tool_is_named() {
    for (expected, _) in &ACCEPTED[1..] {
        for (written, path) in ACCEPTED {
            if written == *expected {
                continue;
            }
            let error = refusal(*expected, &bytes(path));
            assert!(
                matches!(error, ReadError::OtherTool { found, .. } if found == written),
                "{path} as {expected}: {error}"
            );
        }
    }
}

#[test]
fn several_benchmarks_in_one_file_are_refused_with_the_way_to_select_one() {
    let cases = [
        (
            Format::Hyperfine,
            "hyperfine/two_commands.json",
            "2 commands",
            "one command a slot",
        ),
        (
            Format::LlamaBench,
            "llama-bench/two_tests.json",
            "2 tests",
            "-p 0 -n 128",
        ),
        (
            Format::LlamaBench,
            "llama-bench/two_tests.jsonl",
            "2 tests",
            "-p 0 -n 128",
        ),
        (
            Format::Nvbench,
            "nvbench/two_states.json",
            "2 states",
            "--axis",
        ),
        (
            Format::GoogleBenchmark,
            "google-benchmark/two_benchmarks.json",
            "2 benchmarks",
            "--benchmark_filter",
        ),
    ];
    for (format, path, count, fix) in cases {
        let message = refusal(format, &bytes(path)).to_string();
        assert!(
            message.contains(count) && message.contains(fix),
            "{message}"
        );
    }
}

#[test]
fn a_failed_run_is_refused_with_what_failed() {
    let cases = [
        (
            Format::Hyperfine,
            "hyperfine/failed.json",
            "run 1 ended with exit code 1",
        ),
        (
            Format::Nvbench,
            "nvbench/skipped.json",
            "copy was skipped: not enough memory",
        ),
        (
            Format::GoogleBenchmark,
            "google-benchmark/failed.json",
            "fails did not run: no device",
        ),
    ];
    for (format, path, what) in cases {
        let error = refusal(format, &bytes(path));
        assert!(
            matches!(&error, ReadError::Failed { message, .. } if message == what),
            "{error}"
        );
    }
}

#[test]
fn a_run_of_hyperfine_that_a_signal_ended_is_a_failure() {
    let bytes = edited("hyperfine/failed.json", "        1,\n", "        null,\n");
    let message = refusal(Format::Hyperfine, &bytes).to_string();
    assert!(message.contains("run 1 was ended by a signal"), "{message}");
}

#[test]
fn a_file_without_times_is_refused() {
    let cases = [
        (Format::Hyperfine, br#"{"results":[]}"#.to_vec()),
        (
            Format::Hyperfine,
            br#"{"results":[{"command":"x","mean":1.0}]}"#.to_vec(),
        ),
        (Format::LlamaBench, b"[]".to_vec()),
        (
            Format::LlamaBench,
            br#"[{"n_prompt":0,"n_gen":1,"samples_ns":[]}]"#.to_vec(),
        ),
        (
            Format::Nvbench,
            edited(
                "nvbench/one_state.json",
                "nv/cold/time/gpu/mean",
                "nv/batch/time/gpu/mean",
            ),
        ),
        (
            Format::GoogleBenchmark,
            bytes("google-benchmark/aggregates_only.json"),
        ),
        (
            Format::Criterion,
            br#"{"sampling_mode":"Flat","iters":[],"times":[]}"#.to_vec(),
        ),
        (
            Format::VllmLatency,
            br#"{"avg_latency":1.0,"latencies":[],"percentiles":{}}"#.to_vec(),
        ),
    ];
    for (format, bytes) in cases {
        let error = refusal(format, &bytes);
        assert!(
            matches!(error, ReadError::NoTimes { .. }),
            "{format}: {error}"
        );
    }
}

#[test]
fn a_time_that_is_not_finite_is_refused_with_its_repetition() {
    let cases = [
        (
            Format::Nvbench,
            edited("nvbench/one_state.json", "\"0.00012207\"", "\"inf\""),
            1,
        ),
        (
            Format::Criterion,
            edited("criterion/sample.json", "2547.0", "0.0"),
            3,
        ),
    ];
    for (format, bytes, expected) in cases {
        let error = refusal(format, &bytes);
        assert!(
            matches!(error, ReadError::NotFinite { repetition, .. } if repetition == expected),
            "{format}: {error}"
        );
    }
}

#[test]
fn numbers_that_json_does_not_have_are_refused() {
    for number in ["NaN", "Infinity", "1e999", "-1e999"] {
        let bytes = edited("hyperfine/runs.json", "0.008862839", number);
        let error = refusal(Format::Hyperfine, &bytes);
        assert!(matches!(error, ReadError::Json { .. }), "{number}: {error}");
    }
}

#[test]
fn another_version_of_nvbench_is_refused_by_number() {
    let error = refusal(Format::Nvbench, &bytes("nvbench/version_2.json"));
    assert_eq!(
        error.to_string(),
        "the result has version 2.0.0 of the layout of nvbench; it reads one state of one benchmark, as --json writes \
         it in version 1 of nvbench's JSON"
    );
}

#[test]
fn a_layout_that_is_not_known_says_what_is_missing() {
    let cases = [
        (
            Format::Hyperfine,
            edited("hyperfine/runs.json", "\"command\"", "\"cmd\""),
            "missing field `command`",
        ),
        (
            Format::LlamaBench,
            edited("llama-bench/one_test.json", "\"n_gen\"", "\"gen\""),
            "missing field `n_gen`",
        ),
        (
            Format::Nvbench,
            edited("nvbench/one_state.json", "\"json\"", "\"layout\""),
            "missing field `json`",
        ),
        (
            Format::GoogleBenchmark,
            edited(
                "google-benchmark/repetitions.json",
                "\"time_unit\": \"ns\"",
                "\"time_unit\": \"min\"",
            ),
            "time_unit `min`",
        ),
        (
            Format::Criterion,
            edited("criterion/sample.json", "Linear", "Cubic"),
            "Cubic",
        ),
        (
            Format::Criterion,
            edited("criterion/sample.json", "849.0,", ""),
            "9 entries of iters and 10 of times",
        ),
        (
            Format::VllmLatency,
            edited("vllm-latency/latencies.json", "percentiles", "quantiles"),
            "missing field `percentiles`",
        ),
    ];
    for (format, bytes, what) in cases {
        let error = refusal(format, &bytes);
        assert!(
            matches!(error, ReadError::Layout { .. }),
            "{format}: {error}"
        );
        assert!(error.to_string().contains(what), "{format}: {error}");
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let cases = [
        (
            Format::Hyperfine,
            edited(
                "hyperfine/runs.json",
                "\"times\"",
                "\"times\": [1.0], \"times\"",
            ),
        ),
        (
            Format::LlamaBench,
            edited(
                "llama-bench/one_test.json",
                "\"n_gen\"",
                "\"n_gen\": 1, \"n_gen\"",
            ),
        ),
        (
            Format::VllmLatency,
            edited(
                "vllm-latency/latencies.json",
                "\"latencies\"",
                "\"latencies\": [1.0], \"latencies\"",
            ),
        ),
    ];
    for (format, bytes) in cases {
        let message = refusal(format, &bytes).to_string();
        assert!(message.contains("duplicate field"), "{message}");
    }
}

#[test]
fn a_file_that_was_cut_off_is_refused_wherever_the_cut_is() {
    for (format, path) in &ACCEPTED[1..] {
        let bytes = bytes(path);
        let whole = bytes.trim_ascii_end().len();
        for end in (0..whole).step_by(7) {
            let error = refusal(*format, &bytes[..end]);
            assert!(
                matches!(
                    error,
                    ReadError::Json { .. } | ReadError::Nothing { .. } | ReadError::Layout { .. }
                ),
                "{path} cut at {end}: {error}"
            );
        }
    }
}

#[test]
fn text_after_the_document_is_refused() {
    let mut bytes = bytes("hyperfine/runs.json");
    bytes.extend_from_slice(b"{}");
    let error = refusal(Format::Hyperfine, &bytes);
    assert!(error.to_string().contains("trailing characters"), "{error}");
}

#[test]
fn bytes_that_are_not_utf_8_are_refused() {
    let mut bytes = bytes("hyperfine/runs.json");
    let quoted = bytes.iter().position(|byte| *byte == b'5').unwrap();
    bytes[quoted] = 0xff;
    assert!(matches!(
        refusal(Format::Hyperfine, &bytes),
        ReadError::Json { .. }
    ));
}

#[test]
fn deep_json_is_refused_and_not_followed() {
    for open in ["[", "{\"results\":", "{\"a\":["] {
        let deep = open.repeat(10_000).into_bytes();
        assert_eq!(detect(&deep), None);
        for format in Format::ALL {
            refusal(format, &deep);
        }
    }
}

#[test]
fn nothing_or_white_space_alone_is_named_as_such() {
    for format in &Format::ALL[1..] {
        for bytes in [&b""[..], b" \n\t"] {
            assert!(matches!(refusal(*format, bytes), ReadError::Nothing { .. }));
        }
    }
}

#[test]
fn more_observations_than_the_limit_are_refused() {
    let samples = vec!["1"; OBSERVATION_LIMIT + 1].join(",");
    let text = format!("[{{\"n_prompt\":0,\"n_gen\":1,\"samples_ns\":[{samples}]}}]");
    assert!(matches!(
        refusal(Format::LlamaBench, text.as_bytes()),
        ReadError::TooMany
    ));
}

#[test]
fn a_file_beyond_the_limit_is_refused_without_being_read_to_its_end() {
    let mut rest = io::repeat(b' ').take(FILE_LIMIT + (1 << 20));
    let error = prereg_readers::read(Format::Hyperfine, BufReader::new(&mut rest)).unwrap_err();
    assert!(matches!(error, ReadError::TooLong));
    assert!(rest.limit() > 0);
}

#[test]
fn control_characters_of_a_file_do_not_reach_a_message() {
    let bytes = edited("nvbench/skipped.json", "not enough memory", "\\u001b[2J");
    let message = refusal(Format::Nvbench, &bytes).to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
    let header = "{\"prereg\":\"prereg-observations/1\",\"units\":{\"step_time\":\"\\u001b[2J\"}}";
    let message = refusal(Format::Lines, header.as_bytes()).to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
}
