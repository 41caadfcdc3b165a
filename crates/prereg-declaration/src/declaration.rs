//! The checked declaration: every name resolved, every unit checked, every default filled in.
//!
//! A value that [`crate::check`] returns is consistent in itself: the arms, metrics and targets that it names exist; every
//! metric of a kill condition has an expected value, a rival value and an assumed spread, and its threshold has the
//! metric's unit; metrics name each other without cycles and at most 50 deep; there are `threads` where a target is a CPU;
//! blocks divide the sessions, and interval, estimand, scale and stopping rule go together ([`Inference`]).

use std::collections::BTreeMap;
use std::time::Duration;

use prereg_units::Quantity;

use crate::command::Command;
use crate::expression::{Condition, Number, Predicate};
use crate::inference::Inference;

/// A checked experiment: claims, and how they will be measured and judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Identifier, `[a-z][a-z0-9_]*`.
    pub id: String,
    /// One line for people.
    pub title: String,
    /// What the author had seen when the plan was written.
    pub data_seen: DataSeen,
    /// Earlier figures, quoted; present unless `data_seen` is [`DataSeen::None`].
    pub data_seen_figures: Option<String>,
    /// Names of targets, sorted.
    pub targets: Vec<String>,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// What is run.
    pub workload: Workload,
    /// How it is run.
    pub protocol: Protocol,
    /// How the numbers are read.
    pub inference: Inference,
    /// Variants by name.
    pub arms: BTreeMap<String, Arm>,
    /// Metrics by name. A metric may name other metrics; there are no cycles.
    pub metrics: BTreeMap<String, Metric>,
    /// Gates by name.
    pub gates: BTreeMap<String, Gate>,
    /// Controls by name.
    pub controls: BTreeMap<String, Control>,
    /// Where the claims hold at all: ranges by metric. Outside, every claim abstains.
    pub calibrated_range: BTreeMap<String, CalibratedRange>,
    /// Claims by name; at least one.
    pub claims: BTreeMap<String, Claim>,
}

impl Declaration {
    /// The same experiment with every arm measured as the baseline is: what a pilot runs, in which
    /// no difference between arms can be seen because there is none.
    #[must_use]
    pub fn with_every_arm_as_baseline(&self) -> Self {
        let mut alike = self.clone();
        if let Some(baseline) = self.arms.get(&self.baseline) {
            for arm in alike.arms.values_mut() {
                arm.clone_from(baseline);
            }
        }
        alike
    }
}

/// What had been seen of the data when the plan was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataSeen {
    /// Nothing.
    None,
    /// Figures that others published.
    PublishedElsewhere,
    /// A pilot: spread and feasibility, or own earlier figures of the same kind.
    Pilot,
    /// The very data.
    ThisData,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Decode steps that the tool itself makes.
    Decode(Decode),
    /// Any program, one fresh process a slot.
    Command(Box<Command>),
}

impl Workload {
    /// The word of `kind`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Decode(_) => "decode",
            Self::Command(_) => "command",
        }
    }

    /// The program, where it is one.
    #[must_use]
    pub fn command(&self) -> Option<&Command> {
        match self {
            Self::Decode(_) => None,
            Self::Command(command) => Some(command),
        }
    }
}

/// The decode workload: one token a step for a transformer of a given shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decode {
    /// A shape by name (`qwen2.5-0.5b`), or a checkpoint folder relative to the study's root.
    pub model: String,
    /// Where the weights come from.
    pub weights: Weights,
    /// Positions in the KV cache before the first step of a slot.
    pub context: u32,
}

/// Source of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Seeded random normals; `model` is a shape by name or a folder whose `config.json` gives it.
    Random,
    /// The tensors of the checkpoint folder `model`.
    Checkpoint,
}

/// How a step is cut into kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// About six kernels a layer.
    Fused,
    /// Fifteen to twenty kernels a layer.
    OpByOp,
}

