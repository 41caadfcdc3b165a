//! The one place where errors become messages, hints and exit codes.

use std::error::Error;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::exit::Exit;
use crate::output::note;

/// An error on its way to the terminal: what happened and where, what to do, and the exit code.
#[derive(Debug)]
pub(crate) struct CommandError {
    exit: Exit,
    message: String,
    reasons: Vec<String>,
    hints: Vec<String>,
    /// Text that is already rendered (diagnostics with source), printed as it is.
    rendered: Option<String>,
}

impl CommandError {
    /// An error with a message of its own.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            reasons: Vec::new(),
            hints: Vec::new(),
            rendered: None,
        }
    }

    /// An error of a library, with its chain of causes.
    pub(crate) fn caused(exit: Exit, error: &dyn Error) -> Self {
        Self::new(exit, chain(error))
    }

    /// Reading or writing failed.
    pub(crate) fn io(error: &dyn Error) -> Self {
        Self::caused(Exit::Io, error)
    }

    /// A defect of this program.
    pub(crate) fn internal(error: &dyn Error) -> Self {
        Self::caused(Exit::Internal, error)
    }

    /// An error whose explanation is already rendered.
    pub(crate) fn rendered(exit: Exit, message: impl Into<String>, rendered: String) -> Self {
        Self {
            rendered: Some(rendered),
            ..Self::new(exit, message)
        }
    }

    /// Adds one of several reasons.
    pub(crate) fn because(mut self, reason: impl Into<String>) -> Self {
        self.reasons.push(reason.into());
        self
    }

    /// Adds what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Writes the message to standard error.
    pub(crate) fn print(&self) {
        if let Some(rendered) = &self.rendered {
            note!("{}\n", rendered.trim_end());
        }
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let bold = Style::new().bold();
        note!("{red}error{red:#}: {}", self.message);
        for reason in &self.reasons {
            note!("  - {reason}");
        }
        for hint in &self.hints {
            note!("  {bold}help{bold:#}: {hint}");
        }
    }
}

/// An error and its causes, each once.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            // Writing to a String cannot fail.
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    text
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
