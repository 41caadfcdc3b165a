//! The decode step against transformers: each fixture's logits, on every path, plan, launch mode and thread count.
//!
//! `fixtures/generate.py` made the checkpoints and says what `reference.safetensors` holds.

#![expect(
    clippy::unwrap_used,
    reason = "the fixtures are committed; a broken one fails its test"
)]

use std::io::Write;
use std::path::PathBuf;

use prereg_decode::checkpoint::Checkpoint;
use prereg_decode::plan::PlanKind;
use prereg_decode::{Affinity, Decoder, LaunchMode, Options, Path};
use safetensors::SafeTensors;

/// Largest difference from the float32 reference, as a share of the step's largest |logit|; rounding keys and values to
/// bf16 takes up to 0.6 % of it.
const TOLERANCE: f32 = 0.01;

/// The same from the reference that rounds keys and values too: what is left is the order of float32 sums, and the
/// few elements that it rounds the other way.
const TIGHT_TOLERANCE: f32 = 0.001;

struct Reference {
    /// Tokens of the prompt; the rest of `tokens` was chosen greedily.
    prompt: usize,
    tokens: Vec<u32>,
    /// By token: the logits after it.
    logits: Vec<Vec<f32>>,
    /// The same with keys and values in bf16.
    logits_bf16_cache: Vec<Vec<f32>>,
}

fn fixture(name: &str) -> (Checkpoint, Reference) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    let file = std::fs::read(folder.join("reference.safetensors")).unwrap();
    let (_, header) = SafeTensors::read_metadata(&file).unwrap();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let reference = Reference {
        prompt: header.metadata().as_ref().unwrap()["prompt"]
            .parse()
            .unwrap(),
        tokens: words(&tensors, "tokens").map(u32::from_le_bytes).collect(),
        logits: rows(&tensors, "logits"),
        logits_bf16_cache: rows(&tensors, "logits_bf16_cache"),
    };
    assert!(reference.prompt >= 3 && reference.tokens.len() - reference.prompt >= 16);
    (Checkpoint::open(&folder).unwrap(), reference)
}

fn words<'a>(tensors: &SafeTensors<'a>, name: &str) -> impl Iterator<Item = [u8; 4]> + use<'a> {
    tensors
        .tensor(name)
        .unwrap()
        .data()
        .as_chunks::<4>()
        .0
        .iter()
        .copied()
}

fn rows(tensors: &SafeTensors<'_>, name: &str) -> Vec<Vec<f32>> {
    let numbers: Vec<f32> = words(tensors, name).map(f32::from_le_bytes).collect();
    let columns = tensors.tensor(name).unwrap().shape()[1];
    numbers.chunks_exact(columns).map(<[f32]>::to_vec).collect()
}

/// Every path this CPU has, both plans, one and two threads.
fn settings(reference: &Reference) -> Vec<Options> {
    let context = reference.prompt - 1;
    let rows = reference.tokens.len() - context;
    let mut settings = Vec::new();
    for path in Path::available() {
        for plan in PlanKind::ALL {
            for threads in [1, 2] {
                settings.push(Options {
                    plan,
                    context,
                    rows,
                    threads,
                    affinity: Affinity::None,
                    path,
                });
            }
        }
    }
    settings
}

/// The largest difference from the reference as a share of the reference's largest |logit|.
fn distance(logits: &[f32], reference: &[f32]) -> f32 {
    assert_eq!(logits.len(), reference.len());
    // `max` would drop a NaN.
    assert!(logits.iter().all(|logit| logit.is_finite()));
    let largest = reference
        .iter()
        .map(|logit| logit.abs())
        .fold(0.0, f32::max);
    let differences = logits
        .iter()
        .zip(reference)
        .map(|(logit, expected)| (logit - expected).abs());
    differences.fold(0.0, f32::max) / largest
}

/// Feeds the recorded tokens one by one and compares the logits after each.
fn assert_logits_match(name: &str) {
    let (checkpoint, reference) = fixture(name);
    for options in settings(&reference) {
        for mode in [LaunchMode::Eager, LaunchMode::Graph] {
            let mut decoder = Decoder::new(&checkpoint, &options).unwrap();
            decoder.capture();
            let (mut worst, mut worst_tight) = (0.0_f32, 0.0_f32);
            for (position, &token) in reference.tokens.iter().enumerate() {
                decoder.prefill(&[token]).unwrap();
                decoder.run(mode, &mut [0]).unwrap();
                let logits = decoder.logits(0);
                let plain = distance(logits, &reference.logits[position]);
                let tight = distance(logits, &reference.logits_bf16_cache[position]);
                assert!(
                    plain <= TOLERANCE && tight <= TIGHT_TOLERANCE,
                    "{name}, {options:?}, {mode:?}, position {position}: {plain}, {tight} with a bf16 cache"
                );
                (worst, worst_tight) = (worst.max(plain), worst_tight.max(tight));
            }
            let (worst, worst_tight) = (100.0 * worst, 100.0 * worst_tight);
            report(
                name,
                &options,
                &format!("{mode:?}: off by {worst:.2} %, {worst_tight:.4} % with a bf16 cache"),
            );
        }
    }
}

/// Lets the model choose its own tokens and expects the recorded ones, and the same logits to the bit in both modes.
fn assert_greedy_steps_match(name: &str) {
    let (checkpoint, reference) = fixture(name);
    let (prompt, generated) = reference.tokens.split_at(reference.prompt);
    for options in settings(&reference) {
        let mut decoder = Decoder::new(&checkpoint, &options).unwrap();
        decoder.capture();
        decoder.prefill(prompt).unwrap();
        let start = decoder.snapshot();
        let mut steps = |mode| {
            decoder.restore(start);
            decoder.run(mode, &mut vec![0; options.rows]).unwrap();
            let tokens: Vec<u32> = (0..generated.len())
                .map(|step| decoder.token(step))
                .collect();
            let bits: Vec<u32> = (0..options.rows)
                .flat_map(|step| decoder.logits(step))
                .map(|logit| logit.to_bits())
                .collect();
            (tokens, bits)
        };
        let eager = steps(LaunchMode::Eager);
        let graph = steps(LaunchMode::Graph);
        assert_eq!(eager.0, generated, "{name}, {options:?}");
        assert!(
            eager == graph,
            "{name}, {options:?}: eager and graph differ"
        );
        report(
            name,
            &options,
            "eager and graph: the recorded tokens, logits equal to the bit",
        );
    }
}

/// Past the test runner's capture: which settings ran belongs in the log of every run.
fn report(name: &str, options: &Options, what: &str) {
    let Options {
        path,
        plan,
        threads,
        ..
    } = options;
    let line = format!("{name}, {path}, {plan}, {threads} threads, {what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

#[test]
fn llama_logits_match_the_reference_at_every_position() {
    assert_logits_match("llama");
}

#[test]
fn mistral_logits_match_the_reference_at_every_position() {
    assert_logits_match("mistral");
}

#[test]
fn qwen2_logits_match_the_reference_at_every_position() {
    assert_logits_match("qwen2");
}

#[test]
fn llama_chooses_the_recorded_tokens_in_both_launch_modes() {
    assert_greedy_steps_match("llama");
}

#[test]
fn mistral_chooses_the_recorded_tokens_in_both_launch_modes() {
    assert_greedy_steps_match("mistral");
}

#[test]
fn qwen2_chooses_the_recorded_tokens_in_both_launch_modes() {
    assert_greedy_steps_match("qwen2");
}
