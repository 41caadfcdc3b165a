//! The weights of a shape: names, sizes and what each is for.

use super::Shape;

/// What a tensor is for; random weights are drawn by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The input-embedding table, `[vocab, hidden]`.
    Embedding,
    /// The matrix of a projection, `[rows, columns]`, one output a row.
    Projection,
    /// The bias of a projection, `[rows]`.
    Bias,
    /// The gains of an RMSNorm, `[hidden]`.
    Norm,
}

/// One tensor of a model: bf16, row-major.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    /// Its place in [`Shape::tensors`].
    pub index: usize,
    /// Its name in a Hugging Face checkpoint.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Number of rows: outputs of a projection, tokens of a table, elements of a vector.
    pub rows: usize,
    /// Elements a row; 1 for a vector.
    pub columns: usize,
}

impl Tensor {
    /// Number of elements.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.rows * self.columns
    }

    /// Size in bf16.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        2 * self.elements() as u64
    }

    /// Dimensions as a checkpoint states them: one for a vector, two for a matrix.
    #[must_use]
    pub fn dimensions(&self) -> Vec<usize> {
        match self.role {
            Role::Embedding | Role::Projection => vec![self.rows, self.columns],
            Role::Bias | Role::Norm => vec![self.rows],
        }
    }
}

impl Shape {
    /// Every tensor of the model, in the order in which a step reads them; the embedding table comes first and a tied
    /// table stands there alone.
    #[must_use]
    pub fn tensors(&self) -> Vec<Tensor> {
        let mut list = Vec::new();
        let mut tensor = |name: String, role, rows, columns| {
            list.push(Tensor {
                index: list.len(),
                name,
                role,
                rows,
                columns,
            });
        };
        tensor(
            "model.embed_tokens.weight".into(),
            Role::Embedding,
            self.vocab,
            self.hidden,
        );
        for layer in 0..self.layers {
            let mut push = |part: &str, role, rows, columns| {
                tensor(format!("model.layers.{layer}.{part}"), role, rows, columns);
            };
            push("input_layernorm.weight", Role::Norm, self.hidden, 1);
            for (part, rows) in [
                ("q", self.query_width()),
                ("k", self.kv_width()),
                ("v", self.kv_width()),
            ] {
                push(
                    &format!("self_attn.{part}_proj.weight"),
                    Role::Projection,
                    rows,
                    self.hidden,
                );
                if self.qkv_bias {
                    push(&format!("self_attn.{part}_proj.bias"), Role::Bias, rows, 1);
                }
            }
            push(
                "self_attn.o_proj.weight",
                Role::Projection,
                self.hidden,
                self.query_width(),
            );
            push(
                "post_attention_layernorm.weight",
                Role::Norm,
                self.hidden,
                1,
            );
            push(
                "mlp.gate_proj.weight",
                Role::Projection,
                self.intermediate,
                self.hidden,
            );
            push(
                "mlp.up_proj.weight",
                Role::Projection,
                self.intermediate,
                self.hidden,
            );
            push(
                "mlp.down_proj.weight",
                Role::Projection,
                self.hidden,
                self.intermediate,
            );
        }
        tensor("model.norm.weight".into(), Role::Norm, self.hidden, 1);
        if !self.tied {
            tensor(
                "lm_head.weight".into(),
                Role::Projection,
                self.vocab,
                self.hidden,
            );
        }
        list
    }
}
