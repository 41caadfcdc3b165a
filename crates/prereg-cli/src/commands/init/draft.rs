//! A draft declaration from a result file: what the file tells is filled in, the rest is for the author.
//!
//! What is left to fill in is written so that `prereg check` refuses it at its place: a placeholder without a value, a
//! quantity or a metric that is none.

use std::fmt::Write as _;
use std::num::NonZero;
use std::path::Path;

use prereg_declaration::{Targets, columns};
use prereg_readers::Format;

use crate::commands::inspect::{Column, ResultFile, number, percent};

/// An experiment's id from the name of a file: `[a-z][a-z0-9_]*`.
pub(super) fn id_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut id: String = stem
        .chars()
        .map(|letter| match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => letter,
            _ => '_',
        })
        .collect();
    if !id.starts_with(|first: char| first.is_ascii_lowercase()) {
        id.insert_str(0, "result_");
    }
    id
}

/// The draft.
pub(super) fn text(file: &ResultFile, id: &str, targets: &Targets) -> String {
    let reading = &file.reading;
    let summaries = file.columns();
    let times = summaries.iter().find(|column| column.name == "step_time");
    let spread = times.and_then(|times| times.cv).filter(|cv| *cv > 0.0);
    let target = targets.get("cpu").or_else(|| targets.iter().next());
    let target = quoted(target.map_or("cpu", |target| target.name.as_str()));
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let command: Vec<String> = file.format.example().iter().copied().map(quoted).collect();
    format!(
        r#"# Drafted from {name}. Every place that is left to fill in is one that `prereg check {id}` names.
# What {reader} cannot support:
{limits}

schema = "prereg/1"
id = "{id}"
title = "Is `changed` faster than `baseline`?"
data-seen = "pilot"
data-seen-figures = {figures}
targets = [{target}]
baseline = "baseline"

[workload]
kind = "command"
command = [{command}]
reader = "{reader}"
{columns}slot-time = "fill in"               # wall time of one run of the command{at_least}

[protocol]
sessions = 13
order = "mirror"
measured-steps = {steps}             # two slots an arm and session, each with as many observations as the file has
seed = "{id}"
threads = {threads}                         # reaches the program only where the command or the environment names {{threads}}

[inference]
# {spread_from}
assumed-cv = {{ speedup = "{spread}" }}

[arms]
baseline = {{}}                       # give both arms a value for {{variant}}, as in {{ variant = "…" }}
changed = {{}}

[metrics]
speedup = "median(step_time[baseline]) / median(step_time[changed])"
{gates}
[claims.changed_is_faster]
text = "`changed` is faster than `baseline`."
on = [{target}]
expected = {{ speedup = "fill in" }}  # the value if the claim is right
rival = {{ speedup = 1.0 }}           # the value if it is wrong
kill = ["speedup < fill_in"]        # between the two
"#,
        name = own_name(file),
        reader = file.format,
        limits = limits(file.format),
        figures = quoted(&figures(file, &summaries)),
        command = command.join(", "),
        columns = declared(&summaries),
        at_least = at_least(file),
        steps = 2 * reading.observations.len().max(1),
        spread_from = match spread {
            Some(_) => format!(
                "The spread of {} observations within one file. Sessions differ in more than their steps do, so this \
                 says little of the spread between them: a pilot measures that.",
                reading.observations.len()
            ),
            None => "The file has no spread. A pilot measures the one between sessions.".to_owned(),
        },
        spread = spread.map_or_else(|| "fill in".to_owned(), percent),
        gates = gates(file),
    )
}

fn limits(format: Format) -> String {
    let lines: Vec<String> = format
        .limits()
        .iter()
        .map(|limit| format!("# - {limit}"))
        .collect();
    lines.join("\n")
}

/// The file's name without its folders: a lock tells nothing of the author's machine.
fn own_name(file: &ResultFile) -> &str {
    let name = Path::new(&file.name).file_name();
    name.and_then(|name| name.to_str()).unwrap_or_default()
}

/// The earlier figures, quoted with their file.
fn figures(file: &ResultFile, summaries: &[Column]) -> String {
    let tool = file.reading.tool.as_deref().unwrap_or(file.format.name());
    let mut text = format!("{} ({tool}, sha256 {})", own_name(file), file.digest);
    for column in summaries {
        let show = |value| number(value, column.dimension);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "; {}: median {} of {}, {} to {}",
            column.name,
            show(column.median),
            column.values,
            show(column.min),
            show(column.max)
        );
        if let Some(cv) = column.cv {
            let _ = write!(text, ", cv {}", percent(cv));
        }
    }
    text
}

/// `columns` and `telemetry`, for those that the language does not have.
fn declared(summaries: &[Column]) -> String {
    let mut text = String::new();
    for (key, telemetry) in [("columns", false), ("telemetry", true)] {
        let further: Vec<String> = summaries
            .iter()
            .filter(|column| column.telemetry == telemetry)
            .filter(|column| columns().all(|known| known.name != column.name))
            .map(|column| format!("{} = {}", column.name, quoted(&column.unit)))
            .collect();
        if !further.is_empty() {
            let _ = writeln!(text, "{key} = {{ {} }}", further.join(", "));
        }
    }
    text
}

/// The time that the file's own observations took, where they are whole runs.
fn at_least(file: &ResultFile) -> String {
    match file.format {
        Format::Lines | Format::Hyperfine | Format::LlamaBench | Format::VllmLatency => {
            let steps = file.reading.observations.iter();
            let total: f64 = steps.filter_map(|step| step.values.get("step_time")).sum();
            let total = number(total, prereg_units::Dimension::TIME);
            format!("; the observations of the file alone took {total}")
        }
        Format::Nvbench | Format::GoogleBenchmark | Format::Criterion => String::new(),
    }
}

