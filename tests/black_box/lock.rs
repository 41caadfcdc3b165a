//! `prereg lock`: what is frozen, and what is refused.

use prereg_declaration::Digest;

use crate::study::{Plan, TempStudy};

#[test]
fn lock_says_what_it_froze() {
    let study = TempStudy::with(&Plan::default());
    insta::assert_snapshot!(study.prereg(["lock", "plan"]).exits(0).redacted(), @r"
    locked plan as <12 hex>
      lock         <64 hex>
      declaration  <64 hex>
      meaning      <64 hex>
      question     <64 hex>
      file         models/tiny/config.json <12 hex>
      file         models/tiny/model.safetensors <12 hex>
      evidence     self-asserted

    commit prereg/ now, then: prereg run plan --on cpu
    ");
}

#[test]
fn the_frozen_copy_has_the_bytes_of_the_declaration_and_the_id_is_the_digest_of_lock_json() {
    let study = TempStudy::locked(&Plan::default());
    let [folder] = &study.files("prereg/locks")[..] else {
        panic!("one lock")
    };
    let lock = std::fs::read(folder.join("lock.json")).unwrap();
    let id = Digest::of(&lock);
    assert_eq!(folder.file_name().unwrap().to_str().unwrap(), id.prefix(16));
    assert_eq!(
        std::fs::read(folder.join("declaration.toml")).unwrap(),
        Plan::default().text().as_bytes()
    );
    let lock: serde_json::Value = serde_json::from_slice(&lock).unwrap();
    assert_eq!(
        lock["declaration"],
        Digest::of(Plan::default().text().as_bytes()).to_string()
    );
    study
        .prereg(["show", &id.prefix(8)])
        .exits(0)
        .says(&id.to_string());
}

#[test]
fn a_lock_holds_the_digests_of_the_files_that_the_plan_names() {
    let study = TempStudy::locked(&Plan::default());
    let lock = study.prereg(["show", "plan", "--json"]).exits(0).json();
    let digest = |file: &str| Digest::of(&std::fs::read(study.path(file)).unwrap()).to_string();
    let files = ["models/tiny/config.json", "models/tiny/model.safetensors"];
    assert_eq!(
        lock["files"],
        serde_json::json!({ files[0]: digest(files[0]), files[1]: digest(files[1]) })
    );
}

#[test]
fn a_lock_resolves_the_constants_of_workload_and_targets() {
    let plan = Plan::default().with(r#"targets = ["cpu"]"#, r#"targets = ["cpu", "h100"]"#);
    let lock = TempStudy::locked(&plan)
        .prereg(["show", "plan", "--json"])
        .exits(0)
        .json();
    let constants: Vec<String> = lock["constants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|constant| {
            let part = |key: &str| constant[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} {} {} {}",
                part("name"),
                part("arm"),
                part("target"),
                constant["value"],
                part("unit")
            )
        })
        .collect();
    insta::assert_snapshot!(constants.join("\n"), @r"
    context - - 4.0 token
    weights_bytes eager - 271104.0 B
    kv_bytes eager - 1536.0 B
    launches eager - 15.0 
    weights_bytes graphed - 271104.0 B
    kv_bytes graphed - 1536.0 B
    launches graphed - 15.0 
    peak_bandwidth - h100 3350000000000.0 B/s
    ");
}

#[test]
fn a_declaration_is_locked_once() {
    let study = TempStudy::locked(&Plan::default());
    let before = study.contents("");
    study
        .prereg(["lock", "plan"])
        .exits(66)
        .says("is locked already")
        .says("prereg run plan --on cpu");
    assert_eq!(study.contents(""), before);
}

#[test]
fn a_lock_of_the_same_question_is_named() {
    let study = TempStudy::locked(&Plan::default());
    study.declare(
        &Plan::default()
            .with("id = \"plan\"", "id = \"again\"")
            .with("speedup < 1.15", "speedup < 1.14"),
    );
    study
        .prereg(["lock", "plan"])
        .exits(0)
        .says("asked before by plan (");
}

#[test]
fn a_model_that_is_not_there_is_missing_and_the_shapes_are_named() {
    let study = TempStudy::with(&Plan::default().with("models/tiny", "models/absent"));
    let before = study.contents("");
    study
        .prereg(["lock", "plan"])
        .exits(66)
        .says("models/absent")
        .says("smollm2-135m");
    assert_eq!(study.contents(""), before);
}
