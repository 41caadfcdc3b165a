//! Constants that expressions may use, resolved from workload and targets when a declaration is
//! locked, so that judging needs neither the workload's code nor the targets file.

use prereg_declaration::{Arm, Declaration, DecodeArm, Plan, Target, Targets, Workload};
use prereg_decode::plan::{PlanKind, StepPlan};
use prereg_decode::shape::Shape;
use prereg_ledger::LockedConstant;
use prereg_units::Dimension;

/// Every constant of workload and targets: the workload's first, then target by target. A command has none of its own.
pub(crate) fn resolve(
    declaration: &Declaration,
    targets: &Targets,
    shape: Option<&Shape>,
) -> Vec<LockedConstant> {
    let mut constants = Vec::new();
    if let (Workload::Decode(decode), Some(shape)) = (&declaration.workload, shape) {
        constants.push(LockedConstant {
            target: None,
            name: "context".to_owned(),
            arm: None,
            value: f64::from(decode.context),
            unit: Dimension::TOKENS.to_string(),
            formula: "workload.context".to_owned(),
        });
        for (name, arm) in &declaration.arms {
            if let Arm::Decode(arm) = arm {
                constants.extend(of_arm(name, *arm, shape, decode.context));
            }
        }
    }
    for name in &declaration.targets {
        constants.extend(targets.get(name).into_iter().flat_map(of_target));
    }
    constants
}

fn of_arm(name: &str, arm: DecodeArm, shape: &Shape, context: u32) -> [LockedConstant; 3] {
    let kind = match arm.plan {
        Plan::Fused => PlanKind::Fused,
        Plan::OpByOp => PlanKind::OpByOp,
    };
    let plan = StepPlan::new(shape, kind, context as usize);
    let model = &shape.name;
    let constant =
        |constant: &str, value: f64, dimension: Dimension, formula: String| LockedConstant {
            target: None,
            name: constant.to_owned(),
            arm: Some(name.to_owned()),
            value,
            unit: dimension.to_string(),
            formula,
        };
    [
        constant(
            "weights_bytes",
            plan.weight_bytes() as f64,
            Dimension::DATA,
            format!(
                "weights that a step of the {kind} plan of {model} streams in bf16, an untied input-embedding table left out"
            ),
        ),
        constant(
            "kv_bytes",
            plan.kv_bytes() as f64,
            Dimension::DATA,
            format!("keys and values of {context} positions of {model} in bf16"),
        ),
        constant(
            "launches",
            plan.launches().len() as f64,
            Dimension::NONE,
            format!("kernel launches of a step of the {kind} plan of {model}"),
        ),
    ]
}

fn of_target(target: &Target) -> impl Iterator<Item = LockedConstant> {
    target.constants().map(|(name, sourced)| LockedConstant {
        target: Some(target.name.clone()),
        name: name.to_owned(),
        arm: None,
        value: sourced.value.value(),
        unit: sourced.value.dimension().to_string(),
        formula: sourced.source.clone(),
    })
}
