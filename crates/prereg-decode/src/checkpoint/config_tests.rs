use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ConfigError, shape};
use crate::shape::{Architecture, Llama3Scaling, Shape};

/// A config with every key that must be given, and `changes` on top; null takes a key away.
fn config(changes: &Value) -> Value {
    let mut config = json!({
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 64,
        "intermediate_size": 100,
        "max_position_embeddings": 512,
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "num_key_value_heads": 2,
        "rms_norm_eps": 1e-5,
        "vocab_size": 257
    });
    let table = config.as_object_mut().unwrap();
    for (key, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => table.remove(key),
            _ => table.insert(key.clone(), value.clone()),
        };
    }
    config
}

fn parse(changes: &Value) -> Result<Shape, ConfigError> {
    shape("model".into(), config(changes).to_string().as_bytes())
}

fn refusal(changes: &Value) -> String {
    parse(changes).unwrap_err().to_string()
}

const LLAMA3: Llama3Scaling = Llama3Scaling {
    factor: 8.0,
    low_freq_factor: 1.0,
    high_freq_factor: 4.0,
    original_max_position: 128,
};

fn llama3_keys() -> Value {
    json!({
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 128
    })
}

#[test]
fn every_size_comes_from_its_own_key() {
    let shape = parse(&json!({ "head_dim": 32 })).unwrap();
    assert_eq!(
        (
            shape.hidden,
            shape.layers,
            shape.heads,
            shape.kv_heads,
            shape.head_dim
        ),
        (64, 2, 4, 2, 32)
    );
    assert_eq!(
        (
            shape.intermediate,
            shape.vocab,
            shape.max_position,
            shape.norm_eps
        ),
        (100, 257, 512, 1e-5)
    );
}

#[test]
fn head_dim_left_out_is_hidden_size_over_heads() {
    assert_eq!(parse(&json!({})).unwrap().head_dim, 16);
}

#[test]
fn head_dim_left_out_is_refused_when_heads_do_not_divide_the_hidden_size() {
    assert!(matches!(
        parse(&json!({ "hidden_size": 66 })),
        Err(ConfigError::HeadDim {
            hidden: 66,
            heads: 4
        })
    ));
}

#[test]
fn both_generations_of_rope_keys_give_the_same_rope() {
    let first = parse(&json!({ "rope_theta": 5e5, "rope_scaling": llama3_keys() })).unwrap();
    let mut table = llama3_keys();
    table["rope_theta"] = json!(5e5);
    let second = parse(&json!({ "rope_parameters": table })).unwrap();
    assert_eq!(first.rope.theta, 5e5);
    assert_eq!(first.rope.scaling, Some(LLAMA3));
    assert_eq!(first, second);
}

#[test]
fn the_earliest_name_of_the_rope_type_is_read() {
    let mut table = llama3_keys();
    let kind = table.as_object_mut().unwrap().remove("rope_type").unwrap();
    table["type"] = kind;
    assert_eq!(
        parse(&json!({ "rope_scaling": table }))
            .unwrap()
            .rope
            .scaling,
        Some(LLAMA3)
    );
}

#[test]
fn rope_left_out_is_plain_with_base_ten_thousand() {
    let rope = parse(&json!({})).unwrap().rope;
    assert_eq!((rope.theta, rope.scaling), (1e4, None));
}

#[test]
fn another_rope_scaling_is_refused_by_its_key() {
    let message = refusal(&json!({ "rope_scaling": { "type": "yarn", "factor": 4.0 } }));
    assert_eq!(
        message,
        "key `rope_scaling.type` is yarn; supported: `default` and `llama3`"
    );
}

#[test]
fn a_missing_key_of_a_table_is_named_by_its_path() {
    let mut table = llama3_keys();
    table.as_object_mut().unwrap().remove("low_freq_factor");
    assert!(
        refusal(&json!({ "rope_scaling": table }))
            .starts_with("key `rope_scaling.low_freq_factor` is missing")
    );
}

#[test]
fn a_rope_that_turns_part_of_a_head_is_refused() {
    assert!(
        refusal(&json!({ "partial_rotary_factor": 0.5 }))
            .starts_with("key `partial_rotary_factor` is 0.5")
    );
    let inside = refusal(&json!({ "rope_parameters": { "partial_rotary_factor": 0.5 } }));
    assert!(inside.starts_with("key `rope_parameters.partial_rotary_factor` is 0.5"));
}

#[test]
fn rope_parameters_by_kind_of_layer_are_refused() {
    let nested = json!({ "rope_parameters": { "full_attention": { "rope_theta": 1e6 } } });
    assert!(refusal(&nested).starts_with("key `rope_parameters` is a table a kind of layer"));
}

#[test]
fn each_key_that_must_be_given_is_named_when_missing() {
    for key in [
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "rms_norm_eps",
        "vocab_size",
        "architectures",
    ] {
        assert!(
            refusal(&json!({ key: null })).starts_with(&format!("key `{key}` is missing")),
            "{key}"
        );
    }
}

#[test]
fn only_llama_may_leave_out_key_value_heads() {
    assert_eq!(
        parse(&json!({ "num_key_value_heads": null }))
            .unwrap()
            .kv_heads,
        4
    );
    for class in ["MistralForCausalLM", "Qwen2ForCausalLM"] {
        let message = refusal(&json!({ "architectures": [class], "num_key_value_heads": null }));
        assert!(message.starts_with("key `num_key_value_heads` is missing"));
    }
}

