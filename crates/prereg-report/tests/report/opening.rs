//! What stands before anything that a template renders.

use std::fs;

use prereg_report::{Templates, render};

use crate::case;

/// The study's own `report.md.j2` instead of the embedded one.
fn with_template(source: &str) -> (tempfile::TempDir, Templates) {
    let folder = tempfile::tempdir().unwrap();
    fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(folder.path().join("report.md.j2"))
        .and_then(|mut file| std::io::Write::write_all(&mut file, source.as_bytes()))
        .unwrap();
    let templates = Templates::of_study(folder.path()).unwrap();
    (folder, templates)
}

#[test]
fn a_template_that_prints_nothing_hides_nothing_of_the_record() {
    let (_folder, templates) = with_template("");
    let case = case::missing_sessions();
    let report = render(&case.input(), &templates).unwrap();
    for must in [
        "◇ abstained: speedup is at least 1.15 on cpu",
        "self-asserted",
        "1 of 1: no other lock",
        "cpu-3f2a91c07d55",
        "| 5 | ran past the locked time-out |",
        "**Simulated data.**",
    ] {
        assert!(
            report.markdown.contains(must),
            "{must}\n{}",
            report.markdown
        );
    }
}

#[test]
fn every_run_is_listed_with_its_own_fate() {
    let (_folder, templates) = with_template("");
    let case = case::pass();
    let report = render(&case.input(), &templates).unwrap();
    let row = |id: &str| {
        report
            .markdown
            .lines()
            .find(|line| line.starts_with(&format!("| `{id}`")))
            .unwrap()
            .to_owned()
    };
    assert!(row("cpu-3f2a91c07d55").contains("| **run of record** | sealed |"));
    assert!(row("cpu-3f2a91c07d55").ends_with("● pass |"));
    assert!(row("cpu-77aa0e4d19b2").contains("replication 1 | sealed"));
    assert!(row("cpu-77aa0e4d19b2").ends_with("◇ abstained |"));
    assert!(row("cpu-0b5d6a2277c1").contains("aborted before any session: the wrong terminal"));
    assert!(row("cpu-e19c4470ab03").contains("announced, not sealed"));
}

#[test]
fn nothing_of_a_template_comes_before_the_verdict() {
    let (_folder, templates) = with_template("# First words of a template\n");
    let case = case::falsified();
    let report = render(&case.input(), &templates).unwrap();
    let verdict = report.markdown.find("✖ falsified").unwrap();
    let template = report.markdown.find("First words of a template").unwrap();
    assert!(verdict < template);
}

#[test]
fn an_inconsistent_record_shows_no_verdict_and_says_why() {
    let case = case::inconsistent();
    let report = crate::rendered(&case);
    let (opening, _) = report.markdown.split_once("## Record").unwrap();
    assert!(opening.contains("■ no verdict"));
    assert!(opening.contains("record 7 does not follow record 6; fix: restore the file"));
    assert!(!opening.contains("● pass"));
}

#[test]
fn measured_data_carries_no_banner() {
    let report = crate::rendered(&case::falsified());
    assert!(!report.markdown.to_lowercase().contains("simulated"));
    for figure in report.figures {
        assert!(
            !figure.svg.to_lowercase().contains("simulated"),
            "{}",
            figure.path
        );
    }
}
