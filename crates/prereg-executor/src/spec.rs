//! What a session's process is told: everything it needs and nothing of the ledger.

use std::collections::BTreeMap;

use prereg_declaration::{
    Arm, Command, Declaration, DeclaredColumn, Decode, DecodeArm, Digest, Interval, Launch, Plan,
    Weights, Workload, columns_used,
};
use prereg_decode::LaunchMode;
use prereg_decode::plan::PlanKind;
use prereg_ledger::{Locked, Study};
use prereg_runs::{RunRecord, SeedRecord, SessionFolder};
use serde::{Deserialize, Serialize};

/// Format of a specification.
pub const SESSION_SCHEMA: &str = "prereg-session/2";

/// One session, as JSON on the standard input of its process. Paths are relative to the study's root, in which the
/// process works, so that no message of it names an absolute path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSpec {
    /// [`SESSION_SCHEMA`].
    pub schema: String,
    /// The process that started it and waits for it.
    pub parent: u32,
    /// The session's folder, which was claimed for it.
    pub folder: String,
    /// Index of the session, from 0.
    pub index: u32,
    /// What is run.
    pub workload: WorkloadSpec,
    /// Arm of each slot, in the order in which they run.
    pub order: Vec<String>,
    /// Timed steps of each slot.
    pub slot_steps: u32,
    /// Worker threads.
    pub threads: u32,
    /// Processors that the threads are pinned to; empty means not pinned.
    pub affinity: Vec<u32>,
    /// Seeds of this session.
    pub seeds: SeedRecord,
}

impl SessionSpec {
    /// The session that `folder` was claimed for, of the run `run` of `locked`.
    pub(crate) fn of(
        study: &Study,
        locked: &Locked,
        run: &RunRecord,
        folder: &SessionFolder,
    ) -> Self {
        let declaration = locked.declaration();
        let protocol = &declaration.protocol;
        let seeds = locked.seeds(run.announcement);
        let path = folder
            .path()
            .strip_prefix(study.root())
            .unwrap_or(folder.path());
        Self {
            schema: SESSION_SCHEMA.to_owned(),
            parent: std::process::id(),
            folder: path.to_string_lossy().into_owned(),
            index: folder.session(),
            workload: match &declaration.workload {
                Workload::Decode(decode) => {
                    WorkloadSpec::Decode(DecodeSpec::of(decode, declaration))
                }
                Workload::Command(command) => {
                    WorkloadSpec::Command(Box::new(CommandSpec::of(command, locked)))
                }
            },
            order: seeds.mirror_order(
                declaration.arms.keys().map(String::as_str),
                folder.session(),
            ),
            slot_steps: slot_steps(declaration),
            threads: threads(declaration),
            affinity: protocol.affinity.clone(),
            seeds: SeedRecord::of(&seeds, folder.session()),
        }
    }
}

/// Timed steps of a slot: in mirror order every arm has two.
pub(crate) fn slot_steps(declaration: &Declaration) -> u32 {
    declaration.protocol.measured_steps / 2
}

/// Threads of a session. A declaration for a CPU target gives them.
pub(crate) fn threads(declaration: &Declaration) -> u32 {
    declaration.protocol.threads.unwrap_or(1)
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WorkloadSpec {
    /// Decode steps, made in the session's process.
    Decode(DecodeSpec),
    /// A program, a fresh process a slot.
    Command(Box<CommandSpec>),
}

/// A program; its fields are those of [`Command`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandSpec {
    /// Program and arguments, placeholders not filled in.
    pub words: Vec<String>,
    /// Variables that are set for it, placeholders not filled in.
    pub environment: BTreeMap<String, String>,
    /// Values of placeholders, by arm.
    pub arms: BTreeMap<String, BTreeMap<String, String>>,
    /// Word of the reader.
    pub reader: String,
    /// Columns by arm that it may report, each with its unit.
    pub columns: BTreeMap<String, String>,
    /// Columns without arm that it may report, each with its unit.
    pub telemetry: BTreeMap<String, String>,
    /// Commands whose answers are recorded.
    pub facts: BTreeMap<String, Vec<String>>,
    /// Locked files and their digests.
    pub files: BTreeMap<String, Digest>,
    /// Whether it measures. Under a census it reads figures that were there: they need not be in every step, nor fit into
    /// the time of its process.
    pub measures: bool,
    /// Whether bandwidth is read before the first slot and after the last: it takes longer than a small program does.
    pub read_bandwidth: bool,
    /// Time that the session has, from its beginning, in milliseconds.
    pub limit_ms: u64,
}

