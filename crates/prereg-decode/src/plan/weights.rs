//! Where each weight of a shape stands in its list of tensors.

use super::Projection;
use crate::shape::Shape;

/// The weights of one layer.
pub(super) struct LayerWeights {
    pub(super) input_norm: usize,
    pub(super) query: Projection,
    pub(super) key: Projection,
    pub(super) value: Projection,
    pub(super) output: Projection,
    pub(super) post_norm: usize,
    pub(super) gate: Projection,
    pub(super) up: Projection,
    pub(super) down: Projection,
}

/// The weights of a model, as places in [`Shape::tensors`].
pub(super) struct WeightMap {
    pub(super) table: usize,
    pub(super) layers: Vec<LayerWeights>,
    pub(super) final_norm: usize,
    pub(super) vocabulary: Projection,
}

impl WeightMap {
    /// Walks the list of tensors once, in its order.
    pub(super) fn new(shape: &Shape) -> Self {
        let mut walk = Walk { next: 0 };
        let table = walk.take();
        let layers = (0..shape.layers)
            .map(|_| LayerWeights {
                input_norm: walk.take(),
                query: walk.projection(shape.qkv_bias),
                key: walk.projection(shape.qkv_bias),
                value: walk.projection(shape.qkv_bias),
                output: walk.projection(false),
                post_norm: walk.take(),
                gate: walk.projection(false),
                up: walk.projection(false),
                down: walk.projection(false),
            })
            .collect();
        let final_norm = walk.take();
        let vocabulary = if shape.tied {
            Projection {
                matrix: table,
                bias: None,
            }
        } else {
            walk.projection(false)
        };
        Self {
            table,
            layers,
            final_norm,
            vocabulary,
        }
    }
}

struct Walk {
    next: usize,
}

impl Walk {
    fn take(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn projection(&mut self, biased: bool) -> Projection {
        Projection {
            matrix: self.take(),
            bias: biased.then(|| self.take()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WeightMap;
    use crate::shape::Shape;

    #[test]
    fn every_weight_is_the_tensor_of_its_name() {
        for name in Shape::names() {
            let shape = Shape::named(name).unwrap();
            let tensors = shape.tensors();
            let map = WeightMap::new(&shape);
            let last = &map.layers[shape.layers - 1];
            let layer = format!("model.layers.{}", shape.layers - 1);
            assert_eq!(tensors[map.table].name, "model.embed_tokens.weight");
            for (index, part) in [
                (last.input_norm, "input_layernorm.weight"),
                (last.query.matrix, "self_attn.q_proj.weight"),
                (last.key.matrix, "self_attn.k_proj.weight"),
                (last.value.matrix, "self_attn.v_proj.weight"),
                (last.output.matrix, "self_attn.o_proj.weight"),
                (last.post_norm, "post_attention_layernorm.weight"),
                (last.gate.matrix, "mlp.gate_proj.weight"),
                (last.up.matrix, "mlp.up_proj.weight"),
                (last.down.matrix, "mlp.down_proj.weight"),
            ] {
                assert_eq!(tensors[index].name, format!("{layer}.{part}"), "{name}");
            }
            if let Some(bias) = last.value.bias {
                assert_eq!(tensors[bias].name, format!("{layer}.self_attn.v_proj.bias"));
            }
            assert_eq!(tensors[map.final_norm].name, "model.norm.weight");
            let vocabulary = if shape.tied {
                "model.embed_tokens.weight"
            } else {
                "lm_head.weight"
            };
            assert_eq!(tensors[map.vocabulary.matrix].name, vocabulary);
        }
    }
}
