//! `config.json` → [`Shape`].

use serde_json::{Map, Value};

use super::keys::{KeyError, Keys};
use super::rope::rope;
use crate::shape::{Architecture, Shape, ShapeError};

/// The window that a Mistral config means when it does not write `sliding_window` at all.
const MISTRAL_DEFAULT_WINDOW: usize = 4096;

/// The shape that the text of a `config.json` describes, under the given name.
///
/// # Errors
/// [`ConfigError`] names the key that is missing, malformed or asks for something that a decode step does not do.
pub(super) fn shape(name: String, text: &[u8]) -> Result<Shape, ConfigError> {
    let table: Map<String, Value> = serde_json::from_slice(text).map_err(ConfigError::NotJson)?;
    let keys = Keys::new(&table);
    let architecture = architecture(&keys)?;
    refuse_unsupported(&keys)?;

    let hidden = keys.required_size("hidden_size")?;
    let heads = keys.required_size("num_attention_heads")?;
    let max_position = keys.required_size("max_position_embeddings")?;
    let shape = Shape {
        name,
        architecture,
        hidden,
        layers: keys.required_size("num_hidden_layers")?,
        heads,
        kv_heads: kv_heads(&keys, architecture, heads)?,
        head_dim: head_dim(&keys, hidden, heads)?,
        intermediate: keys.required_size("intermediate_size")?,
        vocab: keys.required_size("vocab_size")?,
        norm_eps: keys.required_number("rms_norm_eps")? as f32,
        rope: rope(&keys)?,
        qkv_bias: architecture == Architecture::Qwen2,
        tied: keys.flag("tie_word_embeddings")?.unwrap_or(false),
        max_position: window(&keys, architecture)?
            .map_or(max_position, |window| window.min(max_position)),
    };
    shape.check()?;
    Ok(shape)
}

/// By the class that the checkpoint was saved from, else by the family name.
fn architecture(keys: &Keys<'_>) -> Result<Architecture, ConfigError> {
    let class = match keys.value("architectures") {
        Some(Value::Array(classes)) => classes.first().and_then(Value::as_str),
        _ => None,
    };
    let found = match class {
        Some(class) => class,
        None => keys
            .text("model_type")?
            .ok_or_else(|| keys.missing("architectures"))?,
    };
    match found {
        "LlamaForCausalLM" | "llama" => Ok(Architecture::Llama),
        "MistralForCausalLM" | "mistral" => Ok(Architecture::Mistral),
        "Qwen2ForCausalLM" | "qwen2" => Ok(Architecture::Qwen2),
        other => Err(ConfigError::Unsupported {
            key: if class.is_some() {
                "architectures".into()
            } else {
                "model_type".into()
            },
            found: other.into(),
            supported: "LlamaForCausalLM, MistralForCausalLM and Qwen2ForCausalLM",
        }),
    }
}

/// Keys whose other values would change what a step computes.
fn refuse_unsupported(keys: &Keys<'_>) -> Result<(), ConfigError> {
    let unsupported = |key: &str, found: &str, supported| ConfigError::Unsupported {
        key: key.into(),
        found: found.into(),
        supported,
    };

    if let Some(activation) = keys
        .text("hidden_act")?
        .filter(|&activation| activation != "silu")
    {
        return Err(unsupported("hidden_act", activation, "silu"));
    }
    // Llama's key; it would put a bias on the output projection too.
    for key in ["attention_bias", "mlp_bias"] {
        if keys.flag(key)? == Some(true) {
            return Err(unsupported(key, "true", "false"));
        }
    }
    for key in ["dtype", "torch_dtype"] {
        if let Some(dtype) = keys.text(key)?.filter(|&dtype| dtype != "bfloat16") {
            return Err(unsupported(
                key,
                dtype,
                "bfloat16 (save the checkpoint again in bfloat16)",
            ));
        }
    }
    if keys.value("quantization_config").is_some() {
        return Err(unsupported(
            "quantization_config",
            "present",
            "a checkpoint that is not quantized",
        ));
    }
    Ok(())
}

/// Llama configs from before grouped-query attention do not write the key: every head has its own keys and values.
fn kv_heads(keys: &Keys<'_>, architecture: Architecture, heads: usize) -> Result<usize, KeyError> {
    const KEY: &str = "num_key_value_heads";
    match (keys.size(KEY)?, architecture) {
        (Some(kv_heads), _) => Ok(kv_heads),
        (None, Architecture::Llama) => Ok(heads),
        (None, Architecture::Mistral | Architecture::Qwen2) => Err(keys.missing(KEY)),
    }
}

fn head_dim(keys: &Keys<'_>, hidden: usize, heads: usize) -> Result<usize, ConfigError> {
    match keys.size("head_dim")? {
        Some(head_dim) => Ok(head_dim),
        // No heads at all is the shape's own error.
        None if heads == 0 || hidden.is_multiple_of(heads) => {
            Ok(hidden.checked_div(heads).unwrap_or(0))
        }
        None => Err(ConfigError::HeadDim { hidden, heads }),
    }
}

/// The number of latest positions that a layer attends to, if it is not all.
fn window(keys: &Keys<'_>, architecture: Architecture) -> Result<Option<usize>, KeyError> {
    const KEY: &str = "sliding_window";
    match architecture {
        Architecture::Mistral if keys.is_written(KEY) => keys.size(KEY),
        Architecture::Mistral => Ok(Some(MISTRAL_DEFAULT_WINDOW)),
        Architecture::Qwen2 if keys.flag("use_sliding_window")? == Some(true) => keys.size(KEY),
        Architecture::Llama | Architecture::Qwen2 => Ok(None),
    }
}

/// A `config.json` that gives no shape a decode step can run.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not a JSON table.
    #[error("not a JSON table")]
    NotJson(#[source] serde_json::Error),
    /// A key is missing or holds another kind of value.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A key asks for something that a decode step does not do.
    #[error("key `{key}` is {found}; supported: {supported}")]
    Unsupported {
        /// The key, with the tables it stands in.
        key: String,
        /// Its value.
        found: String,
        /// The values that are supported.
        supported: &'static str,
    },
    /// The width of a head is neither written nor implied.
    #[error(
        "key `head_dim` is missing, and a hidden size of {hidden} cannot be shared evenly by {heads} heads"
    )]
    HeadDim {
        /// `hidden_size`.
        hidden: usize,
        /// `num_attention_heads`.
        heads: usize,
    },
    /// The numbers do not fit together.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
