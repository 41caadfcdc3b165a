//! What a crash leaves, byte by byte, and its repair.

use std::fs::{self, OpenOptions};

use prereg_ledger::{Event, Leftover};

use crate::fixture::{Fixture, note};

/// Three records, and the three files of the ledger after each of the last two.
struct Moments {
    fixture: Fixture,
    chain: [Vec<u8>; 2],
    head: [Vec<u8>; 2],
    own: [Vec<u8>; 2],
}

fn moments() -> Moments {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    writer.append(note("one")).unwrap();
    let own_path = fixture.study.ledger().join(".writer");
    let (mut chain, mut head, mut own) = (
        [const { Vec::new() }; 2],
        [const { Vec::new() }; 2],
        [const { Vec::new() }; 2],
    );
    for (moment, text) in ["two", "three"].into_iter().enumerate() {
        writer.append(note(text)).unwrap();
        chain[moment] = fs::read(fixture.only_chain()).unwrap();
        head[moment] = fs::read(fixture.only_head()).unwrap();
        own[moment] = fs::read(&own_path).unwrap();
    }
    drop(writer);
    Moments {
        fixture,
        chain,
        head,
        own,
    }
}

impl Moments {
    /// The files as a crash leaves them that lets through `bytes` of the chain.
    fn crash(&self, bytes: usize, head: usize, own: usize) {
        let fixture = &self.fixture;
        fs::write(fixture.only_chain(), &self.chain[1][..bytes]).unwrap();
        fs::write(fixture.only_head(), &self.head[head]).unwrap();
        fs::write(fixture.study.ledger().join(".writer"), &self.own[own]).unwrap();
    }

    fn texts(&self) -> Vec<String> {
        let history = self.fixture.history();
        let texts = history.records().map(|(_, record)| match &record.event {
            Event::Note(note) => note.text.clone(),
            event => event.kind().into(),
        });
        texts.collect()
    }
}

#[test]
fn a_last_line_torn_at_any_byte_is_a_leftover_that_the_next_start_cuts_off() {
    let moments = moments();
    let whole = moments.chain[0].len();
    for bytes in whole + 1..moments.chain[1].len() {
        moments.crash(bytes, 0, 0);
        let history = moments.fixture.history();
        assert!(
            history.findings().is_empty(),
            "{bytes}: {:?}",
            history.findings()
        );
        assert!(
            matches!(history.leftovers(), [Leftover::TornLine { .. }]),
            "{bytes}"
        );

        moments.fixture.writer().append(note("after")).unwrap();
        assert_eq!(
            moments.texts(),
            ["one", "two", "recovered", "after"],
            "{bytes}"
        );
        let history = moments.fixture.history();
        assert!(
            history.findings().is_empty() && history.leftovers().is_empty(),
            "{bytes}"
        );
        let cut = history
            .records()
            .find_map(|(_, record)| match &record.event {
                Event::Recovered(recovery) => Some(recovery.cut_bytes),
                _ => None,
            });
        assert_eq!(cut, Some((bytes - whole) as u64));
    }
}

#[test]
fn a_head_that_a_crash_left_behind_is_a_leftover_that_the_next_start_brings_up_to_date() {
    let moments = moments();
    moments.crash(moments.chain[1].len(), 0, 0);
    let history = moments.fixture.history();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
    assert!(matches!(
        history.leftovers(),
        [Leftover::StaleHead { found: 3, .. }]
    ));

    drop(moments.fixture.writer());
    assert_eq!(moments.texts(), ["one", "two", "three", "recovered"]);
    assert!(moments.fixture.history().leftovers().is_empty());
}

#[test]
fn a_crash_between_head_and_writer_file_needs_no_repair() {
    let moments = moments();
    moments.crash(moments.chain[1].len(), 1, 0);
    moments.fixture.writer().append(note("after")).unwrap();
    assert_eq!(moments.texts(), ["one", "two", "three", "after"]);
}

#[test]
fn a_chain_that_goes_further_than_a_crash_can_explain_is_not_continued() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    writer.append(note("one")).unwrap();
    let own_path = fixture.study.ledger().join(".writer");
    let own = fs::read(&own_path).unwrap();
    writer.append(note("two")).unwrap();
    writer.append(note("three")).unwrap();
    drop(writer);
    fs::write(own_path, own).unwrap();
    fixture.writer().append(note("after")).unwrap();
    assert_eq!(fixture.files(".jsonl").len(), 2);
    assert!(fixture.history().findings().is_empty());
}

#[test]
fn a_crash_in_the_very_first_append_leaves_the_chain_its_own() {
    let fixture = Fixture::new();
    fixture.writer().append(note("lost")).unwrap();
    let chain = fixture.only_chain();
    let line = fs::read(&chain).unwrap();
    let own_path = fixture.study.ledger().join(".writer");
    let own = fs::read_to_string(&own_path).unwrap();
    let start = own.find("\"head\"").unwrap();
    let end = own.find("\"study\"").unwrap();
    let zeros = "0".repeat(64);
    let empty = format!(
        "{}\"head\":{{\"count\":0,\"digest\":\"{zeros}\"}},{}",
        &own[..start],
        &own[end..]
    );
    for bytes in 0..line.len() {
        fs::write(&chain, &line[..bytes]).unwrap();
        let _ = fs::remove_file(fixture.only_head());
        fs::write(&own_path, &empty).unwrap();
        fixture.writer().append(note("after")).unwrap();
        assert_eq!(fixture.only_chain(), chain);
        let history = fixture.history();
        assert!(
            history.findings().is_empty() && history.leftovers().is_empty(),
            "{bytes}"
        );
        assert_eq!(history.records().last().unwrap().1.event, note("after"));
    }
}

#[test]
fn temporary_files_of_a_crash_are_not_read() {
    let fixture = Fixture::new();
    fixture.writer().append(note("one")).unwrap();
    let torn = fixture
        .only_head()
        .with_file_name(".0123456789ab.head.77-0.tmp");
    fs::write(torn, b"{\"cou").unwrap();
    let history = fixture.history();
    assert!(history.findings().is_empty() && history.leftovers().is_empty());
}

#[test]
fn a_chain_that_changes_under_its_writer_is_not_written_to() {
    let fixture = Fixture::new();
    let mut writer = fixture.writer();
    writer.append(note("one")).unwrap();
    let chain = fixture.only_chain();
    let mut other = OpenOptions::new().append(true).open(&chain).unwrap();
    std::io::Write::write_all(&mut other, b"x").unwrap();
    let before = fs::read(&chain).unwrap();
    let error = writer.append(note("two")).unwrap_err();
    assert!(error.to_string().contains("changed while"), "{error}");
    assert_eq!(fs::read(&chain).unwrap(), before);
    assert!(fixture.files(".tmp").is_empty());
}
