//! Weights are held once, also where they come from a file. Alone in its file: the peak is the process's.

#![expect(clippy::unwrap_used, reason = "a failed set-up fails the test")]

use std::collections::BTreeMap;
use std::io::Write;

use prereg_decode::checkpoint::Checkpoint;
use prereg_decode::plan::PlanKind;
use prereg_decode::weights::TensorSource;
use prereg_decode::{Affinity, Decoder, Options, Path};

const CONFIG: &str = r#"{
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16",
    "hidden_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 16, "num_key_value_heads": 4,
    "intermediate_size": 4096, "vocab_size": 40000, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "max_position_embeddings": 4096, "tie_word_embeddings": false, "hidden_act": "silu"
}"#;

/// A folder with a checkpoint of zeros: the file is a header and a hole, which reads as pages like any other.
fn checkpoint() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| std::fs::File::create_new(folder.path().join(name)).unwrap();
    file("config.json").write_all(CONFIG.as_bytes()).unwrap();
    let shape = Checkpoint::shape_of(folder.path()).unwrap();
    let mut header = BTreeMap::new();
    let mut end = 0;
    for tensor in shape.tensors() {
        let start = end;
        end += tensor.bytes();
        let entry = serde_json::json!({
            "dtype": "BF16", "shape": tensor.dimensions(), "data_offsets": [start, end]
        });
        header.insert(tensor.name, entry);
    }
    let mut header = serde_json::to_vec(&header).unwrap();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut weights = file("model.safetensors");
    weights
        .write_all(&(header.len() as u64).to_le_bytes())
        .unwrap();
    weights.write_all(&header).unwrap();
    weights.set_len(8 + header.len() as u64 + end).unwrap();
    folder
}

/// The most memory this process ever had resident, mapped files included, in bytes.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    1024 * line
        .trim()
        .strip_suffix("kB")
        .unwrap()
        .trim()
        .parse::<u64>()
        .unwrap()
}

#[test]
fn peak_memory_stays_near_weights_and_cache() {
    let folder = checkpoint();
    let source = Checkpoint::open(folder.path()).unwrap();
    let options = Options {
        plan: PlanKind::Fused,
        context: 1024,
        rows: 32,
        threads: 2,
        affinity: Affinity::None,
        path: Path::best(),
    };
    let decoder = Decoder::new(&source, &options).unwrap();
    let needed = source.shape().weight_bytes() + source.shape().kv_bytes(1024 + 32);
    let allowed = needed + needed * 15 / 100 + (64 << 20);
    assert!(2 * needed > allowed, "weights held twice must be seen");
    assert!(decoder.memory().weights <= needed);
    assert!(
        peak_resident() <= allowed,
        "{} MB resident, {} MB needed",
        peak_resident() >> 20,
        needed >> 20
    );
}
