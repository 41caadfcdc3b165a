//! The kernels of a step, with their arguments: the vocabulary shared by plans and devices.

/// An activation in device memory, `f32`. A device allocates each once; sizes are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// The residual stream, `hidden`.
    Residual,
    /// The residual stream after a norm, `hidden`.
    Normed,
    /// Queries, `[heads, head_dim]`.
    Query,
    /// Keys of this position, `[kv_heads, head_dim]`.
    Key,
    /// Values of this position, `[kv_heads, head_dim]`.
    Value,
    /// Attention output, `[heads, head_dim]`.
    Attended,
    /// A projection's output on its way into the residual stream, `hidden`.
    Projected,
    /// The gate of the feed-forward layer, `intermediate`.
    Gate,
    /// The other half of the feed-forward layer, `intermediate`.
    Up,
    /// This step's row of logits, `vocab`.
    Logits,
}

/// The weights of a projection; indices are places in [`Shape::tensors`](crate::shape::Shape::tensors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The matrix, `[rows, columns]`.
    pub matrix: usize,
    /// The bias, `[rows]`.
    pub bias: Option<usize>,
}

/// What one launch computes. Position, token and logits row are read from counters in device memory, never passed: a
/// captured launch would freeze them.
///
/// `gain` is the index of a norm's tensor; `layer` selects that layer's cached keys and values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// Residual ← the current token's row of the embedding table.
    Embed {
        /// The embedding table.
        table: usize,
    },
    /// Query, Key, Value ← projections of norm(Residual), with bias where there is one.
    NormQkv {
        /// Gains of the norm.
        gain: usize,
        /// Query projection.
        query: Projection,
        /// Key projection.
        key: Projection,
        /// Value projection.
        value: Projection,
    },
    /// Rotates Query and Key by the position, then appends Key and Value to the cache.
    RotateAppend {
        /// Whose cache.
        layer: usize,
    },
    /// Attention of each group of query heads over one split of the cached positions, unnormalised, to partial results.
    AttendSplits {
        /// Whose cache.
        layer: usize,
        /// Splits of each key/value head.
        splits: usize,
    },
    /// Residual += projection of the combined splits.
    CombineProject {
        /// Splits of each key/value head.
        splits: usize,
        /// Output projection.
        output: Projection,
    },
    /// Gate ← SiLU(gate projection of norm(Residual)) × up projection of the same.
    NormGateUp {
        /// Gains of the norm.
        gain: usize,
        /// Gate projection.
        gate: Projection,
        /// Up projection.
        up: Projection,
    },
    /// Residual += projection of Gate.
    DownAdd {
        /// Down projection.
        down: Projection,
    },
    /// Logits ← vocabulary projection of norm(Residual), and the largest logit of each share of it.
    NormVocabulary {
        /// Gains of the final norm.
        gain: usize,
        /// Vocabulary projection.
        vocabulary: Projection,
    },
    /// Token ← index of the largest of the shares' largest logits, lowest index on ties; position and row go up by one.
    Advance,

    /// Normed ← norm(Residual).
    Norm {
        /// Gains of the norm.
        gain: usize,
    },
    /// `output` ← projection of `input`.
    Project {
        /// What is projected.
        input: Buffer,
        /// The projection.
        by: Projection,
        /// Where to.
        output: Buffer,
    },
    /// Rotates Query, or Key, by the position.
    Rotate {
        /// Query or Key.
        what: Buffer,
    },
    /// Appends Key, or Value, to its cache.
    Append {
        /// Key or Value.
        what: Buffer,
        /// Whose cache.
        layer: usize,
    },
    /// Scores of every query head against every cached key, scaled by 1 ÷ √`head_dim`.
    Scores {
        /// Whose cache.
        layer: usize,
    },
    /// Softmax of each query head's scores over the positions.
    Softmax,
    /// Attended ← cached values weighted by the scores.
    WeightValues {
        /// Whose cache.
        layer: usize,
    },
    /// Residual += Projected.
    Add,
    /// Gate ← SiLU(Gate).
    Silu,
    /// Gate ← Gate × Up.
    Multiply,
    /// The largest logit of each share of the vocabulary.
    Argmax,
}

impl Kernel {
    /// The tensors it reads, as places in [`Shape::tensors`](crate::shape::Shape::tensors).
    #[must_use]
    pub fn tensors(&self) -> Vec<usize> {
        let projection = |by: Projection| [Some(by.matrix), by.bias];
        let places = match *self {
            Self::Embed { table: index } | Self::Norm { gain: index } => vec![Some(index)],
            Self::NormQkv {
                gain,
                query,
                key,
                value,
            } => [
                vec![Some(gain)],
                [query, key, value].map(projection).concat(),
            ]
            .concat(),
            Self::NormGateUp { gain, gate, up } => {
                [vec![Some(gain)], [gate, up].map(projection).concat()].concat()
            }
            Self::NormVocabulary { gain, vocabulary } => {
                [vec![Some(gain)], projection(vocabulary).to_vec()].concat()
            }
            Self::CombineProject { output: by, .. }
            | Self::DownAdd { down: by }
            | Self::Project { by, .. } => projection(by).to_vec(),
            Self::RotateAppend { .. }
            | Self::AttendSplits { .. }
            | Self::Advance
            | Self::Rotate { .. }
            | Self::Append { .. }
            | Self::Scores { .. }
            | Self::Softmax
            | Self::WeightValues { .. }
            | Self::Add
            | Self::Silu
            | Self::Multiply
            | Self::Argmax => Vec::new(),
        };
        places.into_iter().flatten().collect()
    }
}
