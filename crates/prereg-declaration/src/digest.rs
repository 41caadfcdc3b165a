//! Content digests: SHA-256, written as 64 lower-case hexadecimal digits.
//!
//! A digest is a hash of content. Names of things are ids; some ids are digests.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Digest as _;

/// SHA-256 of some bytes.
///
/// Prints, parses and serialises as 64 lower-case hexadecimal digits; upper case is refused, so
/// that one digest has one text.
///
/// ```
/// use prereg_declaration::Digest;
///
/// let digest = Digest::of(b"abc");
/// assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// All zeros: the digest before the first record of a chain.
    pub const ZERO: Self = Self([0; 32]);

    /// Digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Digest of all that `reader` gives, taken in pieces: a file may be larger than memory.
    ///
    /// # Errors
    /// What the reader says.
    pub fn read(mut reader: impl Read) -> io::Result<Self> {
        let mut hasher = sha2::Sha256::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(Self(hasher.finalize().into())),
                Ok(length) => hasher.update(&piece[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A digest computed elsewhere.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first `digits` hexadecimal digits, at most 64.
    #[must_use]
    pub fn prefix(&self, digits: usize) -> String {
        let mut text = self.to_string();
        text.truncate(digits);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One text at once: a step's record holds a digest, and writing it by digits took longer than all the rest.
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A text is not a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a digest: write 64 lower-case hexadecimal digits")]
pub struct DigestError {
    text: String,
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let refused = || DigestError { text: text.into() };
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(refused());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let high = nibble(pair[0]).ok_or_else(refused)?;
            let low = nibble(pair[1]).ok_or_else(refused)?;
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_read_in_pieces_have_the_digest_of_the_whole() {
        let bytes = vec![7; 200_000];
        assert_eq!(Digest::read(&bytes[..]).unwrap(), Digest::of(&bytes));
    }

    #[test]
    fn text_that_is_not_64_lower_case_digits_is_refused() {
        let text = Digest::of(b"").to_string();
        assert!(text.to_uppercase().parse::<Digest>().is_err());
        assert!(text[1..].parse::<Digest>().is_err());
        assert!(format!("{text}0").parse::<Digest>().is_err());
        assert!(text.replacen('e', "g", 1).parse::<Digest>().is_err());
    }

    #[test]
    fn prefix_is_the_start_of_the_text() {
        let digest = Digest::of(b"abc");
        assert_eq!(digest.prefix(16), "ba7816bf8f01cfea");
        assert_eq!(digest.prefix(100), digest.to_string());
    }
}
