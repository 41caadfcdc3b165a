//! Checkpoint folders that cannot be used: each is refused with the file and the tensor or key that stands in the way.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "the folders are made here, in a temporary place; one that cannot be made fails its test"
)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prereg_decode::checkpoint::{Checkpoint, CheckpointError};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize_to_file};
use serde_json::Value;
use tempfile::TempDir;

const WHOLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

/// A copy of a fixture, to be spoilt.
struct Folder(TempDir);

impl Folder {
    fn of(fixture: &str) -> Self {
        let copy = tempfile::tempdir().unwrap();
        let fixture = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(fixture);
        for entry in fs::read_dir(fixture).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
        Self(copy)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn change_json(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut value = serde_json::from_slice(&fs::read(self.file(name)).unwrap()).unwrap();
        change(&mut value);
        fs::write(self.file(name), value.to_string()).unwrap();
    }

    /// Writes the whole file again with each tensor as `change` has it; `None` leaves it out.
    fn change_tensors(
        &self,
        change: impl Fn(&str, TensorView<'_>) -> Option<(Dtype, Vec<usize>, Vec<u8>)>,
    ) {
        let old = fs::read(self.file(WHOLE)).unwrap();
        let tensors = SafeTensors::deserialize(&old).unwrap();
        let changed: Vec<_> = tensors
            .iter()
            .filter_map(|(name, view)| change(name, view).map(|tensor| (name.to_owned(), tensor)))
            .collect();
        let views = changed.iter().map(|(name, (dtype, shape, data))| {
            (
                name.clone(),
                TensorView::new(*dtype, shape.clone(), data).unwrap(),
            )
        });
        serialize_to_file(views, None, &self.file(WHOLE)).unwrap();
    }

    fn error(&self) -> CheckpointError {
        Checkpoint::open(self.0.path())
            .err()
            .expect("a spoilt folder must not open")
    }

    /// The refusal and its causes, without the temporary folder's name.
    fn refusal(&self) -> String {
        message(&self.error()).replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn message(error: &dyn Error) -> String {
    error.source().map_or_else(
        || error.to_string(),
        |source| format!("{error}: {}", message(source)),
    )
}

fn unchanged(view: &TensorView<'_>) -> (Dtype, Vec<usize>, Vec<u8>) {
    (view.dtype(), view.shape().to_vec(), view.data().to_vec())
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error = Checkpoint::open(Path::new("no/such/model")).err().unwrap();
    assert_eq!(
        error.to_string(),
        "no checkpoint folder at no/such/model; it must hold config.json and weights in safetensors"
    );
}

#[test]
fn a_missing_config_is_named() {
    let folder = Folder::of("llama");
    fs::remove_file(folder.file("config.json")).unwrap();
    assert!(folder.refusal().starts_with("cannot read config.json: "));
}

#[test]
fn a_config_cut_short_is_named() {
    let folder = Folder::of("llama");
    let text = fs::read(folder.file("config.json")).unwrap();
    fs::write(folder.file("config.json"), &text[..text.len() / 2]).unwrap();
    assert!(
        folder
            .refusal()
            .starts_with("cannot use config.json: not a JSON table: EOF")
    );
}

#[test]
fn a_missing_key_of_the_config_is_named() {
    let folder = Folder::of("llama");
    folder.change_json("config.json", |config| {
        config.as_object_mut().unwrap().remove("hidden_size");
    });
    assert_eq!(
        folder.refusal(),
        "cannot use config.json: key `hidden_size` is missing; the shape of the model cannot be known without it"
    );
}

#[test]
fn an_unsupported_architecture_is_named_with_the_supported_ones() {
    let folder = Folder::of("llama");
    folder.change_json("config.json", |config| {
        config["architectures"] = Value::from(vec!["GPT2LMHeadModel"]);
    });
    assert_eq!(
        folder.refusal(),
        "cannot use config.json: key `architectures` is GPT2LMHeadModel; supported: LlamaForCausalLM, \
         MistralForCausalLM and Qwen2ForCausalLM"
    );
}

#[test]
fn a_folder_without_safetensors_is_refused() {
    let folder = Folder::of("llama");
    fs::remove_file(folder.file(WHOLE)).unwrap();
    assert!(matches!(folder.error(), CheckpointError::NoWeights { .. }));
}

#[test]
fn a_missing_tensor_is_named_with_its_file() {
    let folder = Folder::of("llama");
    folder.change_tensors(|name, view| {
        (name != "model.layers.1.mlp.up_proj.weight").then(|| unchanged(&view))
    });
    assert_eq!(
        folder.refusal(),
        "model.safetensors has no tensor `model.layers.1.mlp.up_proj.weight`, which config.json calls for; fetch \
         config and weights of one model, whole"
    );
}

#[test]
fn a_tensor_of_another_shape_is_named_with_both_shapes() {
    let folder = Folder::of("llama");
    folder.change_json("config.json", |config| {
        config["intermediate_size"] = Value::from(140);
    });
    assert_eq!(
        folder.refusal(),
        "tensor `model.layers.0.mlp.gate_proj.weight` of model.safetensors has dimensions [141, 72], config.json calls \
         for [140, 72]; fetch config and weights of one model"
    );
}

#[test]
fn a_transposed_tensor_is_refused() {
    let folder = Folder::of("llama");
    folder.change_tensors(|name, view| {
        let (dtype, mut shape, data) = unchanged(&view);
        if name == "model.layers.0.self_attn.o_proj.weight" {
            shape.reverse();
        }
        Some((dtype, shape, data))
    });
    assert!(
        matches!(folder.error(), CheckpointError::TensorShape { found, .. } if found == [96, 72])
    );
}

#[test]
fn a_tensor_of_another_type_is_named_with_its_type() {
    for (dtype, size, name) in [(Dtype::F16, 2, "F16"), (Dtype::F32, 4, "F32")] {
        let folder = Folder::of("qwen2");
        folder.change_tensors(|tensor, view| {
            let (old, shape, data) = unchanged(&view);
            if tensor == "model.norm.weight" {
                let elements = shape.iter().product::<usize>();
                return Some((dtype, shape, vec![0; size * elements]));
            }
            Some((old, shape, data))
        });
        assert_eq!(
            folder.refusal(),
            format!(
                "tensor `model.norm.weight` of model.safetensors is {name}; only BF16 is read: save the checkpoint \
                 again in bfloat16"
            )
        );
    }
}

#[test]
fn a_missing_bias_of_qwen2_is_named() {
    let folder = Folder::of("qwen2");
    folder.change_tensors(|name, view| {
        (name != "model.layers.0.self_attn.k_proj.bias").then(|| unchanged(&view))
    });
    assert!(
        folder
            .refusal()
            .contains("`model.layers.0.self_attn.k_proj.bias`")
    );
}

#[test]
fn weights_cut_short_anywhere_are_refused() {
    let folder = Folder::of("llama");
    let whole = fs::read(folder.file(WHOLE)).unwrap();
    for length in [0, 7, 8, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.file(WHOLE), &whole[..length]).unwrap();
        let refusal = folder.refusal();
        assert!(
            refusal.starts_with("cannot use model.safetensors: the "),
            "{length}: {refusal}"
        );
        assert!(refusal.ends_with("fetch it again"), "{length}: {refusal}");
    }
}

#[test]
fn weights_with_bytes_behind_the_last_tensor_are_refused() {
    let folder = Folder::of("llama");
    let mut whole = fs::read(folder.file(WHOLE)).unwrap();
    whole.push(0);
    fs::write(folder.file(WHOLE), whole).unwrap();
    assert!(matches!(folder.error(), CheckpointError::Header { .. }));
}

#[test]
fn a_header_that_contradicts_itself_is_refused() {
    for header in [
        "{}",
        "[]",
        r#"{"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"BF16","shape":[2],"data_offsets":[4,0]}}"#,
        r#"{"a":{"dtype":"BF16","shape":[9223372036854775807,4],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"U8","shape":[18446744073709551],"data_offsets":[0,18446744073709551]}}"#,
        r#"{"a":{"dtype":"BF17","shape":[4],"data_offsets":[0,8]}}"#,
    ] {
        let folder = Folder::of("llama");
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend([0; 8]);
        fs::write(folder.file(WHOLE), file).unwrap();
        assert!(
            matches!(folder.error(), CheckpointError::Header { .. }),
            "{header}"
        );
    }
}

#[test]
fn a_shard_that_is_not_there_is_named_with_the_index() {
    let folder = Folder::of("mistral");
    fs::remove_file(folder.file("model-00002-of-00002.safetensors")).unwrap();
    assert_eq!(
        folder.refusal(),
        "model.safetensors.index.json names model-00002-of-00002.safetensors, which is not in the folder; fetch every \
         shard"
    );
}

#[test]
fn a_tensor_that_the_index_leaves_out_is_named_with_the_index() {
    let folder = Folder::of("mistral");
    folder.change_json(INDEX, |index| {
        index["weight_map"]
            .as_object_mut()
            .unwrap()
            .remove("lm_head.weight");
    });
    assert!(
        folder
            .refusal()
            .starts_with("model.safetensors.index.json has no tensor `lm_head.weight`")
    );
}

#[test]
fn a_tensor_that_is_not_in_the_shard_of_the_index_is_named_with_the_shard() {
    let folder = Folder::of("mistral");
    folder.change_json(INDEX, |index| {
        index["weight_map"]["lm_head.weight"] = Value::from("model-00001-of-00002.safetensors");
    });
    assert!(
        folder
            .refusal()
            .starts_with("model-00001-of-00002.safetensors has no tensor `lm_head.weight`")
    );
}

#[test]
fn an_index_may_not_lead_out_of_its_folder() {
    for shard in ["../model.safetensors", "/etc/passwd", "a/b", "..", ""] {
        let folder = Folder::of("mistral");
        folder.change_json(INDEX, |index| {
            index["weight_map"]["lm_head.weight"] = Value::from(shard);
        });
        assert!(
            matches!(folder.error(), CheckpointError::ShardOutside { .. }),
            "{shard:?}"
        );
    }
}

#[test]
fn an_index_without_a_weight_map_is_refused() {
    let folder = Folder::of("mistral");
    folder.change_json(INDEX, |index| {
        index.as_object_mut().unwrap().remove("weight_map");
    });
    assert!(
        folder
            .refusal()
            .starts_with("model.safetensors.index.json is not a safetensors index")
    );
}

#[test]
fn tensors_that_the_shape_has_no_use_for_are_left_alone() {
    let folder = Folder::of("llama");
    folder.change_json("config.json", |config| {
        config["tie_word_embeddings"] = Value::Bool(true);
    });
    assert!(Checkpoint::open(folder.0.path()).is_ok());
}
