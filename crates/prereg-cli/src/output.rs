//! Lines on standard output and standard error. A reader that went away (`prereg list | head`) is
//! no error: what it does not read is not written.

use std::fmt;
use std::io::Write as _;

use serde::Serialize;

use crate::error::CommandError;

/// Writes a line to standard output, without colours where they are not wanted.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stdout().lock(), "{text}");
}

/// Writes a line to standard error.
pub(crate) fn note_line(text: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes an object to standard output, indented.
pub(crate) fn json(document: &impl Serialize) -> Result<(), CommandError> {
    let text =
        serde_json::to_string_pretty(document).map_err(|error| CommandError::internal(&error))?;
    line(format_args!("{text}"));
    Ok(())
}

/// A number with its noun: `1 lock`, `2 locks`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A line on standard output: what was asked for.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}

/// A line on standard error: what happens meanwhile.
macro_rules! note {
    ($($text:tt)*) => { $crate::output::note_line(format_args!($($text)*)) };
}

pub(crate) use {note, say};
