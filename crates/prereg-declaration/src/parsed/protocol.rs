//! `[protocol]`.

use std::ops::Range;
use std::time::Duration;

use prereg_units::Dimension;

use super::workload::Kind;
use crate::declaration::{Order, Sync};
use crate::diagnostic::Diagnostics;
use crate::section::Section;
use crate::text::Text;
use crate::value::{Defaulted, Given, Value};

/// Most sessions of a plan: far above any plan, and what a lock can still list.
pub(crate) const MOST_SESSIONS: u32 = 10_000;
/// Most steps of an arm in a session, likewise.
const MOST_STEPS: u32 = 1_000_000;
const MOST_PROCESSORS: u32 = 4_096;

/// `[protocol]`.
#[derive(Default)]
pub(crate) struct ParsedProtocol {
    pub(crate) span: Range<usize>,
    pub(crate) sessions: Option<u32>,
    pub(crate) order: Option<Order>,
    pub(crate) warmup_steps: Option<u32>,
    pub(crate) measured_steps: Option<u32>,
    /// Of decode only.
    pub(crate) sync: Option<Sync>,
    pub(crate) seed: Option<String>,
    pub(crate) threads: Given<u32>,
    pub(crate) affinity: Option<Processors>,
    pub(crate) environment: Vec<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) same_code: bool,
    pub(crate) blocks: Option<Defaulted<u32>>,
    pub(crate) min_gap: Option<Defaulted<Duration>>,
}

/// A list of processors.
pub(crate) struct Processors {
    pub(crate) span: Range<usize>,
    pub(crate) numbers: Vec<u32>,
}

impl ParsedProtocol {
    pub(super) fn read(mut section: Section<'_>, kind: Kind, problems: &mut Diagnostics) -> Self {
        let (warmup_steps, sync) = match kind {
            Kind::Decode => (
                section
                    .required("warmup-steps", "warmup-steps = 5", problems)
                    .and_then(|value| value.count(0..=MOST_STEPS, problems)),
                section
                    .required("sync", "sync = \"per-step\"", problems)
                    .and_then(|value| value.choice(Sync::WORDS, &[], problems)),
            ),
            Kind::Command => {
                for key in ["warmup-steps", "sync"] {
                    if let Some(value) = section.optional(key) {
                        let problem = value.invalid("is the program's own business");
                        problems
                            .push(problem.help("remove the key; tell the program in `command`"));
                    }
                }
                (Some(0), None)
            }
        };
        let protocol = Self {
            span: section.span.clone(),
            sessions: section
                .required("sessions", "sessions = 13", problems)
                .and_then(|value| value.count(1..=MOST_SESSIONS, problems)),
            order: section
                .required("order", "order = \"mirror\"", problems)
                .and_then(|value| value.choice(Order::WORDS, &[], problems)),
            warmup_steps,
            measured_steps: section
                .required("measured-steps", "measured-steps = 30", problems)
                .and_then(|value| even_count(&value, problems)),
            sync,
            seed: section
                .required("seed", "seed = \"7244\"", problems)
                .and_then(|value| value.words(problems)),
            threads: Given::read(section.optional("threads"), |value| {
                value.count(1..=MOST_PROCESSORS, problems)
            }),
            affinity: section
                .optional("affinity")
                .and_then(|value| affinity(&value, problems)),
            environment: section
                .optional("environment")
                .and_then(|value| environment(&value, problems))
                .unwrap_or_default(),
            timeout: match section.optional("timeout") {
                Some(value) => duration(&value, problems),
                None => Some(DEFAULT_TIMEOUT),
            },
            same_code: section
                .optional("same-code")
                .and_then(|value| value.flag(problems))
                .unwrap_or(false),
            blocks: Defaulted::read(section.optional("blocks"), DEFAULT_BLOCKS, |value| {
                value.count(1..=MOST_SESSIONS, problems)
            }),
            min_gap: Defaulted::read(section.optional("min-gap"), Duration::ZERO, |value| {
                gap(value, problems)
            }),
        };
        section.finish(problems);
        protocol
    }
}

/// Limit of a session that the declaration does not give.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_mins(10);

/// Blocks of a declaration that does not give their number.
pub(crate) const DEFAULT_BLOCKS: u32 = 1;

fn even_count(value: &Value<'_>, problems: &mut Diagnostics) -> Option<u32> {
    let count = value.count(2..=MOST_STEPS, problems)?;
    if count % 2 != 0 {
        let problem = value.invalid(&format!("is {count}, which is odd"));
        problems.push(
            problem
                .help("half of the steps run in each of an arm's two slots: write an even number"),
        );
        return None;
    }
    Some(count)
}

/// `"none"`, or a list of processors.
fn affinity(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Processors> {
    let mut numbers = Vec::new();
    if value.is_list() {
        for item in value.items(problems)? {
            let number = item.count(0..=MOST_PROCESSORS - 1, problems)?;
            if numbers.contains(&number) {
                problems.push(
                    item.invalid(&format!("names {number} twice"))
                        .help("name it once"),
                );
            }
            numbers.push(number);
        }
        if numbers.is_empty() {
            problems.push(
                value
                    .invalid("is empty")
                    .help("write \"none\", or a list of processors"),
            );
        }
    } else {
        let word = value.text(problems)?.value;
        if word != "none" {
            let problem = value.invalid(&format!("is `{word}`"));
            problems.push(problem.help("write \"none\", or a list of processors"));
        }
    }
    Some(Processors {
        span: value.span.clone(),
        numbers,
    })
}

fn environment(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Vec<String>> {
    let names = value.names(problems)?;
    for Text {
        value: name, span, ..
    } in &names
    {
        let later = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.starts_with(|c: char| c.is_ascii_digit())
            || !name.chars().all(later)
            || name.is_empty()
        {
            let mut problem = value.invalid(&format!("holds `{name}`"));
            problem.span = span.clone();
            problems.push(
                problem.help("write names of environment variables: letters, digits and `_`"),
            );
        } else if name.starts_with("LD_") {
            // Values are not locked, and these choose the code that a session runs.
            let mut problem = value.invalid(&format!("holds `{name}`"));
            problem.span = span.clone();
            problems
                .push(problem.help("leave out `LD_…`: it would change the code that is measured"));
        }
    }
    let mut names: Vec<String> = names.into_iter().map(|name| name.value).collect();
    names.sort();
    Some(names)
}

pub(super) fn duration(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Duration> {
    let seconds = value.positive_quantity(Dimension::TIME, problems)?.value();
    counted(seconds, value, problems)
}

/// A time between blocks, which may be none at all.
fn gap(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Duration> {
    let seconds = value.quantity(Dimension::TIME, problems)?.value();
    if seconds == 0.0 {
        return Some(Duration::ZERO);
    }
    if seconds < 0.0 {
        let problem = value.invalid("is below zero");
        problems.push(problem.help("write a time such as \"1 h\""));
        return None;
    }
    counted(seconds, value, problems)
}

/// Seconds above zero as a duration.
fn counted(seconds: f64, value: &Value<'_>, problems: &mut Diagnostics) -> Option<Duration> {
    let duration = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| !duration.is_zero());
    if duration.is_none() {
        problems.push(
            value
                .invalid("is not a time that a clock counts")
                .help("write a time such as \"10 min\""),
        );
    }
    duration
}