impl CommandSpec {
    fn of(command: &Command, locked: &Locked) -> Self {
        let declaration = locked.declaration();
        let units = |columns: BTreeMap<String, DeclaredColumn>| {
            let units = columns.into_iter();
            units.map(|(name, column)| (name, column.unit)).collect()
        };
        let arms = declaration.arms.iter().filter_map(|(name, arm)| match arm {
            Arm::Command(values) => Some((name.clone(), values.clone())),
            Arm::Decode(_) => None,
        });
        Self {
            words: command.words.clone(),
            environment: command.environment.clone(),
            arms: arms.collect(),
            reader: command.reader.name().to_owned(),
            columns: units(command.reported_columns()),
            telemetry: units(command.reported_telemetry()),
            facts: command.facts.clone(),
            files: locked.lock().files.clone(),
            measures: declaration.inference.interval != Interval::Census,
            read_bandwidth: columns_used(declaration)
                .iter()
                .any(|column| column.name == "read_bandwidth"),
            limit_ms: declaration.protocol.timeout.as_millis() as u64,
        }
    }
}

/// The model, its context and the variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecodeSpec {
    /// A shape by name, or a checkpoint folder.
    pub model: String,
    /// Where the weights come from.
    pub weights: WeightsSpec,
    /// Positions in the KV cache before the first step of a slot.
    pub context: u32,
    /// Variants by name.
    pub arms: BTreeMap<String, ArmSpec>,
    /// Discarded steps before each slot.
    pub warmup_steps: u32,
}

impl DecodeSpec {
    fn of(decode: &Decode, declaration: &Declaration) -> Self {
        let arms = declaration.arms.iter().filter_map(|(name, arm)| match arm {
            Arm::Decode(arm) => Some((name.clone(), (*arm).into())),
            Arm::Command(_) => None,
        });
        Self {
            model: decode.model.clone(),
            weights: match decode.weights {
                Weights::Random => WeightsSpec::Random,
                Weights::Checkpoint => WeightsSpec::Checkpoint,
            },
            context: decode.context,
            arms: arms.collect(),
            warmup_steps: declaration.protocol.warmup_steps,
        }
    }
}

/// Where the weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightsSpec {
    /// Seeded random normals.
    Random,
    /// The checkpoint's tensors.
    Checkpoint,
}

/// One variant; both values are spelled as in a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSpec {
    /// Launch mode.
    #[serde(serialize_with = "by_name", deserialize_with = "launch_named")]
    pub launch: LaunchMode,
    /// Step plan.
    #[serde(serialize_with = "by_name", deserialize_with = "plan_named")]
    pub plan: PlanKind,
}

impl From<DecodeArm> for ArmSpec {
    fn from(arm: DecodeArm) -> Self {
        Self {
            launch: match arm.launch {
                Launch::Eager => LaunchMode::Eager,
                Launch::Graph => LaunchMode::Graph,
            },
            plan: match arm.plan {
                Plan::Fused => PlanKind::Fused,
                Plan::OpByOp => PlanKind::OpByOp,
            },
        }
    }
}

fn by_name<T: std::fmt::Display, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn launch_named<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<LaunchMode, D::Error> {
    let name = String::deserialize(deserializer)?;
    LaunchMode::named(&name)
        .ok_or_else(|| serde::de::Error::custom(format_args!("no launch mode is called `{name}`")))
}

fn plan_named<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<PlanKind, D::Error> {
    let name = String::deserialize(deserializer)?;
    PlanKind::named(&name)
        .ok_or_else(|| serde::de::Error::custom(format_args!("no step plan is called `{name}`")))
}
