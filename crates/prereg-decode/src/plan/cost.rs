//! What a kernel must move and how far it can be shared out, from the shape alone.
//!
//! Activations are `f32`, weights and cached positions bf16. Counters and the table of rotary angles are left out: they
//! are a few hundred bytes.

use super::kernel::{Buffer, Kernel};
use super::traffic::Traffic;
use crate::shape::{Shape, Tensor};

/// A shape with its tensors and the number of positions cached before the step.
pub(super) struct Cost<'a> {
    pub(super) shape: &'a Shape,
    pub(super) tensors: &'a [Tensor],
    pub(super) context: usize,
}

impl Cost<'_> {
    /// Independent units of work of a launch.
    pub(super) fn grid(&self, kernel: &Kernel) -> usize {
        let shape = self.shape;
        match *kernel {
            Kernel::Embed { .. }
            | Kernel::Norm { .. }
            | Kernel::Add
            | Kernel::CombineProject { .. }
            | Kernel::DownAdd { .. } => shape.hidden,
            Kernel::NormQkv { .. } => shape.query_width() + 2 * shape.kv_width(),
            Kernel::RotateAppend { .. } => shape.heads + 2 * shape.kv_heads,
            Kernel::AttendSplits { splits, .. } => shape.kv_heads * splits,
            Kernel::NormGateUp { .. } | Kernel::Silu | Kernel::Multiply => shape.intermediate,
            Kernel::NormVocabulary { .. } | Kernel::Argmax => shape.vocab,
            Kernel::Advance => 1,
            Kernel::Project { by, .. } => self.tensors[by.matrix].rows,
            Kernel::Rotate {
                what: Buffer::Query,
            }
            | Kernel::Softmax
            | Kernel::WeightValues { .. } => shape.heads,
            Kernel::Rotate { .. } | Kernel::Append { .. } => shape.kv_heads,
            Kernel::Scores { .. } => self.context + 1,
        }
    }

    /// Bytes that a launch must read and write.
    pub(super) fn traffic(&self, kernel: &Kernel) -> Traffic {
        let mut traffic = self.moved(kernel);
        traffic.read.weight = match kernel {
            // One row, counted as `other`: the published floors leave the table out.
            Kernel::Embed { .. } => 0,
            kernel => kernel
                .tensors()
                .iter()
                .map(|&tensor| self.tensors[tensor].bytes())
                .sum(),
        };
        traffic
    }

    /// All but the weights.
    fn moved(&self, kernel: &Kernel) -> Traffic {
        let shape = self.shape;
        let (hidden, intermediate, query, kv) = (
            shape.hidden,
            shape.intermediate,
            shape.query_width(),
            shape.kv_width(),
        );
        let scores = shape.heads * (self.context + 1);
        // Each split of each query head leaves its weighted values, their maximum and their sum.
        let partials = |splits: usize| shape.heads * splits * (shape.head_dim + 2);
        match *kernel {
            Kernel::Embed { .. } => {
                let mut traffic = activations(0, hidden);
                traffic.read.other = 2 * hidden as u64;
                traffic
            }
            Kernel::NormQkv { .. } => activations(hidden, query + 2 * kv),
            Kernel::RotateAppend { .. } => appended(query + 2 * kv, query, 2 * kv),
            Kernel::AttendSplits { splits, .. } => self.cached(2, query, partials(splits)),
            Kernel::CombineProject { splits, .. } => activations(partials(splits) + hidden, hidden),
            Kernel::NormGateUp { .. } => activations(hidden, intermediate),
            Kernel::DownAdd { .. } => activations(intermediate + hidden, hidden),
            Kernel::NormVocabulary { .. } => activations(hidden, shape.vocab),
            Kernel::Advance => Traffic::default(),
            Kernel::Norm { .. } => activations(hidden, hidden),
            Kernel::Project { by, .. } => activations(
                self.tensors[by.matrix].columns,
                self.tensors[by.matrix].rows,
            ),
            Kernel::Rotate {
                what: Buffer::Query,
            } => activations(query, query),
            Kernel::Rotate { .. } => activations(kv, kv),
            Kernel::Append { .. } => appended(kv, 0, kv),
            Kernel::Scores { .. } => self.cached(1, query, scores),
            Kernel::Softmax => activations(scores, scores),
            Kernel::WeightValues { .. } => self.cached(1, scores, query),
            Kernel::Add => activations(2 * hidden, hidden),
            Kernel::Silu => activations(intermediate, intermediate),
            Kernel::Multiply => activations(2 * intermediate, intermediate),
            Kernel::Argmax => activations(shape.vocab, 0),
        }
    }

    /// Reads `halves` of one layer's cache (1: keys or values; 2: both) and some activations.
    fn cached(&self, halves: usize, read: usize, written: usize) -> Traffic {
        let mut traffic = activations(read, written);
        traffic.read.kv = 2 * (halves * self.shape.kv_width() * self.context) as u64;
        traffic
    }
}

/// Activations read and written, in elements.
fn activations(read: usize, written: usize) -> Traffic {
    let mut traffic = Traffic::default();
    traffic.read.other = 4 * read as u64;
    traffic.written.other = 4 * written as u64;
    traffic
}

/// Activations read and written, and elements appended to the cache.
fn appended(read: usize, written: usize, cached: usize) -> Traffic {
    let mut traffic = activations(read, written);
    traffic.written.kv = 2 * cached as u64;
    traffic
}
