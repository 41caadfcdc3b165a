//! Integrity problems, each with its fix.
//!
//! A finding on a chain that carries a lock or a run of record voids the verdicts on it; on
//! another chain it voids the runs of that chain. What a crash leaves is not a finding but a
//! [`Leftover`]: no record is lost or changed, and the next writing command repairs it.

use std::fmt;

use prereg_declaration::Digest;
use strum::{IntoStaticStr, VariantNames};

use crate::chain::{Break, BreakProblem};
use crate::head::{Head, KeptHead};
use crate::life::LifeProblem;
use crate::lock::FolderProblem;
use crate::name::{RunId, WriterId};

/// An integrity problem of ledger or locks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Finding {
    /// A line does not continue its chain.
    #[error("chain {writer}, line {}: {}", at.line, at.problem)]
    BrokenChain {
        /// The chain.
        writer: WriterId,
        /// Where and how.
        at: Break,
    },
    /// A chain is shorter than its head file says.
    #[error("chain {writer} has {found} records where its head file says {}: its end was cut off", head.count)]
    ChainCut {
        /// The chain.
        writer: WriterId,
        /// What the head file says.
        head: Head,
        /// Records that are here.
        found: u64,
    },
    /// A head file gives another digest than the chain has there.
    #[error("chain {writer} is not the chain that its head file describes at record {}", head.count)]
    HeadMismatch {
        /// The chain.
        writer: WriterId,
        /// What the head file says.
        head: Head,
    },
    /// A head file cannot be read.
    #[error("the head file of chain {writer} is not a count and a digest")]
    HeadUnreadable {
        /// The chain.
        writer: WriterId,
    },
    /// A record cites what is not here.
    #[error("chain {writer}, record {seq}, saw {} records of chain {other} that are not here as it saw them", head.count)]
    SeenElsewhere {
        /// The citing chain.
        writer: WriterId,
        /// The citing record.
        seq: u64,
        /// The cited chain.
        other: WriterId,
        /// What was cited.
        head: Head,
    },
    /// A file in the ledger's folder belongs to no writer.
    #[error("{file} in the ledger's folder is named after no writer")]
    #[strum(serialize = "stray-file")]
    Stray {
        /// The file.
        file: String,
    },
    /// A head that somebody kept is not the head of a prefix of its chain.
    #[error(
        "the head {kept} that was kept outside is not part of a chain here: the end of the chain was cut off, or it was rebuilt"
    )]
    KeptHeadAbsent {
        /// What was kept.
        kept: KeptHead,
    },
    /// A record does not fit the life of its run or lock.
    #[error("chain {writer}, record {seq}: {problem}")]
    OutOfPlace {
        /// The chain.
        writer: WriterId,
        /// The record.
        seq: u64,
        /// The run, where one is named.
        run: Option<RunId>,
        /// What is wrong.
        problem: LifeProblem,
    },
    /// The folder of a lock is not what was locked.
    #[error("lock {}: {problem}", lock.prefix(16))]
    LockFolder {
        /// The lock.
        lock: Digest,
        /// What is wrong.
        problem: FolderProblem,
    },
    /// A lock's folder has no record in the ledger.
    #[error("prereg/locks/{folder} is not recorded in the ledger")]
    LockUnrecorded {
        /// Name of the folder.
        folder: String,
    },
}

/// What a finding is about: what it voids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Chains, and every lock and run on them.
    Chains(Vec<WriterId>),
    /// A lock and its runs.
    Lock(Digest),
    /// A run.
    Run(RunId),
    /// The whole ledger.
    Ledger,
    /// Nothing that could carry a verdict.
    Nothing,
}

impl Finding {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// What to do about it.
    #[must_use]
    pub fn fix(&self) -> String {
        match self {
            Self::BrokenChain { writer, at } => match at.problem {
                BreakProblem::Record(_) => format!(
                    "restore prereg/ledger/{writer}.jsonl from version control; if line endings were converted, check .gitattributes"
                ),
                BreakProblem::OtherChain { .. } => {
                    format!("give prereg/ledger/{writer}.jsonl and {writer}.head their own name back")
                }
                _ => format!("restore prereg/ledger/{writer}.jsonl from version control; never merge two versions of a chain by hand"),
            },
            Self::ChainCut { writer, .. } | Self::HeadMismatch { writer, .. } => {
                format!("restore prereg/ledger/{writer}.jsonl and {writer}.head together from version control")
            }
            Self::HeadUnreadable { writer } => format!("restore prereg/ledger/{writer}.head from version control"),
            Self::SeenElsewhere { other, .. } => {
                format!("bring the whole of prereg/ledger/{other}.jsonl here: merge the branch or clone that holds it")
            }
            Self::Stray { file } => format!("move prereg/ledger/{file} away, or give a renamed chain its name back"),
            Self::KeptHeadAbsent { .. } => {
                "ask for the chain that the kept head belongs to; without it this record does not stand".into()
            }
            Self::OutOfPlace { writer, .. } => {
                format!("restore prereg/ledger/{writer}.jsonl from version control; a record that was written by other means voids what it names")
            }
            Self::LockFolder { lock, .. } => {
                format!("restore prereg/locks/{} from version control", lock.prefix(16))
            }
            Self::LockUnrecorded { folder } => {
                format!("lock, amend or pilot the declaration again, as was meant, which records it, or delete prereg/locks/{folder}")
            }
        }
    }

    /// What it is about.
    #[must_use]
    pub fn subject(&self) -> Subject {
        match self {
            Self::BrokenChain { writer, .. }
            | Self::ChainCut { writer, .. }
            | Self::HeadMismatch { writer, .. }
            | Self::HeadUnreadable { writer }
            | Self::OutOfPlace {
                writer, run: None, ..
            } => Subject::Chains(vec![writer.clone()]),
            // Either the citation is made up or the cited chain was cut: nothing here tells which.
            Self::SeenElsewhere { writer, other, .. } => {
                Subject::Chains(vec![writer.clone(), other.clone()])
            }
            Self::OutOfPlace { run: Some(run), .. } => Subject::Run(run.clone()),
            Self::LockFolder { lock, .. } => Subject::Lock(*lock),
            Self::KeptHeadAbsent { .. } => Subject::Ledger,
            Self::Stray { .. } | Self::LockUnrecorded { .. } => Subject::Nothing,
        }
    }
}

/// What a crash left. Nothing recorded is lost; the owner's next writing command repairs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// An unterminated last line.
    TornLine {
        /// The chain.
        writer: WriterId,
        /// Its length.
        bytes: u64,
    },
    /// A head file that stands behind its chain.
    StaleHead {
        /// The chain.
        writer: WriterId,
        /// What it says.
        head: Head,
        /// Records that are here.
        found: u64,
    },
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornLine { writer, bytes } => write!(
                f,
                "chain {writer} ends with {bytes} bytes of a record that was never finished; \
                 the next command that writes here cuts them off"
            ),
            Self::StaleHead {
                writer,
                head,
                found,
            } => write!(
                f,
                "the head file of chain {writer} says {} records where there are {found}; \
                 the next command that writes here brings it up to date",
                head.count
            ),
        }
    }
}
