//! The fused plan: neighbouring operations folded into six kernels a layer.

use super::kernel::Kernel;
use super::weights::WeightMap;
use crate::shape::Shape;

/// Splits of the cached positions of each key/value head. Fixed, so that results do not depend on the number of
/// threads; enough for the key/value heads of small models to keep a few cores busy.
pub(crate) const SPLITS: usize = 4;

pub(super) fn kernels(shape: &Shape) -> Vec<Kernel> {
    let map = WeightMap::new(shape);
    let mut list = vec![Kernel::Embed { table: map.table }];
    for (layer, weights) in map.layers.iter().enumerate() {
        list.extend([
            Kernel::NormQkv {
                gain: weights.input_norm,
                query: weights.query,
                key: weights.key,
                value: weights.value,
            },
            Kernel::RotateAppend { layer },
            Kernel::AttendSplits {
                layer,
                splits: SPLITS,
            },
            Kernel::CombineProject {
                splits: SPLITS,
                output: weights.output,
            },
            Kernel::NormGateUp {
                gain: weights.post_norm,
                gate: weights.gate,
                up: weights.up,
            },
            Kernel::DownAdd { down: weights.down },
        ]);
    }
    list.extend([
        Kernel::NormVocabulary {
            gain: map.final_norm,
            vocabulary: map.vocabulary,
        },
        Kernel::Advance,
    ]);
    list
}
