//! The text of one file, as the reader of declarations wants it: UTF-8, no byte order mark, LF line ends.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// A file's name, as messages print it, and its text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A place for people: line and column count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Source {
    /// Decodes a file; the sink returned holds its text and no problem yet.
    ///
    /// # Errors
    /// A diagnostic for bytes that are not UTF-8, a byte order mark, or a carriage return.
    pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Diagnostics, Diagnostics> {
        let decoded = std::str::from_utf8(bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let problem = match decoded {
            // Up to the first wrong byte the lossy text is the file.
            Err(error) => Some(wrong_byte(error.valid_up_to(), &text)),
            Ok(text) if text.starts_with('\u{feff}') => Some(byte_order_mark()),
            Ok(text) => text.find('\r').map(carriage_return),
        };
        let source = Source {
            name: name.to_owned(),
            text,
        };
        let mut diagnostics = Diagnostics::new(Arc::new(source));
        let Some(problem) = problem else {
            return Ok(diagnostics);
        };
        diagnostics.push(problem);
        Err(diagnostics)
    }

    /// Where the byte at `offset` stands.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

fn wrong_byte(offset: usize, text: &str) -> Diagnostic {
    let width = text[offset..].chars().next().map_or(0, char::len_utf8);
    Diagnostic::new(
        Code::Encoding,
        offset..offset + width,
        "the file is not UTF-8",
    )
    .label("this byte is not part of a character")
    .help("save the file as UTF-8")
}

fn byte_order_mark() -> Diagnostic {
    Diagnostic::new(
        Code::Encoding,
        0..3,
        "the file starts with a byte order mark",
    )
    .label("before this character")
    .help("save the file as UTF-8 without a byte order mark")
}

fn carriage_return(offset: usize) -> Diagnostic {
    Diagnostic::new(
        Code::Encoding,
        offset..offset + 1,
        "the file has carriage returns",
    )
    .label("the first one")
    .help("save the file with LF line ends")
}
