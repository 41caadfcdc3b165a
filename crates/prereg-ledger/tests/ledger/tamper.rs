//! Whatever is changed in the files of a ledger is found, and is a finding on the right chain.

use std::fs;
use std::path::Path;

use prereg_declaration::Digest;
use prereg_ledger::{Finding, History};

use crate::fixture::{Fixture, announce, lock, note, seal};

fn study() -> Fixture {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let id = lock(&mut writer);
    let run = announce(&mut writer, id).run;
    writer.append(seal(&run)).unwrap();
    fixture
}

fn changed(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn codes(history: &History) -> Vec<&'static str> {
    history.findings().iter().map(Finding::code).collect()
}

#[test]
fn a_flipped_bit_in_any_byte_of_a_chain_is_found_and_voids_its_runs() {
    let fixture = study();
    let chain = fixture.only_chain();
    let whole = fs::read(&chain).unwrap();
    for index in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[index] ^= 1 << (index % 8);
        fs::write(&chain, &flipped).unwrap();
        let history = fixture.history();
        assert!(!history.findings().is_empty(), "byte {index}");
        for run in history.runs() {
            assert!(history.findings_on_run(run).count() > 0, "byte {index}");
        }
    }
}

#[test]
fn every_flipped_bit_of_a_head_file_is_found_or_changes_no_value() {
    let fixture = study();
    let path = fixture.only_head();
    let whole = fs::read(&path).unwrap();
    for index in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[index] ^= 1 << bit;
            fs::write(&path, &flipped).unwrap();
            let history = fixture.history();
            let same: Option<bool> = serde_json::from_slice::<serde_json::Value>(&flipped)
                .ok()
                .map(|value| value == serde_json::from_slice::<serde_json::Value>(&whole).unwrap());
            assert_eq!(
                history.findings().is_empty(),
                same == Some(true),
                "byte {index}, bit {bit}"
            );
        }
    }
}

#[test]
fn records_cut_off_the_end_are_found_against_the_head_file() {
    let fixture = study();
    let text = fs::read_to_string(fixture.only_chain()).unwrap();
    for lines in 0..3 {
        let cut: String = text.split_inclusive('\n').take(lines).collect();
        fs::write(fixture.only_chain(), cut).unwrap();
        assert_eq!(codes(&fixture.history())[0], "chain-cut", "{lines}");
    }
}

#[test]
fn a_removed_chain_is_found_against_its_head_file() {
    let fixture = study();
    fs::remove_file(fixture.only_chain()).unwrap();
    assert!(codes(&fixture.history()).contains(&"chain-cut"));
}

#[test]
fn lines_that_change_places_are_found() {
    let fixture = study();
    let text = fs::read_to_string(fixture.only_chain()).unwrap();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.swap(1, 2);
    fs::write(fixture.only_chain(), lines.concat()).unwrap();
    assert!(codes(&fixture.history()).contains(&"broken-chain"));
}

#[test]
fn converted_line_endings_are_found() {
    let fixture = study();
    let text = fs::read_to_string(fixture.only_chain()).unwrap();
    fs::write(fixture.only_chain(), text.replace('\n', "\r\n")).unwrap();
    let history = fixture.history();
    assert_eq!(codes(&history), ["broken-chain", "lock-unrecorded"]);
    assert!(history.findings()[0].fix().contains(".gitattributes"));
}

#[test]
fn a_head_file_of_another_chain_of_the_same_length_is_found() {
    let fixture = study();
    let other = study();
    other.writer().append(note("x")).unwrap();
    fixture.writer().append(note("y")).unwrap();
    fs::copy(other.only_head(), fixture.only_head()).unwrap();
    assert_eq!(codes(&fixture.history()), ["head-mismatch"]);
}

#[test]
fn a_chain_under_a_name_that_is_no_writer_is_found() {
    let fixture = study();
    let renamed = fixture.study.ledger().join("backup.jsonl");
    fs::rename(fixture.only_chain(), renamed).unwrap();
    assert!(codes(&fixture.history()).contains(&"stray-file"));
}

#[test]
fn a_head_file_that_alone_stands_ahead_is_not_written_over() {
    let fixture = study();
    let digest = fixture.history().heads()[0].head.digest;
    let ahead = format!("{{\"count\":9,\"digest\":\"{digest}\"}}\n");
    fs::write(fixture.only_head(), ahead).unwrap();
    fixture.writer().append(note("after")).unwrap();
    assert_eq!(codes(&fixture.history()), ["chain-cut"]);
}

#[test]
fn a_copy_of_a_chain_under_another_writer_s_name_is_found() {
    let fixture = study();
    let (chain, head) = (fixture.only_chain(), fixture.only_head());
    fs::copy(&chain, chain.with_file_name("0123456789ab.jsonl")).unwrap();
    fs::copy(&head, head.with_file_name("0123456789ab.head")).unwrap();
    let history = fixture.history();
    assert_eq!(codes(&history), ["broken-chain"]);
    assert_eq!(history.runs().len(), 1);
}

#[test]
fn a_broken_chain_is_not_written_to_again() {
    let fixture = study();
    let chain = fixture.only_chain();
    changed(&chain, |bytes| bytes[10] ^= 1);
    let broken = fs::read(&chain).unwrap();
    fixture.writer().append(note("after")).unwrap();
    assert_eq!(fs::read(&chain).unwrap(), broken);
    assert_eq!(fixture.files(".jsonl").len(), 2);
    assert!(codes(&fixture.history()).contains(&"broken-chain"));
}

