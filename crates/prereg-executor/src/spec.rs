//! What a session's process is told: everything it needs and nothing of the ledger.

use std::collections::BTreeMap;

use prereg_declaration::{Arm, Declaration, Launch, Plan, Weights};
use prereg_decode::LaunchMode;
use prereg_decode::plan::PlanKind;
use prereg_ledger::{Locked, Study};
use prereg_runs::{RunRecord, SeedRecord, SessionFolder};
use serde::{Deserialize, Serialize};

/// Format of a specification.
pub const SESSION_SCHEMA: &str = "prereg-session/1";

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
    /// What is decoded.
    pub workload: WorkloadSpec,
    /// Variants by name.
    pub arms: BTreeMap<String, ArmSpec>,
    /// Arm of each slot, in the order in which they run.
    pub order: Vec<String>,
    /// Discarded steps before each slot.
    pub warmup_steps: u32,
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
        let (protocol, workload) = (&declaration.protocol, &declaration.workload);
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
            workload: WorkloadSpec {
                model: workload.model.clone(),
                weights: match workload.weights {
                    Weights::Random => WeightsSpec::Random,
                    Weights::Checkpoint => WeightsSpec::Checkpoint,
                },
                context: workload.context,
            },
            arms: declaration
                .arms
                .iter()
                .map(|(name, arm)| (name.clone(), (*arm).into()))
                .collect(),
            order: seeds.mirror_order(
                declaration.arms.keys().map(String::as_str),
                folder.session(),
            ),
            warmup_steps: protocol.warmup_steps,
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

/// The model and its context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSpec {
    /// A shape by name, or a checkpoint folder.
    pub model: String,
    /// Where the weights come from.
    pub weights: WeightsSpec,
    /// Positions in the KV cache before the first step of a slot.
    pub context: u32,
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

impl From<Arm> for ArmSpec {
    fn from(arm: Arm) -> Self {
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
