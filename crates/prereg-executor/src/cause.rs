//! Errors as one line of text, for records that outlive their types.

use std::iter::successors;

/// An error with all that caused it.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
