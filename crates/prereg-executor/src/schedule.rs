//! The order of work in a session: slots of arms, with read sweeps between them.
//!
//! The arms' order comes from the lock and the announcement (`mirror`: a permutation, then its reverse). A sweep over
//! the weights stands before the first slot, between any two neighbours and after the last, so that the whole is a
//! palindrome of kinds, a linear drift cancels in sweeps as it does in arms, and every slot has a neighbouring
//! measurement of the bandwidth on both sides. No sweep lies inside a slot.

/// One entry of a session's schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// Read all weights.
    Sweep {
        /// Index of the slot that follows; for the last sweep, the number of slots.
        before: u32,
    },
    /// Measure an arm.
    Slot {
        /// Index of the slot in the session.
        index: u32,
        /// The arm.
        arm: &'a str,
    },
}

/// The schedule of a session whose slots are `order`.
pub(crate) fn schedule(order: &[String]) -> Vec<Entry<'_>> {
    let slots = order.iter().zip(0..);
    let mut entries: Vec<Entry<'_>> = slots
        .flat_map(|(arm, index)| [Entry::Sweep { before: index }, Entry::Slot { index, arm }])
        .collect();
    entries.push(Entry::Sweep {
        before: order.len() as u32,
    });
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind<'a>(entry: &Entry<'a>) -> Option<&'a str> {
        match entry {
            Entry::Sweep { .. } => None,
            Entry::Slot { arm, .. } => Some(arm),
        }
    }

    #[test]
    fn a_mirrored_order_gives_a_palindrome_that_begins_and_ends_with_a_sweep() {
        let order = ["a", "b", "c", "c", "b", "a"].map(str::to_owned);
        let kinds: Vec<_> = schedule(&order).iter().map(kind).collect();
        let reversed: Vec<_> = kinds.iter().rev().copied().collect();
        assert_eq!(kinds, reversed);
        assert_eq!((kinds.first(), kinds.last()), (Some(&None), Some(&None)));
    }

    #[test]
    fn neighbouring_slots_of_one_arm_stay_two_with_a_sweep_between_them() {
        let order = ["a", "a"].map(str::to_owned);
        let expected = [
            Entry::Sweep { before: 0 },
            Entry::Slot { index: 0, arm: "a" },
            Entry::Sweep { before: 1 },
            Entry::Slot { index: 1, arm: "a" },
            Entry::Sweep { before: 2 },
        ];
        assert_eq!(schedule(&order), expected);
    }
}