/// How kernels are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// Kernel by kernel.
    Eager,
    /// Captured once, replayed.
    Graph,
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arm {
    /// Of decode.
    Decode(DecodeArm),
    /// Of a command: values by placeholder. All arms have the same placeholders.
    Command(BTreeMap<String, String>),
}

/// One variant of decode, workload defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeArm {
    /// Launch mode.
    pub launch: Launch,
    /// Step plan.
    pub plan: Plan,
}

/// `[protocol]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Locked number of sessions, N.
    pub sessions: u32,
    /// Order of the arms in a session.
    pub order: Order,
    /// Discarded steps before each slot; none where a program warms up by itself.
    pub warmup_steps: u32,
    /// Timed steps per arm and session; even, half in each of the arm's two slots.
    pub measured_steps: u32,
    /// When the host waits; a program decides for itself.
    pub sync: Option<Sync>,
    /// Text that seeds everything random, together with lock and announcement.
    pub seed: String,
    /// Worker threads on a CPU target.
    pub threads: Option<u32>,
    /// Processors that the threads are pinned to; empty means not pinned (`"none"`).
    pub affinity: Vec<u32>,
    /// Environment variables that a session's process may see.
    pub environment: Vec<String>,
    /// Limit of one session.
    pub timeout: Duration,
    /// Whether a run under other code than the lock's is refused.
    pub same_code: bool,
    /// Blocks into which the sessions are spread over time; with more than one, a block and not a
    /// session is what inference counts. Divides `sessions`: session i (from 0) belongs to block
    /// i / (sessions / blocks).
    pub blocks: u32,
    /// Least time between the end of a block's last session and the start of the next block; zero with one block.
    pub min_gap: Duration,
}

impl Protocol {
    /// How many numbers inference reads: sessions, or blocks where there is more than one.
    #[must_use]
    pub const fn units(&self) -> u32 {
        if self.blocks > 1 {
            self.blocks
        } else {
            self.sessions
        }
    }
}

/// Order of arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A seeded permutation, then its reverse; every second session starts reversed.
    Mirror,
}

/// When the host waits for the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// After every step.
    PerStep,
    /// Once a slot.
    PerSlot,
}

/// One metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The author's text.
    pub source: String,
    /// Its meaning. One number a session.
    pub expression: Number,
    /// Dimension of the number.
    pub dimension: prereg_units::Dimension,
}

/// One gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The author's text.
    pub source: String,
    /// What it reads.
    pub scope: Scope,
    /// Its meaning: must hold.
    pub predicate: Predicate,
    /// What happens when it does not.
    pub otherwise: Outcome,
}

/// What a gate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each session alone.
    EachSession,
    /// All sessions together.
    AcrossSessions,
}

/// What a failed gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The claim abstains.
    Abstain,
    /// The session becomes missing.
    Exclude,
}

/// A pair of arms that are declared alike, measured like any other: what is found between them is error.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The metric: a quotient of one expression over the two arms.
    pub metric: String,
    /// Its interval must lie inside [1 / (1 + within), 1 + within]. Above 0.
    pub within: f64,
}

/// Values of a metric for which claims are made; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibratedRange {
    /// Smallest.
    pub from: Quantity,
    /// Largest; above the smallest.
    pub to: Quantity,
}

/// One claim, judged on each target of `on`.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The author's words.
    pub text: String,
    /// Targets, sorted; never empty.
    pub on: Vec<String>,
    /// Values of metrics if the claim is right.
    pub expected: BTreeMap<String, Quantity>,
    /// Values of metrics if it is wrong.
    pub rival: BTreeMap<String, Quantity>,
    /// Kill conditions; the claim is falsified when any holds. Never empty.
    pub kill: Vec<KillCondition>,
}

/// One kill condition.
#[derive(Clone, Debug, PartialEq)]
pub struct KillCondition {
    /// The author's text.
    pub source: String,
    /// Its meaning.
    pub condition: Condition,
}
