//! Seeds, and the order of the arms.
//!
//! A seed is the SHA-256 of its parts, each preceded by its length in bytes as a 64-bit
//! little-endian integer, so that no two lists of parts give the same bytes. Digests enter as
//! their 32 bytes, texts as UTF-8, indices as 64-bit little-endian integers.
//!
//! - Session: `"prereg/seed/1"`, lock id, declared seed, announcement's digest, session index,
//!   purpose. Whoever locks cannot roll them before the lock, since the announcement comes later;
//!   announcements can still be tried out offline, so the seeds bind outputs to an announcement
//!   and prove nothing about how it was chosen.
//! - Analysis: `"prereg/analysis-seed/1"`, lock id, metric, target, cell. The announcement is not
//!   part of it: every run of a lock is resampled alike.

use prereg_declaration::Digest;
use prereg_stats::{Generator, Seed};

use crate::lock::Cell;

/// What a session's seed is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Random weights.
    Weights,
    /// Tokens of the prompt.
    Prompt,
    /// Contents of the KV cache before the first step.
    Kv,
    /// Permutation of the arms.
    Order,
}

impl Purpose {
    /// The word that enters the seed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Prompt => "prompt",
            Self::Kv => "kv",
            Self::Order => "order",
        }
    }
}

/// Seeds of the sessions of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSeeds {
    lock: Digest,
    declared: String,
    announcement: Digest,
}

impl RunSeeds {
    /// Seeds of the run of `lock` that the record `announcement` announced; `declared` is the
    /// declaration's `seed`.
    #[must_use]
    pub fn new(lock: Digest, declared: &str, announcement: Digest) -> Self {
        Self {
            lock,
            declared: declared.into(),
            announcement,
        }
    }

    /// Seed of a session for a purpose.
    #[must_use]
    pub fn seed(&self, session: u32, purpose: Purpose) -> [u8; 32] {
        seed_of(&[
            b"prereg/seed/1",
            self.lock.as_bytes(),
            self.declared.as_bytes(),
            self.announcement.as_bytes(),
            &u64::from(session).to_le_bytes(),
            purpose.as_str().as_bytes(),
        ])
    }

    /// The slots of a session in `mirror` order: a permutation of the arms, then its reverse.
    ///
    /// Sessions 2i and 2i + 1 share the permutation that session 2i's seed for
    /// [`Purpose::Order`] gives of the sorted arms; session 2i + 1 begins with its reverse.
    #[must_use]
    pub fn mirror_order<'a>(
        &self,
        arms: impl IntoIterator<Item = &'a str>,
        session: u32,
    ) -> Vec<String> {
        let mut half: Vec<&str> = arms.into_iter().collect();
        half.sort_unstable();
        Generator::new(Seed(self.seed(session & !1, Purpose::Order))).shuffle(&mut half);
        if session & 1 == 1 {
            half.reverse();
        }
        half.iter()
            .chain(half.iter().rev())
            .map(|arm| (*arm).to_owned())
            .collect()
    }
}

/// Seed of the resampling of a metric on a target and cell, for every run of `lock`.
#[must_use]
pub fn analysis_seed(lock: Digest, metric: &str, target: &str, cell: &Cell) -> [u8; 32] {
    seed_of(&[
        b"prereg/analysis-seed/1",
        lock.as_bytes(),
        metric.as_bytes(),
        target.as_bytes(),
        cell.to_string().as_bytes(),
    ])
}

fn seed_of(parts: &[&[u8]]) -> [u8; 32] {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    *Digest::of(&bytes).as_bytes()
}
