//! Whether a run kept the gaps between blocks that its plan has.

use prereg_ledger::clock::rfc3339_ns;
use prereg_ledger::{Locked, Run};

use super::Problem;

/// Dates in the ledger are whole seconds.
const RESOLUTION_NS: u128 = 1_000_000_000;

/// Blocks that began too soon, a problem each.
pub(super) fn broken(locked: &Locked, run: &Run, voids_verdict: bool) -> Vec<Problem> {
    early_blocks(locked, run)
        .map(|block| Problem {
            code: "session-gap".to_owned(),
            message: format!(
                "block {} of run {} began before the locked min-gap had passed",
                block + 1,
                run.id
            ),
            fix: "do not read its blocks as separate sittings: make a replication".to_owned(),
            voids_verdict,
        })
        .collect()
}

/// Blocks that began too soon after the block before, or of which the ledger does not say when they began.
fn early_blocks<'a>(locked: &'a Locked, run: &'a Run) -> impl Iterator<Item = u32> + 'a {
    let protocol = &locked.declaration().protocol;
    let per_block = protocol.sessions / protocol.blocks.max(1);
    let min_gap_ns = protocol.min_gap.as_nanos().saturating_sub(RESOLUTION_NS);
    (1..protocol.blocks).filter(move |block| {
        let first = block * per_block;
        let date = |text: Option<&String>| text.and_then(|text| rfc3339_ns(text));
        if !run.ended.contains_key(&first) {
            return false;
        }
        let ended = date(run.ended.get(&(first - 1)));
        let begun = date(run.begun.get(&first));
        let gap_ns = ended.zip(begun).map(|(ended, begun)| begun - ended);
        gap_ns.is_none_or(|gap_ns| u128::try_from(gap_ns).map_or(true, |gap| gap < min_gap_ns))
    })
}
