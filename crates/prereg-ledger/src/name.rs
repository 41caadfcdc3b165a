//! Names that become file names: writers and runs. A name that is not of its exact form is
//! refused when it is read, so that none can lead out of its folder.

use std::fmt;
use std::str::FromStr;

use prereg_declaration::Digest;
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::{Deserialize, Deserializer, Serialize};

/// A text is not a name of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct NameError {
    text: String,
    expected: &'static str,
}

/// A writer of a chain: 12 lower-case hexadecimal digits, drawn at random.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct WriterId(String);

impl WriterId {
    /// A new name from the operating system's random source: it tells writers apart and decides
    /// nothing else.
    pub(crate) fn random() -> Result<Self, rand::rngs::SysError> {
        Ok(Self(format!("{:012x}", SysRng.try_next_u64()? >> 16)))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WriterId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if text.len() == 12 && text.bytes().all(is_hex) {
            Ok(Self(text.into()))
        } else {
            Err(NameError {
                text: text.into(),
                expected: "a writer: 12 lower-case hexadecimal digits",
            })
        }
    }
}

/// A run: `<target>-<first 12 hexadecimal digits of its announcement's digest>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// The run that was announced on `target` by the record with this digest.
    ///
    /// # Errors
    /// [`NameError`] when `target` is not an identifier.
    pub fn new(target: &str, announcement: Digest) -> Result<Self, NameError> {
        format!("{target}-{}", announcement.prefix(12)).parse()
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The target, as the name says it.
    #[must_use]
    pub fn target(&self) -> &str {
        self.0.rsplit_once('-').map_or("", |(target, _)| target)
    }
}

impl FromStr for RunId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let valid = text.rsplit_once('-').is_some_and(|(target, digits)| {
            is_identifier(target) && digits.len() == 12 && digits.bytes().all(is_hex)
        });
        if valid {
            Ok(Self(text.into()))
        } else {
            Err(NameError {
                text: text.into(),
                expected: "a run: a target, `-`, 12 lower-case hexadecimal digits",
            })
        }
    }
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// `[a-z][a-z0-9_]*`
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

macro_rules! text_name {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

text_name!(WriterId);
text_name!(RunId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_lead_out_of_a_folder_are_refused() {
        for text in [
            "",
            "..",
            "../../etc-0123456789ab",
            "cpu/x-0123456789ab",
            "cpu-0123456789AB",
            "cpu-0123",
            "-0123456789ab",
        ] {
            assert!(text.parse::<RunId>().is_err(), "{text}");
            assert!(text.parse::<WriterId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_run_knows_its_target() {
        let run = RunId::new("h100_sxm", Digest::of(b"abc")).unwrap();
        assert_eq!(run.as_str(), "h100_sxm-ba7816bf8f01");
        assert_eq!(run.target(), "h100_sxm");
    }

    #[test]
    fn two_random_writers_differ() {
        assert_ne!(WriterId::random().unwrap(), WriterId::random().unwrap());
    }
}
