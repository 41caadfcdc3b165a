//! `done.json`: how a session ended. Its presence ends the session; a session that began and has
//! none is torn, and missing for good.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use prereg_ledger::{Purpose, RunSeeds};
use serde::{Deserialize, Serialize};

/// `done.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoneRecord {
    /// [`DoneRecord::SCHEMA`].
    pub schema: String,
    /// Index of the session.
    pub session: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The arms of its slots, in the order of execution.
    pub order: Vec<String>,
    /// Its seeds.
    pub seeds: SeedRecord,
    /// Digests of its other files, by name.
    pub files: BTreeMap<String, Digest>,
}

impl DoneRecord {
    /// The format that this version writes and reads.
    pub const SCHEMA: &str = "prereg-done/1";
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// Every slot was measured.
    Complete,
    /// It gave up.
    Failed {
        /// Why, in words.
        message: String,
    },
    /// It ran past the locked time-out and was ended.
    TimedOut,
}

/// Seeds of a session, each 32 bytes in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedRecord {
    /// Random weights.
    pub weights: Digest,
    /// Tokens of the prompt.
    pub prompt: Digest,
    /// Contents of the KV cache.
    pub kv: Digest,
    /// Permutation of the arms; shared by sessions 2i and 2i + 1.
    pub order: Digest,
}

impl SeedRecord {
    /// The seeds of a session of a run.
    #[must_use]
    pub fn of(seeds: &RunSeeds, session: u32) -> Self {
        let seed = |session, purpose| Digest::from_bytes(seeds.seed(session, purpose));
        Self {
            weights: seed(session, Purpose::Weights),
            prompt: seed(session, Purpose::Prompt),
            kv: seed(session, Purpose::Kv),
            order: seed(session & !1, Purpose::Order),
        }
    }
}
