//! What surrounded a session: `environment.json`, captured before the first slot and after the last.
//!
//! Invariants: names are relative to the study; there is no host name, no user name and no absolute path. A reading
//! that the machine does not give is absent (`None`), never 0.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

/// Format of `environment.json`.
pub const ENVIRONMENT_SCHEMA: &str = "prereg-environment/1";

/// `environment.json`: what cannot change during a session once, what can change at both ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentRecord {
    /// [`ENVIRONMENT_SCHEMA`].
    pub schema: String,
    /// The machine and the program.
    pub host: Host,
    /// Before the first slot, weights in place.
    pub start: Conditions,
    /// After the last slot.
    pub end: Conditions,
    /// The program of a command workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
}

/// The program of a command workload, as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its name, without folders outside the study.
    pub name: String,
    /// SHA-256 of its file; of a script, that of its interpreter, whose inputs are locked.
    pub digest: Option<Digest>,
    /// Answers to the declared facts, each the first line of standard output; one that could not be had is absent.
    pub facts: BTreeMap<String, String>,
}

/// The machine and the program that ran on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Model name of the first processor.
    pub cpu_model: Option<String>,
    /// Instruction set of the build (`x86_64`).
    pub architecture: String,
    /// Logical processors that are online.
    pub processors: u32,
    /// Caches of the first processor, innermost first.
    pub caches: Vec<Cache>,
    /// Name and release of the operating system's kernel (`Linux 6.1.0`).
    pub kernel: Option<String>,
    /// Main memory, bytes.
    pub memory_bytes: Option<u64>,
    /// Instruction set that the decode kernels were dispatched to (`avx512`).
    pub kernels: String,
    /// Bytes of weights that the process holds.
    pub weights_bytes: u64,
    /// Version of the tool.
    pub version: String,
    /// SHA-256 of the executable.
    pub executable: Option<Digest>,
}

impl Host {
    /// Bytes of the outermost cache that holds data.
    #[must_use]
    pub fn last_level_cache_bytes(&self) -> Option<u64> {
        self.caches
            .iter()
            .filter(|c| c.kind != CacheKind::Instruction)
            .max_by_key(|c| c.level)
            .map(|c| c.bytes)
    }
}

/// One cache of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// 1 is the innermost.
    pub level: u32,
    /// What it holds.
    pub kind: CacheKind,
    /// Capacity, bytes.
    pub bytes: u64,
    /// Logical processors that share it.
    pub shared_by: u32,
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheKind {
    /// Data only.
    Data,
    /// Instructions only.
    Instruction,
    /// Both.
    Unified,
}

/// What can change while a session runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// Date, RFC 3339 UTC.
    pub time: String,
    /// Monotonic clock, nanoseconds since the machine started.
    pub monotonic_ns: u64,
    /// Wall clock minus monotonic clock, nanoseconds: a difference between the two ends is a step of the wall clock.
    pub wall_offset_ns: i64,
    /// Runnable processes averaged over 1, 5 and 15 minutes.
    pub load: Option<[f64; 3]>,
    /// Time that the hypervisor ran something else, over all processors since the machine started, in milliseconds.
    pub steal_ms: Option<u64>,
    /// Memory that can be had without swapping, bytes.
    pub memory_available_bytes: Option<u64>,
    /// Anonymous huge pages of this process, bytes.
    pub anon_huge_pages_bytes: Option<u64>,
    /// Largest resident size of this process so far, bytes.
    pub peak_resident_bytes: Option<u64>,
    /// System setting of transparent huge pages (`madvise`).
    pub transparent_huge_pages: Option<String>,
    /// Processors that the session's main thread may run on; one where threads are pinned.
    pub affinity: Vec<u32>,
    /// Frequency governors of the online processors, distinct and sorted; empty where there are none.
    pub governors: Vec<String>,
    /// Limits of the control groups that this process is in.
    pub limits: Limits,
    /// State of the study's git working tree.
    pub source: Source,
}

/// Limits that control groups set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Processors' worth of time.
    pub processors: Option<f64>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
}

/// State of the study's git working tree. What a run itself writes (`runs/`, `prereg/ledger/`, `reports/`) is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// It was read.
    Read {
        /// The commit that is checked out; absent before the first one.
        commit: Option<String>,
        /// Tracked files of the study that differ from the commit, at most [`SOURCE_NAMES`] of them.
        changed: Vec<String>,
        /// Untracked files of the study that git does not ignore, at most [`SOURCE_NAMES`] of them.
        untracked: Vec<String>,
        /// Files that differ or are untracked and are not named above: beyond the limit, or outside the study.
        unnamed: u64,
    },
    /// It could not be read.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// Most names that each list of [`Source`] holds.
pub const SOURCE_NAMES: usize = 32;
