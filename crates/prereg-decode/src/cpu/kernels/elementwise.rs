//! Kernels without a matrix: embedding look-up, norm, sums and products.

use super::At;
use crate::arithmetic::{self, add, inverse_root_mean_square, normalize};
use crate::bf16::widen;
use crate::cpu::shared::Shared;

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn embed(at: At<'_>, table: Shared<u16>) {
    let hidden = at.device.shape.hidden;
    let share = at.worker.share(hidden);
    let row =
        table.part(at.device.counters.token() * hidden..(at.device.counters.token() + 1) * hidden);
    // SAFETY: weights are never written; the residual's share is this worker's.
    let (row, out) = unsafe {
        (
            row.part(share.clone()).read(),
            at.device.activations.residual.part(share).write(),
        )
    };
    for (out, bits) in out.iter_mut().zip(row) {
        *out = widen(*bits);
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn norm(at: At<'_>, gain: Shared<u16>) {
    let share = at.worker.share(at.device.shape.hidden);
    let activations = &at.device.activations;
    // SAFETY: nobody writes weights or the residual in this launch; the output's share is this worker's.
    let (x, gain, out) = unsafe {
        (
            activations.residual.read(),
            gain.part(share.clone()).read(),
            activations.normed.part(share.clone()).write(),
        )
    };
    let scale = inverse_root_mean_square(x, at.device.shape.norm_eps);
    normalize(&x[share], scale, gain, out);
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn add_projected(at: At<'_>) {
    let share = at.worker.share(at.device.shape.hidden);
    let activations = &at.device.activations;
    // SAFETY: nobody writes the projection's output in this launch; the residual's share is this worker's.
    let (x, out) = unsafe {
        (
            activations.projected.part(share.clone()).read(),
            activations.residual.part(share).write(),
        )
    };
    add(x, out);
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn silu(at: At<'_>) {
    let share = at.worker.share(at.device.shape.intermediate);
    // SAFETY: the share is this worker's.
    at.device
        .path
        .silu(unsafe { at.device.activations.gate.part(share).write() });
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn multiply(at: At<'_>) {
    let share = at.worker.share(at.device.shape.intermediate);
    let activations = &at.device.activations;
    // SAFETY: nobody writes `up` in this launch; the gate's share is this worker's.
    let (up, gate) = unsafe {
        (
            activations.up.part(share.clone()).read(),
            activations.gate.part(share).write(),
        )
    };
    arithmetic::multiply(up, gate);
}
