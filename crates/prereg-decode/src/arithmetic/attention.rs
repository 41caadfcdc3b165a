//! Attention over a stretch of cached positions for all query heads that share it, written once in lanes.
//!
//! Keys are cached sixteen positions at a time, `[position / 16][head_dim][16]`: a score is then a sum down the columns
//! of a block and needs no sum across lanes. Values are `[position][head_dim]`. Up to [`HEADS`] query heads go through
//! a stretch together, so that each key and value is widened once for them.
//!
//! The functions take on the instruction set of the path module that calls them, which says with constants whether it
//! has a fused multiply-add (a library call where it has not) and how many sums of each head to keep `AT_ONCE`: enough
//! of them hide the latency of an addition, too many do not fit the registers.
#![expect(
    clippy::inline_always,
    reason = "a function that is not inlined keeps the baseline's instruction set"
)]

use std::array::from_fn;

use super::prefetch::prefetch;
use crate::bf16::widen;

/// Positions that share a block of cached keys, and lanes of a sum.
pub(crate) const LANES: usize = 16;

/// Query heads that go through a stretch together.
const HEADS: usize = 4;

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED {
        a.mul_add(b, sum)
    } else {
        a * b + sum
    }
}

/// Calls a function with the number of heads as a constant.
macro_rules! by_heads {
    ($function:ident, $heads:expr, $($argument:expr),*) => {
        match $heads {
            1 => $function::<FUSED, AT_ONCE, 1>($($argument),*),
            2 => $function::<FUSED, AT_ONCE, 2>($($argument),*),
            3 => $function::<FUSED, AT_ONCE, 3>($($argument),*),
            _ => $function::<FUSED, AT_ONCE, HEADS>($($argument),*),
        }
    };
}

/// See [`Path::score`](super::Path::score).
#[inline(always)]
pub(super) fn score<const FUSED: bool, const AT_ONCE: usize>(
    keys: &[u16],
    queries: &[f32],
    head_dim: usize,
    out: &mut [f32],
) {
    let positions = keys.len() / head_dim;
    if positions == 0 {
        return;
    }
    let chunks = queries
        .chunks(HEADS * head_dim)
        .zip(out.chunks_mut(HEADS * positions));
    for (queries, out) in chunks {
        by_heads!(score_heads, queries.len() / head_dim, keys, queries, out);
    }
}

#[inline(always)]
fn score_heads<const FUSED: bool, const AT_ONCE: usize, const H: usize>(
    keys: &[u16],
    queries: &[f32],
    out: &mut [f32],
) {
    let head_dim = queries.len() / H;
    let positions = out.len() / H;
    // Of one length, so that the inner loop needs no check of its bounds.
    let queries: [&[f32]; H] = from_fn(|head| &queries[head * head_dim..][..head_dim]);
    let blocks = keys.as_chunks::<LANES>().0;
    let whole = blocks.len() / head_dim / AT_ONCE * AT_ONCE;
    let mut blocks = blocks.chunks_exact(head_dim);
    for first in (0..whole).step_by(AT_ONCE) {
        score_blocks::<FUSED, AT_ONCE, H>(&mut blocks, queries, first * LANES, positions, out);
    }
    for first in whole..positions / LANES {
        score_blocks::<FUSED, 1, H>(&mut blocks, queries, first * LANES, positions, out);
    }
}

