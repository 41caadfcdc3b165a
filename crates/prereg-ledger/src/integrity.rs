//! Chains against their head files and against each other.

use std::collections::BTreeMap;

use crate::chain::Chain;
use crate::files::HeadFile;
use crate::finding::{Finding, Leftover};
use crate::name::WriterId;

/// A chain against itself and against its head file.
pub(crate) fn check_chain(
    chain: &Chain,
    head: HeadFile,
    findings: &mut Vec<Finding>,
    leftovers: &mut Vec<Leftover>,
) {
    let writer = chain.writer.clone();
    let found = chain.head().count;
    if let Some(at) = &chain.broken {
        findings.push(Finding::BrokenChain {
            writer: writer.clone(),
            at: at.clone(),
        });
    }
    if chain.torn_bytes > 0 {
        leftovers.push(Leftover::TornLine {
            writer: writer.clone(),
            bytes: chain.torn_bytes,
        });
    }
    match head.value() {
        None => findings.push(Finding::HeadUnreadable { writer }),
        Some(head) if head == chain.head() => {}
        Some(head) if chain.has_prefix(head) => leftovers.push(Leftover::StaleHead {
            writer,
            head,
            found,
        }),
        // Behind a break nothing is counted: the break is the finding.
        Some(head) if head.count > found && chain.broken.is_some() => {}
        Some(head) if head.count > found => findings.push(Finding::ChainCut {
            writer,
            head,
            found,
        }),
        Some(head) => findings.push(Finding::HeadMismatch { writer, head }),
    }
}

/// What records cite of other chains against what is here.
pub(crate) fn check_seen(chains: &[Chain], findings: &mut Vec<Finding>) {
    let by_writer: BTreeMap<&WriterId, &Chain> =
        chains.iter().map(|chain| (&chain.writer, chain)).collect();
    for chain in chains {
        // One finding for each cited chain: later records cite it again.
        let mut reported: Vec<&WriterId> = Vec::new();
        for record in &chain.records {
            for (other, head) in &record.seen {
                let here = by_writer
                    .get(other)
                    .is_some_and(|cited| cited.has_prefix(*head));
                if !here && !reported.contains(&other) {
                    reported.push(other);
                    findings.push(Finding::SeenElsewhere {
                        writer: chain.writer.clone(),
                        seq: record.seq,
                        other: other.clone(),
                        head: *head,
                    });
                }
            }
        }
    }
}
