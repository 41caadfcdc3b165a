//! One line of the protocol, its values taken out by key and type.

use prereg_units::Unit;

use super::LinesError;
use super::fields::{Fields, Value};
use crate::number::base_units;

/// The fields of one line, taken out one by one.
pub(super) struct Line {
    pub(super) number: u64,
    fields: Fields,
}

impl Line {
    pub(super) fn new(number: u64, fields: Fields) -> Self {
        Self { number, fields }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.0.contains_key(key)
    }

    pub(super) fn first_key(&self) -> Option<String> {
        self.fields.0.keys().next().cloned()
    }

    fn take(&mut self, key: &str) -> Result<Value, LinesError> {
        self.fields
            .0
            .remove(key)
            .ok_or_else(|| LinesError::Missing {
                line: self.number,
                key: key.to_owned(),
            })
    }

    fn wrong(&self, key: &str, found: &Value, expected: &'static str) -> LinesError {
        LinesError::Type {
            line: self.number,
            key: key.to_owned(),
            found: found.kind(),
            expected,
        }
    }

    pub(super) fn text(&mut self, key: &str) -> Result<String, LinesError> {
        match self.take(key)? {
            Value::Text(text) => Ok(text),
            other => Err(self.wrong(key, &other, "a text")),
        }
    }

    pub(super) fn object(&mut self, key: &str) -> Result<Fields, LinesError> {
        match self.take(key)? {
            Value::Object(fields) => Ok(fields),
            other => Err(self.wrong(key, &other, "an object")),
        }
    }

    pub(super) fn whole(&mut self, key: &str) -> Result<u64, LinesError> {
        match self.take(key)? {
            Value::Whole(number) => Ok(number),
            other => Err(self.wrong(key, &other, "a whole number, 0 or more")),
        }
    }

    /// A SHA-256 in hexadecimal.
    pub(super) fn digest(&mut self, key: &str) -> Result<[u8; 32], LinesError> {
        let text = self.text(key)?;
        digest(&text).ok_or(LinesError::Output { line: self.number })
    }

    /// A number of `unit`, in base units.
    pub(super) fn number(&mut self, key: &str, unit: Unit) -> Result<f64, LinesError> {
        let number = match self.take(key)? {
            Value::Whole(number) => number as f64,
            Value::Number(number) => number,
            other => return Err(self.wrong(key, &other, "a number")),
        };
        base_units(number, unit).ok_or_else(|| LinesError::Value {
            line: self.number,
            column: key.to_owned(),
            value: number,
            expected: "finite in base units",
        })
    }

    /// Refuses keys that were not taken.
    pub(super) fn finish(&self) -> Result<(), LinesError> {
        self.first_key().map_or(Ok(()), |key| {
            Err(LinesError::Key {
                line: self.number,
                key,
            })
        })
    }
}

/// The 32 bytes of 64 hexadecimal digits.
fn digest(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16);
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = (value(pair[0])? * 16 + value(pair[1])?) as u8;
    }
    Some(bytes)
}
