//! The device's memory, and the step from a plan's kernel to work on it.

use super::activations::Activations;
use super::cache::Cache;
use super::counters::Counters;
use super::weights::Weights;
use super::work::{LayerCache, Linear, Work};
use crate::arithmetic::Path;
use crate::plan::{Buffer, Kernel, Projection};
use crate::shape::Shape;

/// All that kernels read and write.
pub(super) struct Device {
    pub(super) shape: Shape,
    pub(super) path: Path,
    pub(super) weights: Weights,
    pub(super) cache: Cache,
    pub(super) activations: Activations,
    pub(super) counters: Counters,
}

impl Device {
    /// Looks up every argument of a kernel. `eager` does this before each launch, a capture once.
    pub(super) fn resolve(&self, kernel: &Kernel) -> Work {
        let gain = |tensor: usize| self.weights.tensor(tensor).1;
        match *kernel {
            Kernel::Embed { table } => Work::Embed {
                table: self.weights.tensor(table).1,
            },
            Kernel::NormQkv {
                gain: norm,
                query,
                key,
                value,
            } => Work::NormQkv {
                gain: gain(norm),
                query: self.linear(query),
                key: self.linear(key),
                value: self.linear(value),
            },
            Kernel::RotateAppend { layer } => Work::RotateAppend {
                cache: self.layer(layer),
            },
            Kernel::AttendSplits { layer, splits } => Work::AttendSplits {
                cache: self.layer(layer),
                splits,
            },
            Kernel::CombineProject { splits, output } => Work::CombineProject {
                splits,
                output: self.linear(output),
            },
            Kernel::NormGateUp {
                gain: norm,
                gate,
                up,
            } => Work::NormGateUp {
                gain: gain(norm),
                gate: self.linear(gate),
                up: self.linear(up),
            },
            Kernel::DownAdd { down } => Work::DownAdd {
                down: self.linear(down),
            },
            Kernel::NormVocabulary {
                gain: norm,
                vocabulary,
            } => Work::NormVocabulary {
                gain: gain(norm),
                vocabulary: self.linear(vocabulary),
            },
            Kernel::Advance => Work::Advance,
            Kernel::Norm { gain: norm } => Work::Norm { gain: gain(norm) },
            // Which row of logits is known only when the launch runs.
            Kernel::Project {
                input,
                by,
                output: Buffer::Logits,
            } => Work::ProjectLogits {
                input: self.activations.buffer(input),
                by: self.linear(by),
            },
            Kernel::Project { input, by, output } => Work::Project {
                input: self.activations.buffer(input),
                by: self.linear(by),
                output: self.activations.buffer(output),
            },
            Kernel::Rotate { what } => Work::Rotate {
                what: self.activations.buffer(what),
            },
            Kernel::Append {
                what: Buffer::Key,
                layer,
            } => Work::AppendKey {
                to: self.cache.keys(layer),
            },
            Kernel::Append { layer, .. } => Work::AppendValue {
                to: self.cache.values(layer),
            },
            Kernel::Scores { layer } => Work::Scores {
                keys: self.cache.keys(layer),
            },
            Kernel::Softmax => Work::Softmax,
            Kernel::WeightValues { layer } => Work::WeightValues {
                values: self.cache.values(layer),
            },
            Kernel::Add => Work::Add,
            Kernel::Silu => Work::Silu,
            Kernel::Multiply => Work::Multiply,
            Kernel::Argmax => Work::Argmax,
        }
    }

    fn linear(&self, projection: Projection) -> Linear {
        let (tensor, matrix) = self.weights.tensor(projection.matrix);
        let bias = projection.bias.map(|bias| self.weights.tensor(bias).1);
        Linear {
            matrix,
            bias,
            rows: tensor.rows,
            columns: tensor.columns,
        }
    }

    fn layer(&self, layer: usize) -> LayerCache {
        LayerCache {
            keys: self.cache.keys(layer),
            values: self.cache.values(layer),
        }
    }
}
