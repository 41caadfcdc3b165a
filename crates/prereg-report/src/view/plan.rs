//! Workload and protocol in words, and the constants of the lock.

mod inference;

use prereg_declaration::{Declaration, Launch, Order, Plan, Protocol, Sync, Weights, Workload};
use prereg_judgement::reach_of_absolute;
use prereg_units::Dimension;
use serde::Serialize;

use super::{Markdown, markdown};
use crate::input::ReportInput;
use crate::markdown::code;
use crate::{number, words};

/// What was measured, and how.
#[derive(Debug, Serialize)]
pub(crate) struct PlanView {
    workload: Markdown,
    arms: Vec<ArmRow>,
    protocol: Vec<Markdown>,
    inference: Vec<Markdown>,
    /// What conditions are read on: "median over sessions".
    read_on: String,
    /// What a verdict on an absolute value covers.
    reach: String,
    constants: Vec<ConstantRow>,
    targets: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Serialize)]
struct ArmRow {
    name: String,
    launch: &'static str,
    plan: &'static str,
    baseline: bool,
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
        Self {
            workload: markdown(workload(&declaration.workload)),
            arms: arms(declaration),
            protocol: protocol(&declaration.protocol)
                .into_iter()
                .map(markdown)
                .collect(),
            inference: inference::lines(declaration)
                .into_iter()
                .map(markdown)
                .collect(),
            read_on: words::read_on(declaration),
            reach: reach_of_absolute(declaration),
            constants: input
                .lock
                .lock
                .constants
                .iter()
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
                .collect(),
            targets: input
                .lock
                .lock
                .targets
                .iter()
                .map(|(name, entry)| {
                    (
                        name.clone(),
                        entry
                            .lines()
                            .filter(|line| !line.trim().is_empty())
                            .map(str::to_owned)
                            .collect(),
                    )
                })
                .collect(),
        }
    }
}

fn workload(workload: &Workload) -> String {
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

fn arms(declaration: &Declaration) -> Vec<ArmRow> {
    declaration
        .arms
        .iter()
        .map(|(name, arm)| ArmRow {
            name: name.clone(),
            launch: match arm.launch {
                Launch::Eager => "eager: kernel by kernel",
                Launch::Graph => "graph: prepared once, replayed",
            },
            plan: match arm.plan {
                Plan::Fused => "fused",
                Plan::OpByOp => "op-by-op",
            },
            baseline: *name == declaration.baseline,
        })
        .collect()
}

fn protocol(protocol: &Protocol) -> Vec<String> {
    let Order::Mirror = protocol.order;
    let sync = match protocol.sync {
        Sync::PerStep => "The host waits after every step.",
        Sync::PerSlot => "The host waits once a slot.",
    };
    let threads = protocol
        .threads
        .map_or_else(String::new, |threads| format!("{threads} worker threads, "));
    let affinity = if protocol.affinity.is_empty() {
        "not pinned".to_owned()
    } else {
        let list: Vec<String> = protocol.affinity.iter().map(u32::to_string).collect();
        format!("pinned to processors {}", list.join(", "))
    };
    let environment = if protocol.environment.is_empty() {
        "none of the caller's environment variables".to_owned()
    } else {
        let list: Vec<String> = protocol.environment.iter().map(|name| code(name)).collect();
        format!(
            "of the caller's environment variables only {}",
            list.join(", ")
        )
    };
    let mut lines = vec![
        format!(
            "{} sessions, each a fresh process in which every arm runs on the same weights and inputs.",
            protocol.sessions
        ),
        "Order `mirror`: a seeded permutation of the arms, then its reverse; every second session starts reversed."
            .to_owned(),
        format!(
            "{} discarded warm-up steps before each slot; {} timed steps per arm and session, half in each of its two slots.",
            protocol.warmup_steps, protocol.measured_steps
        ),
        sync.to_owned(),
        format!("{threads}{affinity}; a session sees {environment}."),
        format!(
            "A session is ended after {}. Seed {}.",
            number::measured(protocol.timeout.as_secs_f64(), Dimension::TIME),
            code(&protocol.seed)
        ),
        if protocol.same_code {
            "A run under other code than the lock's is refused.".to_owned()
        } else {
            "A run under other code than the lock's is allowed and listed as a deviation.".to_owned()
        },
    ];
    if protocol.blocks > 1 {
        lines.push(format!(
            "In {} blocks of {} sessions, each block at least {} after the one before.",
            protocol.blocks,
            protocol.sessions / protocol.blocks,
            number::measured(protocol.min_gap.as_secs_f64(), Dimension::TIME)
        ));
    }
    lines
}
