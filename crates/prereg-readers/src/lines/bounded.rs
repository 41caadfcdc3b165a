//! Lines of an input, none longer than the limit, of which only one is held.

use std::io::{BufRead, ErrorKind};

use super::LinesError;
use crate::FILE_LIMIT;

/// The most bytes of a line: 1 MiB.
pub(super) const LINE_LIMIT: usize = 1 << 20;

/// Reads line by line; stops at the first limit that is passed, with no more than one line read.
pub(super) struct BoundedLines<R> {
    input: R,
    number: u64,
    read: u64,
    line: Vec<u8>,
}

impl<R: BufRead> BoundedLines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            number: 0,
            read: 0,
            line: Vec::new(),
        }
    }

    /// The next line without its end, with its number from 1.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, LinesError> {
        self.line.clear();
        self.number += 1;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if buffer.is_empty() {
                let last = !self.line.is_empty();
                return Ok(last.then_some((self.number, self.line.as_slice())));
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let text = end.unwrap_or(buffer.len());
            let taken = end.map_or(text, |end| end + 1);
            self.read += taken as u64;
            if self.read > FILE_LIMIT {
                return Err(LinesError::TooLong);
            }
            if self.line.len() + text > LINE_LIMIT {
                return Err(LinesError::LineTooLong { line: self.number });
            }
            self.line.extend_from_slice(&buffer[..text]);
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Some((self.number, self.line.as_slice())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Read};

    use super::*;

    /// One line again and again; counts the bytes that were asked for.
    struct Endless {
        line: Vec<u8>,
        given: u64,
    }

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let from = (self.given % self.line.len() as u64) as usize;
            let count = into.len().min(self.line.len() - from);
            into[..count].copy_from_slice(&self.line[from..from + count]);
            self.given += count as u64;
            Ok(count)
        }
    }

    #[test]
    fn lines_without_end_are_given_up_at_the_limit_and_one_is_held() {
        let mut line = vec![b' '; LINE_LIMIT];
        line.push(b'\n');
        let mut endless = Endless { line, given: 0 };
        let mut lines = BoundedLines::new(BufReader::with_capacity(1 << 20, &mut endless));
        let mut read = 0;
        let error = loop {
            match lines.next() {
                Ok(_) => read += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, LinesError::TooLong));
        assert_eq!(read, 63);
        assert!(lines.line.capacity() <= 2 * LINE_LIMIT);
        assert!(endless.given <= FILE_LIMIT + (1 << 20));
    }

    #[test]
    fn a_line_at_the_limit_is_read_and_one_byte_more_is_refused() {
        let line = vec![b' '; LINE_LIMIT];
        let mut lines = BoundedLines::new(&*line);
        assert!(matches!(lines.next(), Ok(Some((1, text))) if text.len() == LINE_LIMIT));
        let longer = vec![b' '; LINE_LIMIT + 1];
        let error = BoundedLines::new(&*longer).next().unwrap_err();
        assert!(matches!(error, LinesError::LineTooLong { line: 1 }));
    }
}
