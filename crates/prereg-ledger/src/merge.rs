//! One order of the records of all chains, and what each record had seen.
//!
//! A record comes after the one before it in its chain and after every record that its `seen`
//! covers. Between records that did not see each other the earlier stated time comes first, then
//! the writer's name: the order is the same on every machine, and stated times never overrule
//! `seen`.

use std::collections::BTreeMap;

use crate::chain::Chain;
use crate::name::WriterId;
use crate::record::Record;

/// Where a record stands: index of its chain and its `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) chain: usize,
    pub(crate) seq: usize,
}

/// The records of all chains in one order.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(crate) order: Vec<Position>,
    /// For each chain and record: how many records of every chain it had seen, itself included.
    sight: Vec<Vec<Vec<usize>>>,
}

impl Merged {
    /// `chains` sorted by writer. Only a `seen` that is a prefix of a chain here counts.
    pub(crate) fn new(chains: &[Chain]) -> Self {
        let index: BTreeMap<&WriterId, usize> = chains
            .iter()
            .enumerate()
            .map(|(index, chain)| (&chain.writer, index))
            .collect();
        let mut merged = Self {
            order: Vec::new(),
            sight: vec![Vec::new(); chains.len()],
        };
        loop {
            let heads = (0..chains.len()).filter_map(|chain| {
                let seq = merged.sight[chain].len();
                Some((Position { chain, seq }, chains[chain].records.get(seq)?))
            });
            // Digests make a cycle of `seen` infeasible; were there one, the order would still end.
            let next = heads.min_by_key(|(position, record)| {
                let ready = cited(chains, &index, record)
                    .all(|(chain, count)| merged.sight[chain].len() >= count);
                (!ready, record.time.as_str(), position.chain)
            });
            let Some((position, record)) = next else {
                return merged;
            };
            let sight = merged.sight_of(chains, &index, position, record);
            merged.sight[position.chain].push(sight);
            merged.order.push(position);
        }
    }

    fn sight_of(
        &self,
        chains: &[Chain],
        index: &BTreeMap<&WriterId, usize>,
        position: Position,
        record: &Record,
    ) -> Vec<usize> {
        let mut sight = self.sight[position.chain]
            .last()
            .cloned()
            .unwrap_or_else(|| vec![0; chains.len()]);
        for (chain, count) in cited(chains, index, record) {
            let indirect = count
                .checked_sub(1)
                .and_then(|last| self.sight[chain].get(last));
            for (own, other) in sight.iter_mut().zip(indirect.into_iter().flatten()) {
                *own = (*own).max(*other);
            }
        }
        sight[position.chain] = position.seq + 1;
        sight
    }

    /// Whether `later` was written by somebody who had seen `earlier`.
    pub(crate) fn saw(&self, later: Position, earlier: Position) -> bool {
        self.sight[later.chain][later.seq][earlier.chain] > earlier.seq
    }
}

/// The chains that a record cites, with how much of each, where the citation holds.
fn cited<'a>(
    chains: &'a [Chain],
    index: &'a BTreeMap<&WriterId, usize>,
    record: &'a Record,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    record.seen.iter().filter_map(|(writer, head)| {
        let chain = *index.get(writer)?;
        chains[chain]
            .has_prefix(*head)
            .then_some((chain, usize::try_from(head.count).ok()?))
    })
}
