//! A table as Parquet bytes: fixed columns, a version inside the file, the same bytes every time.
//!
//! The file's key-value metadata holds `prereg.table`, for example `steps/1`; a reader refuses any
//! other text, so that a table of a newer schema is never half understood. Compression is zstd, one
//! row group for up to 2¹⁸ rows, no statistics: nothing in the bytes depends on the machine, the
//! time or the number of threads.

use std::io::Cursor;
use std::panic::catch_unwind;

use polars::prelude::{
    DataFrame, KeyValueMetadata, ParallelStrategy, ParquetCompression, ParquetReader,
    ParquetWriter, PolarsError, SerReader, StatisticsOptions,
};

use crate::column::Column;

/// Key under which a file names its table and version.
const KEY: &str = "prereg.table";

/// One kind of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Name and version, `steps/1`.
    pub(crate) name: &'static str,
    /// File in the run's folder.
    pub(crate) file: &'static str,
    /// Columns in order.
    pub(crate) columns: &'static [Column],
}

/// Why bytes are not the table that they should be.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Truncated, damaged or not Parquet.
    #[error("the bytes are not a readable Parquet file")]
    Unreadable(#[from] PolarsError),
    /// Damaged in a way that the decoder does not survive.
    #[error("the Parquet file is damaged where its decoder does not expect it")]
    Damaged,
    /// Another table, another version, or a file that this tool did not write.
    #[error(
        "the file says it holds {found:?}, expected {expected:?}; read it with the version that wrote it"
    )]
    WrongTable {
        /// The text under `prereg.table`; empty when there is none.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// A column is missing, added, of another type or in another place.
    #[error("columns are {found}, expected {expected}")]
    WrongColumns {
        /// Columns of the file.
        found: String,
        /// Columns of the schema.
        expected: String,
    },
    /// An absent value where the schema has none.
    #[error("column {column} has {count} empty values, which its schema does not allow")]
    Empty {
        /// The column.
        column: &'static str,
        /// How many values are absent.
        count: usize,
    },
}

impl Table {
    /// A frame of this table.
    pub(crate) fn frame(
        self,
        columns: Vec<polars::prelude::Column>,
    ) -> Result<DataFrame, TableError> {
        let frame = DataFrame::new_infer_height(columns)?;
        self.check_columns(&frame)?;
        Ok(frame)
    }

