//! A launch with its arguments resolved: the plan's places and names turned into memory.

use super::cache::{Keys, Values};
use super::shared::Shared;

/// A projection in memory.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    /// `[rows, columns]`, bf16.
    pub(super) matrix: Shared<u16>,
    /// `[rows]`, bf16.
    pub(super) bias: Option<Shared<u16>>,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// The cached keys and values of one layer.
#[derive(Clone, Copy)]
pub(super) struct LayerCache {
    pub(super) keys: Keys,
    pub(super) values: Values,
}

/// One launch, ready to run; variants as in [`Kernel`](crate::plan::Kernel).
#[derive(Clone, Copy)]
pub(super) enum Work {
    Embed {
        table: Shared<u16>,
    },
    NormQkv {
        gain: Shared<u16>,
        query: Linear,
        key: Linear,
        value: Linear,
    },
    RotateAppend {
        cache: LayerCache,
    },
    AttendSplits {
        cache: LayerCache,
        splits: usize,
    },
    CombineProject {
        splits: usize,
        output: Linear,
    },
    NormGateUp {
        gain: Shared<u16>,
        gate: Linear,
        up: Linear,
    },
    DownAdd {
        down: Linear,
    },
    NormVocabulary {
        gain: Shared<u16>,
        vocabulary: Linear,
    },
    Advance,
    Norm {
        gain: Shared<u16>,
    },
    Project {
        input: Shared<f32>,
        by: Linear,
        output: Shared<f32>,
    },
    ProjectLogits {
        input: Shared<f32>,
        by: Linear,
    },
    Rotate {
        what: Shared<f32>,
    },
    AppendKey {
        to: Keys,
    },
    AppendValue {
        to: Values,
    },
    Scores {
        keys: Keys,
    },
    Softmax,
    WeightValues {
        values: Values,
    },
    Add,
    Silu,
    Multiply,
    Argmax,
}
