//! Columns of tables: name, type, and whether every row has a value.

use polars::prelude::DataType;

/// One column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Name; the unit is its suffix.
    pub(crate) name: &'static str,
    /// Type of its values.
    pub(crate) kind: Kind,
    /// Whether a value may be absent.
    pub(crate) nullable: bool,
}

/// Types that the tables use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Indices and counts.
    U32,
    /// Bytes, marks of the monotonic clock.
    U64,
    /// Durations in nanoseconds, as read.
    I64,
    /// Values in base units.
    F64,
    /// UTF-8.
    Text,
    /// Digests.
    Bytes,
}

impl Column {
    /// A column with a value in every row.
    pub(crate) const fn required(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            nullable: false,
        }
    }

    /// A column whose values may be absent.
    pub(crate) const fn optional(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            nullable: true,
        }
    }
}

impl Kind {
    /// The type of such a column in a frame.
    pub(crate) fn dtype(self) -> DataType {
        match self {
            Self::U32 => DataType::UInt32,
            Self::U64 => DataType::UInt64,
            Self::I64 => DataType::Int64,
            Self::F64 => DataType::Float64,
            Self::Text => DataType::String,
            Self::Bytes => DataType::Binary,
        }
    }
}
