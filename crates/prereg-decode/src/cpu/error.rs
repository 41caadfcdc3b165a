//! What can go wrong when a decoder is made, and when it is run.

use std::io;

use crate::shape::ShapeError;

/// A decoder could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// The shape's numbers do not fit together.
    #[error("the shape of `{name}` cannot be run")]
    Shape {
        /// The shape's name.
        name: String,
        /// What does not fit.
        source: ShapeError,
    },
    /// More positions than the model is declared for.
    #[error(
        "a context of {context} and {rows} steps need {} positions, but `{name}` is declared for {max_position}; shorten the context",
        context.saturating_add(*rows)
    )]
    TooLong {
        /// The shape's name.
        name: String,
        /// Positions cached before the first step.
        context: usize,
        /// Steps of one run.
        rows: usize,
        /// Longest context of the model.
        max_position: usize,
    },
    /// A number that must be at least 1 is 0.
    #[error("{what} must be at least 1")]
    Zero {
        /// Which number.
        what: &'static str,
    },
    /// Threads could not be started or pinned.
    #[error(
        "{threads} threads with affinity {affinity} could not be set up; give one CPU of this process a thread, or `none`"
    )]
    Threads {
        /// Number of threads asked for.
        threads: usize,
        /// Affinity asked for.
        affinity: String,
        /// The system's answer.
        source: io::Error,
    },
    /// Memory could not be had.
    #[error("memory for {what} could not be had; a smaller model or a shorter context needs less")]
    Memory {
        /// What the memory was for.
        what: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

/// A decoder could not run as asked. Nothing was run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A graph was asked for and none was captured.
    #[error(
        "launch mode `graph` was asked for, but no graph was captured; capture one during warm-up"
    )]
    NotCaptured,
    /// More steps than there are rows for logits.
    #[error("{steps} steps were asked for, but logits have room for {rows}; run fewer at a time")]
    TooManySteps {
        /// Steps asked for.
        steps: usize,
        /// Rows there are.
        rows: usize,
    },
    /// The cache has no room for the steps.
    #[error(
        "{steps} steps from position {position} need more than the {capacity} positions of the cache; restore an earlier one"
    )]
    CacheFull {
        /// Steps asked for.
        steps: usize,
        /// Cached positions.
        position: usize,
        /// Positions there is room for.
        capacity: usize,
    },
    /// A token outside the vocabulary.
    #[error("token {token} is not in the vocabulary, which has {vocab} tokens (0 to {})", vocab - 1)]
    UnknownToken {
        /// The token.
        token: u32,
        /// Size of the vocabulary.
        vocab: usize,
    },
    /// A prompt with nothing in it.
    #[error("the prompt is empty; a step needs a token to start from")]
    EmptyPrompt,
}
