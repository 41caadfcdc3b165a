//! Workload and protocol in words, and the constants of the lock.

mod arms;
mod inference;
mod program;
mod protocol;

use prereg_declaration::{Declaration, Decode, Weights, Workload};
use prereg_judgement::reach_of_absolute;
use serde::Serialize;

use super::{Markdown, markdown};
use crate::input::ReportInput;
use crate::markdown::code;
use crate::{number, words};
use arms::ArmTable;

/// What was measured, and how.
#[derive(Debug, Serialize)]
pub(crate) struct PlanView {
    workload: Markdown,
    /// What is known of a program before it runs; empty for decode.
    program: Vec<Markdown>,
    /// Whether a program reports the step times.
    reported: bool,
    /// Whether the sessions are all there are.
    census: bool,
    arms: ArmTable,
    protocol: Vec<Markdown>,
    inference: Vec<Markdown>,
    /// What conditions are read on: "median over sessions".
    read_on: String,
    /// How a kill condition is read.
    condition_rule: String,
    /// What only ever moves a verdict to abstained.
    obstacles: &'static str,
    /// What a verdict on an absolute value covers.
    reach: String,
    constants: Vec<ConstantRow>,
    targets: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Serialize)]
struct ConstantRow {
    name: String,
    target: String,
    value: String,
    formula: String,
}

impl PlanView {
    pub(crate) fn new(input: &ReportInput<'_>) -> Self {
        let declaration = input.declaration;
        let command = declaration.workload.command();
        Self {
            workload: markdown(workload(&declaration.workload)),
            program: all_markdown(command.map(program::lines).unwrap_or_default()),
            reported: command.is_some(),
            census: words::is_census(declaration),
            arms: ArmTable::of(declaration),
            protocol: all_markdown(protocol::lines(declaration)),
            inference: all_markdown(inference::lines(declaration)),
            read_on: words::read_on(declaration),
            condition_rule: words::condition_rule(declaration),
            obstacles: obstacles(declaration),
            reach: reach_of_absolute(declaration),
            constants: constants(input),
            targets: targets(input),
        }
    }
}

fn all_markdown(lines: Vec<String>) -> Vec<Markdown> {
    lines.into_iter().map(markdown).collect()
}

fn workload(workload: &Workload) -> String {
    match workload {
        Workload::Decode(decode) => self::decode(decode),
        Workload::Command(command) => format!(
            "A program, started anew for every slot in the study's folder, without a shell: {}.",
            program::words(&command.words)
        ),
    }
}

fn decode(workload: &Decode) -> String {
    let weights = match workload.weights {
        Weights::Random => "random weights from the session's seed",
        Weights::Checkpoint => "the weights of the checkpoint",
    };
    format!(
        "Decoding with {}, one token a step, with {weights}. Every slot starts with {} positions in the KV cache.",
        code(&workload.model),
        workload.context
    )
}

fn obstacles(declaration: &Declaration) -> &'static str {
    match (
        declaration.controls.is_empty(),
        declaration.calibrated_range.is_empty(),
    ) {
        (true, true) => {
            "A gate that fails or was not observed only ever moves a verdict to abstained."
        }
        (false, true) => {
            "A gate or a control that fails or was not observed only ever moves a verdict to abstained."
        }
        (true, false) => {
            "A gate that fails or was not observed, and a session outside the calibrated range, only ever move a verdict to abstained."
        }
        (false, false) => {
            "A gate or a control that fails or was not observed, and a session outside the calibrated range, only ever move a verdict to abstained."
        }
    }
}

fn constants(input: &ReportInput<'_>) -> Vec<ConstantRow> {
    let constants = input.lock.lock.constants.iter();
    constants
        .map(|constant| ConstantRow {
            name: match &constant.arm {
                Some(arm) => format!("{}[{arm}]", constant.name),
                None => constant.name.clone(),
            },
            target: constant
                .target
                .clone()
                .unwrap_or_else(|| "every target".to_owned()),
            value: number::in_unit(constant.value, &constant.unit),
            formula: constant.formula.clone(),
        })
        .collect()
}

fn targets(input: &ReportInput<'_>) -> Vec<(String, Vec<String>)> {
    let lines = |entry: &str| {
        let lines = entry.lines().filter(|line| !line.trim().is_empty());
        lines.map(str::to_owned).collect()
    };
    let targets = input.lock.lock.targets.iter();
    targets
        .map(|(name, entry)| (name.clone(), lines(entry)))
        .collect()
}
