//! The counters of a step, in device memory: kernels read them there, and the last kernel of a step advances them.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the decode stands. Written by one worker in the last launch of a step, or between steps; the hand-over between
/// launches orders the accesses, so they are relaxed.
#[derive(Default)]
pub(super) struct Counters {
    position: AtomicUsize,
    token: AtomicUsize,
    row: AtomicUsize,
}

impl Counters {
    /// Cached positions: where the step's own key and value go.
    pub(super) fn position(&self) -> usize {
        self.position.load(Ordering::Relaxed)
    }

    /// The token that the step takes in.
    pub(super) fn token(&self) -> usize {
        self.token.load(Ordering::Relaxed)
    }

    /// The row that the step's logits go to.
    pub(super) fn row(&self) -> usize {
        self.row.load(Ordering::Relaxed)
    }

    pub(super) fn set_position(&self, position: usize) {
        self.position.store(position, Ordering::Relaxed);
    }

    pub(super) fn set_token(&self, token: usize) {
        self.token.store(token, Ordering::Relaxed);
    }

    pub(super) fn set_row(&self, row: usize) {
        self.row.store(row, Ordering::Relaxed);
    }

    /// Ends a step that chose `token`.
    pub(super) fn advance(&self, token: usize) {
        self.set_token(token);
        self.set_position(self.position() + 1);
        self.set_row(self.row() + 1);
    }
}
