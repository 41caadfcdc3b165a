//! `kind = "command"`: any program as workload.
//!
//! The program runs once a slot, as a fresh process in the study's root, without a shell. In its words and in the
//! values of its environment, `{name}` stands for a value, and `{{` and `}}` for braces:
//!
//! | placeholder | value |
//! |---|---|
//! | `{out}` | path of the result file, for a reader that reads one |
//! | `{seed}` | seed of the session, an integer below 2⁶⁴ |
//! | `{session}`, `{slot}` | their indices, from 0 |
//! | `{arm}` | name of the arm |
//! | `{steps}` | observations that the slot must give |
//! | `{threads}` | `threads` of the protocol |
//! | any key of the arms | the arm's value |

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use prereg_units::{Dimension, Unit};

use crate::expression::vocabulary::{COLUMNS, Entry, OWN_COLUMNS};

/// The program and what is known of it before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments, placeholders not filled in; at least one word.
    pub words: Vec<String>,
    /// What reads its observations.
    pub reader: Reader,
    /// Files of the study that it needs, sorted; their digests are locked.
    pub inputs: Vec<String>,
    /// Variables that are set for it, placeholders not filled in.
    pub environment: BTreeMap<String, String>,
    /// Columns by arm that it reports besides `step_time` and `tokens`.
    pub columns: BTreeMap<String, DeclaredColumn>,
    /// Columns without an arm that it reports besides those that the language has.
    pub telemetry: BTreeMap<String, DeclaredColumn>,
    /// Revisions and digests that are stated and not checked (`weights = "hf:…@<commit>"`).
    pub pins: BTreeMap<String, String>,
    /// Commands whose answers are recorded at the beginning of each session, and that gates can demand.
    pub facts: BTreeMap<String, Vec<String>>,
    /// A command that prints telemetry for as long as it runs, for the preflight.
    pub probe: Option<Vec<String>>,
    /// Wall time of a slot, as the author expects it.
    pub slot_time: Duration,
}

impl Command {
    /// Every column by arm that the program may report, with its unit.
    #[must_use]
    pub fn reported_columns(&self) -> BTreeMap<String, DeclaredColumn> {
        let known = COLUMNS.iter().filter(|column| column.by_arm);
        let known = known.map(DeclaredColumn::known);
        known.chain(self.columns.clone()).collect()
    }

    /// Every column without arm that the program may report, with its unit.
    #[must_use]
    pub fn reported_telemetry(&self) -> BTreeMap<String, DeclaredColumn> {
        let known = COLUMNS
            .iter()
            .filter(|column| !column.by_arm && !OWN_COLUMNS.contains(&column.name));
        let known = known.map(DeclaredColumn::known);
        known.chain(self.telemetry.clone()).collect()
    }

    /// Whether its observations are read from a result file.
    #[must_use]
    pub fn writes_file(&self) -> bool {
        let environment = self.environment.values();
        let mut texts = self.words.iter().chain(environment);
        texts.any(|text| has_placeholder(text, "out"))
    }
}

/// Whether a text has the placeholder of this name.
#[must_use]
pub fn has_placeholder(text: &str, name: &str) -> bool {
    let found = placeholders(text).unwrap_or_default();
    found.into_iter().any(|range| &text[range] == name)
}

/// The text with the value of each placeholder in its place; nothing where one has no value or braces do not match.
#[must_use]
pub fn fill(text: &str, value_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut filled = String::new();
    let mut rest = 0;
    for range in placeholders(text).ok()? {
        filled.push_str(&unescaped(&text[rest..range.start - 1]));
        filled.push_str(&value_of(&text[range.clone()])?);
        rest = range.end + 1;
    }
    filled.push_str(&unescaped(&text[rest..]));
    Some(filled)
}

fn unescaped(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}

/// Where the names of placeholders stand in a text, without their braces; or where a brace is that belongs to none.
pub(crate) fn placeholders(text: &str) -> Result<Vec<Range<usize>>, usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'{', Some(b'{')) | (b'}', Some(b'}')) => at += 2,
            (b'{', _) => {
                let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = bytes[at + 1..]
                    .iter()
                    .take_while(|byte| of_name(byte))
                    .count();
                let end = at + 1 + length;
                if length == 0 || bytes.get(end) != Some(&b'}') {
                    return Err(at);
                }
                found.push(at + 1..end);
                at = end + 1;
            }
            (b'}', _) => return Err(at),
            _ => at += 1,
        }
    }
    Ok(found)
}

/// A column that the declaration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredColumn {
    /// Its unit, as written; empty for a plain number.
    pub unit: String,
    /// The dimension of that unit.
    pub dimension: Dimension,
}

impl DeclaredColumn {
    fn known(column: &Entry) -> (String, Self) {
        let of_base_unit = Self {
            unit: column.dimension.to_string(),
            dimension: column.dimension,
        };
        (column.name.to_owned(), of_base_unit)
    }

    /// The column of this unit.
    #[must_use]
    pub fn of(unit: &Unit, written: &str) -> Self {
        Self {
            unit: written.to_owned(),
            dimension: unit.dimension(),
        }
    }
}

/// What turns that which a program leaves into observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// One JSON object a line on standard output.
    #[default]
    Lines,
    /// `hyperfine --export-json`.
    Hyperfine,
    /// `llama-bench -o json` or `jsonl`.
    LlamaBench,
    /// `nvbench --json`.
    Nvbench,
    /// `--benchmark_out` of google/benchmark.
    GoogleBenchmark,
    /// `sample.json` or `estimates.json` of criterion.
    Criterion,
    /// `vllm bench latency --output-json`.
    VllmLatency,
}
