//! Why the output of a program does not follow the protocol.

use std::io;

use prereg_units::{Dimension, UnitError};
use thiserror::Error;

use super::PROTOCOL;
use super::bounded::LINE_LIMIT;
use crate::{FILE_LIMIT, OBSERVATION_LIMIT};

/// Why an output was refused: the line, counted from 1, and what to do.
#[derive(Debug, Error)]
#[expect(
    missing_docs,
    reason = "the fields say where: line, column of the text or of the data, what stands there"
)]
pub enum LinesError {
    /// The input broke off.
    #[error("cannot read the program's output: {0}")]
    Io(#[from] io::Error),
    /// Nothing was printed.
    #[error("the program printed nothing on standard output; print the header of {PROTOCOL} first")]
    NoOutput,
    /// A line beyond its limit.
    #[error("line {line} is longer than {} MiB; print one step a line", LINE_LIMIT >> 20)]
    LineTooLong { line: u64 },
    /// An output beyond its limit.
    #[error("the output is longer than {} MiB; report fewer steps or readings", FILE_LIMIT >> 20)]
    TooLong,
    /// More steps or readings than a result may have.
    #[error("line {line} is beyond {OBSERVATION_LIMIT} {noun}; report fewer")]
    TooMany { line: u64, noun: &'static str },
    /// Not one JSON object.
    #[error(
        "line {line}, column {column} is not JSON: {message}; print one JSON object a line, and messages for people on standard error"
    )]
    Syntax {
        line: u64,
        column: usize,
        message: String,
    },
    /// The first line is something else.
    #[error("line 1 is not the header; print {{\"prereg\":\"{PROTOCOL}\",\"units\":{{…}}}} first")]
    NoHeader,
    /// Another version of the protocol.
    #[error("line 1 names the protocol {found:?}; this release reads {PROTOCOL}")]
    Version { found: String },
    /// A header that is not the first line.
    #[error("line {line} is a second header; one program prints one header")]
    SecondHeader { line: u64 },
    /// A key that the protocol does not know, or a name that no column may have.
    #[error(
        "line {line} has the key {key:?}, which is not known there; columns have names of a-z, 0-9 and _ and stand in the header's units"
    )]
    Key { line: u64, key: String },
    /// A key that is missing.
    #[error("line {line} lacks the key `{key}`")]
    Missing { line: u64, key: String },
    /// A value of another type.
    #[error("line {line}: `{key}` is {found}; write {expected}")]
    Type {
        line: u64,
        key: String,
        found: &'static str,
        expected: &'static str,
    },
    /// A unit that could not be read.
    #[error("line {line}: the unit of `{column}`: {}", problem.to_string().escape_debug())]
    Unit {
        line: u64,
        column: String,
        problem: UnitError,
    },
    /// A unit of another dimension than the column has.
    #[error("line {line}: `{column}` is in `{unit}`; write it in a unit of `{expected}`")]
    Dimension {
        line: u64,
        column: String,
        unit: String,
        expected: Dimension,
    },
    /// A value that a column cannot have.
    #[error("line {line}: `{column}` is {value}; it has to be {expected}")]
    Value {
        line: u64,
        column: String,
        value: f64,
        expected: &'static str,
    },
    /// A step without a value.
    #[error(
        "line {line} reports no value; give a step at least one column, as in {{\"step_time\":12.5}}"
    )]
    NoValue { line: u64 },
    /// A digest that is none.
    #[error(
        "line {line}: `output` is not 64 hexadecimal digits; write the SHA-256 of the step's output"
    )]
    Output { line: u64 },
    /// A time before the one before it.
    #[error(
        "line {line}: `{column}` was read at {at_ns} ns, before the reading at {before} ns; use a monotonic clock and report in order"
    )]
    Backwards {
        line: u64,
        column: String,
        at_ns: u64,
        before: u64,
    },
    /// A line after the end.
    #[error("line {line} stands after the end; the line `end` is the last")]
    AfterEnd { line: u64 },
    /// A count that does not fit.
    #[error(
        "line {line} says {said} observations and {counted} were printed; lines were lost or the count is wrong"
    )]
    Count { line: u64, said: u64, counted: u64 },
    /// No end.
    #[error(
        "the output stops after {observations} observations without the line `end`; the program died or was stopped"
    )]
    NoEnd { observations: u64 },
}
