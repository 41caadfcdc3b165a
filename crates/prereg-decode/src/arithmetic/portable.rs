//! The path that every CPU has: plain Rust, in lanes that a compiler turns into the vectors of its baseline.
//!
//! Multiplies and adds stay separate: without a fused instruction `mul_add` is a library call for each element.

use super::attention;
use crate::bf16::widen;

pub(super) use super::vector::{exponentiate, silu};

/// Independent partial sums of one dot product.
const LANES: usize = 16;

fn dot(row: &[u16], x: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (row_blocks, row_tail) = row.as_chunks::<LANES>();
    let (x_blocks, x_tail) = x.as_chunks::<LANES>();
    for (row, x) in row_blocks.iter().zip(x_blocks) {
        for lane in 0..LANES {
            sums[lane] += widen(row[lane]) * x[lane];
        }
    }
    for ((weight, x), sum) in row_tail.iter().zip(x_tail).zip(&mut sums) {
        *sum += widen(*weight) * x;
    }
    sums.iter().sum()
}

pub(super) fn project(matrix: &[u16], x: &[f32], out: &mut [f32]) {
    for (row, out) in matrix.chunks_exact(x.len()).zip(out) {
        *out = dot(row, x);
    }
}

pub(super) fn score(keys: &[u16], queries: &[f32], head_dim: usize, out: &mut [f32]) {
    attention::score::<false, 1>(keys, queries, head_dim, out);
}

pub(super) fn weigh(weights: &[f32], values: &[u16], head_dim: usize, out: &mut [f32]) {
    attention::weigh::<false, 1>(weights, values, head_dim, out);
}

pub(super) fn sweep(elements: &[u16]) -> u64 {
    let (blocks, tail) = elements.as_chunks::<32>();
    let mut folded = [0_u16; 32];
    for block in blocks {
        for (folded, element) in folded.iter_mut().zip(block) {
            *folded ^= element;
        }
    }
    u64::from(
        folded
            .iter()
            .chain(tail)
            .fold(0, |all, element| all ^ element),
    )
}
