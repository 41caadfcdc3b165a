//! Checkpoints that cannot be used: the error names file and tensor, and nothing is written.

use crate::study::{Finished, Plan, TempStudy};

const WEIGHTS: &str = "models/tiny/model.safetensors";
const CONFIG: &str = "models/tiny/config.json";

/// The error of `decode` with `file` of the tiny model changed by `edit`.
fn decoded(file: &str, edit: impl Fn(&mut Vec<u8>)) -> Finished {
    let study = TempStudy::new();
    let mut bytes = std::fs::read(study.path(file)).unwrap();
    edit(&mut bytes);
    study.write_bytes(file, &bytes);
    study
        .prereg(["decode", "--model", "models/tiny", "--tokens", "1,2,3"])
        .exits(66)
        .says("models/tiny")
}

/// Replaces `old`, which must be there once, by `new`, which is as long.
fn replace(bytes: &mut [u8], old: &str, new: &str) {
    assert_eq!(old.len(), new.len());
    let found: Vec<usize> = (0..bytes.len() - old.len())
        .filter(|start| &bytes[*start..*start + old.len()] == old.as_bytes())
        .collect();
    assert_eq!(found.len(), 1, "{old}");
    bytes[found[0]..found[0] + old.len()].copy_from_slice(new.as_bytes());
}

/// Where the header describes `tensor`, up to the end of its entry.
fn entry(bytes: &[u8], tensor: &str) -> String {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&bytes[8..8 + length]).unwrap();
    let from = &header[header.find(&format!("\"{tensor}\"")).unwrap()..];
    from[..=from.find('}').unwrap()].to_owned()
}

#[test]
fn a_missing_tensor_is_named() {
    decoded(WEIGHTS, |bytes| {
        replace(bytes, "\"model.norm.weight\"", "\"model.narm.weight\"");
    })
    .says("model.norm.weight");
}

#[test]
fn a_tensor_of_another_shape_is_named() {
    decoded(CONFIG, |bytes| {
        replace(bytes, "\"vocab_size\": 257", "\"vocab_size\": 256");
    })
    .says("model.embed_tokens.weight")
    .says("257")
    .says("256");
}

#[test]
fn a_tensor_of_another_dtype_is_named() {
    decoded(WEIGHTS, |bytes| {
        let entry = entry(bytes, "model.norm.weight");
        replace(bytes, &entry, &entry.replace("\"BF16\"", "\"F16\" "));
    })
    .says("model.norm.weight")
    .says("F16");
}

#[test]
fn truncated_weights_are_named() {
    decoded(WEIGHTS, |bytes| bytes.truncate(bytes.len() - 1_000)).says("model.safetensors");
}

#[test]
fn a_file_that_is_no_safetensors_is_named() {
    decoded(WEIGHTS, |bytes| bytes.truncate(4)).says("model.safetensors");
}

#[test]
fn an_architecture_that_is_not_supported_is_named() {
    decoded(CONFIG, |bytes| {
        replace(bytes, "Qwen2ForCausalLM", "Qwen9ForCausalLM");
    })
    .says("Qwen9ForCausalLM");
}

#[test]
fn a_config_that_is_no_json_is_named() {
    decoded(CONFIG, |bytes| bytes.truncate(10)).says("config.json");
}

#[test]
fn a_config_that_cannot_be_used_stops_the_lock() {
    let study = TempStudy::with(&Plan::default());
    let config = study
        .read(CONFIG)
        .replace("Qwen2ForCausalLM", "Qwen9ForCausalLM");
    study.write(CONFIG, &config);
    let before = study.contents("");
    study
        .prereg(["lock", "plan"])
        .exits(66)
        .says("Qwen9ForCausalLM");
    assert_eq!(study.contents(""), before);
}

#[test]
fn weights_that_cannot_be_used_stop_the_run_before_its_announcement() {
    let study = TempStudy::with(&Plan::default());
    let mut bytes = std::fs::read(study.path(WEIGHTS)).unwrap();
    bytes.truncate(bytes.len() - 1_000);
    study.write_bytes(WEIGHTS, &bytes);
    study.prereg(["lock", "plan"]);
    study
        .prereg(["run", "plan", "--on", "cpu"])
        .says("model.safetensors");
    assert!(study.history().runs().is_empty());
}
