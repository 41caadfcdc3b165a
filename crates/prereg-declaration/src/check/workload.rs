//! The workload, and the arms with the workload's defaults filled in.

use std::collections::BTreeMap;

use crate::declaration::{Arm, Workload};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::{ParsedArm, ParsedWorkload};
use crate::section::Key;
use crate::value::Given;

pub(super) fn workload(parsed: ParsedWorkload) -> Option<Workload> {
    Some(Workload {
        model: parsed.model?,
        weights: parsed.weights?,
        context: parsed.context?,
    })
}

/// An arm's own launch mode and step plan win over the workload's; one of the two must give each.
pub(super) fn arms(
    arms: &[(Key, ParsedArm)],
    workload: &ParsedWorkload,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Arm> {
    let mut checked = BTreeMap::new();
    for (key, arm) in arms {
        let (launch, plan) = (arm.launch.or(workload.launch), arm.plan.or(workload.plan));
        if launch == Given::Absent {
            problems.push(missing(key, arm, "launch", "launch = \"eager\""));
        }
        if plan == Given::Absent {
            problems.push(missing(key, arm, "plan", "plan = \"fused\""));
        }
        if let (Given::Right(launch), Given::Right(plan)) = (launch, plan) {
            checked.insert(key.name.clone(), Arm { launch, plan });
        }
    }
    checked
}

fn missing(key: &Key, arm: &ParsedArm, what: &str, example: &str) -> Diagnostic {
    Diagnostic::new(
        Code::MissingKey,
        arm.span.clone(),
        format!(
            "neither the arm `{}` nor `[workload]` has `{what}`",
            key.name
        ),
    )
    .help(format!("add `{example}` to one of them"))
}
