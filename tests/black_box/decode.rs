//! `prereg decode`: the decode workload by hand, against the references of the committed checkpoints.

use safetensors::SafeTensors;
use serde_json::Value;

use crate::study::{Finished, fixture, prereg, temporary_folder};

/// Largest difference from the reference, as a share of the step's largest logit.
const TOLERANCE: f64 = 0.01;
const STEPS: usize = 16;

fn decode(arguments: &[&str]) -> Finished {
    let folder = temporary_folder();
    prereg(folder.path(), &[&["decode"], arguments].concat())
}

/// The tokens of the prompt, and for each later token itself and the logits that chose it.
fn reference(name: &str) -> (Vec<u32>, Vec<(u32, Vec<f64>)>) {
    let bytes = std::fs::read(fixture(name).join("reference.safetensors")).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let prompt: usize = header.metadata().as_ref().unwrap()["prompt"]
        .parse()
        .unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let words = |name: &str| {
        tensors
            .tensor(name)
            .unwrap()
            .data()
            .as_chunks::<4>()
            .0
            .to_vec()
    };
    let tokens: Vec<u32> = words("tokens")
        .into_iter()
        .map(u32::from_le_bytes)
        .collect();
    let vocabulary = tensors.tensor("logits").unwrap().shape()[1];
    let logits: Vec<f64> = words("logits")
        .into_iter()
        .map(|word| f32::from_le_bytes(word).into())
        .collect();
    let rows = logits.chunks_exact(vocabulary).map(<[f64]>::to_vec);
    let chosen = tokens[prompt..].iter().copied().zip(rows.skip(prompt - 1));
    (tokens[..prompt].to_vec(), chosen.collect())
}

fn arguments(name: &str, prompt: &[u32]) -> [String; 8] {
    let tokens: Vec<String> = prompt.iter().map(ToString::to_string).collect();
    let model = fixture(name).to_str().unwrap().to_owned();
    [
        "--model".into(),
        model,
        "--tokens".into(),
        tokens.join(","),
        "--steps".into(),
        STEPS.to_string(),
        "--logits".into(),
        "--json".into(),
    ]
}

fn matches_its_reference(name: &str) {
    let (prompt, chosen) = reference(name);
    let arguments = arguments(name, &prompt);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let eager = decode(&arguments).exits(0).stdout;
    arguments.extend(["--launch", "graph"]);
    assert_eq!(decode(&arguments).exits(0).stdout, eager, "eager and graph");

    let lines: Vec<Value> = eager
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), STEPS);
    for (step, (line, (token, expected))) in lines.iter().zip(&chosen).enumerate() {
        assert_eq!(line["step"], step);
        assert_eq!(line["token"], *token, "{name}, step {step}");
        let logits: Vec<f64> = line["logits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|logit| logit.as_f64().unwrap())
            .collect();
        assert_eq!(logits.len(), expected.len());
        let largest = expected
            .iter()
            .fold(0.0_f64, |largest, logit| largest.max(logit.abs()));
        for (logit, expected) in logits.iter().zip(expected) {
            assert!(
                (logit - expected).abs() <= TOLERANCE * largest,
                "{name}, step {step}: {logit} for {expected}"
            );
        }
    }
}

#[test]
fn llama_with_scaled_rope_matches_its_reference() {
    matches_its_reference("llama");
}

#[test]
fn mistral_in_shards_matches_its_reference() {
    matches_its_reference("mistral");
}

#[test]
fn qwen2_with_bias_and_tied_output_matches_its_reference() {
    matches_its_reference("qwen2");
}

#[test]
fn without_json_tokens_are_printed_and_no_times() {
    let model = fixture("llama");
    let decoded = decode(&[
        "--model",
        model.to_str().unwrap(),
        "--tokens",
        "3,14,15",
        "--steps",
        "2",
    ])
    .exits(0);
    let steps: Vec<&str> = decoded
        .stdout
        .lines()
        .map(|line| line.split(" token ").next().unwrap())
        .collect();
    assert_eq!(steps, ["step 0:", "step 1:"]);
    for unit in ["ns", "µs", "ms", "seconds"] {
        assert!(
            !decoded.stdout.contains(unit) && !decoded.stderr.contains(unit),
            "{decoded:#?}"
        );
    }
}

#[test]
fn both_plans_and_any_number_of_threads_choose_the_same_tokens() {
    let model = fixture("llama");
    let decode = |more: &[&str]| {
        let mut arguments = vec![
            "--model",
            model.to_str().unwrap(),
            "--tokens",
            "3,14,15",
            "--steps",
            "8",
            "--json",
        ];
        arguments.extend(more);
        decode(&arguments).exits(0).stdout
    };
    let fused = decode(&[]);
    assert_eq!(decode(&["--plan", "op-by-op"]), fused);
    assert_eq!(decode(&["--threads", "2"]), fused);
}

#[test]
fn a_token_beyond_the_vocabulary_is_refused() {
    let model = fixture("llama");
    decode(&["--model", model.to_str().unwrap(), "--tokens", "4000000000"])
        .exits(64)
        .says("4000000000");
}

#[test]
fn more_steps_than_the_model_has_positions_are_refused() {
    let model = fixture("llama");
    decode(&[
        "--model",
        model.to_str().unwrap(),
        "--tokens",
        "1",
        "--steps",
        "1000000",
    ])
    .exits(64)
    .says("1000000");
}

#[test]
fn a_model_that_is_not_there_is_missing_and_the_shapes_are_named() {
    decode(&["--model", "absent", "--tokens", "1"])
        .exits(66)
        .says("`absent`")
        .says("smollm2-135m");
}

#[test]
fn tokens_that_are_no_numbers_are_a_usage_error() {
    decode(&["--model", "smollm2-135m", "--tokens", "one,two"])
        .exits(64)
        .says("one");
}
