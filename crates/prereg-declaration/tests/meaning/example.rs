//! The declaration that these tests edit, the edits, and its other spellings.

use std::fs;
use std::path::Path;

use prereg_declaration::{Declaration, Targets, check};
use proptest::prelude::*;

/// One fact a line, so that lines of a table, and tables, may stand in any order.
pub(crate) const TOML: &str = r#"schema = "prereg/1"
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

/// An edit of [`TOML`].
pub(crate) struct Edit {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The lines of the canonical form that it changes.
    pub(crate) paths: &'static [&'static str],
}

const fn edit(from: &'static str, to: &'static str, paths: &'static [&'static str]) -> Edit {
    Edit { from, to, paths }
}

/// Changes of meaning that leave the question as it is.
pub(crate) const OF_THE_ANSWER: [Edit; 15] = [
    edit("\"example\"", "\"other\"", &["id"]),
    edit("Is replay faster?", "Is replay any faster?", &["title"]),
    edit("\"pilot\"", "\"this-data\"", &["data-seen"]),
    edit("1.1 in a pilot", "1.2 in a pilot", &["data-seen-figures"]),
    edit("sessions = 9", "sessions = 12", &["protocol.sessions"]),
    edit("seed = \"1\"", "seed = \"2\"", &["protocol.seed"]),
    edit("\"2 %\"", "\"3 %\"", &["inference.assumed-cv.speedup"]),
    edit("by 5 % or more", "by 6 % or more", &["claims.faster.text"]),
    edit(
        "speedup = 1.2 ",
        "speedup = 1.3 ",
        &["claims.faster.expected.speedup"],
    ),
    edit(
        "speedup = 1 ",
        "speedup = 1.01 ",
        &["claims.faster.rival.speedup"],
    ),
    edit("< 1.05", "< 1.04", &["claims.faster.kill.0"]),
    edit("> 3 ", "> 2 ", &["claims.faster.kill.1"]),
    edit("> 4", "> -4", &["claims.faster.kill.1"]),
    edit("75 %", "80 %", &["gates.same_output.each-session"]),
    // The same text at another place than the figures above.
    edit(
        "speedup > 3 and",
        "speedup > 3.5 and",
        &["claims.faster.kill.1"],
    ),
];

/// Changes of what is asked.
pub(crate) const OF_THE_QUESTION: [Edit; 32] = [
    edit(
        "targets = [\"h100\", \"l4\"]",
        "targets = [\"h100\"]",
        &["targets"],
    ),
    edit(
        "baseline = \"eager\"",
        "baseline = \"graphed\"",
        &["baseline"],
    ),
    edit("smollm2-135m", "qwen2.5-0.5b", &["workload.model"]),
    edit("\"random\"", "\"checkpoint\"", &["workload.weights"]),
    edit(
        "plan = \"fused\"",
        "plan = \"op-by-op\"",
        &["arms.eager.plan", "arms.graphed.plan"],
    ),
    edit("context = 64", "context = 65", &["workload.context"]),
    edit(
        "warmup-steps = 2",
        "warmup-steps = 3",
        &["protocol.warmup-steps"],
    ),
    edit(
        "measured-steps = 40",
        "measured-steps = 42",
        &["protocol.measured-steps"],
    ),
    edit("\"per-step\"", "\"per-slot\"", &["protocol.sync"]),
    edit(
        "affinity = [0, 1]",
        "affinity = [1, 0]",
        &["protocol.affinity"],
    ),
    edit(
        "[\"A\", \"B\"]",
        "[\"A\", \"C\"]",
        &["protocol.environment"],
    ),
    edit("\"5 min\"", "\"6 min\"", &["protocol.timeout"]),
    edit(
        "timeout",
        "same-code = true\ntimeout",
        &["protocol.same-code"],
    ),
    edit("timeout", "blocks = 3\ntimeout", &["protocol.blocks"]),
    edit(
        "timeout",
        "blocks = 3\nmin-gap = \"1 h\"\ntimeout",
        &["protocol.blocks", "protocol.min-gap"],
    ),
    edit("0.04", "0.041", &["inference.alpha-pass"]),
    edit("0.03", "0.031", &["inference.alpha-falsified"]),
    edit(
        "alpha-pass",
        "stopping = \"sequence\"\nalpha-pass",
        &["inference.stopping"],
    ),
    edit(
        "alpha-pass",
        "interval = \"bootstrap-percentile\"\nalpha-pass",
        &["inference.interval"],
    ),
    edit(
        "alpha-pass",
        "interval = \"student-t\"\nestimand = \"geometric-mean\"\nalpha-pass",
        &["inference.estimand", "inference.interval"],
    ),
    edit(
        "alpha-pass",
        "interval = \"student-t\"\nestimand = \"mean\"\nscale = \"linear\"\nalpha-pass",
        &[
            "inference.estimand",
            "inference.interval",
            "inference.scale",
        ],
    ),
    edit(
        "[arms.graphed]",
        "[arms.third]\nlaunch = \"graph\"\n[arms.graphed]",
        &["arms.third.launch", "arms.third.plan"],
    ),
    edit(
        "median(step_time[eager])",
        "mean(step_time[eager])",
        &["metrics.eager_step"],
    ),
    edit("* 3", "* 2", &["metrics.eager_step"]),
    edit(
        "* 3\"",
        "* 3\"\nunsteady = \"unsteadiness(step_time[eager])\"",
        &["metrics.unsteady"],
    ),
    edit(
        "logits[eager] == logits[graphed]",
        "logits[graphed] == logits[eager]",
        &["gates.same_output.each-session"],
    ),
    edit(">= 75", "> 75", &["gates.same_output.each-session"]),
    edit(
        "\"abstain\"",
        "\"abstain\"\n[gates.more]\neach-session = \"speedup > 0\"\notherwise = \"abstain\"",
        &["gates.more.each-session", "gates.more.otherwise"],
    ),
    edit(
        "on = [\"h100\"]",
        "on = [\"h100\", \"l4\"]",
        &["claims.faster.on"],
    ),
    edit("speedup < ", "speedup <= ", &["claims.faster.kill.0"]),
    edit("> 3 and", "> 3 or", &["claims.faster.kill.1"]),
    edit(
        "kill = [",
        "kill = [\"speedup < 0.5\", ",
        &[
            "claims.faster.kill.0",
            "claims.faster.kill.1",
            "claims.faster.kill.2",
        ],
    ),
];

/// The declaration of this text.
pub(crate) fn checked(toml: &str) -> Declaration {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations/targets.toml");
    let targets = Targets::parse("targets.toml", &fs::read(targets).unwrap()).unwrap();
    match check("example.toml", toml.as_bytes(), &targets) {
        Ok(declaration) => declaration,
        Err(problems) => panic!("{problems}"),
    }
}

/// [`TOML`] after these edits.
pub(crate) fn edited<'e>(edits: impl IntoIterator<Item = &'e Edit>) -> Declaration {
    let mut toml = TOML.to_owned();
    for Edit { from, to, .. } in edits {
        assert!(toml.contains(from), "{from}");
        toml = toml.replacen(from, to, 1);
    }
    checked(&toml)
}

/// The lines of the file in another order: tables, and lines within a table; with comments, blanks and spaces.
pub(crate) fn respelled() -> impl Strategy<Value = String> {
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
