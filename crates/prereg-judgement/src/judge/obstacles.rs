//! What makes every claim of a run abstain.

use std::collections::BTreeMap;

use prereg_declaration::{Declaration, Outcome};

use super::run::Run;
use crate::samples::{Samples, Session};
use crate::verdict::{ControlResult, GateState, Reason};

/// Gates by name, then controls, then calibrated ranges, then arms that did not run as asked, once
/// each.
pub(super) fn obstacles(
    declaration: &Declaration,
    samples: &Samples,
    run: &Run<'_>,
    controls: &BTreeMap<String, ControlResult>,
) -> Vec<Reason> {
    let abstains = |gate: &String| {
        let gate = declaration.gates.get(gate);
        gate.is_some_and(|gate| gate.otherwise == Outcome::Abstain)
    };
    let gates = run.gates.iter().filter(|(name, _)| abstains(name));
    let gates = gates.filter_map(|(gate, result)| {
        let gate = gate.clone();
        match result.state {
            GateState::Held => None,
            GateState::Failed => Some(Reason::GateFailed { gate }),
            GateState::Unobserved => Some(Reason::GateUnobserved { gate }),
        }
    });
    let controls = controls.iter().filter_map(|(control, result)| {
        let control = control.clone();
        match result.state {
            GateState::Held => None,
            GateState::Failed => Some(Reason::ControlFailed { control }),
            GateState::Unobserved => Some(Reason::ControlUnobserved { control }),
        }
    });
    let ranges = run.calibrated_range.iter().filter_map(|(metric, result)| {
        let metric = metric.clone();
        match result.state {
            GateState::Held => None,
            GateState::Failed => Some(Reason::OutsideCalibratedRange { metric }),
            GateState::Unobserved => Some(Reason::CalibratedRangeUnobserved { metric }),
        }
    });
    gates
        .chain(controls)
        .chain(ranges)
        .chain(invalid_arms(samples))
        .collect()
}

fn invalid_arms(samples: &Samples) -> impl Iterator<Item = Reason> {
    let mut invalid = BTreeMap::new();
    for session in &samples.sessions {
        let Session::Complete(observations) = session else {
            continue;
        };
        for slot in &observations.slots {
            if let Some(message) = &slot.invalid {
                invalid.entry(&slot.arm).or_insert(message);
            }
        }
    }
    invalid
        .into_iter()
        .map(|(arm, message)| Reason::ArmInvalid {
            arm: arm.clone(),
            message: message.clone(),
        })
}
