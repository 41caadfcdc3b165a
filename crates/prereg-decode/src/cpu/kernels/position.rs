//! What depends on the position: rotary embedding and appending to the cache.

use super::At;
use crate::arithmetic::KEY_BLOCK;
use crate::bf16::narrow;
use crate::cpu::cache::{Keys, Values};
use crate::cpu::shared::Shared;
use crate::cpu::work::LayerCache;

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn rotate_append(at: At<'_>, cache: LayerCache) {
    let activations = &at.device.activations;
    // SAFETY: the caller keeps the rule; key heads are shared out the same way each time, so that a worker appends the
    // keys that it rotated itself.
    unsafe {
        rotate(at, activations.query);
        rotate(at, activations.key);
        append_key(at, cache.keys);
        append_value(at, cache.values);
    }
}

/// Rotates each head of `what` by the current position.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn rotate(at: At<'_>, what: Shared<f32>) {
    let (head_dim, position) = (at.device.shape.head_dim, at.device.counters.position());
    let angles = at
        .device
        .activations
        .angles
        .part(position * head_dim..(position + 1) * head_dim);
    // SAFETY: the angles are never written after they were made.
    let angles = unsafe { angles.read() };
    for head in at.worker.share(what.len() / head_dim) {
        // SAFETY: the head is this worker's.
        let values = unsafe { what.part(head * head_dim..(head + 1) * head_dim).write() };
        let (first, second) = values.split_at_mut(head_dim / 2);
        for ((a, b), [cos, sin]) in first.iter_mut().zip(second).zip(angles.as_chunks::<2>().0) {
            (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
        }
    }
}

/// Writes this position's key of each head to the cache.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn append_key(at: At<'_>, to: Keys) {
    let (head_dim, position) = (at.device.shape.head_dim, at.device.counters.position());
    let (block, lane) = (position / KEY_BLOCK, position % KEY_BLOCK);
    for head in at.worker.share(at.device.shape.kv_heads) {
        let key = at
            .device
            .activations
            .key
            .part(head * head_dim..(head + 1) * head_dim);
        // SAFETY: the head is this worker's, here and in the cache.
        let (key, out) = unsafe { (key.read(), to.blocks(head, block..block + 1).write()) };
        for (out, value) in out.iter_mut().skip(lane).step_by(KEY_BLOCK).zip(key) {
            *out = narrow(*value);
        }
    }
}

/// Writes this position's value of each head to the cache.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn append_value(at: At<'_>, to: Values) {
    let (head_dim, position) = (at.device.shape.head_dim, at.device.counters.position());
    for head in at.worker.share(at.device.shape.kv_heads) {
        let value = at
            .device
            .activations
            .value
            .part(head * head_dim..(head + 1) * head_dim);
        // SAFETY: the head is this worker's, here and in the cache.
        let (value, out) = unsafe {
            (
                value.read(),
                to.positions(head, position..position + 1).write(),
            )
        };
        for (out, value) in out.iter_mut().zip(value) {
            *out = narrow(*value);
        }
    }
}
