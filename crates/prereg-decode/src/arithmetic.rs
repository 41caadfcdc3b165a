//! Arithmetic on one thread's share of the data, with one implementation a dispatch path.
//!
//! The contract of all paths: weights and cached keys and values are bf16, activations are `f32`, sums are in `f32`.
//! Paths differ in the order of their sums only, so their results agree within rounding and not bit by bit; on one path
//! the same call gives the same bits.

mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod path;
mod portable;
mod prefetch;
mod vector;

pub(crate) use attention::LANES as KEY_BLOCK;
pub use path::Path;
pub(crate) use vector::{add, exp, inverse_root_mean_square, largest, multiply, normalize, scale};

#[cfg(test)]
mod tests;
