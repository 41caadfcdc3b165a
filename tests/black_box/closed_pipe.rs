//! A reader that went away.

use crate::study::{Finished, Plan, TempStudy, binary};

#[test]
fn a_reader_that_went_away_is_no_error() {
    let study = TempStudy::locked(&Plan::default());
    for arguments in [
        &["list"][..],
        &["show", "plan"],
        &["analyze", "plan"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = binary(study.root())
            .args(arguments)
            .stdout(writer)
            .output()
            .unwrap();
        let finished = Finished::of(output);
        assert!(matches!(finished.code, Some(0 | 2)), "{finished:#?}");
        assert_eq!(finished.stderr, "");
    }
}

#[test]
fn output_that_a_full_device_refuses_is_an_error() {
    let study = TempStudy::locked(&Plan::default());
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = binary(study.root()).arg("list").stdout(full).output();
    Finished::of(output.unwrap())
        .exits(74)
        .says("standard output could not be written");
}
