//! AVX2 with FMA: eight `f32` lanes; eight bf16 become eight `f32` by widening and shifting.

use std::arch::x86_64::{
    __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_loadu_si128, _mm_movehdup_ps, _mm_movehl_ps,
    _mm256_castps256_ps128, _mm256_castsi256_ps, _mm256_cvtepu16_epi32, _mm256_extractf128_ps,
    _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_setzero_ps, _mm256_setzero_si256,
    _mm256_slli_epi32, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::prefetch::prefetch;
use super::{attention, vector};
use crate::bf16::widen;

/// `f32` lanes of a register.
const LANES: usize = 8;

#[target_feature(enable = "avx2,fma")]
#[inline]
fn load_bf16(values: &[u16; LANES]) -> __m256 {
    // SAFETY: the reference covers the 16 bytes read; the load needs no alignment.
    let bits = unsafe { _mm_loadu_si128(values.as_ptr().cast()) };
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn load(values: &[f32; LANES]) -> __m256 {
    // SAFETY: the reference covers the 32 bytes read; the load needs no alignment.
    unsafe { _mm256_loadu_ps(values.as_ptr()) }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn sum(lanes: __m256) -> f32 {
    let halves = _mm_add_ps(
        _mm256_castps256_ps128(lanes),
        _mm256_extractf128_ps::<1>(lanes),
    );
    let pairs = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
    _mm_cvtss_f32(_mm_add_ss(pairs, _mm_movehdup_ps(pairs)))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn dot(row: &[u16], x: &[f32]) -> f32 {
    // Four independent sums hide the latency of the multiply-add.
    let mut sums = [_mm256_setzero_ps(); 4];
    let (row_blocks, row_tail) = row.as_chunks::<LANES>();
    let (x_blocks, x_tail) = x.as_chunks::<LANES>();
    let (row_quads, row_rest) = row_blocks.as_chunks::<4>();
    let (x_quads, x_rest) = x_blocks.as_chunks::<4>();
    for (row, x) in row_quads.iter().zip(x_quads) {
        prefetch(&row[0]);
        for i in 0..4 {
            sums[i] = _mm256_fmadd_ps(load_bf16(&row[i]), load(&x[i]), sums[i]);
        }
    }
    for ((row, x), sum) in row_rest.iter().zip(x_rest).zip(&mut sums) {
        *sum = _mm256_fmadd_ps(load_bf16(row), load(x), *sum);
    }
    let tail: f32 = row_tail
        .iter()
        .zip(x_tail)
        .map(|(weight, x)| widen(*weight) * x)
        .sum();
    let [first, second, third, fourth] = sums.map(|lanes| sum(lanes));
    (first + second) + (third + fourth) + tail
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn project(matrix: &[u16], x: &[f32], out: &mut [f32]) {
    for (row, out) in matrix.chunks_exact(x.len()).zip(out) {
        *out = dot(row, x);
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn score(keys: &[u16], queries: &[f32], head_dim: usize, out: &mut [f32]) {
    attention::score::<true, 1>(keys, queries, head_dim, out);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn weigh(weights: &[f32], values: &[u16], head_dim: usize, out: &mut [f32]) {
    attention::weigh::<true, 1>(weights, values, head_dim, out);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn exponentiate(values: &mut [f32], shift: f32) -> f32 {
    vector::exponentiate(values, shift)
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn silu(values: &mut [f32]) {
    vector::silu(values);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn sweep(elements: &[u16]) -> u64 {
    let (blocks, tail) = elements.as_chunks::<64>();
    let mut folded = [_mm256_setzero_si256(); 4];
    for block in blocks {
        prefetch(&block[0]);
        prefetch(&block[32]);
        for (folded, part) in folded.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: the reference covers the 32 bytes read; the load needs no alignment.
            let bits = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
            *folded = _mm256_xor_si256(*folded, bits);
        }
    }
    let mut lanes = [[0_u16; 16]; 4];
    for (folded, lanes) in folded.iter().zip(&mut lanes) {
        // SAFETY: the array covers the 32 bytes written; the store needs no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), *folded) };
    }
    u64::from(
        lanes
            .as_flattened()
            .iter()
            .chain(tail)
            .fold(0, |all, element| all ^ element),
    )
}
