//! One writer's chain, read from the bytes of its file.
//!
//! A chain is read up to its first break; what stands behind a break is not trusted and not
//! counted. An unterminated last line is not a break: it is what a crash leaves, it belongs to no
//! record, and the writer cuts it off at its next start.

use prereg_declaration::Digest;

use crate::head::Head;
use crate::name::WriterId;
use crate::record::{Record, RecordError};

/// The trusted start of a chain, and what stands behind it.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) writer: WriterId,
    pub(crate) records: Vec<Record>,
    /// Length of the records' lines.
    pub(crate) valid_bytes: u64,
    /// Length of an unterminated last line.
    pub(crate) torn_bytes: u64,
    pub(crate) broken: Option<Break>,
}

/// The first line of a chain that does not continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Line number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: BreakProblem,
}

/// What is wrong with a line of a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BreakProblem {
    /// It is not a record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It was written to another chain.
    #[error("it belongs to chain {writer}")]
    OtherChain {
        /// The chain that it names.
        writer: WriterId,
    },
    /// Its `seq` is not its position.
    #[error("its seq is {found} where {expected} is due")]
    Sequence {
        /// Its position.
        expected: u64,
        /// What it says.
        found: u64,
    },
    /// Its `prev` is not the digest of the record before.
    #[error("its prev is not the digest of the record before")]
    Previous,
    /// It cites a head of its own chain.
    #[error("it lists its own chain among the others")]
    SeesItself,
}

impl Chain {
    pub(crate) fn parse(writer: WriterId, bytes: &[u8]) -> Self {
        let mut chain = Self {
            writer,
            records: Vec::new(),
            valid_bytes: 0,
            torn_bytes: 0,
            broken: None,
        };
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some((b'\n', content)) = line.split_last() else {
                chain.torn_bytes = line.len() as u64;
                break;
            };
            match chain.accept(content) {
                Ok(record) => {
                    chain.records.push(record);
                    chain.valid_bytes += line.len() as u64;
                }
                Err(problem) => {
                    chain.broken = Some(Break {
                        line: chain.records.len() as u64 + 1,
                        problem,
                    });
                    break;
                }
            }
        }
        chain
    }

    fn accept(&self, line: &[u8]) -> Result<Record, BreakProblem> {
        let head = self.head();
        let record = Record::parse(line)?;
        if record.writer != self.writer {
            return Err(BreakProblem::OtherChain {
                writer: record.writer,
            });
        }
        if record.seq != head.count {
            return Err(BreakProblem::Sequence {
                expected: head.count,
                found: record.seq,
            });
        }
        if record.prev != head.digest {
            return Err(BreakProblem::Previous);
        }
        if record.seen.contains_key(&self.writer) {
            return Err(BreakProblem::SeesItself);
        }
        Ok(record)
    }

    pub(crate) fn head(&self) -> Head {
        self.records.last().map_or(Head::EMPTY, Record::head)
    }

    /// Digest of the last of the first `count` records; `None` when there are fewer.
    pub(crate) fn digest_at(&self, count: u64) -> Option<Digest> {
        match count.checked_sub(1) {
            None => Some(Digest::ZERO),
            Some(last) => self
                .records
                .get(usize::try_from(last).ok()?)
                .map(|record| record.digest),
        }
    }

    /// Whether `head` is the head of a prefix of this chain.
    pub(crate) fn has_prefix(&self, head: Head) -> bool {
        self.digest_at(head.count) == Some(head.digest)
    }
}
