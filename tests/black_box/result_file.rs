//! `prereg inspect` and `prereg init --from`: what a benchmark tool left.

use std::path::{Path, PathBuf};

use crate::study::{TempStudy, prereg, temporary_folder};

fn result(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("crates/prereg-readers/tests/fixtures")
        .join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn inspect_shows_columns_and_limits_and_judges_nothing() {
    let file = result("hyperfine/runs.json");
    let shown = prereg(Path::new("/"), &["inspect", text(&file)]).exits(0);
    shown
        .says("hyperfine")
        .says("step_time")
        .says("only what a locked plan measured is judged");
}

#[test]
fn inspect_gives_every_format_as_json() {
    for name in [
        "criterion/sample.json",
        "criterion/estimates.json",
        "google-benchmark/repetitions.json",
        "hyperfine/runs.json",
        "lines/steps.jsonl",
        "llama-bench/one_test.jsonl",
        "nvbench/one_state.json",
        "vllm-latency/latencies.json",
    ] {
        let file = result(name);
        let shown = prereg(Path::new("/"), &["inspect", "--json", text(&file)]).exits(0);
        let reader = name.split('/').next().unwrap();
        assert_eq!(shown.json()["reader"], reader, "{name}");
        assert!(shown.json()["observations"].as_u64() > Some(0), "{name}");
        assert!(
            !shown.json()["limits"].as_array().unwrap().is_empty(),
            "{name}"
        );
    }
}

#[test]
fn a_file_of_no_known_tool_is_refused() {
    let folder = temporary_folder();
    let other = folder.path().join("other.json");
    prereg_ledger::write_atomic(&other, br#"{"answer":42}"#).unwrap();
    prereg(folder.path(), &["inspect", "other.json"]).exits(65);
    prereg(folder.path(), &["inspect", "absent.json"]).exits(66);
    let failed = result("hyperfine/failed.json");
    prereg(folder.path(), &["inspect", text(&failed)]).exits(65);
}

#[test]
fn a_draft_from_a_file_names_what_is_to_be_filled_in_and_is_not_accepted_before() {
    let study = TempStudy::new();
    let file = result("hyperfine/runs.json");
    study
        .prereg(["init", "--from", text(&file)])
        .exits(0)
        .says("experiments/runs.toml");
    let draft = study.read("experiments/runs.toml");
    assert!(draft.contains("reader = \"hyperfine\""), "{draft}");
    assert!(draft.contains("data-seen = \"pilot\""), "{draft}");
    study.prereg(["check", "runs"]).exits(65);
    study.prereg(["lock", "runs"]).exits(65);
    study
        .prereg(["init", "--from", text(&file)])
        .exits(64)
        .says("exists already");
    assert_eq!(study.read("experiments/runs.toml"), draft);
}
