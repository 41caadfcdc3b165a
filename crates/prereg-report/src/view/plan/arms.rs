//! The arms and what tells them apart.

use std::collections::BTreeMap;

use prereg_declaration::{Arm, Declaration, DecodeArm, Launch, Plan};
use serde::Serialize;

use super::{Markdown, markdown};
use crate::markdown::code;

/// A row for each arm: launch and step plan of decode, or the value of each placeholder of a program.
#[derive(Debug, Serialize)]
pub(super) struct ArmTable {
    columns: Vec<Markdown>,
    rows: Vec<ArmRow>,
}

#[derive(Debug, Serialize)]
struct ArmRow {
    name: String,
    baseline: bool,
    values: Vec<Markdown>,
}

impl ArmTable {
    pub(super) fn of(declaration: &Declaration) -> Self {
        let columns = declaration
            .arms
            .values()
            .next()
            .map_or_else(Vec::new, columns);
        let rows = declaration.arms.iter().map(|(name, arm)| ArmRow {
            name: name.clone(),
            baseline: *name == declaration.baseline,
            values: values(arm),
        });
        Self {
            columns,
            rows: rows.collect(),
        }
    }
}

/// All arms have the same.
fn columns(arm: &Arm) -> Vec<Markdown> {
    match arm {
        Arm::Decode(_) => ["launch", "step plan"]
            .map(|column| markdown(column.to_owned()))
            .into(),
        Arm::Command(values) => codes(values.keys().map(|name| format!("{{{name}}}"))),
    }
}

fn values(arm: &Arm) -> Vec<Markdown> {
    match arm {
        Arm::Decode(arm) => decode(*arm).map(|text| markdown(text.to_owned())).into(),
        Arm::Command(values) => command(values),
    }
}

fn decode(arm: DecodeArm) -> [&'static str; 2] {
    let launch = match arm.launch {
        Launch::Eager => "eager: kernel by kernel",
        Launch::Graph => "graph: prepared once, replayed",
    };
    let plan = match arm.plan {
        Plan::Fused => "fused",
        Plan::OpByOp => "op-by-op",
    };
    [launch, plan]
}

fn command(values: &BTreeMap<String, String>) -> Vec<Markdown> {
    codes(values.values().cloned())
}

fn codes(texts: impl Iterator<Item = String>) -> Vec<Markdown> {
    texts.map(|text| markdown(code(&text))).collect()
}
