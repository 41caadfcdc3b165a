//! What changes a digest and what does not.

#![expect(clippy::unwrap_used, reason = "a test ends where its input is wrong")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prereg_declaration::{Declaration, Digest, Targets, check, meaning_digest, question_digest};
use proptest::prelude::*;

/// One fact a line, so that lines of a table, and tables, may stand in any order.
const TOML: &str = r#"schema = "prereg/1"
id = "example"
title = "Is replay faster?"
data-seen = "pilot"
data-seen-figures = "1.1 in a pilot"
targets = ["h100", "l4"]
baseline = "eager"

[workload]
kind = "decode"
model = "smollm2-135m"
weights = "random"
plan = "fused"
context = 64

[protocol]
sessions = 9
order = "mirror"
warmup-steps = 2
measured-steps = 40
sync = "per-step"
seed = "1"
threads = 2
affinity = [0, 1]
environment = ["A", "B"]
timeout = "5 min"

[inference]
alpha-pass = 0.04
alpha-falsified = 0.03

[inference.assumed-cv]
speedup = "2 %"

[arms.eager]
launch = "eager"

[arms.graphed]
launch = "graph"

[metrics]
eager_step = "median(step_time[eager]) + 0 s * 3"
speedup = "eager_step / median(step_time[graphed])"

[gates.same_output]
each-session = "logits[eager] == logits[graphed] and min(sm_clock) >= 75 % * rated_sm_clock"
otherwise = "abstain"

[claims.faster]
text = "Replay is faster by 5 % or more."
on = ["h100"]
expected = { speedup = 1.2 }
rival = { speedup = 1 }
kill = ["speedup < 1.05", "speedup > 3 and speedup > 4"]
"#;

/// Changes of meaning that leave the question as it is.
const OF_THE_ANSWER: [(&str, &str); 15] = [
    ("\"example\"", "\"other\""),
    ("Is replay faster?", "Is replay any faster?"),
    ("\"pilot\"", "\"this-data\""),
    ("1.1 in a pilot", "1.2 in a pilot"),
    ("sessions = 9", "sessions = 11"),
    ("seed = \"1\"", "seed = \"2\""),
    ("\"2 %\"", "\"3 %\""),
    ("by 5 % or more", "by 6 % or more"),
    ("speedup = 1.2 ", "speedup = 1.3 "),
    ("speedup = 1 ", "speedup = 1.01 "),
    ("< 1.05", "< 1.04"),
    ("> 3 ", "> 2 "),
    ("> 4", "> -4"),
    ("75 %", "80 %"),
    // The same text at another place than the figures above.
    ("speedup > 3 and", "speedup > 3.5 and"),
];

/// Changes of what is asked.
const OF_THE_QUESTION: [(&str, &str); 25] = [
    ("targets = [\"h100\", \"l4\"]", "targets = [\"h100\"]"),
    ("baseline = \"eager\"", "baseline = \"graphed\""),
    ("smollm2-135m", "qwen2.5-0.5b"),
    ("\"random\"", "\"checkpoint\""),
    ("plan = \"fused\"", "plan = \"op-by-op\""),
    ("context = 64", "context = 65"),
    ("warmup-steps = 2", "warmup-steps = 3"),
    ("measured-steps = 40", "measured-steps = 42"),
    ("\"per-step\"", "\"per-slot\""),
    ("affinity = [0, 1]", "affinity = [1, 0]"),
    ("[\"A\", \"B\"]", "[\"A\", \"C\"]"),
    ("\"5 min\"", "\"6 min\""),
    ("timeout", "same-code = true\ntimeout"),
    ("0.04", "0.041"),
    ("0.03", "0.031"),
    (
        "[arms.graphed]",
        "[arms.third]\nlaunch = \"graph\"\n[arms.graphed]",
    ),
    ("median(step_time[eager])", "mean(step_time[eager])"),
    ("* 3", "* 2"),
    (
        "logits[eager] == logits[graphed]",
        "logits[graphed] == logits[eager]",
    ),
    (">= 75", "> 75"),
    (
        "\"abstain\"",
        "\"abstain\"\n[gates.more]\neach-session = \"speedup > 0\"\notherwise = \"abstain\"",
    ),
    ("on = [\"h100\"]", "on = [\"h100\", \"l4\"]"),
    ("speedup < ", "speedup <= "),
    ("> 3 and", "> 3 or"),
    ("kill = [", "kill = [\"speedup < 0.5\", "),
];

fn checked(toml: &str) -> Declaration {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations/targets.toml");
    let targets = Targets::parse("targets.toml", &fs::read(targets).unwrap()).unwrap();
    match check("example.toml", toml.as_bytes(), &targets) {
        Ok(declaration) => declaration,
        Err(problems) => panic!("{problems}"),
    }
}

