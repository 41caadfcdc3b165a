//! A record where it stands.

use crate::merge::{Merged, Position};
use crate::name::WriterId;
use crate::record::Record;

/// A record with its chain and its place among all records.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) writer: &'a WriterId,
    pub(super) record: &'a Record,
    pub(super) position: Position,
    /// How many records precede it in the merged order.
    pub(super) rank: usize,
    pub(super) merged: &'a Merged,
}

impl Placed<'_> {
    /// Whether its writer had seen any of these records.
    pub(super) fn saw_any(&self, earlier: &[Position]) -> bool {
        earlier
            .iter()
            .any(|earlier| self.merged.saw(self.position, *earlier))
    }
}
