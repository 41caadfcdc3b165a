//! Where weights come from: a source knows its shape and writes any stretch of any of its tensors as bf16.
//!
//! The device that holds the weights owns the memory and decides which thread writes which rows, so that each page is
//! first touched by the thread that will read it. A source is therefore asked for stretches, from several threads at
//! once, and must give the same elements however they are cut.

mod random;

use std::ops::Range;

pub use random::RandomWeights;

use crate::shape::{Shape, Tensor};

/// A complete set of weights for one shape.
///
/// Opening a source checks everything about it (names, dimensions, types), so that reading cannot fail.
pub trait TensorSource: Sync {
    /// The shape these weights belong to.
    fn shape(&self) -> &Shape;

    /// Writes the row-major elements `elements` of `tensor`, one of [`Shape::tensors`] of this source's shape, as bf16
    /// bit patterns into `out`, which has exactly their number.
    fn read(&self, tensor: &Tensor, elements: Range<usize>, out: &mut [u16]);

    /// Called once after all of `tensor` was read: a mapped file gives its pages back here, so that the weights are
    /// held once.
    fn release(&self, _tensor: &Tensor) {}
}