#[test]
fn a_key_of_another_kind_is_named_with_what_it_holds() {
    assert_eq!(
        refusal(&json!({ "hidden_size": "64" })),
        "key `hidden_size` holds a string; it must be a whole number"
    );
    assert_eq!(
        refusal(&json!({ "vocab_size": 0.5 })),
        "key `vocab_size` holds a number that is negative or has a fraction; it must be a whole number"
    );
}

#[test]
fn the_family_is_told_by_the_class_and_else_by_the_model_type() {
    for (class, family, expected) in [
        ("LlamaForCausalLM", "llama", Architecture::Llama),
        ("MistralForCausalLM", "mistral", Architecture::Mistral),
        ("Qwen2ForCausalLM", "qwen2", Architecture::Qwen2),
    ] {
        assert_eq!(
            parse(&json!({ "architectures": [class] }))
                .unwrap()
                .architecture,
            expected
        );
        let by_family = json!({ "architectures": null, "model_type": family });
        assert_eq!(parse(&by_family).unwrap().architecture, expected);
    }
}

#[test]
fn another_class_of_a_supported_family_is_refused() {
    let message = refusal(
        &json!({ "architectures": ["LlamaForSequenceClassification"], "model_type": "llama" }),
    );
    assert_eq!(
        message,
        "key `architectures` is LlamaForSequenceClassification; supported: LlamaForCausalLM, MistralForCausalLM and \
         Qwen2ForCausalLM"
    );
}

#[test]
fn only_qwen2_has_a_bias_on_its_projections() {
    let bias = |class: &str| {
        parse(&json!({ "architectures": [class] }))
            .unwrap()
            .qkv_bias
    };
    assert!(bias("Qwen2ForCausalLM"));
    assert!(!bias("LlamaForCausalLM"));
    assert!(!bias("MistralForCausalLM"));
}

#[test]
fn the_output_is_untied_unless_the_config_says_tied() {
    assert!(!parse(&json!({})).unwrap().tied);
    assert!(parse(&json!({ "tie_word_embeddings": true })).unwrap().tied);
}

#[test]
fn values_that_a_step_does_not_compute_are_refused_by_their_key() {
    for (key, value) in [
        ("hidden_act", json!("gelu")),
        ("attention_bias", json!(true)),
        ("mlp_bias", json!(true)),
        ("dtype", json!("float32")),
        ("torch_dtype", json!("float16")),
        ("quantization_config", json!({ "bits": 4 })),
    ] {
        assert!(
            refusal(&json!({ key: value })).starts_with(&format!("key `{key}` is ")),
            "{key}"
        );
    }
}

#[test]
fn a_mistral_window_shortens_the_longest_context() {
    let longest = |changes: Value| {
        let mut with_class = changes;
        with_class["architectures"] = json!(["MistralForCausalLM"]);
        with_class["max_position_embeddings"] = json!(32_768);
        // Unlike `config`, null is written here: it says that there is no window.
        let mut config = config(&with_class);
        if with_class.get("sliding_window") == Some(&Value::Null) {
            config["sliding_window"] = Value::Null;
        }
        shape("model".into(), config.to_string().as_bytes())
            .unwrap()
            .max_position
    };
    assert_eq!(longest(json!({ "sliding_window": 1024 })), 1024);
    assert_eq!(longest(json!({ "sliding_window": 65_536 })), 32_768);
    assert_eq!(longest(json!({ "sliding_window": null })), 32_768);
    assert_eq!(longest(json!({})), 4096);
}

#[test]
fn a_qwen2_window_counts_only_when_it_is_used() {
    let longest = |used: bool| {
        let changes = json!({
            "architectures": ["Qwen2ForCausalLM"], "sliding_window": 128, "use_sliding_window": used
        });
        parse(&changes).unwrap().max_position
    };
    assert_eq!(longest(false), 512);
    assert_eq!(longest(true), 128);
}

#[test]
fn sizes_that_do_not_fit_together_are_refused() {
    assert!(matches!(
        parse(&json!({ "num_key_value_heads": 3 })),
        Err(ConfigError::Shape(_))
    ));
    assert!(matches!(
        parse(&json!({ "num_attention_heads": 0 })),
        Err(ConfigError::Shape(_))
    ));
    assert!(matches!(
        parse(&json!({ "rms_norm_eps": 1e300 })),
        Err(ConfigError::Shape(_))
    ));
}

#[test]
fn text_that_is_not_a_table_is_refused() {
    for text in ["", "[]", "{\"hidden_size\": 64", "\u{0}"] {
        assert!(
            matches!(
                shape("model".into(), text.as_bytes()),
                Err(ConfigError::NotJson(_))
            ),
            "{text:?}"
        );
    }
}

proptest! {
    /// Whatever single value a key holds, parsing gives a runnable shape or an error, and never panics.
    #[test]
    fn any_value_of_any_key_gives_a_runnable_shape_or_an_error(
        key in prop::sample::select(vec![
            "architectures", "hidden_size", "intermediate_size", "max_position_embeddings", "num_attention_heads",
            "num_hidden_layers", "num_key_value_heads", "rms_norm_eps", "vocab_size", "head_dim", "rope_theta",
            "rope_scaling", "rope_parameters", "sliding_window", "tie_word_embeddings", "dtype",
        ]),
        value in prop_oneof![
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
            Just(json!([])),
            Just(json!({ "factor": -1, "rope_type": "llama3" })),
        ],
    ) {
        if let Ok(shape) = parse(&json!({ key: value })) {
            prop_assert!(shape.check().is_ok());
        }
    }
}