fn changed(changes: &[(&str, &str)]) -> Declaration {
    let mut toml = TOML.to_owned();
    for (from, to) in changes {
        assert!(toml.contains(from), "{from}");
        toml = toml.replacen(from, to, 1);
    }
    checked(&toml)
}

#[test]
fn every_change_of_meaning_has_its_own_meaning_digest() {
    let mut seen: BTreeMap<Digest, &str> = BTreeMap::new();
    seen.insert(meaning_digest(&checked(TOML)), "no change");
    for change in OF_THE_ANSWER.iter().chain(&OF_THE_QUESTION) {
        let digest = meaning_digest(&changed(&[*change]));
        assert_eq!(seen.insert(digest, change.1), None, "{}", change.1);
    }
}

#[test]
fn only_changes_of_what_is_asked_change_the_question_digest() {
    let question = question_digest(&checked(TOML));
    for change in OF_THE_ANSWER {
        assert_eq!(
            question_digest(&changed(&[change])),
            question,
            "{}",
            change.1
        );
    }
    let mut seen = BTreeMap::from([(question, "no change")]);
    for change in OF_THE_QUESTION {
        let digest = question_digest(&changed(&[change]));
        assert_eq!(seen.insert(digest, change.1), None, "{}", change.1);
    }
}

#[test]
fn a_default_written_out_means_the_same() {
    let defaults = [
        ("alpha-pass = 0.04", "alpha-pass = \"5 %\""),
        (
            "alpha-falsified = 0.03",
            "interval = \"order-statistic\"\nestimand = \"median\"\nscale = \"log\"\nstopping = \"fixed\"",
        ),
        ("affinity = [0, 1]", "affinity = \"none\""),
        ("environment = [\"A\", \"B\"]", "environment = []"),
        (
            "timeout = \"5 min\"",
            "timeout = \"600 s\"\nsame-code = false\nblocks = 1\nmin-gap = \"0 h\"",
        ),
        ("plan = \"fused\"\n", ""),
        ("[arms.eager]", "[arms.eager]\nplan = \"fused\""),
        ("[arms.graphed]", "[arms.graphed]\nplan = \"fused\""),
    ];
    let left_out = [
        ("alpha-pass = 0.04", ""),
        ("alpha-falsified = 0.03", ""),
        ("affinity = [0, 1]", ""),
        ("environment = [\"A\", \"B\"]", ""),
        ("timeout = \"5 min\"", ""),
    ];
    assert_eq!(
        meaning_digest(&changed(&defaults)),
        meaning_digest(&changed(&left_out))
    );
}

/// The lines of the file in another order: tables, and lines within a table; with comments, blanks and spaces.
fn respelled() -> impl Strategy<Value = String> {
    let mut blocks: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    for line in TOML.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            blocks.push((line.to_owned(), Vec::new()));
        } else {
            blocks.last_mut().unwrap().1.push(line.to_owned());
        }
    }
    let root = blocks.remove(0);
    let decorated = |(header, lines): (String, Vec<String>)| {
        let count = lines.len();
        (
            Just(header),
            Just(lines).prop_shuffle(),
            prop::collection::vec(0..5_usize, count),
        )
            .prop_map(|(header, lines, styles)| {
                let lines = lines
                    .iter()
                    .zip(styles)
                    .map(|(line, style)| decorate(line, style));
                format!("{header}\n{}", lines.collect::<String>())
            })
            .boxed()
    };
    let tables: Vec<_> = blocks.into_iter().map(decorated).collect();
    let tables = tables.prop_flat_map(|tables| Just(tables).prop_shuffle());
    (decorated(root), tables).prop_map(|(root, tables)| format!("{root}{}", tables.concat()))
}

fn decorate(line: &str, style: usize) -> String {
    match style {
        0 => format!("{line}\n"),
        1 => format!("  {line}\t# a comment\n"),
        2 => format!("\n# id = \"commented out\"\n{line}\n\n"),
        3 => format!("{}\n", line.replacen(" = ", "=", 1)),
        _ => {
            let (key, value) = line.split_once(" = ").unwrap();
            format!("\"{key}\"   =\t{value}\n")
        }
    }
}

proptest! {
    #[test]
    fn spelling_comments_and_order_leave_the_meaning_digest(toml in respelled()) {
        prop_assert_eq!(meaning_digest(&checked(&toml)), meaning_digest(&checked(TOML)));
    }

    #[test]
    fn different_sets_of_changes_have_different_meaning_digests(
        left in prop::sample::subsequence((0..14_usize).collect::<Vec<_>>(), 0..14),
        right in prop::sample::subsequence((0..14_usize).collect::<Vec<_>>(), 0..14),
    ) {
        let digest = |picked: &[usize]| {
            let changes: Vec<_> = picked.iter().map(|&index| OF_THE_ANSWER[index]).collect();
            meaning_digest(&changed(&changes))
        };
        prop_assert_eq!(left == right, digest(&left) == digest(&right));
    }
}
