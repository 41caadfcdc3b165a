//! The workload, and the arms with the workload's defaults filled in.

use std::collections::BTreeMap;

use super::command;
use super::names::Program;
use crate::declaration::{Arm, Decode, DecodeArm, Workload};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::{ParsedArm, ParsedDecode, ParsedDecodeArm, ParsedWorkload};
use crate::section::Key;
use crate::value::Given;

/// Workload and arms, as far as they check, and the names that expressions may use of them.
pub(super) struct Checked {
    pub(super) workload: Option<Workload>,
    pub(super) arms: BTreeMap<String, Arm>,
    pub(super) program: Option<Program>,
}

/// `threads` is that of the protocol.
pub(super) fn workload(
    workload: ParsedWorkload,
    arms: &[(Key, ParsedArm)],
    threads: Given<u32>,
    problems: &mut Diagnostics,
) -> Checked {
    match workload {
        ParsedWorkload::Decode(decode) => Checked {
            arms: decode_arms(arms, &decode, problems),
            workload: self::decode(decode),
            program: None,
        },
        ParsedWorkload::Command(command) => command::command(*command, arms, threads, problems),
    }
}

fn decode(parsed: ParsedDecode) -> Option<Workload> {
    Some(Workload::Decode(Decode {
        model: parsed.model?,
        weights: parsed.weights?,
        context: parsed.context?,
    }))
}

/// An arm's own launch mode and step plan win over the workload's; one of the two must give each.
fn decode_arms(
    arms: &[(Key, ParsedArm)],
    workload: &ParsedDecode,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Arm> {
    let mut checked = BTreeMap::new();
    for (key, arm) in arms {
        let ParsedArm::Decode(arm) = arm else {
            continue;
        };
        let (launch, plan) = (arm.launch.or(workload.launch), arm.plan.or(workload.plan));
        if launch == Given::Absent {
            problems.push(missing(key, arm, "launch", "launch = \"eager\""));
        }
        if plan == Given::Absent {
            problems.push(missing(key, arm, "plan", "plan = \"fused\""));
        }
        if let (Given::Right(launch), Given::Right(plan)) = (launch, plan) {
            checked.insert(key.name.clone(), Arm::Decode(DecodeArm { launch, plan }));
        }
    }
    checked
}

fn missing(key: &Key, arm: &ParsedDecodeArm, what: &str, example: &str) -> Diagnostic {
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
