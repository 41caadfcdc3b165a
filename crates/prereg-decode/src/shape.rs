//! The shape of a model: every number that fixes its weights, its KV cache and the work of one step.
//!
//! A shape says nothing about values. [`Shape::tensors`] lists the weights it needs under their Hugging Face names, and
//! [`Shape::named`] knows the published shapes that a declaration may ask for by name.

mod named;
mod rope;
mod tensor;

pub use rope::{Llama3Scaling, Rope};
pub use tensor::{Role, Tensor};

/// The family of a checkpoint. All three share one step; they differ in defaults and in where biases appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Meta's Llama 2 and 3, and models that reuse its layout.
    Llama,
    /// Mistral 7B: Llama's layout.
    Mistral,
    /// Qwen 2 and 2.5: Llama's layout with a bias on the query, key and value projections.
    Qwen2,
}

/// The shape of one decoder-only model.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What messages and records call it: a published name or the checkpoint folder's.
    pub name: String,
    /// Family of the checkpoint.
    pub architecture: Architecture,
    /// Width of the residual stream.
    pub hidden: usize,
    /// Number of decoder layers.
    pub layers: usize,
    /// Query heads a layer.
    pub heads: usize,
    /// Key and value heads a layer; a divisor of `heads`.
    pub kv_heads: usize,
    /// Width of one head; even.
    pub head_dim: usize,
    /// Width of the feed-forward layer.
    pub intermediate: usize,
    /// Number of tokens in the vocabulary.
    pub vocab: usize,
    /// Added to the mean square before its root in every RMSNorm.
    pub norm_eps: f32,
    /// Rotary position embedding.
    pub rope: Rope,
    /// Whether the query, key and value projections carry a bias.
    pub qkv_bias: bool,
    /// Whether the vocabulary projection reuses the input-embedding table.
    pub tied: bool,
    /// Longest context the model is declared for, in positions.
    pub max_position: usize,
}

impl Shape {
    /// Rows of the query projection: all query heads side by side.
    #[must_use]
    pub fn query_width(&self) -> usize {
        self.heads * self.head_dim
    }

    /// Rows of the key projection, and of the value projection.
    #[must_use]
    pub fn kv_width(&self) -> usize {
        self.kv_heads * self.head_dim
    }

    /// Query heads that share one key and value head.
    #[must_use]
    pub fn group(&self) -> usize {
        self.heads / self.kv_heads
    }

    /// Bytes of all weights in bf16; a tied table counts once.
    #[must_use]
    pub fn weight_bytes(&self) -> u64 {
        self.tensors().iter().map(Tensor::bytes).sum()
    }

    /// Bytes of the keys and values of `positions` positions in bf16.
    #[must_use]
    pub fn kv_bytes(&self, positions: usize) -> u64 {
        2 * 2 * (self.layers * self.kv_width() * positions) as u64
    }

    /// What is wrong with the numbers themselves, if anything: a step can run on every shape for which this is `Ok`.
    ///
    /// # Errors
    /// [`ShapeError`] names the first number that does not fit.
    pub fn check(&self) -> Result<(), ShapeError> {
        let sizes = [
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("heads", self.heads),
            ("kv_heads", self.kv_heads),
            ("head_dim", self.head_dim),
            ("intermediate", self.intermediate),
            ("vocab", self.vocab),
            ("max_position", self.max_position),
        ];
        for (name, value) in sizes {
            if value == 0 {
                return Err(ShapeError::Zero { name });
            }
            // Beyond any model, and small enough that no product of a few of them overflows.
            if value > MAX_SIZE {
                return Err(ShapeError::TooLarge { name, value });
            }
        }
        if self.layers > MAX_LAYERS || self.elements_at_most() > MAX_ELEMENTS {
            return Err(ShapeError::TooMuchMemory);
        }
        if !self.heads.is_multiple_of(self.kv_heads) {
            return Err(ShapeError::UnevenGroups {
                heads: self.heads,
                kv_heads: self.kv_heads,
            });
        }
        if !self.head_dim.is_multiple_of(2) {
            return Err(ShapeError::OddHeadDim {
                head_dim: self.head_dim,
            });
        }
        let scaling_positive = self.rope.scaling.is_none_or(|s| {
            s.factor > 0.0
                && s.low_freq_factor > 0.0
                && s.high_freq_factor > s.low_freq_factor
                && s.original_max_position > 0
        });
        if !(self.rope.theta > 0.0 && self.rope.theta.is_finite() && scaling_positive) {
            return Err(ShapeError::Rope);
        }
        if !(self.norm_eps >= 0.0 && self.norm_eps.is_finite()) {
            return Err(ShapeError::NormEps {
                value: self.norm_eps,
            });
        }
        Ok(())
    }
}

impl Shape {
    /// An upper bound of the number of weights and cached elements, in a type that the largest sizes do not overflow.
    fn elements_at_most(&self) -> u128 {
        let wide = |size: usize| size as u128;
        let hidden = wide(self.hidden);
        let heads = (wide(self.heads) + wide(self.kv_heads)) * wide(self.head_dim);
        // Query and output, key and value, gate, up and down; one column more for biases and gains.
        let rows = 2 * heads + 3 * wide(self.intermediate) + 2;
        let layer = rows * (hidden + 1) + 2 * heads * wide(self.max_position);
        2 * wide(self.vocab) * hidden + wide(self.layers) * layer
    }
}

/// Most layers, and most elements, of any model: below them no sum of bytes overflows.
const MAX_LAYERS: usize = 1 << 12;
const MAX_ELEMENTS: u128 = 1 << 50;

/// Largest value of any one size of a shape.
const MAX_SIZE: usize = 1 << 24;

/// A shape whose numbers no step can run on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A size is zero.
    #[error("`{name}` is 0; every size of a model is at least 1")]
    Zero {
        /// The size.
        name: &'static str,
    },
    /// A size is beyond any model.
    #[error("`{name}` is {value}, more than any size of a model may be ({MAX_SIZE})")]
    TooLarge {
        /// The size.
        name: &'static str,
        /// Its value.
        value: usize,
    },
    /// Sizes that are plausible one by one and not together.
    #[error("a model of these sizes together would need more memory than any machine has")]
    TooMuchMemory,
    /// Query heads cannot be shared out evenly.
    #[error(
        "{heads} query heads cannot share {kv_heads} key/value heads evenly; the second must divide the first"
    )]
    UnevenGroups {
        /// Query heads.
        heads: usize,
        /// Key and value heads.
        kv_heads: usize,
    },
    /// Rotary embedding rotates pairs.
    #[error("`head_dim` is {head_dim}, but rotary embedding rotates pairs; it must be even")]
    OddHeadDim {
        /// Width of a head.
        head_dim: usize,
    },
    /// Rotary parameters that give no frequencies.
    #[error(
        "rotary parameters must be positive and finite, with high_freq_factor above low_freq_factor"
    )]
    Rope,
    /// An epsilon that gives no norm.
    #[error("`norm_eps` is {value}; it must be finite and not negative")]
    NormEps {
        /// The value.
        value: f32,
    },
}

#[cfg(test)]
mod tests;