/// Scores of the next `AT_ONCE` blocks, to the columns of `out` from `column` on.
#[inline(always)]
fn score_blocks<'a, const FUSED: bool, const AT_ONCE: usize, const H: usize>(
    blocks: &mut impl Iterator<Item = &'a [[u16; LANES]]>,
    queries: [&[f32]; H],
    column: usize,
    stride: usize,
    out: &mut [f32],
) {
    let head_dim = queries[0].len();
    let blocks: [&[[u16; LANES]]; AT_ONCE] =
        from_fn(|_| &blocks.next().unwrap_or_default()[..head_dim]);
    let mut sums = [[[0.0; LANES]; H]; AT_ONCE];
    for element in 0..head_dim {
        for (block, sums) in blocks.iter().zip(&mut sums) {
            // Two elements of a block share a cache line.
            if element % 2 == 0 {
                prefetch(&block[element]);
            }
            let keys = block[element].map(widen);
            for (sums, query) in sums.iter_mut().zip(queries) {
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum = multiply_add::<FUSED>(query[element], key, *sum);
                }
            }
        }
    }
    for (index, sums) in sums.iter().enumerate() {
        for (head, sums) in sums.iter().enumerate() {
            out[head * stride + column + index * LANES..][..LANES].copy_from_slice(sums);
        }
    }
}

/// See [`Path::weigh`](super::Path::weigh).
#[inline(always)]
pub(super) fn weigh<const FUSED: bool, const AT_ONCE: usize>(
    weights: &[f32],
    values: &[u16],
    head_dim: usize,
    out: &mut [f32],
) {
    let stride = weights.len() / (out.len() / head_dim);
    if stride == 0 {
        return;
    }
    let chunks = weights
        .chunks(HEADS * stride)
        .zip(out.chunks_mut(HEADS * head_dim));
    for (weights, out) in chunks {
        by_heads!(weigh_heads, out.len() / head_dim, weights, values, out);
    }
}

#[inline(always)]
fn weigh_heads<const FUSED: bool, const AT_ONCE: usize, const H: usize>(
    weights: &[f32],
    values: &[u16],
    out: &mut [f32],
) {
    let head_dim = out.len() / H;
    let stride = weights.len() / H;
    let positions = values.len() / head_dim;
    // Of one length, so that the inner loop needs no check of its bounds.
    let weights: [&[f32]; H] = from_fn(|head| &weights[head * stride..][..positions]);
    let lanes = head_dim / LANES;
    let whole = lanes / AT_ONCE * AT_ONCE;
    for first in (0..whole).step_by(AT_ONCE) {
        weigh_columns::<FUSED, AT_ONCE, H>(weights, values, first * LANES, out);
    }
    for first in whole..lanes {
        weigh_columns::<FUSED, 1, H>(weights, values, first * LANES, out);
    }
    for (position, row) in values.chunks_exact(head_dim).enumerate() {
        for (column, value) in row.iter().enumerate().skip(lanes * LANES) {
            for (head, weights) in weights.iter().enumerate() {
                let sum = &mut out[head * head_dim + column];
                *sum = multiply_add::<FUSED>(weights[position], widen(*value), *sum);
            }
        }
    }
}

/// Adds `AT_ONCE` times [`LANES`] columns from `column` on.
#[inline(always)]
fn weigh_columns<const FUSED: bool, const AT_ONCE: usize, const H: usize>(
    weights: [&[f32]; H],
    values: &[u16],
    column: usize,
    out: &mut [f32],
) {
    let head_dim = out.len() / H;
    let mut sums = [[[0.0; LANES]; H]; AT_ONCE];
    for (index, sums) in sums.iter_mut().enumerate() {
        for (head, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&out[head * head_dim + column + index * LANES..][..LANES]);
        }
    }
    let rows = values.chunks_exact(head_dim);
    for (position, row) in (0..weights[0].len()).zip(rows) {
        let row = row[column..].as_chunks::<LANES>().0;
        prefetch(&row[0]);
        for (values, sums) in row[..AT_ONCE].iter().zip(&mut sums) {
            let values = values.map(widen);
            for (sums, weights) in sums.iter_mut().zip(weights) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = multiply_add::<FUSED>(weights[position], value, *sum);
                }
            }
        }
    }
    for (index, sums) in sums.iter().enumerate() {
        for (head, sums) in sums.iter().enumerate() {
            out[head * head_dim + column + index * LANES..][..LANES].copy_from_slice(sums);
        }
    }
}
