//! Which interval goes with which estimand and scale, and that what a refusal proposes is accepted.

#![expect(clippy::unwrap_used, reason = "a test ends where its input is wrong")]

use prereg_declaration::{
    Declaration, Diagnostics, Estimand, Inference, Interval, Scale, Stopping, Targets, check,
};

/// A key with its word, or nothing where the key is left out.
type Word = Option<&'static str>;

const INTERVALS: [Word; 6] = [
    None,
    Some("order-statistic"),
    Some("student-t"),
    Some("bootstrap-percentile"),
    Some("bootstrap-bca"),
    Some("bootstrap-t"),
];
const ESTIMANDS: [Word; 4] = [None, Some("median"), Some("geometric-mean"), Some("mean")];
const SCALES: [Word; 3] = [None, Some("log"), Some("linear")];

/// Every reading that is accepted, defaults filled in.
const ACCEPTED: [[&str; 3]; 11] = [
    ["order-statistic", "median", "log"],
    ["student-t", "geometric-mean", "log"],
    ["student-t", "mean", "linear"],
    ["bootstrap-percentile", "median", "log"],
    ["bootstrap-percentile", "geometric-mean", "log"],
    ["bootstrap-percentile", "mean", "linear"],
    ["bootstrap-bca", "median", "log"],
    ["bootstrap-bca", "geometric-mean", "log"],
    ["bootstrap-bca", "mean", "linear"],
    ["bootstrap-t", "geometric-mean", "log"],
    ["bootstrap-t", "mean", "linear"],
];

/// A plan of 12 sessions with these lines in `[inference]` and `[protocol]`.
fn read(inference: &str, protocol: &str) -> Result<Declaration, Diagnostics> {
    let targets = b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";
    let targets = Targets::parse("targets.toml", targets).unwrap();
    let toml = format!(
        r#"
schema = "prereg/1"
id = "e"
title = "e"
data-seen = "none"
targets = ["cpu"]
baseline = "a"
workload = {{ kind = "decode", model = "m", weights = "random", plan = "fused", context = 1 }}
arms = {{ a = {{ launch = "eager" }} }}
metrics = {{ t = "median(step_time[a])" }}
claims = {{ c = {{ text = "c", on = ["cpu"], expected = {{ t = "1 s" }}, rival = {{ t = "3 s" }}, kill = ["t > 2 s"] }} }}

[protocol]
order = "mirror"
warmup-steps = 0
measured-steps = 2
sync = "per-step"
seed = "s"
threads = 1
{protocol}

[inference]
assumed-cv = {{ t = 0.1 }}
{inference}
"#
    );
    check("tried.toml", toml.as_bytes(), &targets)
}

fn lines(words: [Word; 3]) -> String {
    let keys = ["interval", "estimand", "scale"].into_iter().zip(words);
    keys.filter_map(|(key, word)| Some(format!("{key} = \"{}\"\n", word?)))
        .collect()
}

fn every_spelling() -> impl Iterator<Item = [Word; 3]> {
    INTERVALS.into_iter().flat_map(|interval| {
        ESTIMANDS.into_iter().flat_map(move |estimand| {
            SCALES
                .into_iter()
                .map(move |scale| [interval, estimand, scale])
        })
    })
}

fn filled_in([interval, estimand, scale]: [Word; 3]) -> [&'static str; 3] {
    [
        interval.unwrap_or("order-statistic"),
        estimand.unwrap_or("median"),
        scale.unwrap_or("log"),
    ]
}

/// The keys after one proposal of a help text: ``write `scale = "log"` ``, ``remove `scale` ``.
fn followed(proposal: &str, given: &str) -> String {
    let mut lines: Vec<String> = given.lines().map(str::to_owned).collect();
    // Between backticks.
    for part in proposal.split('`').skip(1).step_by(2) {
        let key = part.split(' ').next().unwrap();
        lines.retain(|line| !line.starts_with(key));
        if part != key {
            lines.push(part.to_owned());
        }
    }
    lines.join("\n")
}

fn only_help(problems: &Diagnostics) -> String {
    assert_eq!(problems.len(), 1, "{problems}");
    problems.iter().next().unwrap().help.clone().unwrap()
}

const SESSIONS: &str = "sessions = 12";

#[test]
fn exactly_the_listed_readings_are_accepted_and_read_as_spelled() {
    for words in every_spelling() {
        let reading = filled_in(words);
        match read(&lines(words), SESSIONS) {
            Ok(declaration) => {
                let Inference {
                    interval,
                    estimand,
                    scale,
                    ..
                } = declaration.inference;
                assert_eq!([interval.name(), estimand.name(), scale.name()], reading);
                assert!(ACCEPTED.contains(&reading), "{reading:?}");
            }
            Err(problems) => {
                assert_eq!(problems.len(), 1, "{problems}");
                assert!(!ACCEPTED.contains(&reading), "{problems}");
            }
        }
    }
}

#[test]
fn every_proposal_for_a_refused_reading_is_accepted() {
    for words in every_spelling() {
        let given = lines(words);
        let Err(problems) = read(&given, SESSIONS) else {
            continue;
        };
        for proposal in only_help(&problems).split(", or ") {
            let followed = followed(proposal, &given);
            if let Err(still) = read(&followed, SESSIONS) {
                panic!("{given}\n{proposal}\n{still}");
            }
        }
    }
}

#[test]
fn every_proposal_for_blocks_that_do_not_divide_is_accepted() {
    for blocks in 1..=13 {
        let given = format!("{SESSIONS}\nblocks = {blocks}");
        let Err(problems) = read("", &given) else {
            assert_eq!(12 % blocks, 0);
            continue;
        };
        for proposal in only_help(&problems).split(", or ") {
            let followed = followed(proposal, &given);
            if let Err(still) = read("", &followed) {
                panic!("{given}\n{proposal}\n{still}");
            }
        }
    }
}

#[test]
fn a_sequence_goes_with_signs_and_without_blocks() {
    let sequence = "stopping = \"sequence\"\n";
    let declaration = read(sequence, SESSIONS).unwrap();
    assert_eq!(declaration.inference.stopping, Stopping::Sequence);
    for [interval, estimand, scale] in ACCEPTED.into_iter().skip(1) {
        let given = lines([Some(interval), Some(estimand), Some(scale)]);
        let problems = read(&format!("{sequence}{given}"), SESSIONS).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems}");
    }
    let blocks = format!("{SESSIONS}\nblocks = 2");
    assert_eq!(read(sequence, &blocks).unwrap_err().len(), 1);
}

#[test]
fn a_declaration_that_says_nothing_has_the_defaults() {
    let inference = read("", SESSIONS).unwrap().inference;
    assert_eq!(inference.interval, Interval::OrderStatistic);
    assert_eq!(inference.estimand, Estimand::Median);
    assert_eq!(inference.scale, Scale::Log);
    assert_eq!(inference.stopping, Stopping::Fixed);
    assert_eq!(
        (inference.alpha_pass, inference.alpha_falsified),
        (0.05, 0.05)
    );
}
