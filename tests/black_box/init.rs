//! `prereg init`: a study that can be used at once.

use prereg_runs::RunFolder;

use crate::study::{Finished, prereg, temporary_folder};

fn init(folder: &std::path::Path) -> Finished {
    prereg(folder, &["init", "study"])
}

#[test]
fn init_says_what_to_do_next() {
    let folder = temporary_folder();
    insta::assert_snapshot!(init(folder.path()).exits(0).redacted(), @r"
    wrote a study to study

    next:
      cd study
      prereg check example
      prereg lock example
      prereg run experiments/example.toml --on cpu
    ");
}

#[test]
fn init_writes_over_nothing() {
    let folder = temporary_folder();
    init(folder.path()).exits(0);
    let example = folder.path().join("study/experiments/example.toml");
    prereg_ledger::write_atomic(&example, b"mine").unwrap();
    init(folder.path())
        .exits(64)
        .says("exists already")
        .says("name a new or empty folder");
    assert_eq!(std::fs::read(example).unwrap(), b"mine");
}

/// The whole line on this machine: nothing is asserted of the numbers that were measured.
#[test]
fn the_example_of_a_new_study_is_checked_locked_run_reported_and_verified() {
    let folder = temporary_folder();
    init(folder.path()).exits(0);
    let root = folder.path().join("study").canonicalize().unwrap();
    let prereg = |arguments: &[&str]| prereg(&root, arguments);
    // Fewer sessions and steps than the example has, to be quick.
    let file = root.join("experiments/example.toml");
    let mut example = std::fs::read_to_string(&file).unwrap();
    for (old, new) in [
        ("sessions = 8", "sessions = 5"),
        ("measured-steps = 16", "measured-steps = 2"),
        ("context = 256", "context = 16"),
    ] {
        assert_eq!(example.matches(old).count(), 1, "{old}");
        example = example.replace(old, new);
    }
    prereg_ledger::write_atomic(&file, example.as_bytes()).unwrap();

    prereg(&["check", "example"]).exits(0);
    prereg(&["lock", "example"]).exits(0);
    let run = prereg(&["run", "experiments/example.toml", "--on", "cpu"]);
    assert!(matches!(run.code, Some(0..=2)), "{run:#?}");
    assert!(
        run.stderr
            .contains("measured: 5 sessions complete, 0 missing"),
        "{run:#?}"
    );

    let study = prereg_ledger::Study::open(&root).unwrap();
    let history = prereg_ledger::History::read(&study).unwrap();
    let [sealed] = history.runs() else {
        panic!("{:?}", history.runs())
    };
    let run_folder = RunFolder::open(&study, "example", &sealed.id).unwrap();
    for session in 0..5 {
        let session = run_folder.session(session);
        // Four slots of one step, and a line for each slot.
        assert_eq!(session.steps().unwrap().len(), 8);
        assert!(!session.telemetry().unwrap().is_empty());
        let environment = session.environment().unwrap();
        assert!(environment.host.executable.is_some());
    }
    assert_eq!(sealed.verdicts.len(), 1);
    assert!(root.join("reports/example.md").is_file());
    prereg(&["verify"])
        .exits(0)
        .says("1 verdict derived again")
        .says("nothing found");
    assert_eq!(prereg(&["analyze", "example"]).code, run.code);
}
