//! What nothing inside a study can show, and a head kept outside does.

use std::fs;

use prereg_ledger::{Finding, KeptHead};

use crate::fixture::{Fixture, announce, lock, note, seal};

/// A study with a sealed run, and the head that somebody kept of it.
fn study_with_a_run() -> (Fixture, KeptHead) {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    fs::create_dir_all(fixture.study.runs().join("replay_tax").join(run.as_str())).unwrap();
    writer.append(seal(&run)).unwrap();
    let kept = fixture.history().heads().remove(0);
    (fixture, kept)
}

#[test]
fn a_tail_cut_off_with_its_run_folder_is_found_only_against_an_outside_head() {
    let (fixture, kept) = study_with_a_run();
    let chain = fixture.only_chain();
    let text = fs::read_to_string(&chain).unwrap();
    let lock_only: String = text.split_inclusive('\n').take(1).collect();
    fs::write(&chain, &lock_only).unwrap();
    let digest = fixture.history().heads()[0].head.digest;
    fs::write(
        fixture.only_head(),
        format!("{{\"count\":1,\"digest\":\"{digest}\"}}\n"),
    )
    .unwrap();
    fs::remove_dir_all(fixture.study.runs()).unwrap();

    let mut history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert!(history.leftovers().is_empty());
    assert_eq!(history.evidence_level().as_str(), "self-asserted");

    history.expect_head(&kept);
    assert!(matches!(
        history.findings(),
        [Finding::KeptHeadAbsent { .. }]
    ));
    assert_eq!(history.evidence_level().as_str(), "self-asserted");
}

#[test]
fn a_chain_rebuilt_from_its_start_is_found_only_against_an_outside_head() {
    let (fixture, kept) = study_with_a_run();
    // The forger has the tool, and has it begin anew under the old name.
    let forged = Fixture::new();
    let zeros = "0".repeat(64);
    let own = format!(
        "{{\"writer\":\"{}\",\"head\":{{\"count\":0,\"digest\":\"{zeros}\"}},\"study\":\"{}\"}}",
        kept.writer,
        forged.study.root().display()
    );
    fs::write(forged.study.ledger().join(".writer"), own).unwrap();
    let mut writer = forged.writer();
    let id = lock(&mut writer);
    for text in ["a run?", "what run?"] {
        writer.append(note(text)).unwrap();
    }
    fs::copy(forged.only_chain(), fixture.only_chain()).unwrap();
    fs::copy(forged.only_head(), fixture.only_head()).unwrap();

    let mut history = fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert_eq!(history.lock(id).map(|lock| lock.event.lock), Some(id));

    history.expect_head(&kept);
    assert!(matches!(
        history.findings(),
        [Finding::KeptHeadAbsent { .. }]
    ));
    assert_eq!(history.evidence_level().as_str(), "self-asserted");
}

#[test]
fn a_kept_head_holds_while_the_chain_grows() {
    let (fixture, kept) = study_with_a_run();
    fixture.writer().append(note("later")).unwrap();
    let mut history = fixture.history();
    history.expect_head(&kept);
    assert!(history.findings().is_empty());
    assert_eq!(history.evidence_level().as_str(), "self-asserted");
}

#[test]
fn an_absent_kept_head_voids_every_run() {
    let (fixture, kept) = study_with_a_run();
    let mut history = fixture.history();
    let run = history.runs()[0].clone();
    assert_eq!(history.findings_on_run(&run).count(), 0);
    let other = format!(
        "{}:{}:{}",
        "0123456789ab", kept.head.count, kept.head.digest
    );
    history.expect_head(&other.parse().unwrap());
    assert_eq!(history.findings_on_run(&run).count(), 1);
}
