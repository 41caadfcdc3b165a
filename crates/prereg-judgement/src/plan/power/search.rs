//! Better numbers of sessions.

use prereg_declaration::Declaration;

use super::Plans;
use super::claim_plan::is_enough;
use crate::method::Reading;

/// Numbers of units beyond this are not proposed.
const MOST_UNITS: u32 = 1000;
/// The same where each must be simulated.
const MOST_SIMULATED: u32 = 400;
/// Probabilities that differ by less are the same to a planner.
const SAME: f64 = 1e-3;

/// The smallest number of sessions at which every claim decides.
///
/// In closed form every number is tried: more order statistics do not always decide better. Where
/// it is simulated, the number is found by doubling and halving, and it decides. A census has the
/// sessions that it has: no other number is better.
pub(in crate::plan) fn sufficient_sessions(
    declaration: &Declaration,
    plans: &Plans<'_>,
) -> Option<u32> {
    if !Reading::of(declaration).infers() {
        return None;
    }
    let decides = |units: &u32| plans.iter().all(|(_, plan)| plan.decides(*units));
    let units = if is_closed(plans) {
        (1..=MOST_UNITS).find(decides)
    } else {
        let start = declaration.protocol.units().clamp(1, MOST_SIMULATED);
        smallest(start, MOST_SIMULATED, decides)
    };
    units.map(|units| units * sessions_per_unit(declaration))
}

/// The smallest number of sessions below the declared one at which no claim decides worse; none
/// where the declared number does not decide, and none under a census.
pub(super) fn fewer_sessions(declaration: &Declaration, plans: &Plans<'_>) -> Option<u32> {
    let declared = declaration.protocol.units();
    let is_out_of_reach = declared > MOST_SIMULATED && !is_closed(plans);
    if is_out_of_reach || !Reading::of(declaration).infers() {
        return None;
    }
    let power: Vec<[f64; 2]> = plans.iter().map(|(_, plan)| plan.power(declared)).collect();
    if !power.iter().copied().all(is_enough) {
        return None;
    }
    let as_well = |units: &u32| {
        plans.iter().zip(&power).all(|((_, plan), declared)| {
            let found = plan.power(*units);
            found
                .iter()
                .zip(declared)
                .all(|(found, declared)| found + SAME >= *declared)
        })
    };
    let units = if is_closed(plans) {
        (1..declared.min(MOST_UNITS)).find(as_well)
    } else {
        smallest(declared, declared, as_well).filter(|units| *units < declared)
    };
    units.map(|units| units * sessions_per_unit(declaration))
}

fn is_closed(plans: &Plans<'_>) -> bool {
    plans.iter().all(|(_, plan)| plan.experiments().is_none())
}

fn sessions_per_unit(declaration: &Declaration) -> u32 {
    let protocol = &declaration.protocol;
    protocol.sessions / protocol.units().max(1)
}

/// A number up to `most` that will do while the one tried below it would not: `start` doubled until
/// it does, then halved towards the last that did not.
fn smallest(start: u32, most: u32, does: impl Fn(&u32) -> bool) -> Option<u32> {
    let (mut below, mut enough) = (0, start);
    while !does(&enough) {
        if enough >= most {
            return None;
        }
        (below, enough) = (enough, enough.saturating_mul(2).min(most));
    }
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if does(&middle) {
            enough = middle;
        } else {
            below = middle;
        }
    }
    Some(enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_is_found_from_above_and_from_below() {
        for start in [1, 7, 8, 9, 30] {
            assert_eq!(smallest(start, 400, |n| *n >= 8), Some(8), "{start}");
        }
        assert_eq!(smallest(3, 400, |n| *n > 400), None);
        assert_eq!(smallest(3, 400, |n| *n >= 400), Some(400));
    }
}