#[test]
fn a_head_file_that_stands_ahead_is_not_written_over() {
    let fixture = study();
    let text = fs::read_to_string(fixture.only_chain()).unwrap();
    let cut: String = text.split_inclusive('\n').take(2).collect();
    fs::write(fixture.only_chain(), cut).unwrap();
    fixture.writer().append(note("after")).unwrap();
    assert!(codes(&fixture.history()).contains(&"chain-cut"));
}

#[test]
fn a_cut_chain_with_a_cut_head_is_void_once_another_chain_saw_more_of_it() {
    let origin = study();
    let clone = Fixture::clone_of(&origin);
    clone.writer().append(note("I saw a sealed run")).unwrap();
    let cited = clone.history().runs()[0].writer.clone();
    let path = clone.study.ledger().join(format!("{cited}.jsonl"));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.split_inclusive('\n').take(2).collect::<String>(),
    )
    .unwrap();
    let head = clone
        .history()
        .heads()
        .into_iter()
        .find(|kept| kept.writer == cited)
        .unwrap()
        .head;
    let head = format!(
        "{{\"count\":{},\"digest\":\"{}\"}}\n",
        head.count, head.digest
    );
    fs::write(path.with_extension("head"), head).unwrap();

    let history = clone.history();
    assert_eq!(codes(&history), ["seen-elsewhere"]);
    assert_eq!(history.findings_on_run(&history.runs()[0]).count(), 1);
}

#[test]
fn a_finding_on_a_replication_s_chain_voids_the_replication_only() {
    let origin = study();
    let clone = Fixture::clone_of(&origin);
    let lock = clone.history().locks()[0].event.lock;
    let replication = announce(&mut clone.writer(), lock).run;
    let own = clone.history().run(&replication).unwrap().writer.clone();
    fs::write(clone.study.ledger().join(format!("{own}.head")), b"?").unwrap();

    let history = clone.history();
    let of_record = history.runs_of_record(lock, "cpu").next().unwrap();
    assert_eq!(history.findings_on_run(of_record).count(), 0);
    assert_eq!(
        history
            .findings_on_run(history.run(&replication).unwrap())
            .count(),
        1
    );
}

#[test]
fn a_finding_on_the_lock_s_chain_voids_every_run_of_the_lock() {
    let origin = study();
    let clone = Fixture::clone_of(&origin);
    let lock = clone.history().locks()[0].clone();
    let replication = announce(&mut clone.writer(), lock.event.lock).run;
    fs::write(
        clone.study.ledger().join(format!("{}.head", lock.writer)),
        b"?",
    )
    .unwrap();
    let history = clone.history();
    assert_eq!(
        history
            .findings_on_run(history.run(&replication).unwrap())
            .count(),
        1
    );
    assert_eq!(history.findings_on_lock(&lock).count(), 1);
}

/// A study with one record, behind which a line with a digest of its own was written by other
/// means: `change` turns the fields that would continue the chain into others.
fn forged(change: impl FnOnce(&str) -> String) -> String {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    let first = writer.append(note("one")).unwrap();
    let right = format!(
        r#"{{"writer":"{}","seq":1,"prev":"{}","seen":{{}},"time":"2026-11-30T22:07:32Z","kind":"note","body":{{"text":"two","run":null}}"#,
        writer.id(),
        first.digest
    );
    let body = change(&right);
    let digest = Digest::of(body.as_bytes());
    let chain = fs::read_to_string(fixture.only_chain()).unwrap();
    let chain = format!("{chain}{body},\"digest\":\"{digest}\"}}\n");
    fs::write(fixture.only_chain(), chain).unwrap();
    let findings: Vec<_> = fixture
        .history()
        .findings()
        .iter()
        .map(Finding::to_string)
        .collect();
    findings.join("; ")
}

#[test]
fn a_line_made_by_other_means_that_continues_the_chain_is_a_record() {
    assert_eq!(forged(str::to_owned), "");
}

#[test]
fn a_line_with_a_right_digest_that_does_not_continue_the_chain_is_found() {
    let zeros = "0".repeat(64);
    let cases: [(&str, &str, &str); 7] = [
        (
            "\"seq\":1",
            "\"seq\":2",
            "line 2: its seq is 2 where 1 is due",
        ),
        (
            "\"seen\":{}",
            "\"seen\":{},\"x\":1",
            "it is not a record: unknown field `x`",
        ),
        ("22:07:32Z", "22:07:32+01:00", "is not an RFC 3339 UTC date"),
        ("2026-11-30", "2026-13-30", "is not an RFC 3339 UTC date"),
        (
            ",\"run\":null",
            ",\"runs\":null",
            "it is not a record: unknown field `runs`",
        ),
        (
            "\"text\":\"two\"",
            "\"text\":2",
            "it is not a record: invalid type",
        ),
        (
            "\"kind\":\"note\",",
            "",
            "it is not a record: missing field `kind`",
        ),
    ];
    for (from, to, message) in cases {
        let found = forged(|right| right.replace(from, to));
        assert!(found.contains(message), "{from}: {found}");
    }
    let with_field = |key: &str, value: &str| {
        forged(|right| {
            let start = right.find(&format!("\"{key}\":\"")).unwrap() + key.len() + 4;
            let end = start + right[start..].find('"').unwrap();
            format!("{}{value}{}", &right[..start], &right[end..])
        })
    };
    assert!(with_field("prev", &zeros).contains("its prev is not the digest of the record before"));
    assert!(with_field("writer", "0123456789ab").contains("it belongs to chain 0123456789ab"));
    let itself = forged(|right| {
        let writer = &right[11..23];
        right.replace(
            "\"seen\":{}",
            &format!("\"seen\":{{\"{writer}\":{{\"count\":0,\"digest\":\"{zeros}\"}}}}"),
        )
    });
    assert!(
        itself.contains("it lists its own chain among the others"),
        "{itself}"
    );
}
