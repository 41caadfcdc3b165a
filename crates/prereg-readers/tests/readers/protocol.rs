//! The protocol `prereg-observations/1`: what is read, and what is refused with which message.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};

use prereg_readers::{Format, LinesError, ReadError, Reading, Sample, read};
use prereg_units::Dimension;

use crate::fixture::{bytes, edited, reading, step_times};

const HEADER: &str =
    r#"{"prereg":"prereg-observations/1","units":{"step_time":"ms","tokens":"token","gain":"1"}}"#;

/// The output of header, these lines, and an end that counts `observations`.
fn output(lines: &[&str], observations: u64) -> String {
    let end = format!(r#"{{"end":{{"observations":{observations}}}}}"#);
    [&[HEADER], lines, &[&end]].concat().join("\n")
}

fn parse(text: impl AsRef<[u8]>) -> Result<Reading, LinesError> {
    match read(Format::Lines, text.as_ref()) {
        Ok(reading) => Ok(reading),
        Err(ReadError::Lines(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// The message about a single line between header and end.
fn message(line: &str) -> String {
    parse(output(&[line], 1)).unwrap_err().to_string()
}

#[test]
fn steps_columns_digests_and_telemetry_are_read_in_base_units() {
    let reading = reading(Format::Lines, "lines/steps.jsonl");
    assert_eq!(step_times(&reading), [0.0125, 0.013]);
    assert_eq!(reading.observations[0].values["ttft"], 0.12);
    assert_eq!(
        reading.observations[0].output.unwrap()[..3],
        [0x9f, 0x86, 0xd0]
    );
    assert_eq!(reading.columns["step_time"].unit, "ms");
    let sample = |value, at_ns| Sample {
        column: "power".to_owned(),
        value,
        dimension: Dimension::POWER,
        at_ns: Some(at_ns),
    };
    assert_eq!(
        reading.telemetry,
        [sample(310.5, 1000), sample(311.5, 2000)]
    );
}

#[test]
fn a_step_may_lack_a_column() {
    let reading = parse(output(&[r#"{"gain":-1.5}"#], 1)).unwrap();
    let only_gain = BTreeMap::from([("gain".to_owned(), -1.5)]);
    assert_eq!(reading.observations[0].values, only_gain);
    assert_eq!(reading.observations[0].output, None);
}

#[test]
fn lines_may_end_in_a_carriage_return_and_the_last_in_nothing() {
    let text = output(&[r#"{"step_time":1}"#], 1);
    assert_eq!(
        parse(text.replace('\n', "\r\n")).unwrap(),
        parse(text).unwrap()
    );
}

#[test]
fn a_probe_reports_telemetry_alone() {
    let line = r#"{"telemetry":"power","value":1,"unit":"W"}"#;
    let reading = parse(output(&[line], 0)).unwrap();
    assert_eq!(
        (reading.observations.len(), reading.telemetry.len()),
        (0, 1)
    );
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for number in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"] {
        let text = message(&format!(r#"{{"step_time":{number}}}"#));
        assert!(text.starts_with("line 2, column "), "{text}");
    }
}

#[test]
fn a_number_that_its_unit_makes_infinite_is_refused() {
    let header = HEADER.replace("\"1\"", "\"TB\"");
    let text = format!("{header}\n{{\"gain\":1e300}}\n");
    assert!(matches!(
        parse(text),
        Err(LinesError::Value { line: 2, .. })
    ));
}

#[test]
fn a_step_time_that_is_not_positive_is_read_as_it_stands() {
    let lines = [r#"{"step_time":0}"#, r#"{"step_time":-12.5}"#];
    let reading = parse(output(&lines, 2)).unwrap();
    assert_eq!(step_times(&reading), [0.0, -0.0125]);
}

#[test]
fn tokens_that_are_negative_are_refused() {
    assert_eq!(
        message(r#"{"step_time":1,"tokens":-1}"#),
        "line 2: `tokens` is -1; it has to be 0 or more"
    );
}

#[test]
fn values_of_another_type_are_refused() {
    let cases = [
        (
            r#"{"step_time":"12.5"}"#,
            "line 2: `step_time` is a text; write a number",
        ),
        (
            r#"{"step_time":null}"#,
            "line 2: `step_time` is null; write a number",
        ),
        (
            r#"{"step_time":[1]}"#,
            "line 2: `step_time` is an array; write a number",
        ),
        (
            r#"{"step_time":{}}"#,
            "line 2: `step_time` is an object; write a number",
        ),
        (
            r#"{"step_time":true}"#,
            "line 2: `step_time` is true; write a number",
        ),
        (
            r#"{"end":15}"#,
            "line 2: `end` is a number; write an object",
        ),
        (
            r#"{"end":{"observations":1.5}}"#,
            "line 2: `observations` is a number; write a whole number, 0 or more",
        ),
        (
            r#"{"end":{"observations":-1}}"#,
            "line 2: `observations` is a number; write a whole number, 0 or more",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(message(line), expected);
    }
}

#[test]
fn a_line_that_is_not_one_json_object_is_refused() {
    for line in [
        "loading the model",
        "12.5",
        "[1]",
        "",
        "{} {}",
        "{\"step_time\":1",
    ] {
        let error = parse(output(&[line], 1)).unwrap_err();
        assert!(
            matches!(error, LinesError::Syntax { line: 2, .. }),
            "{line}: {error}"
        );
    }
    assert_eq!(
        message("loading the model"),
        "line 2, column 1 is not JSON: expected value; print one JSON object a line, and messages for people on \
         standard error"
    );
}

#[test]
fn a_column_that_the_header_does_not_name_is_refused() {
    for line in [
        r#"{"step_time":1,"latency":2}"#,
        r#"{"step_time":1,"value":2}"#,
        r#"{"units":{}}"#,
    ] {
        let error = parse(output(&[line], 1)).unwrap_err();
        assert!(
            matches!(error, LinesError::Key { line: 2, .. }),
            "{line}: {error}"
        );
    }
}

#[test]
fn a_step_without_a_value_is_refused() {
    let digest = "0".repeat(64);
    for line in ["{}".to_owned(), format!(r#"{{"output":"{digest}"}}"#)] {
        let error = parse(output(&[&line], 1)).unwrap_err();
        assert!(matches!(error, LinesError::NoValue { line: 2 }), "{error}");
    }
}

#[test]
fn a_digest_of_another_length_or_alphabet_is_refused() {
    for digest in ["", "abc", &"g".repeat(64), &"0".repeat(66), &"é".repeat(32)] {
        let line = format!(r#"{{"step_time":1,"output":"{digest}"}}"#);
        let error = parse(output(&[&line], 1)).unwrap_err();
        assert!(
            matches!(error, LinesError::Output { line: 2 }),
            "{digest}: {error}"
        );
    }
}

#[test]
fn keys_that_stand_twice_are_refused() {
    for line in [
        r#"{"step_time":1,"step_time":2}"#,
        r#"{"step_time":1,"step\u005ftime":2}"#,
        r#"{"end":{"observations":1,"observations":0}}"#,
    ] {
        assert!(message(line).contains("stands twice"), "{line}");
    }
}

#[test]
fn the_header_is_the_first_line_and_the_only_one() {
    assert!(matches!(
        parse(r#"{"step_time":1}"#),
        Err(LinesError::NoHeader)
    ));
    assert!(matches!(
        parse(output(&[HEADER], 0)),
        Err(LinesError::SecondHeader { line: 2 })
    ));
}

#[test]
fn another_version_of_the_protocol_is_refused_by_name() {
    let text = HEADER.replace("observations/1", "observations/2");
    assert_eq!(
        parse(text).unwrap_err().to_string(),
        "line 1 names the protocol \"prereg-observations/2\"; this release reads prereg-observations/1"
    );
}

#[test]
fn a_header_with_further_keys_or_without_units_is_refused() {
    let further = HEADER.replace("{\"prereg\"", "{\"clock\":\"monotonic\",\"prereg\"");
    assert!(matches!(
        parse(further),
        Err(LinesError::Key { line: 1, .. })
    ));
    let without = r#"{"prereg":"prereg-observations/1"}"#;
    assert!(matches!(
        parse(without),
        Err(LinesError::Missing { line: 1, .. })
    ));
}

#[test]
fn units_that_are_unknown_or_of_another_dimension_are_refused() {
    let header = |unit: &str| HEADER.replace("\"ms\"", &format!("{unit:?}"));
    assert_eq!(
        parse(header("MB")).unwrap_err().to_string(),
        "line 1: `step_time` is in `MB`; write it in a unit of `s`"
    );
    assert!(matches!(
        parse(header("seconds")),
        Err(LinesError::Unit { line: 1, .. })
    ));
    let tokens = HEADER.replace("\"token\"", "\"1\"");
    assert!(matches!(
        parse(tokens),
        Err(LinesError::Dimension { line: 1, .. })
    ));
}

#[test]
fn names_that_no_column_may_have_are_refused() {
    let long = "a".repeat(65);
    for name in ["Gain", "1st", "gain-2", "", "output", "at_ns", "é", &long] {
        let header = HEADER.replace("\"gain\"", &format!("{name:?}"));
        assert!(
            matches!(parse(&header), Err(LinesError::Key { line: 1, .. })),
            "{name}"
        );
    }
}

#[test]
fn telemetry_without_a_unit_or_with_a_further_key_is_refused() {
    assert_eq!(
        message(r#"{"telemetry":"power","value":1}"#),
        "line 2 lacks the key `unit`"
    );
    let further = r#"{"telemetry":"power","value":1,"unit":"W","step_time":1}"#;
    assert!(matches!(
        parse(output(&[further], 0)),
        Err(LinesError::Key { line: 2, .. })
    ));
}

#[test]
fn telemetry_named_as_a_column_of_steps_is_refused() {
    let line = r#"{"telemetry":"gain","value":1,"unit":"1"}"#;
    assert!(matches!(
        parse(output(&[line], 0)),
        Err(LinesError::Key { line: 2, .. })
    ));
}

#[test]
fn telemetry_keeps_its_dimension() {
    let bytes = edited("lines/steps.jsonl", "\"kW\"", "\"K\"");
    assert_eq!(
        parse(bytes).unwrap_err().to_string(),
        "line 5: `power` is in `K`; write it in a unit of `B/s`".replace("B/s", "J/s")
    );
}

#[test]
fn telemetry_does_not_go_back_in_time_within_a_column() {
    let bytes = edited("lines/steps.jsonl", "\"at_ns\":2000", "\"at_ns\":999");
    assert!(matches!(
        parse(bytes),
        Err(LinesError::Backwards {
            line: 5,
            at_ns: 999,
            before: 1000,
            ..
        })
    ));
    let bytes = edited(
        "lines/steps.jsonl",
        "\"power\",\"value\":0.3115,\"unit\":\"kW\",\"at_ns\":2000",
        "\"clock\",\"value\":1,\"unit\":\"GHz\",\"at_ns\":999",
    );
    assert_eq!(parse(bytes).unwrap().telemetry.len(), 2);
}

#[test]
fn an_output_that_stops_before_its_end_is_cut_off() {
    let whole = output(&[r#"{"step_time":1}"#], 1);
    let end = whole.rfind('\n').unwrap();
    assert!(matches!(
        parse(&whole[..=end]),
        Err(LinesError::NoEnd { observations: 1 })
    ));
    assert!(matches!(
        parse(&whole[..end + 9]),
        Err(LinesError::Syntax { line: 3, .. })
    ));
}

#[test]
fn an_end_that_counts_otherwise_is_refused() {
    assert_eq!(
        parse(output(&[r#"{"step_time":1}"#], 2))
            .unwrap_err()
            .to_string(),
        "line 3 says 2 observations and 1 were printed; lines were lost or the count is wrong"
    );
}

#[test]
fn a_line_after_the_end_is_refused() {
    let text = output(&[], 0) + "\n{\"step_time\":1}\n";
    assert!(matches!(parse(text), Err(LinesError::AfterEnd { line: 3 })));
}

#[test]
fn nothing_printed_is_named_as_such() {
    assert!(matches!(parse(""), Err(LinesError::NoOutput)));
}

#[test]
fn bytes_that_are_not_utf_8_are_refused() {
    let mut text = output(&[r#"{"step_time":1,"output":"x"}"#], 1).into_bytes();
    let at = text.iter().rposition(|byte| *byte == b'x').unwrap();
    text[at] = 0xff;
    assert!(matches!(
        parse(text),
        Err(LinesError::Syntax { line: 2, .. })
    ));
}

#[test]
fn a_line_of_100_megabytes_is_given_up_at_the_first() {
    let mut rest = io::repeat(b'x').take(100_000_000);
    let error = read(Format::Lines, BufReader::new(&mut rest)).unwrap_err();
    assert!(matches!(
        error,
        ReadError::Lines(LinesError::LineTooLong { line: 1 })
    ));
    assert!(100_000_000 - rest.limit() <= (1 << 20) + 8192);
}

#[test]
fn an_input_that_breaks_off_is_an_error_of_reading() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the pipe broke"))
        }
    }
    let header = format!("{HEADER}\n");
    let input = BufReader::new(header.as_bytes().chain(Broken));
    let error = read(Format::Lines, input).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the program's output: the pipe broke"
    );
}

#[test]
fn the_fixture_is_read_however_the_input_is_buffered() {
    let bytes = bytes("lines/steps.jsonl");
    let whole = parse(&bytes).unwrap();
    for capacity in [1, 2, 7, 64] {
        let input = BufReader::with_capacity(capacity, &*bytes);
        assert_eq!(read(Format::Lines, input).unwrap(), whole);
    }
}
