//! Heads: how long a chain is and what its last record's digest is.

use std::fmt;
use std::str::FromStr;

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

use crate::name::WriterId;

/// End of a chain, or of its first `count` records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Number of records.
    pub count: u64,
    /// Digest of the last of them; zeros for none.
    pub digest: Digest,
}

impl Head {
    /// Head of a chain with no record.
    pub const EMPTY: Self = Self {
        count: 0,
        digest: Digest::ZERO,
    };
}

/// A head that somebody outside the study kept: `<writer>:<count>:<digest>`.
///
/// Nothing inside a study can show that the end of a chain was cut off together with everything
/// that pointed to it, or that a chain was rebuilt from its start. A kept head shows both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHead {
    /// The chain.
    pub writer: WriterId,
    /// Its head when it was kept.
    pub head: Head,
}

/// A text is not a kept head.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a head: write `<writer>:<count>:<digest>` as a report prints it")]
pub struct KeptHeadError {
    text: String,
}

impl fmt::Display for KeptHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}",
            self.writer, self.head.count, self.head.digest
        )
    }
}

impl FromStr for KeptHead {
    type Err = KeptHeadError;

    fn from_str(text: &str) -> Result<Self, KeptHeadError> {
        let parse = || {
            let mut parts = text.split(':');
            let writer = parts.next()?.parse().ok()?;
            let count = parts.next()?.parse().ok()?;
            let digest = parts.next()?.parse().ok()?;
            parts.next().is_none().then_some(Self {
                writer,
                head: Head { count, digest },
            })
        };
        parse().ok_or_else(|| KeptHeadError { text: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_head_reads_back_as_it_is_printed() {
        let text = format!("0123456789ab:7:{}", Digest::of(b"x"));
        assert_eq!(text.parse::<KeptHead>().unwrap().to_string(), text);
        for wrong in [
            "",
            "0123456789ab:7",
            &format!("{text}:1"),
            &text.replacen('7', "x", 2),
        ] {
            assert!(wrong.parse::<KeptHead>().is_err(), "{wrong}");
        }
    }
}
