//! What an expression may name: arms, metrics, and what the listed targets give.

use std::collections::BTreeMap;

use prereg_units::Dimension;

use crate::command::DeclaredColumn;
use crate::expression::vocabulary::{COLUMNS, OWN_COLUMNS};
use crate::targets::{Device, Target};

/// Names of one declaration.
pub(super) struct Names<'t> {
    pub(super) arms: Vec<String>,
    /// Every metric that is declared, checked or not.
    pub(super) metrics: Vec<String>,
    /// Metrics whose expression has been checked.
    pub(super) checked: BTreeMap<String, MetricFacts>,
    /// Every target that is listed, known or not.
    pub(super) listed: Vec<String>,
    /// The listed targets that are known.
    pub(super) targets: Vec<&'t Target>,
    /// Steps of one slot, where the protocol says it.
    pub(super) slot_steps: Option<u32>,
    /// What a program adds; nothing for decode.
    pub(super) program: Option<Program>,
}

/// Names that a command workload adds.
#[derive(Default)]
pub(super) struct Program {
    /// Columns by arm.
    pub(super) columns: BTreeMap<String, DeclaredColumn>,
    /// Columns without.
    pub(super) telemetry: BTreeMap<String, DeclaredColumn>,
    pub(super) facts: Vec<String>,
    /// Whether a probe follows its meters before a run.
    pub(super) is_probed: bool,
}

/// What an expression must know of a column.
#[derive(Clone, Copy)]
pub(super) struct ColumnFacts {
    pub(super) by_arm: bool,
    pub(super) dimension: Dimension,
}

/// What an expression that names a metric must know of it.
#[derive(Clone, Copy)]
pub(super) struct MetricFacts {
    pub(super) dimension: Dimension,
    /// Whether its value depends on an arm.
    pub(super) sees_arms: bool,
}

impl Names<'_> {
    /// The column of this name: one of the language's, or one that the program reports.
    pub(super) fn column(&self, name: &str) -> Option<ColumnFacts> {
        if let Some(entry) = COLUMNS.iter().find(|entry| entry.name == name) {
            return Some(ColumnFacts {
                by_arm: entry.by_arm,
                dimension: entry.dimension,
            });
        }
        let program = self.program.as_ref()?;
        let of = |column: &DeclaredColumn, by_arm| ColumnFacts {
            by_arm,
            dimension: column.dimension,
        };
        let by_arm = program.columns.get(name).map(|column| of(column, true));
        by_arm.or_else(|| Some(of(program.telemetry.get(name)?, false)))
    }

    /// Whether a column without arm is what a program says, which runs the arms and knows which.
    pub(super) fn is_said_by_program(&self, column: &str) -> bool {
        self.program.is_some() && !OWN_COLUMNS.contains(&column)
    }

    /// Every name of a column.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        let declared = self.program.iter().flat_map(|program| {
            let names = program.columns.keys().chain(program.telemetry.keys());
            names.map(String::as_str)
        });
        COLUMNS.iter().map(|entry| entry.name).chain(declared)
    }

    /// Names of the listed targets that give no value for a constant.
    pub(super) fn targets_without(&self, constant: &str) -> Vec<&str> {
        let lacking = self
            .targets
            .iter()
            .filter(|target| target.constant(constant).is_none());
        lacking.map(|target| target.name.as_str()).collect()
    }

    /// Names of the listed targets of a kind.
    pub(super) fn targets_of(&self, device: Device) -> Vec<&str> {
        let of_kind = self.targets.iter().filter(|target| target.device == device);
        of_kind.map(|target| target.name.as_str()).collect()
    }
}
