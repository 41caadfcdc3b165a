//! Problems of a file: what is wrong, where, and what to do about it.
//!
//! [`Diagnostics`] holds every problem that was found, in the order of the file, together with the file's text, so that
//! it can be printed with excerpts or serialised for programs.

mod json;
mod render;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use strum::{IntoStaticStr, VariantNames};

use crate::source::Source;

/// What kind of problem it is. The names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Code {
    /// Not UTF-8, a byte order mark, or carriage returns.
    Encoding,
    /// Not TOML 1.0, duplicate keys included.
    Syntax,
    /// A key that the format does not have.
    UnknownKey,
    /// A key that must be there.
    MissingKey,
    /// A value of another kind than the key takes.
    WrongType,
    /// A value that the key does not take.
    InvalidValue,
    /// NaN, an infinity, or an integer that 64-bit floating point does not hold.
    InexactNumber,
    /// A name that does not match `[a-z][a-z0-9_]*`, or that the language uses itself.
    InvalidId,
    /// A target, arm, metric, column, constant, statistic or unit that does not exist.
    UnknownName,
    /// Part of the format that this version does not run yet.
    NotYet,
    /// An expression that cannot be read.
    ExpressionSyntax,
    /// A number where a truth value belongs, or the reverse.
    ExpressionType,
    /// Quantities of different units compared, added, or given.
    UnitMismatch,
    /// A part of the language used where it has no meaning.
    Scope,
    /// A quantile that the sample cannot support.
    Quantile,
    /// A statistic that needs more steps than a slot has.
    TooFewSteps,
    /// Metrics that depend on themselves.
    Cycle,
    /// A constant or column that a target does not have.
    MissingOnTarget,
    /// A claim that nothing can falsify.
    NoKillCondition,
}

impl Code {
    /// The name, in kebab case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: Code,
    /// Where: bytes of the file.
    pub span: Range<usize>,
    /// What happened.
    pub message: String,
    /// What stands at `span`; may be empty.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            label: String::new(),
            help: None,
        }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds itself to `problems`, at the end of the sentence that made it.
    pub(crate) fn push(self, problems: &mut Diagnostics) {
        problems.push(self);
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// Every problem found in one file, in the order of the file.
///
/// `Display` is the plain rendering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self {
            source,
            list: Vec::new(),
        }
    }

    /// The problems.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The problems with excerpts of the file, for a terminal with colours or without.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        render::render(&self.source, &self.list, color)
    }

    /// Adds a problem, in the order of the file; equal places keep the order of finding. The same problem at the same
    /// place counts once.
    pub(crate) fn push(&mut self, mut problem: Diagnostic) {
        // The TOML parser may point into the middle of a character.
        let text = &self.source.text;
        let start = text.floor_char_boundary(problem.span.start);
        let end = text.ceil_char_boundary(problem.span.end).max(start);
        problem.span = start..end;
        let at = self.list.partition_point(|known| known.span.start <= start);
        let same =
            |known: &Diagnostic| known.span.start == start && known.message == problem.message;
        if !self.list[..at].iter().rev().any(same) {
            self.list.insert(at, problem);
        }
    }

    pub(crate) fn source(&self) -> Arc<Source> {
        Arc::clone(&self.source)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}