    /// Parquet bytes of a frame. The frame must have this table's columns.
    pub(crate) fn encode(self, frame: &mut DataFrame) -> Result<Vec<u8>, TableError> {
        self.check_columns(frame)?;
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(None))
            .with_statistics(StatisticsOptions::empty())
            .set_parallel(false)
            .with_key_value_metadata(Some(KeyValueMetadata::from_static(vec![(
                KEY.to_owned(),
                self.name.to_owned(),
            )])))
            .finish(frame)?;
        Ok(bytes)
    }

    /// The frame in Parquet bytes, its version, columns and presence of values checked.
    ///
    /// The decoder panics on some damaged files; a panic is turned into [`TableError::Damaged`].
    pub(crate) fn decode(self, bytes: &[u8]) -> Result<DataFrame, TableError> {
        catch_unwind(|| self.decode_trusting(bytes)).unwrap_or(Err(TableError::Damaged))
    }

    fn decode_trusting(self, bytes: &[u8]) -> Result<DataFrame, TableError> {
        // One thread: the same work costs less CPU, and a panic stays on this one.
        let mut reader = ParquetReader::new(Cursor::new(bytes))
            .read_parallel(ParallelStrategy::None)
            .set_rechunk(true);
        let metadata = reader.get_metadata()?;
        let found = metadata
            .key_value_metadata()
            .iter()
            .flatten()
            .find(|entry| entry.key == KEY)
            .and_then(|entry| entry.value.clone())
            .unwrap_or_default();
        if found != self.name {
            return Err(TableError::WrongTable {
                found,
                expected: self.name,
            });
        }
        let frame = reader.finish()?;
        self.check_columns(&frame)?;
        for column in self.columns.iter().filter(|column| !column.nullable) {
            let count = frame.column(column.name)?.null_count();
            if count > 0 {
                return Err(TableError::Empty {
                    column: column.name,
                    count,
                });
            }
        }
        Ok(frame)
    }

    fn check_columns(self, frame: &DataFrame) -> Result<(), TableError> {
        let same = frame.width() == self.columns.len()
            && frame
                .columns()
                .iter()
                .zip(self.columns)
                .all(|(found, expected)| {
                    found.name() == expected.name && *found.dtype() == expected.kind.dtype()
                });
        if same {
            return Ok(());
        }
        let found = frame
            .columns()
            .iter()
            .map(|column| format!("{}: {}", column.name(), column.dtype()));
        let expected = self
            .columns
            .iter()
            .map(|column| format!("{}: {}", column.name, column.kind.dtype()));
        Err(TableError::WrongColumns {
            found: found.collect::<Vec<_>>().join(", "),
            expected: expected.collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::Column as Series;

    use super::*;
    use crate::column::Kind;

    const TABLE: Table = Table {
        name: "test/1",
        file: "test.parquet",
        columns: &[
            Column::required("step", Kind::U32),
            Column::optional("note", Kind::Text),
            Column::required("logits", Kind::Bytes),
        ],
    };

    fn frame() -> DataFrame {
        let digests: Vec<Vec<u8>> = (0..300u32).map(|n| n.to_le_bytes().repeat(8)).collect();
        DataFrame::new(
            300,
            vec![
                Series::new("step".into(), (0..300u32).collect::<Vec<_>>()),
                Series::new(
                    "note".into(),
                    (0..300)
                        .map(|n| (n % 2 == 0).then_some("even"))
                        .collect::<Vec<_>>(),
                ),
                Series::new("logits".into(), digests),
            ],
        )
        .unwrap()
    }

    #[test]
    fn bytes_are_the_same_every_time() {
        assert_eq!(
            TABLE.encode(&mut frame()).unwrap(),
            TABLE.encode(&mut frame()).unwrap()
        );
    }

    #[test]
    fn a_frame_survives_the_round_trip() {
        let bytes = TABLE.encode(&mut frame()).unwrap();
        assert!(TABLE.decode(&bytes).unwrap().equals_missing(&frame()));
    }

    #[test]
    fn a_table_of_several_row_groups_is_one_piece_again() {
        const LARGE: Table = Table {
            name: "large/1",
            file: "large.parquet",
            columns: &[Column::required("step", Kind::U32)],
        };
        let steps: Vec<u32> = (0..600_000).collect();
        let mut frame = LARGE
            .frame(vec![Series::new("step".into(), steps.as_slice())])
            .unwrap();
        let decoded = LARGE.decode(&LARGE.encode(&mut frame).unwrap()).unwrap();
        let column = decoded.column("step").unwrap().u32().unwrap();
        assert_eq!(column.cont_slice().unwrap(), steps);
    }

    #[test]
    fn damage_never_panics() {
        let bytes = TABLE.encode(&mut frame()).unwrap();
        for length in (0..bytes.len()).step_by(97) {
            assert!(
                TABLE.decode(&bytes[..length]).is_err(),
                "cut to {length} bytes"
            );
        }
        // A flipped bit may still decode, to other values: digests find it, not the decoder. The
        // footer, last in the file, is where the decoder itself is at risk.
        let footer = bytes.len() - 1000;
        for at in (0..footer).step_by(101).chain(footer..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let _ = TABLE.decode(&damaged);
        }
    }

    #[test]
    fn another_version_is_refused() {
        let bytes = TABLE.encode(&mut frame()).unwrap();
        let newer = Table {
            name: "test/2",
            ..TABLE
        };
        assert!(
            matches!(newer.decode(&bytes), Err(TableError::WrongTable { found, .. }) if found == "test/1")
        );
    }

    #[test]
    fn other_columns_are_refused() {
        let bytes = TABLE.encode(&mut frame()).unwrap();
        let other = Table {
            columns: &TABLE.columns[..2],
            ..TABLE
        };
        assert!(matches!(
            other.decode(&bytes),
            Err(TableError::WrongColumns { .. })
        ));
    }

    #[test]
    fn an_empty_value_is_refused_where_the_schema_has_none() {
        const STRICT: &[Column] = &[
            Column::required("step", Kind::U32),
            Column::required("note", Kind::Text),
            Column::required("logits", Kind::Bytes),
        ];
        let bytes = TABLE.encode(&mut frame()).unwrap();
        let strict = Table {
            columns: STRICT,
            ..TABLE
        };
        assert!(matches!(
            strict.decode(&bytes),
            Err(TableError::Empty {
                column: "note",
                count: 150
            })
        ));
    }
}
