//! Random normal weights for a shape: a decode's speed depends on the sizes, not on what the model knows.

use std::ops::Range;

use super::TensorSource;
use crate::normals::Normals;
use crate::shape::{Role, Shape, Tensor};

/// Seeded normal weights: standard deviation 0.02 for tables, projections and biases, gains of 1 ± 0.1.
///
/// Each tensor is a stream of its own, so that the elements are the same for every number of threads.
pub struct RandomWeights {
    shape: Shape,
    seed: [u8; 32],
    small: Normals,
    gain: Normals,
}

impl RandomWeights {
    /// Weights of that shape under that seed; nothing is drawn until a tensor is read.
    #[must_use]
    pub fn new(shape: Shape, seed: [u8; 32]) -> Self {
        Self {
            shape,
            seed,
            small: Normals::new(0.0, 0.02),
            gain: Normals::new(1.0, 0.1),
        }
    }
}

impl TensorSource for RandomWeights {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn read(&self, tensor: &Tensor, elements: Range<usize>, out: &mut [u16]) {
        let normals = match tensor.role {
            Role::Embedding | Role::Projection | Role::Bias => &self.small,
            Role::Norm => &self.gain,
        };
        normals.write(self.seed, tensor.index as u64, elements, out);
    }
}
