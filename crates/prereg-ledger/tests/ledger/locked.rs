//! From a recorded lock to a declaration that may be run.

use std::fs;

use prereg_declaration::{Digest, Targets, check, meaning_digest, question_digest};
use prereg_ledger::{ChangedInput, Frozen, LoadError, Lock, Locked};

use crate::fixture::{Fixture, a_lock};

const TARGETS: &[u8] = b"[cpu]\ndevice = \"cpu\"\nname = \"any\"\n";

pub(crate) const DECLARATION: &[u8] = br#"schema = "prereg/1"
id = "replay_tax"
title = "Does replaying a prepared plan pay?"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"

[workload]
kind = "decode"
model = "smollm2-135m"
weights = "random"
plan = "fused"
context = 64

[protocol]
sessions = 13
order = "mirror"
warmup-steps = 2
measured-steps = 20
sync = "per-step"
seed = "7244"
threads = 1

[inference]
assumed-cv = { speedup = "1.5 %" }

[arms]
eager = { launch = "eager" }
graphed = { launch = "graph" }

[metrics]
speedup = "median(step_time[eager]) / median(step_time[graphed])"

[gates]
same_output = { each-session = "logits[eager] == logits[graphed]", otherwise = "abstain" }

[claims.replay_pays]
text = "Replay pays."
on = ["cpu"]
expected = { speedup = 1.1 }
rival = { speedup = 1.0 }
kill = ["speedup < 1.02"]
"#;

fn lock() -> Lock {
    lock_of(DECLARATION)
}

/// What locking a declaration makes of it.
pub(crate) fn lock_of(toml: &[u8]) -> Lock {
    let targets = Targets::parse("targets.toml", TARGETS).unwrap();
    let declaration = check("replay_tax.toml", toml, &targets).unwrap();
    let mut lock = a_lock();
    lock.declaration = Digest::of(toml);
    lock.meaning = meaning_digest(&declaration);
    lock.question = question_digest(&declaration);
    lock.targets = targets
        .iter()
        .map(|target| (target.name.clone(), target.canonical()))
        .collect();
    lock
}

fn load(fixture: &Fixture, lock: &Lock) -> Result<Locked, LoadError> {
    let (id, _) = fixture.writer().lock(lock, DECLARATION).unwrap();
    Locked::load(&fixture.history(), id)
}

#[test]
fn a_recorded_lock_gives_the_declaration_and_targets_that_were_locked() {
    let fixture = Fixture::new();
    let locked = load(&fixture, &lock()).unwrap();
    assert_eq!(locked.declaration().id, "replay_tax");
    assert_eq!(locked.declaration().protocol.seed, "7244");
    assert_eq!(
        locked.targets(),
        &Targets::parse("targets.toml", TARGETS).unwrap()
    );
    assert_eq!(locked.declaration_toml(), DECLARATION);
    assert_eq!(locked.lock(), &lock());
}

#[test]
fn an_unrecorded_id_is_not_locked() {
    let id = Digest::of(b"no lock");
    let error = Locked::load(&Fixture::new().history(), id).unwrap_err();
    assert!(matches!(error, LoadError::NotLocked { .. }));
}

#[test]
fn a_changed_frozen_declaration_is_void() {
    let fixture = Fixture::new();
    let id = load(&fixture, &lock()).unwrap().id();
    let path = fixture
        .study
        .locks()
        .join(id.prefix(16))
        .join("declaration.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("speedup < 1.02", "speedup < 1.01")).unwrap();
    let error = Locked::load(&fixture.history(), id).unwrap_err();
    assert!(matches!(error, LoadError::Void { .. }));
    assert!(
        error
            .to_string()
            .contains("declaration.toml is not what was locked"),
        "{error}"
    );
}

#[test]
fn a_broken_chain_of_the_lock_is_void() {
    let fixture = Fixture::new();
    let id = load(&fixture, &lock()).unwrap().id();
    fs::write(fixture.only_head(), b"?").unwrap();
    assert_eq!(
        fixture
            .history()
            .lock(id)
            .map(|lock| matches!(lock.frozen, Frozen::Whole { .. })),
        Some(true)
    );
    assert!(matches!(
        Locked::load(&fixture.history(), id),
        Err(LoadError::Void { .. })
    ));
}

#[test]
fn a_lock_under_newer_rules_cannot_be_judged() {
    let mut newer = lock();
    newer.rules = "2".into();
    let error = load(&Fixture::new(), &newer).unwrap_err();
    assert!(matches!(error, LoadError::UnknownRules { .. }));
    assert!(error.to_string().contains("cannot judge"), "{error}");
}

#[test]
fn a_declaration_that_is_read_with_another_meaning_cannot_be_judged() {
    let mut other = lock();
    other.meaning = Digest::of(b"another meaning");
    assert!(matches!(
        load(&Fixture::new(), &other),
        Err(LoadError::OtherMeaning { .. })
    ));
}

#[test]
fn a_declaration_that_is_refused_now_cannot_be_judged() {
    let mut other = lock();
    other.targets.clear();
    assert!(matches!(
        load(&Fixture::new(), &other),
        Err(LoadError::Refused { .. })
    ));
}

#[test]
fn inputs_are_compared_with_their_locked_digests() {
    let fixture = Fixture::new();
    for name in ["same", "changed"] {
        fs::write(fixture.study.experiments().join(name), b"as locked").unwrap();
    }
    let mut with_files = lock();
    for name in ["same", "changed", "gone"] {
        with_files
            .files
            .insert(format!("experiments/{name}"), Digest::of(b"as locked"));
    }
    with_files
        .files
        .insert("../outside".into(), Digest::of(b""));
    let locked = load(&fixture, &with_files).unwrap();
    fs::write(fixture.study.experiments().join("changed"), b"otherwise").unwrap();
    let problems: Vec<String> = locked
        .changed_inputs(&fixture.study)
        .iter()
        .map(ChangedInput::to_string)
        .collect();
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(
        problems[0].contains("`../outside` leaves the study"),
        "{problems:?}"
    );
    assert!(
        problems[1].contains("`experiments/changed` is not the file that was locked"),
        "{problems:?}"
    );
    assert!(
        problems[2].contains("`experiments/gone` cannot be read"),
        "{problems:?}"
    );
}