/// Equal outputs are demanded where the program gives their digests.
fn gates(file: &ResultFile) -> &'static str {
    let steps = &file.reading.observations;
    if !steps.is_empty() && steps.iter().all(|step| step.output.is_some()) {
        r#"
[gates]
same_output = { each-session = "output[baseline] == output[changed]", otherwise = "abstain" }
"#
    } else {
        ""
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{DataSeen, Digest, check};
    use prereg_readers::read;

    use super::*;

    const PROGRAM: &str = r#"{"prereg":"prereg-observations/1","units":{"step_time":"ms","ttft":"s"}}
{"step_time":10,"ttft":0.1,"output":"0000000000000000000000000000000000000000000000000000000000000000"}
{"step_time":12,"ttft":0.1,"output":"0000000000000000000000000000000000000000000000000000000000000000"}
{"telemetry":"power","value":300,"unit":"W"}
{"telemetry":"utilisation","value":90,"unit":"%"}
{"end":{"observations":2}}"#;
    const HYPERFINE: &str =
        r#"{"results":[{"command":"sleep \"1\"","times":[1.0,1.1,1.2],"exit_codes":[0,0,0]}]}"#;
    const CRITERION: &str =
        r#"{"mean":{"point_estimate":5.0},"median":0,"median_abs_dev":0,"std_dev":0,"slope":null}"#;
    const LLAMA: &str = r#"[{"n_prompt":0,"n_gen":32,"samples_ns":[1000,1001]}]"#;

    fn targets() -> Targets {
        Targets::parse("targets.toml", include_bytes!("targets.toml")).unwrap()
    }

    fn draft(format: Format, text: &str) -> String {
        let file = ResultFile {
            name: "/home/author/a \"file\".json".to_owned(),
            digest: Digest::of(text.as_bytes()),
            format,
            reading: read(format, text.as_bytes()).unwrap(),
        };
        super::text(&file, "a_file", &targets())
    }

    fn filled_in(draft: &str) -> String {
        let arms = "baseline = { variant = \"a\" }\nchanged = { variant = \"b\" }";
        let (before, rest) = draft.split_once("[arms]\n").unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        format!("{before}[arms]\n{arms}\n\n{after}")
            .replace("slot-time = \"fill in\"", "slot-time = \"4 s\"")
            .replace("speedup = \"fill in\"", "speedup = 1.2")
            .replace("fill_in", "1.1")
            .replace("{your_program}", "program")
            .replace("{your_model}", "model")
            .replace("{your_option}", "--option")
            .replace("{your_bench}", "bench")
    }

    #[test]
    fn a_draft_that_is_filled_in_is_well_formed() {
        for (format, text) in [
            (Format::Lines, PROGRAM),
            (Format::Hyperfine, HYPERFINE),
            (Format::Criterion, CRITERION),
            (Format::LlamaBench, LLAMA),
        ] {
            let filled_in = filled_in(&draft(format, text));
            let declaration = check("draft.toml", filled_in.as_bytes(), &targets())
                .unwrap_or_else(|problems| panic!("{filled_in}\n{problems}"));
            assert_eq!(declaration.data_seen, DataSeen::Pilot);
        }
    }

    #[test]
    fn what_is_left_to_fill_in_is_refused_at_its_place() {
        let problems = check(
            "d.toml",
            draft(Format::Hyperfine, HYPERFINE).as_bytes(),
            &targets(),
        );
        let problems = problems.unwrap_err().to_string();
        for place in [
            "{your_program}",
            "{variant}",
            "slot-time",
            "expected",
            "fill_in",
        ] {
            assert!(problems.contains(place), "{place} in {problems}");
        }
    }

    #[test]
    fn the_figures_and_the_spread_of_the_file_are_in_the_draft() {
        let draft = draft(Format::Hyperfine, HYPERFINE);
        assert!(
            draft.contains(r#"a \"file\".json (hyperfine, sha256 "#),
            "{draft}"
        );
        assert!(
            draft.contains("step_time: median 1.1 s of 3, 1 s to 1.2 s, cv 9.09 %"),
            "{draft}"
        );
        assert!(
            draft.contains("assumed-cv = { speedup = \"9.09 %\" }"),
            "{draft}"
        );
        assert!(draft.contains("measured-steps = 6 "), "{draft}");
    }

    #[test]
    fn the_folders_of_the_file_are_not_in_the_draft() {
        assert!(!draft(Format::Hyperfine, HYPERFINE).contains("author/"));
    }

    #[test]
    fn a_file_of_one_observation_leaves_the_spread_to_fill_in() {
        let draft = draft(Format::Criterion, CRITERION);
        assert!(
            draft.contains("assumed-cv = { speedup = \"fill in\" }"),
            "{draft}"
        );
    }

    #[test]
    fn columns_that_the_language_does_not_have_are_declared() {
        let draft = draft(Format::Lines, PROGRAM);
        assert!(draft.contains("columns = { ttft = \"s\" }\n"), "{draft}");
        assert!(
            draft.contains("telemetry = { utilisation = \"1\" }\n"),
            "{draft}"
        );
        assert!(
            draft.contains("output[baseline] == output[changed]"),
            "{draft}"
        );
    }

    #[test]
    fn an_id_comes_from_the_name_of_any_file() {
        for (path, id) in [
            ("a/Runs-2.json", "runs_2"),
            ("2026.json", "result_2026"),
            ("é.json", "result__"),
            ("", "result_"),
        ] {
            assert_eq!(id_of(Path::new(path)), id);
        }
    }
}
