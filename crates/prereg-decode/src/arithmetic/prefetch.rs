//! Asking for weights before they are needed.
//!
//! A row of a projection is too short for the processor to look far ahead by itself: its window of instructions covers
//! about 4 KiB of weights, and the hardware prefetcher finds each row anew. Measured on Sapphire Rapids at rows of 576
//! to 4864 elements: 0.55 to 0.6 of the read bandwidth without, 0.88 with one distance, 0.93 to 0.98 with two; other
//! distances from 1 to 16 KiB are within a few percent.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};

/// How far ahead of its read a cache line is asked for into the second-level cache, in bytes.
const FAR: usize = 8192;

/// How far ahead of its read a cache line is asked for into the first-level cache, in bytes.
const NEAR: usize = 4096;

/// Asks for the cache lines [`FAR`] and [`NEAR`] behind `here`; elsewhere than on x86-64 it does nothing.
#[inline]
pub(super) fn prefetch<T>(here: &T) {
    let here = std::ptr::from_ref(here).cast::<i8>();
    let (far, near) = (here.wrapping_add(FAR), here.wrapping_add(NEAR));
    // SAFETY: hints: they read nothing, and an address outside any mapping is ignored. SSE is part of x86-64.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T1>(far);
        _mm_prefetch::<_MM_HINT_T0>(near);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (far, near);
}
