//! A study that goes away with its folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use prereg_ledger::{History, Study, create_folders, write_atomic};
use tempfile::TempDir;

use super::command::{Finished, prereg};
use super::plan::Plan;

const TARGETS: &str = r#"[cpu]
device = "cpu"
name = "any"

[h100]
device = "cuda"
name = "NVIDIA H100 80GB HBM3"
compute-capability = "9.0"
memory = "79 GB"
mig = false
peak-bandwidth = { value = "3350 GB/s", source = "datasheet" }
"#;

/// Shape of `models/slow`: 20 million weights.
const SLOW_MODEL: &str = r#"{
  "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu",
  "hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 6, "num_attention_heads": 8,
  "num_key_value_heads": 4, "vocab_size": 4096, "max_position_embeddings": 1024, "rms_norm_eps": 1e-05,
  "rope_theta": 10000.0, "tie_word_embeddings": true, "torch_dtype": "bfloat16"
}"#;

/// A checkpoint that the decode tests compare with its reference.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("crates/prereg-decode/tests/fixtures")
        .join(name)
}

/// An empty folder: in memory where there is such a place, since the tests flush files thousands of times.
pub(crate) fn temporary_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A study in a temporary folder, with two models and no declaration.
#[derive(Debug)]
pub(crate) struct TempStudy {
    root: PathBuf,
    _folder: Option<TempDir>,
}

impl TempStudy {
    pub(crate) fn new() -> Self {
        let folder = temporary_folder();
        let root = folder.path().canonicalize().unwrap();
        Self {
            _folder: Some(folder),
            ..Self::at(&root)
        }
    }

    /// A study in a folder that the caller removes.
    pub(crate) fn at(root: &Path) -> Self {
        Study::create_layout(root).unwrap();
        let study = Self {
            root: root.to_owned(),
            _folder: None,
        };
        study.write("models/slow/config.json", SLOW_MODEL);
        for file in ["config.json", "model.safetensors"] {
            study.write_bytes(
                &format!("models/tiny/{file}"),
                &fs::read(fixture("qwen2").join(file)).unwrap(),
            );
        }
        study.write("experiments/targets.toml", TARGETS);
        study
    }

    /// A study with `plan` as `experiments/plan.toml`.
    pub(crate) fn with(plan: &Plan) -> Self {
        let study = Self::new();
        study.declare(plan);
        study
    }

    /// A study with `plan` locked.
    pub(crate) fn locked(plan: &Plan) -> Self {
        let study = Self::with(plan);
        study.prereg(["lock", "plan"]).exits(0);
        study
    }

    /// What `git clone` gives: all files but the untracked ones.
    pub(crate) fn cloned(&self) -> Self {
        let clone = Self::new();
        copy(&self.root, &clone.root, &is_untracked);
        clone
    }

    /// What `git pull` gives where nothing collides: the files of `other` that are not here.
    pub(crate) fn pull(&self, other: &Self) {
        let here: BTreeSet<PathBuf> = self
            .contents("")
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        copy(&other.root, &self.root, &|path| {
            is_untracked(path) || here.contains(path)
        });
    }

    pub(crate) fn declare(&self, plan: &Plan) {
        self.write("experiments/plan.toml", plan.text());
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn study(&self) -> Study {
        Study::open(&self.root).unwrap()
    }

    pub(crate) fn history(&self) -> History {
        History::read(&self.study()).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        create_folders(path.parent().unwrap()).unwrap();
        write_atomic(&path, bytes).unwrap();
    }

    /// The one chain of the ledger.
    pub(crate) fn chain(&self) -> PathBuf {
        let chains: Vec<PathBuf> = self
            .files("prereg/ledger")
            .into_iter()
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "jsonl")
            })
            .collect();
        assert_eq!(chains.len(), 1, "{chains:?}");
        chains[0].clone()
    }

    /// The folder of the one run.
    pub(crate) fn run_folder(&self) -> PathBuf {
        let runs = self.files("runs/plan");
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs[0].clone()
    }

    /// What a folder holds, sorted; nothing where there is no folder.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// Every file below a folder with its bytes, the ledger's file lock aside.
    pub(crate) fn contents(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut contents = Vec::new();
        for path in self.files(folder) {
            if path.is_dir() {
                contents.extend(self.contents(path.to_str().unwrap()));
            } else if !path.ends_with(".lock") {
                contents.push((path.clone(), fs::read(path).unwrap()));
            }
        }
        contents
    }

    /// Runs a command to its end.
    pub(crate) fn prereg<const N: usize>(&self, arguments: [&str; N]) -> Finished {
        prereg(&self.root, &arguments)
    }
}

/// Changes one byte in the middle of a file.
pub(crate) fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    write_atomic(path, &bytes).unwrap();
}

fn is_untracked(path: &Path) -> bool {
    path.ends_with("prereg/ledger/.writer") || path.ends_with("prereg/ledger/.lock")
}

/// Copies the files below `from` whose new path is not to be skipped.
fn copy(from: &Path, to: &Path, skip: &dyn Fn(&Path) -> bool) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if skip(&target) {
        } else if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target, skip);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
