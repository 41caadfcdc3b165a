//! The weights, held once: one region, every tensor a part of it.

use std::io;

use super::pool::{Pool, Worker};
use super::region::{Layout, Region};
use super::shared::Shared;
use crate::shape::Tensor;
use crate::weights::TensorSource;

/// All weights of a model in memory that this device owns.
pub(super) struct Weights {
    pub(super) region: Region,
    tensors: Vec<Tensor>,
    parts: Vec<Shared<u16>>,
}

impl Weights {
    /// Copies every tensor of `source`, each row by the worker that will read it, and releases each when it is copied.
    pub(super) fn load(source: &dyn TensorSource, pool: &mut Pool) -> io::Result<Self> {
        let tensors = source.shape().tensors();
        let mut layout = Layout::default();
        let parts: Vec<_> = tensors
            .iter()
            .map(|tensor| layout.reserve::<u16>(tensor.elements()))
            .collect();
        let region = Region::new(layout.len())?;
        let parts = parts.into_iter().map(|part| region.part(part)).collect();
        let weights = Self {
            region,
            tensors,
            parts,
        };
        for tensor in &weights.tensors {
            pool.run(&|worker| {
                let (from, part) = weights.share(tensor, worker);
                // SAFETY: shares are disjoint, and nobody reads before this job is over.
                source.read(tensor, from..from + part.len(), unsafe { part.write() });
            });
            source.release(tensor);
        }
        Ok(weights)
    }

    /// A tensor by its place in [`Shape::tensors`](crate::shape::Shape::tensors).
    pub(super) fn tensor(&self, index: usize) -> (&Tensor, Shared<u16>) {
        (&self.tensors[index], self.parts[index])
    }

    /// The rows of a tensor that a worker reads, with the place of their first element.
    pub(super) fn share(&self, tensor: &Tensor, worker: Worker) -> (usize, Shared<u16>) {
        let rows = worker.share(tensor.rows);
        let elements = rows.start * tensor.columns..rows.end * tensor.columns;
        (elements.start, self.parts[tensor.index].part(elements))
    }
}
