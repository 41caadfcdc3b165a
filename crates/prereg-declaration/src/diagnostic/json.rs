//! Problems for programs: a list of objects with the file, the place, and the texts.

use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::{Code, Diagnostic, Diagnostics};
use crate::source::Source;

/// Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    code: Code,
    message: &'a str,
    label: &'a str,
    help: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn new(source: &'a Source, problem: &'a Diagnostic) -> Self {
        let start = source.position(problem.span.start);
        let end = source.position(problem.span.end);
        Self {
            file: &source.name,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            code: problem.code,
            message: &problem.message,
            label: &problem.label,
            help: problem.help.as_deref(),
        }
    }
}

impl Serialize for Diagnostics {
    /// A list of `{file, line, column, end_line, end_column, code, message, label, help}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.list.len()))?;
        for problem in &self.list {
            list.serialize_element(&Entry::new(&self.source, problem))?;
        }
        list.end()
    }
}
