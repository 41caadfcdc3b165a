//! The end of a step: the chosen token and the counters.

use super::At;
use crate::cpu::device::Device;
use crate::cpu::shared::Shared;

/// The row that this step's logits go to.
pub(super) fn logits_row(device: &Device) -> Shared<f32> {
    let (row, vocab) = (device.counters.row(), device.shape.vocab);
    device
        .activations
        .logits
        .part(row * vocab..(row + 1) * vocab)
}

/// Leaves the largest logit of this worker's share, and its token. The lowest token wins a tie; a NaN never wins.
///
/// # Safety
/// As [`execute`](super::execute); this worker's share of the logits is written already.
pub(super) unsafe fn argmax(at: At<'_>) {
    let share = at.worker.share(at.device.shape.vocab);
    // SAFETY: only this worker writes this share, and it is not doing so now.
    let logits = unsafe { logits_row(at.device).part(share.clone()).read() };
    let mut best = (f32::NEG_INFINITY, 0);
    for (token, &logit) in share.zip(logits) {
        if logit > best.0 {
            best = (logit, token);
        }
    }
    let own = at.worker.index..at.worker.index + 1;
    let activations = &at.device.activations;
    // SAFETY: each worker has an element of its own.
    unsafe {
        activations.best_logits.part(own.clone()).write()[0] = best.0;
        activations.best_tokens.part(own).write()[0] = best.1 as u32;
    }
}

/// Chooses among the workers' tokens and ends the step; worker 0 does it alone.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn advance(at: At<'_>) {
    if at.worker.index != 0 {
        return;
    }
    let activations = &at.device.activations;
    // SAFETY: nobody writes the candidates in this launch.
    let (logits, tokens) = unsafe {
        (
            activations.best_logits.read(),
            activations.best_tokens.read(),
        )
    };
    let mut best = (f32::NEG_INFINITY, 0);
    for (&logit, &token) in logits.iter().zip(tokens) {
        if logit > best.0 {
            best = (logit, token);
        }
    }
    let row = at.device.counters.row();
    // SAFETY: worker 0 alone touches the tokens.
    unsafe { activations.tokens.part(row..row + 1).write()[0] = best.1 };
    at.device.counters.advance(best.1 as usize);
}
