//! Bytes that a launch must move, tagged by what they are.

use std::iter::Sum;
use std::ops::Add;

/// Byte counts by tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Weights, biases and gains.
    pub weight: u64,
    /// Cached keys and values.
    pub kv: u64,
    /// Activations, logits and counters.
    pub other: u64,
}

impl Bytes {
    /// All tags together.
    #[must_use]
    pub fn total(self) -> u64 {
        self.weight + self.kv + self.other
    }
}

impl Add for Bytes {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            weight: self.weight + more.weight,
            kv: self.kv + more.kv,
            other: self.other + more.other,
        }
    }
}

/// Bytes read and bytes written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes read.
    pub read: Bytes,
    /// Bytes written.
    pub written: Bytes,
}

impl Add for Traffic {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            read: self.read + more.read,
            written: self.written + more.written,
        }
    }
}

impl Sum for Traffic {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), Add::add)
    }
}
