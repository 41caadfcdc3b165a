//! Refusals that several readers make, in the same words.

use std::ops::Range;

use prereg_units::{Dimension, Quantity, UnitError};

use crate::diagnostic::{Code, Diagnostic};

/// Part of the format that is recognised and refused.
pub(crate) fn not_yet(span: Range<usize>, what: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::NotYet, span, format!("{what} is not supported yet")).help(help)
}

/// A quantity of another dimension than its place takes; `what` is the place.
pub(crate) fn unit_mismatch(
    span: Range<usize>,
    what: &str,
    found: Quantity,
    wanted: Dimension,
) -> Diagnostic {
    let place = |dimension: Dimension| {
        let preposition = if dimension.is_none() { "" } else { "in " };
        format!("{preposition}{}", dimension_in_words(dimension))
    };
    let message = format!(
        "{what} is {}, and this is {}",
        place(wanted),
        place(found.dimension())
    );
    let help = if wanted.is_none() {
        "write a number without unit, or with `%`".to_owned()
    } else {
        format!("write a number with its unit, as in \"2 {wanted}\"")
    };
    Diagnostic::new(Code::UnitMismatch, span, message).help(help)
}

/// A dimension as messages print it.
pub(crate) fn dimension_in_words(dimension: Dimension) -> String {
    if dimension.is_none() {
        "a plain number".to_owned()
    } else {
        format!("`{dimension}`")
    }
}

/// The code of a unit that could not be read.
pub(crate) fn unit_code(error: &UnitError, otherwise: Code) -> Code {
    match error {
        UnitError::Unknown { .. } => Code::UnknownName,
        _ => otherwise,
    }
}

/// An error of the units as what happened and what to do, which it joins by a semicolon.
pub(crate) fn halves(error: &impl ToString) -> (String, Option<String>) {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
        None => (text, None),
    }
}
