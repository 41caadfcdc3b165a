//! Lock folders: written once, re-hashed at every reading.

use std::fs;

use prereg_declaration::Digest;
use prereg_ledger::{Finding, FolderProblem, Frozen, LockError, LockedConstant};

use crate::fixture::{DECLARATION, Fixture, a_lock, announce, lock};

fn problem(fixture: &Fixture) -> FolderProblem {
    match fixture.history().findings() {
        [Finding::LockFolder { problem, .. }] => problem.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_id_is_the_sha256_of_lock_json_and_names_the_folder() {
    let fixture = Fixture::new();
    let id = lock(&mut fixture.writer());
    let folder = fixture.study.locks().join(id.prefix(16));
    assert_eq!(Digest::of(&fs::read(folder.join("lock.json")).unwrap()), id);
    assert_eq!(
        fs::read(folder.join("declaration.toml")).unwrap(),
        DECLARATION
    );
    assert_eq!(fs::read_dir(fixture.study.locks()).unwrap().count(), 1);
}

#[test]
fn a_lock_reads_back_as_it_was_written() {
    let fixture = Fixture::new();
    let mut written = a_lock();
    written.constants.push(LockedConstant {
        target: Some("cpu".into()),
        name: "peak_bandwidth".into(),
        arm: None,
        value: 0.1 + 0.2,
        unit: "B/s".into(),
        formula: "datasheet".into(),
    });
    let (id, record) = fixture.writer().lock(&written, DECLARATION).unwrap();
    let history = fixture.history();
    let read = history.lock(id).unwrap();
    let whole = Frozen::Whole {
        lock: Box::new(written),
        declaration_toml: DECLARATION.into(),
    };
    assert_eq!(read.frozen, whole);
    assert_eq!(read.time, record.time);
    assert_eq!(history.locks_of("replay_tax").count(), 1);
}

#[test]
fn a_lock_of_other_bytes_or_without_a_finite_constant_is_refused_and_leaves_nothing() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    assert!(matches!(
        writer.lock(&a_lock(), b"other"),
        Err(LockError::OtherDeclaration)
    ));
    let mut infinite = a_lock();
    infinite.constants.push(LockedConstant {
        target: None,
        name: "context".into(),
        arm: None,
        value: f64::INFINITY,
        unit: String::new(),
        formula: String::new(),
    });
    assert!(matches!(
        writer.lock(&infinite, DECLARATION),
        Err(LockError::Encode(_))
    ));
    let mut elsewhere = a_lock();
    elsewhere.experiment = "../elsewhere".into();
    assert!(matches!(
        writer.lock(&elsewhere, DECLARATION),
        Err(LockError::Experiment { .. })
    ));
    assert_eq!(fs::read_dir(fixture.study.locks()).unwrap().count(), 0);
    assert_eq!(fixture.history().records().count(), 0);
}

#[test]
fn every_flipped_byte_of_a_frozen_file_is_found_and_voids_the_lock_s_runs() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    for file in ["declaration.toml", "lock.json"] {
        let path = fixture.study.locks().join(id.prefix(16)).join(file);
        let whole = fs::read(&path).unwrap();
        for index in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[index] ^= 1;
            fs::write(&path, flipped).unwrap();
            assert_eq!(problem(&fixture), FolderProblem::Changed { file });
        }
        let history = fixture.history();
        assert_eq!(history.lock(id).unwrap().frozen, Frozen::Damaged);
        assert_eq!(
            history.findings_on_run(history.run(&run).unwrap()).count(),
            1
        );
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_missing_frozen_file_is_found() {
    let fixture = Fixture::new();
    let id = lock(&mut fixture.writer());
    fs::remove_file(fixture.study.locks().join(id.prefix(16)).join("lock.json")).unwrap();
    assert!(matches!(
        problem(&fixture),
        FolderProblem::Unreadable {
            file: "lock.json",
            ..
        }
    ));
}

#[test]
fn a_lock_under_unknown_rules_is_unknown_and_no_finding() {
    let fixture = Fixture::new();
    let mut newer = a_lock();
    newer.rules = "2".into();
    let (id, _) = fixture.writer().lock(&newer, DECLARATION).unwrap();
    let history = fixture.history();
    let unknown = Frozen::Unknown {
        schema: "prereg-lock/1".into(),
        rules: "2".into(),
    };
    assert_eq!(history.lock(id).unwrap().frozen, unknown);
    assert!(history.findings().is_empty());
}

#[test]
fn a_folder_without_a_record_is_found_and_locking_again_records_it() {
    let fixture = Fixture::new();
    let id = lock(&mut Fixture::new().writer());
    let other = Fixture::new();
    lock(&mut other.writer());
    let name = id.prefix(16);
    fs::create_dir_all(fixture.study.locks().join(&name)).unwrap();
    for file in ["declaration.toml", "lock.json"] {
        let from = other.study.locks().join(&name).join(file);
        fs::copy(from, fixture.study.locks().join(&name).join(file)).unwrap();
    }
    assert_eq!(
        fixture.history().findings(),
        [Finding::LockUnrecorded { folder: name }]
    );
    assert_eq!(lock(&mut fixture.writer()), id);
    assert!(fixture.history().findings().is_empty());
}

#[test]
fn what_a_crash_left_of_a_lock_folder_is_ignored_and_replaced() {
    let fixture = Fixture::new();
    let id = lock(&mut Fixture::new().writer());
    let staged = fixture
        .study
        .locks()
        .join(format!(".{}.tmp", id.prefix(16)));
    fs::create_dir(&staged).unwrap();
    fs::write(staged.join("declaration.toml"), b"sche").unwrap();
    assert!(fixture.history().findings().is_empty());
    assert_eq!(lock(&mut fixture.writer()), id);
    assert!(fixture.history().findings().is_empty());
    assert!(!staged.exists());
}

#[test]
fn a_folder_with_other_content_is_not_written_over() {
    let fixture = Fixture::new();
    let id = lock(&mut Fixture::new().writer());
    let path = fixture.study.locks().join(id.prefix(16));
    fs::create_dir(&path).unwrap();
    fs::write(path.join("lock.json"), b"{}").unwrap();
    assert!(matches!(
        fixture.writer().lock(&a_lock(), DECLARATION),
        Err(LockError::Occupied { .. })
    ));
    assert_eq!(fs::read(path.join("lock.json")).unwrap(), b"{}");
    assert_eq!(fixture.history().records().count(), 0);
}

#[test]
fn locks_that_ask_the_same_question_know_each_other() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = lock(&mut writer);
    let mut again = a_lock();
    again.experiment = "replay_tax_again".into();
    let (second, _) = writer.lock(&again, DECLARATION).unwrap();
    let mut other = a_lock();
    other.question = Digest::of(b"another question");
    writer.lock(&other, DECLARATION).unwrap();
    let history = fixture.history();
    let event = history.lock(first).unwrap().event.clone();
    let same: Vec<_> = history
        .same_question(&event)
        .map(|lock| lock.event.lock)
        .collect();
    assert_eq!(same, [second]);
}
