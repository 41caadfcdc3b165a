//! AVX-512 (F and BW): sixteen `f32` lanes; sixteen bf16 become sixteen `f32` by widening and shifting, and a mask
//! covers what a row leaves over.

use std::arch::x86_64::{
    __m256i, __m512, _mm256_loadu_si256, _mm512_add_ps, _mm512_castsi512_ps,
    _mm512_castsi512_si256, _mm512_cvtepu16_epi32, _mm512_fmadd_ps, _mm512_loadu_ps,
    _mm512_loadu_si512, _mm512_maskz_loadu_epi16, _mm512_maskz_loadu_ps, _mm512_reduce_add_ps,
    _mm512_setzero_ps, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_si512,
    _mm512_xor_si512,
};

use super::prefetch::prefetch;
use super::{attention, vector};

/// `f32` lanes of a register.
const LANES: usize = 16;

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn widen(bits: __m256i) -> __m512 {
    _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(bits)))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_bf16(values: &[u16; LANES]) -> __m512 {
    // SAFETY: the reference covers the 32 bytes read; the load needs no alignment.
    widen(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
}

/// Fewer than sixteen values, zeros in the lanes that they leave.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_bf16_tail(values: &[u16]) -> __m512 {
    // SAFETY: the mask selects the slice's own elements; lanes outside it are not read.
    let bits = unsafe {
        _mm512_maskz_loadu_epi16(u32::from(mask(values.len())), values.as_ptr().cast::<i16>())
    };
    widen(_mm512_castsi512_si256(bits))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(values: &[f32; LANES]) -> __m512 {
    // SAFETY: the reference covers the 64 bytes read; the load needs no alignment.
    unsafe { _mm512_loadu_ps(values.as_ptr()) }
}

/// Fewer than sixteen values, zeros in the lanes that they leave.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_tail(values: &[f32]) -> __m512 {
    // SAFETY: the mask selects the slice's own elements; lanes outside it are not read.
    unsafe { _mm512_maskz_loadu_ps(mask(values.len()), values.as_ptr()) }
}

/// The lowest `count` bits, for `count` below sixteen.
#[inline]
fn mask(count: usize) -> u16 {
    (1 << (count % LANES)) - 1
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn dot(row: &[u16], x: &[f32]) -> f32 {
    // Four independent sums hide the latency of the multiply-add.
    let mut sums = [_mm512_setzero_ps(); 4];
    let (row_blocks, row_tail) = row.as_chunks::<LANES>();
    let (x_blocks, x_tail) = x.as_chunks::<LANES>();
    let (row_quads, row_rest) = row_blocks.as_chunks::<4>();
    let (x_quads, x_rest) = x_blocks.as_chunks::<4>();
    for (row, x) in row_quads.iter().zip(x_quads) {
        prefetch(&row[0]);
        prefetch(&row[2]);
        for i in 0..4 {
            sums[i] = _mm512_fmadd_ps(load_bf16(&row[i]), load(&x[i]), sums[i]);
        }
    }
    for ((row, x), sum) in row_rest.iter().zip(x_rest).zip(&mut sums) {
        *sum = _mm512_fmadd_ps(load_bf16(row), load(x), *sum);
    }
    if !row_tail.is_empty() {
        sums[3] = _mm512_fmadd_ps(load_bf16_tail(row_tail), load_tail(x_tail), sums[3]);
    }
    let [first, second, third, fourth] = sums;
    _mm512_reduce_add_ps(_mm512_add_ps(
        _mm512_add_ps(first, second),
        _mm512_add_ps(third, fourth),
    ))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn project(matrix: &[u16], x: &[f32], out: &mut [f32]) {
    for (row, out) in matrix.chunks_exact(x.len()).zip(out) {
        *out = dot(row, x);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn score(keys: &[u16], queries: &[f32], head_dim: usize, out: &mut [f32]) {
    attention::score::<true, 2>(keys, queries, head_dim, out);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn weigh(weights: &[f32], values: &[u16], head_dim: usize, out: &mut [f32]) {
    attention::weigh::<true, 2>(weights, values, head_dim, out);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn exponentiate(values: &mut [f32], shift: f32) -> f32 {
    vector::exponentiate(values, shift)
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn silu(values: &mut [f32]) {
    vector::silu(values);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sweep(elements: &[u16]) -> u64 {
    let (blocks, tail) = elements.as_chunks::<128>();
    let mut folded = [_mm512_setzero_si512(); 4];
    for block in blocks {
        for (folded, part) in folded.iter_mut().zip(block.as_chunks::<32>().0) {
            prefetch(part);
            // SAFETY: the reference covers the 64 bytes read; the load needs no alignment.
            let bits = unsafe { _mm512_loadu_si512(part.as_ptr().cast()) };
            *folded = _mm512_xor_si512(*folded, bits);
        }
    }
    let mut lanes = [[0_u16; 32]; 4];
    for (folded, lanes) in folded.iter().zip(&mut lanes) {
        // SAFETY: the array covers the 64 bytes written; the store needs no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), *folded) };
    }
    u64::from(
        lanes
            .as_flattened()
            .iter()
            .chain(tail)
            .fold(0, |all, element| all ^ element),
    )
}
