//! Lines on standard output and standard error. A reader that went away (`prereg list | head`) is
//! no error: what it does not read is not written. A line that is lost in any other way is one,
//! and the process says so when it ends.

use std::fmt;
use std::io::{ErrorKind, Write as _};
use std::sync::OnceLock;

use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;

/// Why a line of standard output was lost; the first time only.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes a line to standard output, without colours where they are not wanted.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    let mut out = anstream::stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.get_or_init(|| error.to_string());
    }
}

/// The error of output that was lost, if any was.
pub(crate) fn lost() -> Option<CommandError> {
    LOST.get().map(|why| {
        CommandError::new(
            Exit::Io,
            format!("standard output could not be written: {why}"),
        )
        .hint("free the device that it goes to, then ask again: records are not affected")
    })
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
