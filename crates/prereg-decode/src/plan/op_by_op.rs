//! The op-by-op plan: one kernel an operation, twenty a layer, as an eager framework issues them.

use super::kernel::{Buffer, Kernel};
use super::weights::WeightMap;
use crate::shape::Shape;

pub(super) fn kernels(shape: &Shape) -> Vec<Kernel> {
    let map = WeightMap::new(shape);
    let project = |input, by, output| Kernel::Project { input, by, output };
    let mut list = vec![Kernel::Embed { table: map.table }];
    for (layer, weights) in map.layers.iter().enumerate() {
        list.extend([
            Kernel::Norm {
                gain: weights.input_norm,
            },
            project(Buffer::Normed, weights.query, Buffer::Query),
            project(Buffer::Normed, weights.key, Buffer::Key),
            project(Buffer::Normed, weights.value, Buffer::Value),
            Kernel::Rotate {
                what: Buffer::Query,
            },
            Kernel::Rotate { what: Buffer::Key },
            Kernel::Append {
                what: Buffer::Key,
                layer,
            },
            Kernel::Append {
                what: Buffer::Value,
                layer,
            },
            Kernel::Scores { layer },
            Kernel::Softmax,
            Kernel::WeightValues { layer },
            project(Buffer::Attended, weights.output, Buffer::Projected),
            Kernel::Add,
            Kernel::Norm {
                gain: weights.post_norm,
            },
            project(Buffer::Normed, weights.gate, Buffer::Gate),
            project(Buffer::Normed, weights.up, Buffer::Up),
            Kernel::Silu,
            Kernel::Multiply,
            project(Buffer::Gate, weights.down, Buffer::Projected),
            Kernel::Add,
        ]);
    }
    list.extend([
        Kernel::Norm {
            gain: map.final_norm,
        },
        project(Buffer::Normed, map.vocabulary, Buffer::Logits),
        Kernel::Argmax,
        Kernel::Advance,
    ]);
    list
}
