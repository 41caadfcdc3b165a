//! Attention over a stretch of cached positions for all query heads that share it, written once in lanes.
//!
//! Keys are cached sixteen positions at a time, `[position / 16][head_dim][16]`: a score is then a sum down the columns
//! of a block and needs no sum across lanes. Values are `[position][head_dim]`. Up to [`HEADS`] query heads go through
//! a stretch together, so that each key and value is widened once for them.
//!
//! The functions take on the instruction set of the path module that calls them; `FUSED` says whether that has a fused
//! multiply-add, which is a library call where it has not.
#![expect(
    clippy::inline_always,
    reason = "a function that is not inlined keeps the baseline's instruction set"
)]

use super::prefetch::prefetch;
use crate::bf16::widen;

/// Positions that share a block of cached keys, and lanes of a sum.
pub(crate) const LANES: usize = 16;

/// Query heads that go through a stretch together: their sums fit the registers of every path.
const HEADS: usize = 4;

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED {
        a.mul_add(b, sum)
    } else {
        a * b + sum
    }
}

/// The stretch in chunks of heads, each with its number of heads as a constant.
macro_rules! by_heads {
    ($function:ident, $fused:expr, $heads:expr, $($argument:expr),*) => {
        match $heads {
            1 => $function::<$fused, 1>($($argument),*),
            2 => $function::<$fused, 2>($($argument),*),
            3 => $function::<$fused, 3>($($argument),*),
            _ => $function::<$fused, HEADS>($($argument),*),
        }
    };
}

/// See [`Path::score`](super::Path::score).
#[inline(always)]
pub(super) fn score<const FUSED: bool>(
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
        by_heads!(
            score_heads,
            FUSED,
            queries.len() / head_dim,
            keys,
            queries,
            out
        );
    }
}

#[inline(always)]
fn score_heads<const FUSED: bool, const H: usize>(keys: &[u16], queries: &[f32], out: &mut [f32]) {
    let head_dim = queries.len() / H;
    let positions = out.len() / H;
    for (index, block) in keys.chunks_exact(head_dim * LANES).enumerate() {
        let mut sums = [[0.0; LANES]; H];
        for (element, keys) in block.as_chunks::<LANES>().0.iter().enumerate() {
            prefetch(keys);
            let keys = keys.map(widen);
            for (head, sums) in sums.iter_mut().enumerate() {
                let query = queries[head * head_dim + element];
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum = multiply_add::<FUSED>(query, key, *sum);
                }
            }
        }
        for (head, sums) in sums.iter().enumerate() {
            let start = head * positions + index * LANES;
            out[start..start + LANES].copy_from_slice(sums);
        }
    }
}

/// See [`Path::weigh`](super::Path::weigh).
#[inline(always)]
pub(super) fn weigh<const FUSED: bool>(
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
        by_heads!(
            weigh_heads,
            FUSED,
            out.len() / head_dim,
            weights,
            values,
            out
        );
    }
}

#[inline(always)]
fn weigh_heads<const FUSED: bool, const H: usize>(
    weights: &[f32],
    values: &[u16],
    out: &mut [f32],
) {
    let head_dim = out.len() / H;
    let stride = weights.len() / H;
    let whole = head_dim - head_dim % LANES;
    for column in (0..whole).step_by(LANES) {
        let mut sums = [[0.0; LANES]; H];
        for (head, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&out[head * head_dim + column..][..LANES]);
        }
        for (position, row) in values.chunks_exact(head_dim).enumerate() {
            let Some(values) = row[column..].first_chunk::<LANES>() else {
                continue;
            };
            prefetch(values);
            let values = values.map(widen);
            for (head, sums) in sums.iter_mut().enumerate() {
                let weight = weights[head * stride + position];
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = multiply_add::<FUSED>(weight, value, *sum);
                }
            }
        }
        for (head, sums) in sums.iter().enumerate() {
            out[head * head_dim + column..][..LANES].copy_from_slice(sums);
        }
    }
    for (position, row) in values.chunks_exact(head_dim).enumerate() {
        for (column, value) in row.iter().enumerate().skip(whole) {
            for head in 0..H {
                let sum = &mut out[head * head_dim + column];
                *sum =
                    multiply_add::<FUSED>(weights[head * stride + position], widen(*value), *sum);
            }
        }
    }
}
