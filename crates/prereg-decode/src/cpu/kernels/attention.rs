//! Attention over the cache.

use std::ops::Range;

use super::At;
use crate::arithmetic::{KEY_BLOCK, exp, largest, scale};
use crate::cpu::activations::BLOCKS;
use crate::cpu::cache::{Keys, Values};
use crate::cpu::shared::Shared;
use crate::cpu::work::LayerCache;

/// Attention of whole groups of query heads over one split of the positions at a time, with a running maximum: keys and
/// values are read once for all heads of a group.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn attend_splits(at: At<'_>, cache: LayerCache, splits: usize) {
    let shape = &at.device.shape;
    let blocks = (at.device.counters.position() + 1).div_ceil(KEY_BLOCK);
    for unit in at.worker.share(shape.kv_heads * splits) {
        let (kv_head, split) = (unit / splits, unit % splits);
        let range = blocks * split / splits..blocks * (split + 1) / splits;
        // SAFETY: the caller keeps the rule; a unit's results are written by the worker that has the unit.
        unsafe { attend_split(at, cache, kv_head, unit, range) };
    }
}

/// One unit: the heads of `kv_head`'s group over the key blocks `blocks`, to the partial results of `unit`.
///
/// # Safety
/// As [`execute`](super::execute), and no other worker has this unit.
unsafe fn attend_split(
    at: At<'_>,
    cache: LayerCache,
    kv_head: usize,
    unit: usize,
    blocks: Range<usize>,
) {
    let (shape, activations, path) = (&at.device.shape, &at.device.activations, at.device.path);
    let (group, head_dim) = (shape.group(), shape.head_dim);
    let positions = at.device.counters.position() + 1;
    let factor = 1.0 / (head_dim as f32).sqrt();
    let stretch =
        |all: Shared<f32>, index: usize, len: usize| all.part(index * len..(index + 1) * len);
    // SAFETY: nobody writes the queries in this launch; the unit and the room are this worker's.
    let (queries, values, sums, room) = unsafe {
        (
            stretch(activations.query, kv_head, group * head_dim).read(),
            stretch(activations.partial_values, unit, group * head_dim).write(),
            stretch(activations.partial_sums, unit, group * 2)
                .write()
                .as_chunks_mut::<2>()
                .0,
            activations.scratch(at.worker.index).scores.write(),
        )
    };
    values.fill(0.0);
    sums.fill([f32::NEG_INFINITY, 0.0]);
    for start in blocks.clone().step_by(BLOCKS) {
        let end = blocks.end.min(start + BLOCKS);
        let (first, width) = (start * KEY_BLOCK, (end - start) * KEY_BLOCK);
        // The last block may reach beyond the positions that there are.
        let count = width.min(positions - first);
        // SAFETY: nobody writes the cache in this launch.
        let (keys, cached) = unsafe {
            (
                cache.keys.blocks(kv_head, start..end).read(),
                cache.values.positions(kv_head, first..first + count).read(),
            )
        };
        let scores = &mut room[..group * width];
        path.score(keys, queries, head_dim, scores);
        let heads = scores
            .chunks_exact_mut(width)
            .zip(values.chunks_exact_mut(head_dim));
        for ((scores, values), [maximum, sum]) in heads.zip(&mut *sums) {
            let scores = &mut scores[..count];
            scale(scores, factor);
            let before = *maximum;
            *maximum = largest(scores, before);
            let shrink = exp(before - *maximum);
            scale(values, shrink);
            *sum = *sum * shrink + path.exponentiate(scores, *maximum);
        }
        path.weigh(scores, cached, head_dim, values);
    }
}

/// All heads' attention output from the splits' results, in this worker's own room.
///
/// # Safety
/// Nobody writes the partial results while the result lives, and this worker asks for its own room once.
pub(super) unsafe fn combine(at: At<'_>, splits: usize) -> &[f32] {
    let (shape, activations) = (&at.device.shape, &at.device.activations);
    let (group, head_dim) = (shape.group(), shape.head_dim);
    let room = activations
        .scratch(at.worker.index)
        .vector
        .part(0..shape.query_width());
    // SAFETY: the caller vouches for the partial results and the room.
    let (values, sums, out) = unsafe {
        (
            activations.partial_values.read(),
            activations.partial_sums.read(),
            room.write(),
        )
    };
    let sums = sums.as_chunks::<2>().0;
    for (head, out) in out.chunks_exact_mut(head_dim).enumerate() {
        // Partial results are `[kv_head][split][head of the group]`.
        let first = head / group * splits * group + head % group;
        let places = || (0..splits).map(|split| first + split * group);
        let maximum = places()
            .map(|place| sums[place][0])
            .fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        out.fill(0.0);
        for place in places() {
            let [own_maximum, sum] = sums[place];
            let weight = exp(own_maximum - maximum);
            total += weight * sum;
            for (out, value) in out.iter_mut().zip(&values[place * head_dim..]) {
                *out += weight * value;
            }
        }
        scale(out, 1.0 / total);
    }
    out
}

/// Each worker takes a share of the key blocks, for all heads.
///
/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn scores(at: At<'_>, keys: Keys) {
    let (shape, activations) = (&at.device.shape, &at.device.activations);
    let head_dim = shape.head_dim;
    let blocks = at
        .worker
        .share((at.device.counters.position() + 1).div_ceil(KEY_BLOCK));
    let factor = 1.0 / (head_dim as f32).sqrt();
    for head in 0..shape.heads {
        let row = head * (activations.scores.len() / shape.heads);
        let columns = row + blocks.start * KEY_BLOCK..row + blocks.end * KEY_BLOCK;
        // SAFETY: nobody writes keys or queries in this launch; these blocks' scores are this worker's.
        let (keys, query, out) = unsafe {
            (
                keys.blocks(head / shape.group(), blocks.clone()).read(),
                activations
                    .query
                    .part(head * head_dim..(head + 1) * head_dim)
                    .read(),
                activations.scores.part(columns).write(),
            )
        };
        at.device.path.score(keys, query, head_dim, out);
        scale(out, factor);
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn softmax(at: At<'_>) {
    for head in at.worker.share(at.device.shape.heads) {
        // SAFETY: the head is this worker's.
        let scores = unsafe { scores_of(at, head).write() };
        let maximum = largest(scores, f32::NEG_INFINITY);
        let sum = at.device.path.exponentiate(scores, maximum);
        scale(scores, 1.0 / sum);
    }
}

/// # Safety
/// As [`execute`](super::execute).
pub(super) unsafe fn weight_values(at: At<'_>, values: Values) {
    let (shape, positions) = (&at.device.shape, at.device.counters.position() + 1);
    let head_dim = shape.head_dim;
    for head in at.worker.share(shape.heads) {
        let attended = at
            .device
            .activations
            .attended
            .part(head * head_dim..(head + 1) * head_dim);
        // SAFETY: nobody writes scores or values in this launch; the head's output is this worker's.
        let (scores, values, out) = unsafe {
            (
                scores_of(at, head).read(),
                values.positions(head / shape.group(), 0..positions).read(),
                attended.write(),
            )
        };
        out.fill(0.0);
        at.device.path.weigh(scores, values, head_dim, out);
    }
}

/// The scores of one head at every cached position, the current one among them.
fn scores_of(at: At<'_>, head: usize) -> Shared<f32> {
    let scores = at.device.activations.scores;
    let row = head * (scores.len() / at.device.shape.heads);
    scores.part(row..row + at.device.counters.position() + 1)
}
