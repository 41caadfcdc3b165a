//! What a recorded session is worth: observations, or a reason why it is missing.

use std::collections::BTreeMap;

use prereg_judgement::{Missing, Observations, Session, Slot};

use crate::planned::Planned;
use crate::recorded::{Recorded, RecordedSlot};

/// The session as it counts, given the arms of its slots and what is planned of each.
pub(crate) fn session(
    recorded: Recorded,
    facts: BTreeMap<String, String>,
    order: &[String],
    planned: &Planned,
) -> Session {
    if let Some(missing) = defect(&recorded.slots, order.len(), planned) {
        return Session::Missing(missing);
    }
    let slots = recorded
        .slots
        .into_iter()
        .zip(order)
        .map(|(recorded, planned)| slot(recorded, planned))
        .collect();
    Session::Complete(Observations {
        slots,
        columns: recorded.columns,
        facts,
    })
}

fn defect(slots: &[RecordedSlot], order: usize, planned: &Planned) -> Option<Missing> {
    let rejected: usize = slots.iter().map(RecordedSlot::rejected).sum();
    if rejected > 0 {
        return Some(Missing::RejectedSteps {
            count: rejected as u64,
        });
    }
    if slots.len() != order {
        let message = format!("it has {} slots where the lock gives {order}", slots.len());
        return Some(Missing::Failed { message });
    }
    slots.iter().enumerate().find_map(|(index, slot)| {
        let steps_per_slot = planned.steps_per_slot as usize;
        let steps = slot
            .reported
            .map_or(slot.step_ns.len(), |steps| steps as usize);
        // An arm that did not run as asked may have stopped early; the verdict abstains on it.
        if steps != steps_per_slot && slot.invalid.is_none() {
            let message =
                format!("slot {index} has {steps} steps where the lock gives {steps_per_slot}");
            Some(Missing::Failed { message })
        } else if planned.reported && !planned.sparse && !is_whole(slot) {
            let message = format!("some steps of slot {index} lack a column that others have");
            Some(Missing::Failed { message })
        } else if planned.reported && !fits(slot) {
            let message = format!(
                "the steps that the program reported of slot {index} take longer than its process did"
            );
            Some(Missing::Failed { message })
        } else if !planned.reported && !adds_up(slot) {
            let message =
                format!("the steps of slot {index} differ from its host time by more than 1 %");
            Some(Missing::Failed { message })
        } else {
            None
        }
    })
}

/// Whether the steps account for the slot's host time, within 1 %.
fn adds_up(slot: &RecordedSlot) -> bool {
    let steps: i128 = slot
        .step_ns
        .iter()
        .map(|step_ns| i128::from(*step_ns))
        .sum();
    let host = i128::from(slot.slot_ns);
    (steps - host).abs() * 100 <= host
}

/// Whether each column that a program reported is in every step of the slot.
fn is_whole(slot: &RecordedSlot) -> bool {
    let steps = slot.reported.map_or(0, |steps| steps as usize);
    let reported = [slot.step_ns.len(), slot.tokens.len(), slot.logits.len()];
    let declared = slot.columns.values().map(Vec::len);
    let mut lengths = reported
        .into_iter()
        .filter(|length| *length > 0)
        .chain(declared);
    lengths.all(|length| length == steps)
}

/// Whether the steps that a program reported lie within the wall time of its process.
fn fits(slot: &RecordedSlot) -> bool {
    let reported: i128 = slot.step_ns.iter().copied().map(i128::from).sum();
    reported <= i128::from(slot.slot_ns)
}

fn slot(recorded: RecordedSlot, planned: &str) -> Slot {
    let RecordedSlot {
        arm,
        invalid,
        step_ns,
        tokens,
        logits,
        columns,
        ..
    } = recorded;
    let out_of_order =
        (arm != planned).then(|| format!("{arm} ran where lock and announcement give {planned}"));
    Slot {
        arm,
        invalid: invalid.or(out_of_order),
        step_time: step_ns
            .iter()
            .map(|step_ns| *step_ns as f64 / 1e9)
            .collect(),
        tokens,
        logits,
        columns,
    }
}
