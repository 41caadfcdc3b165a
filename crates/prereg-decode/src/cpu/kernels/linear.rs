//! Kernels around a projection: each worker computes its share of the rows.

use super::{At, attention, token};
use crate::arithmetic::{add, inverse_root_mean_square, multiply, normalize};
use crate::bf16::widen;
use crate::cpu::shared::Shared;
use crate::cpu::work::Linear;

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn norm_qkv(at: At<'_>, gain: Shared<u16>, parts: [Linear; 3]) {
    let activations = &at.device.activations;
    // SAFETY: the caller keeps the rule; nobody writes the residual in this launch, and rows are shared out.
    unsafe {
        let x = normed_residual(at, gain);
        for (linear, out) in
            parts
                .into_iter()
                .zip([activations.query, activations.key, activations.value])
        {
            rows(at, linear, x, out);
        }
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn norm_gate_up(at: At<'_>, gain: Shared<u16>, gate: Linear, up: Linear) {
    let activations = &at.device.activations;
    // SAFETY: the caller keeps the rule; nobody writes the residual in this launch, and rows are shared out.
    let (gate, up) = unsafe {
        let x = normed_residual(at, gain);
        // One matrix after the other: each is one stream through memory.
        (
            rows(at, gate, x, activations.gate),
            rows(at, up, x, activations.up),
        )
    };
    at.device.path.silu(gate);
    multiply(up, gate);
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn norm_vocabulary(at: At<'_>, gain: Shared<u16>, vocabulary: Linear) {
    // SAFETY: the caller keeps the rule; nobody writes the residual in this launch, and rows are shared out.
    unsafe {
        let x = normed_residual(at, gain);
        rows(at, vocabulary, x, token::logits_row(at.device));
        token::argmax(at);
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn combine_project(at: At<'_>, splits: usize, output: Linear) {
    // SAFETY: the caller keeps the rule; nobody writes the partial results in this launch, and rows are shared out.
    unsafe {
        let x = attention::combine(at, splits);
        add_rows(at, output, x);
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn down_add(at: At<'_>, down: Linear) {
    // SAFETY: the caller keeps the rule; nobody writes the gate in this launch, and rows are shared out.
    unsafe { add_rows(at, down, at.device.activations.gate.read()) }
}

/// # Safety
/// As [`execute`](super::execute); `input` and `output` are not the same.
pub(super) unsafe fn project(at: At<'_>, input: Shared<f32>, by: Linear, output: Shared<f32>) {
    // SAFETY: the caller keeps the rule; nobody writes the input in this launch, and rows are shared out.
    unsafe { rows(at, by, input.read(), output) };
}

/// The norm of the whole residual, in this worker's own room: every worker needs all of it, and computing it anew costs
/// less than another launch.
///
/// # Safety
/// Nobody writes the residual while the result lives, and this worker asks for its own room once.
unsafe fn normed_residual(at: At<'_>, gain: Shared<u16>) -> &[f32] {
    let shape = &at.device.shape;
    let room = at
        .device
        .activations
        .scratch(at.worker.index)
        .vector
        .part(0..shape.hidden);
    // SAFETY: the caller vouches for the residual and the room; weights are never written.
    let (x, gain, out) = unsafe {
        (
            at.device.activations.residual.read(),
            gain.read(),
            room.write(),
        )
    };
    normalize(x, inverse_root_mean_square(x, shape.norm_eps), gain, out);
    out
}

/// This worker's rows of a projection of `x`, with bias, written to `out` and given back.
///
/// # Safety
/// Nobody else touches this worker's share of `out` while the result lives.
unsafe fn rows<'a>(at: At<'a>, linear: Linear, x: &[f32], out: Shared<f32>) -> &'a mut [f32] {
    let share = at.worker.share(linear.rows);
    let matrix = linear
        .matrix
        .part(share.start * linear.columns..share.end * linear.columns);
    // SAFETY: weights are never written; the caller vouches for the output.
    let (matrix, out) = unsafe { (matrix.read(), out.part(share.clone()).write()) };
    at.device.path.project(matrix, x, out);
    if let Some(bias) = linear.bias {
        // SAFETY: weights are never written.
        for (out, bias) in out.iter_mut().zip(unsafe { bias.part(share).read() }) {
            *out += widen(*bias);
        }
    }
    out
}

/// Adds this worker's rows of a projection of `x` to the residual.
///
/// # Safety
/// Nobody else touches this worker's share of the residual or of `projected`.
unsafe fn add_rows(at: At<'_>, linear: Linear, x: &[f32]) {
    let activations = &at.device.activations;
    // SAFETY: the caller vouches for both shares.
    unsafe {
        let projected = rows(at, linear, x, activations.projected);
        add(
            projected,
            activations
                .residual
                .part(at.worker.share(linear.rows))
                .write(),
        );
    }
}
