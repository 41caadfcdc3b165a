//! Typed access to the keys of a JSON table, with errors that name the key by its full path.

use serde_json::{Map, Value};

/// A JSON table and where it stands in its file. A key whose value is null counts as left out.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    table: &'a Map<String, Value>,
    prefix: &'static str,
}

impl<'a> Keys<'a> {
    /// The keys of a whole file.
    pub(super) fn new(table: &'a Map<String, Value>) -> Self {
        Self { table, prefix: "" }
    }

    /// Whether the key is written at all, be it as null.
    pub(super) fn is_written(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The value of a key, unless left out.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key).filter(|value| !value.is_null())
    }

    /// Every value, in no particular order.
    pub(super) fn values(&self) -> impl Iterator<Item = &'a Value> {
        self.table.values()
    }

    /// A count; `None` when left out.
    pub(super) fn size(&self, key: &str) -> Result<Option<usize>, KeyError> {
        self.typed(key, "a whole number", |value| {
            value.as_u64().and_then(|size| usize::try_from(size).ok())
        })
    }

    /// A number; `None` when left out.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, KeyError> {
        self.typed(key, "a number", Value::as_f64)
    }

    /// A truth value; `None` when left out.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, KeyError> {
        self.typed(key, "true or false", Value::as_bool)
    }

    /// A string; `None` when left out.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, KeyError> {
        self.typed(key, "a string", Value::as_str)
    }

    /// The keys of a table inside this one; `None` when left out or empty.
    pub(super) fn table(&self, key: &'static str) -> Result<Option<Keys<'a>>, KeyError> {
        let table = self.typed(key, "a table", Value::as_object)?;
        Ok(table
            .filter(|table| !table.is_empty())
            .map(|table| Self { table, prefix: key }))
    }

    /// A count that must be given.
    pub(super) fn required_size(&self, key: &str) -> Result<usize, KeyError> {
        self.size(key)?.ok_or_else(|| self.missing(key))
    }

    /// A number that must be given.
    pub(super) fn required_number(&self, key: &str) -> Result<f64, KeyError> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    /// The error for a key that should have been given.
    pub(super) fn missing(&self, key: &str) -> KeyError {
        KeyError::Missing {
            key: self.path(key),
        }
    }

    /// The key as a reader finds it from the top of the file.
    pub(super) fn path(&self, key: &str) -> String {
        if self.prefix.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.prefix)
        }
    }

    fn typed<T>(
        &self,
        key: &str,
        expected: &'static str,
        convert: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, KeyError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let Some(converted) = convert(value) else {
            return Err(KeyError::WrongType {
                key: self.path(key),
                expected,
                found: kind(value),
            });
        };
        Ok(Some(converted))
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_u64() => "a whole number out of range",
        Value::Number(_) => "a number that is negative or has a fraction",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// A key that is not there or holds another kind of value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The key is left out or null.
    #[error("key `{key}` is missing; the shape of the model cannot be known without it")]
    Missing {
        /// The key, with the tables it stands in.
        key: String,
    },
    /// The key holds another kind of value.
    #[error("key `{key}` holds {found}; it must be {expected}")]
    WrongType {
        /// The key, with the tables it stands in.
        key: String,
        /// What it should hold.
        expected: &'static str,
        /// What it holds.
        found: &'static str,
    },
}
