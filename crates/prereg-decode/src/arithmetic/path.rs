//! The choice of an instruction set at run time, and the operations that depend on it.

use std::fmt;

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A set of vector instructions that the kernels are written for. A value exists only for a path that this CPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

/// Calls the same-named function of the path's module.
///
/// The vector modules' functions are unsafe to call on a CPU without their instructions.
macro_rules! on_path {
    ($path:expr, $function:ident($($argument:expr),*)) => {
        match $path.0 {
            // SAFETY: `available` makes this value only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512::$function($($argument),*) },
            // SAFETY: `available` makes this value only where the CPU has AVX2 and FMA.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2::$function($($argument),*) },
            Set::Portable => portable::$function($($argument),*),
        }
    };
}

impl Path {
    /// Every path this CPU has, fastest first; the portable one is always the last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut paths = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                paths.push(Self(Set::Avx512));
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                paths.push(Self(Set::Avx2));
            }
        }
        paths.push(Self(Set::Portable));
        paths
    }

    /// The fastest path this CPU has.
    #[must_use]
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// Its name in records: `avx512`, `avx2` or `portable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            Set::Portable => "portable",
        }
    }

    /// Matrix times vector, one row at a time: `out[i]` is the sum over j of `matrix[i][j]` × `x[j]`. The matrix is bf16,
    /// row-major, as many rows as `out` and as many columns as `x` has elements.
    ///
    /// One row at a time, because reading several rows at once is slower on memory: each row is a stream that the
    /// hardware prefetcher must find anew.
    pub(crate) fn project(self, matrix: &[u16], x: &[f32], out: &mut [f32]) {
        debug_assert_eq!(matrix.len(), x.len() * out.len());
        on_path!(self, project(matrix, x, out));
    }

    /// The dot products of each query with each key, `[head][position]`: queries are `[head][head_dim]`, keys bf16
    /// in blocks of [`KEY_BLOCK`](super::KEY_BLOCK) positions, `[position / 16][head_dim][16]`.
    pub(crate) fn score(self, keys: &[u16], queries: &[f32], head_dim: usize, out: &mut [f32]) {
        debug_assert_eq!(out.len() * head_dim * head_dim, queries.len() * keys.len());
        on_path!(self, score(keys, queries, head_dim, out));
    }

    /// Adds to `out`, `[head][head_dim]`, the sum of values over positions, each head by its own weights: values are
    /// bf16, `[position][head_dim]`; weights `[head][position]`, of which rows may be longer than there are values.
    pub(crate) fn weigh(self, weights: &[f32], values: &[u16], head_dim: usize, out: &mut [f32]) {
        debug_assert!(weights.len() * head_dim * head_dim >= values.len() * out.len());
        on_path!(self, weigh(weights, values, head_dim, out));
    }

    /// Replaces each value by exp(`value` − `shift`) and returns their sum.
    pub(crate) fn exponentiate(self, values: &mut [f32], shift: f32) -> f32 {
        on_path!(self, exponentiate(values, shift))
    }

    /// Replaces each value by its `SiLU`, `value` ÷ (1 + exp(−`value`)).
    pub(crate) fn silu(self, values: &mut [f32]) {
        on_path!(self, silu(values));
    }

    /// Reads every element once and returns the exclusive or of them all, so that no read can be left out.
    pub(crate) fn sweep(self, elements: &[u16]) -> u64 {
        on_path!(self, sweep(elements))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
