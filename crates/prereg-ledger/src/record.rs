//! One ledger record: one JSON object on one line.
//!
//! Keys in this order: `writer`, `seq`, `prev`, `seen`, `time`, `kind`, `body`, `digest`. `digest` is the
//! SHA-256 of the line's bytes up to the comma before it, so the line ends with exactly
//! `,"digest":"<64 hex>"}` and a newline. `prev` is the `digest` of the record before, zeros for
//! the first; `seen` maps every other chain that the writer saw to its head then. `writer` keeps two
//! clones that say the same in the same second from writing the same record, and a chain from
//! standing under another's name.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock;
use crate::event::Event;
use crate::head::Head;
use crate::name::WriterId;

/// A record of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its chain.
    pub writer: WriterId,
    /// Position in its chain, from 0.
    pub seq: u64,
    /// Digest of the record before it.
    pub prev: Digest,
    /// Heads of the other chains when it was written.
    pub seen: BTreeMap<WriterId, Head>,
    /// When, by its writer's clock: RFC 3339 UTC.
    pub time: String,
    /// What happened.
    pub event: Event,
    /// Its own digest.
    pub digest: Digest,
}

/// Why a terminated line is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It does not end with a digest.
    #[error("it does not end with `,\"digest\":\"…\"}}`")]
    NoDigest,
    /// The digest is not the one of the bytes before it.
    #[error("its digest is not that of its bytes")]
    Digest,
    /// Its digest is right, but it is not a record.
    #[error("it is not a record: {message}")]
    Form {
        /// What the parser said.
        message: String,
    },
}

const TAIL: usize = r#","digest":""}"#.len() + 64;

#[derive(Serialize)]
struct Written<'a> {
    writer: &'a WriterId,
    seq: u64,
    prev: Digest,
    seen: &'a BTreeMap<WriterId, Head>,
    time: &'a str,
    #[serde(flatten)]
    event: &'a Event,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    writer: WriterId,
    seq: u64,
    prev: Digest,
    seen: BTreeMap<WriterId, Head>,
    time: String,
    kind: String,
    body: Value,
    digest: Digest,
}

impl Record {
    /// The record that follows `head` in the chain of `writer`, and its line with the newline.
    pub(crate) fn next(
        writer: &WriterId,
        head: Head,
        seen: BTreeMap<WriterId, Head>,
        event: Event,
    ) -> serde_json::Result<(Self, Vec<u8>)> {
        let (seq, prev, time) = (head.count, head.digest, clock::now_rfc3339());
        let mut line = serde_json::to_vec(&Written {
            writer,
            seq,
            prev,
            seen: &seen,
            time: &time,
            event: &event,
        })?;
        line.pop(); // the closing brace
        let digest = Digest::of(&line);
        line.extend_from_slice(format!(",\"digest\":\"{digest}\"}}\n").as_bytes());
        Ok((
            Self {
                writer: writer.clone(),
                seq,
                prev,
                seen,
                time,
                event,
                digest,
            },
            line,
        ))
    }

    /// Reads a line without its newline.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, RecordError> {
        let start = line.len().checked_sub(TAIL).ok_or(RecordError::NoDigest)?;
        let (body, tail) = line.split_at(start);
        let stated: Digest = std::str::from_utf8(tail)
            .ok()
            .and_then(|tail| {
                tail.strip_prefix(",\"digest\":\"")?
                    .strip_suffix("\"}")?
                    .parse()
                    .ok()
            })
            .ok_or(RecordError::NoDigest)?;
        if Digest::of(body) != stated {
            return Err(RecordError::Digest);
        }
        let form = |message: String| RecordError::Form { message };
        let read: Read = serde_json::from_slice(line).map_err(|error| form(error.to_string()))?;
        if read.digest != stated {
            return Err(RecordError::Digest);
        }
        if !clock::is_rfc3339_utc(&read.time) {
            return Err(form(format!("`{}` is not an RFC 3339 UTC date", read.time)));
        }
        let event =
            Event::from_parts(&read.kind, read.body).map_err(|error| form(error.to_string()))?;
        Ok(Self {
            writer: read.writer,
            seq: read.seq,
            prev: read.prev,
            seen: read.seen,
            time: read.time,
            event,
            digest: read.digest,
        })
    }

    /// Head of the chain that ends with this record.
    #[must_use]
    pub fn head(&self) -> Head {
        Head {
            count: self.seq.saturating_add(1),
            digest: self.digest,
        }
    }
}
